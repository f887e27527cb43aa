"""Texts of topics and documents are found in files of several kinds."""

import gzip
from pathlib import Path
from typing import NamedTuple

import pytest

import gradewise as gw
from gradewise.errors import InputError
from gradewise.report import texts
from gradewise.report.texts import Text

TREC = """<top>
<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations.
<narr> Narrative:
A relevant document names one.
</top>
<top><num>302</num><title>Poliomyelitis</title></top>
"""


def test_columns_json_and_topics(tmp_path: Path) -> None:
    (tmp_path / "docs.tsv").write_bytes(b"1\tfirst text\r\n02\tsecond\tpart\n3\tthird\n")
    assert gw.report.read_texts(tmp_path / "docs.tsv", ["02", "1", "9"]) == {
        "1": Text("first text"),
        "02": Text("second\npart"),
    }
    lines = '{"_id": "a", "title": "T", "text": "x"}\n\n{"docid": 7, "contents": "y\u00e9"}\n'
    (tmp_path / "docs.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    assert gw.report.read_texts(str(tmp_path / "docs.jsonl.gz"), ["7", "a"]) == {
        "a": Text("x", "T"),
        "7": Text("y\u00e9"),
    }
    (tmp_path / "topics.txt").write_text(TREC, encoding="utf-8")
    assert gw.report.read_texts(tmp_path / "topics.txt", ["301", "302"]) == {
        "301": Text(
            "Identify organizations.\n\nA relevant document names one.",
            "International Organized Crime",
        ),
        "302": Text("", "Poliomyelitis"),
    }


def test_reading_stops_when_all_are_found(tmp_path: Path) -> None:
    (tmp_path / "docs.tsv").write_text("1\tone\n2\ttwo\nthis line is not right\n", encoding="utf-8")
    assert gw.report.read_texts(tmp_path / "docs.tsv", ["2"]) == {"2": Text("two")}
    with pytest.raises(InputError, match=r"docs.tsv:3: expected an id and a text"):
        gw.report.read_texts(tmp_path / "docs.tsv", ["3"])


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "docs.jsonl").write_text('{"name": "a"}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"docs.jsonl:1: expected JSON with a field such as id"):
        gw.report.read_texts(tmp_path / "docs.jsonl", ["a"])
    (tmp_path / "empty.tsv").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="the first line is empty"):
        gw.report.read_texts(tmp_path / "empty.tsv", ["a"])
    with pytest.raises(InputError, match=r"nowhere\.tsv"):
        gw.report.read_texts(tmp_path / "nowhere.tsv", ["a"])


NEWER = """<topics task="COVIDSearch Round 1">
<topic number="1">
<query>coronavirus origin</query>
<question>what is the origin of COVID-19 &amp; SARS</question>
<narrative>seeking <i>range</i> of information</narrative>
</topic>
<topic number="2"><query>weather</query></topic>
</topics>
"""
DOCUMENTS = b"""<DOC>
<DOCNO> FT911-3 </DOCNO>
<HEADLINE>A headline
on two lines</HEADLINE>
<TEXT>The text &amp; more.</TEXT>
</DOC>
<DOC><DOCNO>FT911-4</DOCNO><TEXT>Not wanted.</TEXT></DOC>
<DOC><DOCNO>FT911-5</DOCNO>Bare <b>words</b>.</DOC>
"""


def test_newer_topics_and_documents_of_trec(tmp_path: Path) -> None:
    (tmp_path / "topics.xml").write_text(NEWER, encoding="utf-8")
    assert gw.report.read_texts(tmp_path / "topics.xml", ["1", "2", "3"]) == {
        "1": Text(
            "what is the origin of COVID-19 & SARS\n\nseeking  range  of information",
            "coronavirus origin",
        ),
        "2": Text("", "weather"),
    }
    (tmp_path / "docs.gz").write_bytes(gzip.compress(DOCUMENTS))
    found = gw.report.read_texts(tmp_path / "docs.gz", ["FT911-3", "FT911-5"])
    assert found["FT911-3"] == Text("The text & more.", "A headline\non two lines")
    assert found["FT911-5"].text.split() == ["Bare", "words", "."]
    assert len(found) == 2


class _Query(NamedTuple):
    query_id: str
    title: str


class _Document(NamedTuple):
    doc_id: str
    text: str


class _Dataset:
    """A dataset as ir_datasets gives it."""

    def has_queries(self) -> bool:
        return True

    def has_docs(self) -> bool:
        return True

    def queries_iter(self) -> list[_Query]:
        return [_Query("q1", "one"), _Query("q2", "two")]

    def docs_store(self) -> "_Dataset":
        return self

    def get_many_iter(self, names: list[str]) -> list[_Document]:
        return [_Document(name, f"text of {name}") for name in names if name.startswith("d")]


def test_texts_of_datasets(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(texts, "load_dataset", lambda name: asked.append(name) or _Dataset())
    assert gw.report.read_texts("irds:some/set", ["q2", "q9"]) == {"q2": Text("", "two")}
    assert gw.report.read_texts("irds:some/set", ["d7"]) == {"d7": Text("text of d7")}
    assert asked == ["some/set"] * 2
