"""JSON and JSON lines: rows, tables and lists, block by block; each with its note."""

import gzip
import io
import json
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradewise as gw
from gradewise.collection.sources import blocks
from gradewise.errors import InputError

often = settings(max_examples=150, deadline=None, derandomize=True)


def read(kind: str, text: str, **options: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return what a text holds, and what was assumed about it."""
    content = io.BytesIO(text.encode())
    if kind == "qrels":
        qrels = gw.read_qrels(content, **options)
        return qrels.to_dict(), qrels.assumed
    run = gw.read_run(content, **options)
    return run.to_dict(), run.notes


def refused(kind: str, text: str, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        read(kind, text, **options)
    return str(caught.value)


IDS = "topic from 'query-id', document from 'corpus-id'"
ORDER = "read the order of documents as their ranks"


@pytest.mark.parametrize(
    ("kind", "text", "table", "note"),
    [
        (
            "qrels",
            '{"query-id": "0", "corpus-id": "7", "score": "1"}\n'  # as some datasets of MTEB do
            '{"query-id": "0", "corpus-id": "8", "score": 0}\n',
            {"0": {"7": 1, "8": 0}},
            f"read as JSON lines: {IDS}, grade from 'score'",
        ),
        (
            "run",
            '\n{"score": 0.5, "corpus-id": 7, "x": {"deep": [1, {"score": 9}]}, "query-id": 1}\n',
            {"1": {"7": 0.5}},
            f"read as JSON lines: {IDS}, score from 'score'",
        ),
        (
            "run",
            '[{"qid": "a\\u00e9\\n", "docno": "\\ud83d\\ude00", "rank": 2},\n'
            ' {"qid": "a\\u00e9\\n", "docno": "x", "rank": 1}]',
            {"aé\n": {"😀": -2, "x": -1}},
            "read as JSON: topic from 'qid', document from 'docno', rank from 'rank'",
        ),
        (
            "qrels",
            '[{"topic": "1", "doc": "a", "grade": 2.0}, {"topic": "1", "doc": "b", "grade": null}]',
            {"1": {"a": 2}},
            "read as JSON; skipped 1 row without a grade",
        ),
        (
            "run",
            '["1", "a", 0.5]\n["1", "b", 2]\n',
            {"1": {"a": 0.5, "b": 2}},
            "read as JSON lines: values as topic, document, score",
        ),
        (
            "qrels",
            '[["1", "0", "a", 1], ["1", "0", "b", 0]]',
            {"1": {"a": 1, "b": 0}},
            "read as JSON: values as topic, intent, document, grade",
        ),
        (
            "run",
            '{\n  "q_1": {\n    "d_12": 0.9,\n    "d_23": 0.8\n  },\n  "q_2": {"d_11": 1}\n}',
            {"q_1": {"d_12": 0.9, "d_23": 0.8}, "q_2": {"d_11": 1}},
            "read as JSON: {topic: {document: score}}",
        ),
        (
            "qrels",
            '{"q_1": {"d_12": 5}, "q_2": {}, "q_3": {"d": -1}}',
            {"q_1": {"d_12": 5}, "q_3": {"d": -1}},
            "read as JSON: {topic: {document: grade}}",
        ),
        (
            "run",
            '{"q": ["d1", "d9"], "r": [], "s": [3]}',
            {"q": {"d1": -1, "d9": -2}, "s": {"3": -1}},
            f"read as JSON: {{topic: [documents]}}; {ORDER}",
        ),
        (
            "run",
            '{"q": [["d1", 0.5], ["d9", 0.75]]}',
            {"q": {"d1": 0.5, "d9": 0.75}},
            "read as JSON: {topic: [[document, score], ...]}",
        ),
        (
            "run",
            '{"q": ["d1", "d9"], "r": {"d2": 0.5}}',
            {"q": {"d1": -1, "d9": -2}, "r": {"d2": 0.5}},
            f"read as JSON: {{topic: [documents]}}; {ORDER}",
        ),
        (
            "run",
            '{"q": [{"id": 1, "doc_id": "d1", "score": 0.5}], "r": [{"doc_id": "d2", "score": 1}]}',
            {"q": {"d1": 0.5}, "r": {"d2": 1}},
            "read as JSON: {topic: [documents]}; topic from 'topic', document from 'doc_id', "
            "score from 'score'",
        ),
        (
            "qrels",
            '{"java": {"island": {"a": 1}, "language": {"a": 0, "b": 2}}}',
            {"java": {"a": 1, "b": 2}},
            "read as JSON: {topic: {intent: {document: grade}}}",
        ),
    ],
)
@pytest.mark.parametrize("block", [1 << 22, 40, 4])
def test_files_as_they_are(monkeypatch, kind, text, table, note, block):
    monkeypatch.setattr(blocks, "BLOCK", block)
    assert read(kind, text) == (table, (note,))


@pytest.mark.parametrize("block", [1 << 22, 60])
@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        ("run", '{"a": {"x": 1,\n"y": "z"}}', "stream:2: the score 'z' is not a finite number"),
        ("run", '{"a": {"x": 1,\n"y": NaN}}', "stream:2: the score NaN is not a finite number"),
        ("run", '{"a": {"x": 1,\n"y": true}}', "stream:2: the score true is not a finite number"),
        ("run", '{"a": {"x": 1,\n"": 2}}', "stream:2: the document id is empty"),
        ("qrels", '{"a": {"x": 1,\n"y": 1.5}}', "stream:2: the grade 1.5 is not a whole number"),
        ("run", '{"a": {"x": 1},\n"b": 5}', "stream:2: expected {document: number} for each topic"),
        ("run", '{"a": {"x": 1},\n"b" 5}', "stream:2: this is not JSON"),
        ("run", '{"a": {"x": 1}', "stream:1: the text ends in the middle of a value"),
        ("run", '{"a": ["x"],\n"b": ["y", 1.5]}', "stream:2: the document id 1.5 is not text"),
        ("run", '{"a": ["x",\n"x"]}', "stream:2: document x appears twice for topic a, first at"),
        (
            "run",
            '{"qid": "1", "docid": "a", "score": 1}\n{"qid": "1", "score": 1}\n',
            "stream:2: the document id is missing",
        ),
        (
            "run",
            '{"qid": "1", "docid": "a", "score": 1}\n{"qid": "1", "docid": "b"}\n',
            "stream:2: the score is missing",
        ),
        (
            "run",
            '{"qid": "1", "docid": "a", "score": 1}\n{"qid": 1.5, "docid": "b", "score": 1}\n',
            "stream:2: the topic id 1.5 is not text",
        ),
        (
            "run",
            '{"qid": "1", "docid": "a", "score": 1}\n{"qid": "\\ud800", "docid": "b", "score": 1}',
            "stream:2: the topic id '\\\\ud800' is not text",
        ),
        ("run", '{"qid": "1", "docid": "a", "score": 1}\n7\n', "stream:2: expected a row here"),
        ("run", '[{"qid": "1", "docid": "a", "score": 1},\n]', "stream:2: this is not JSON"),
        (
            "run",
            '{"qid": "1", "docid": "a", "score": 1}\n{"qid": "1", "docid": "a", "score": 2}\n',
            "stream:2: document a appears twice for topic 1, first at stream:1",
        ),
    ],
)
def test_what_is_wrong_is_named_by_its_line(monkeypatch, block, kind, text, told):
    monkeypatch.setattr(blocks, "BLOCK", block)
    assert refused(kind, text).startswith(told)


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        ("run", "{}", "stream: there are no rows"),
        ("run", "[]", "stream: there are no rows"),
        ("run", '{"a": 1}', "stream: this JSON with the keys a contains no run in a known form"),
        ("run", '["a", "b"]', "stream: expected 3 or 6 values in a row, found 2; set columns"),
        ("run", '{"a": {"b": {"c": {}}}}', "stream['a']['b']: the score {'c': {}} is not a finite"),
        ("run", '{"qid": "1", "docid": "a", "label": 1}', "stream: no column contains the score"),
        ("qrels", '{"qid": "1", "docid": "a", "rank": 1}', "stream: no column contains the grade"),
    ],
)
def test_what_holds_nothing_known(kind, text, told):
    assert refused(kind, text).startswith(told)


def test_columns_settle_what_is_read():
    text = '{"a": "q", "b": "d", "c": 3}\n'
    columns = {"topic": "a", "doc": "b", "rank": "c"}
    assert read("run", text, columns=columns) == ({"q": {"d": -3}}, ())
    assert read("run", '["d", "q", 3]\n', columns="doc,topic,rank") == ({"q": {"d": -3}}, ())
    assert read("run", text, columns="topic=a,doc=b") == ({"q": {"d": -1}}, ())


def test_compressed_and_in_a_batch_with_others(tmp_path):
    (tmp_path / "a.jsonl.gz").write_bytes(
        gzip.compress(b'{"qid": "1", "docid": "x", "score": 2}\n')
    )
    (tmp_path / "b.json").write_text('{"1": {"x": 1, "y": 2}}')
    (tmp_path / "c.txt").write_text("1 Q0 x 1 1 t\n")
    scores = gw.evaluate({"1": {"x": 1}}, tmp_path, "RR")
    assert {run: value for run, _, value in scores.mean.rows()} == {"a": 1, "b": 0.5, "c": 1}
    assert scores.notes == [
        "a: read as JSON lines: topic from 'qid', document from 'docid', score from 'score'",
        "b: read as JSON: {topic: {document: score}}",
    ]


TEXTS = st.text(max_size=5).filter(lambda text: text.strip() != "")
TABLES = st.dictionaries(
    TEXTS, st.dictionaries(TEXTS, st.floats(-1e9, 1e9), min_size=1, max_size=5), min_size=1
)


@often
@given(TABLES, st.booleans(), st.sampled_from([None, 2]), st.sampled_from([blocks.BLOCK, 200, 4]))
def test_tables_that_python_writes_read_back(table, ascii_only, indent, block):
    content = json.dumps(table, ensure_ascii=ascii_only, indent=indent)
    with patch.object(blocks, "BLOCK", block):
        run = gw.read_run(io.BytesIO(content.encode()))
    assert run.to_dict() == table
    assert run.notes == ("read as JSON: {topic: {document: score}}",)


@often
@given(TABLES, st.booleans(), st.sampled_from([blocks.BLOCK, 200, 4]), st.randoms())
def test_rows_that_python_writes_read_back(table, in_a_list, block, random):
    rows = [
        {"note": [topic], "query_id": topic, "doc_id": doc, "score": score}
        for topic, inner in table.items()
        for doc, score in inner.items()
    ]
    random.shuffle(rows)
    content = json.dumps(rows) if in_a_list else "\n".join(map(json.dumps, rows))
    with patch.object(blocks, "BLOCK", block):
        run = gw.read_run(io.BytesIO(content.encode()))
    assert run.to_dict() == table
    assert len(run.notes) == 1


def test_a_first_row_with_much_text_before_its_score():
    rows = [{"qid": "1", "text": "x" * 200_000, "docid": f"d{n}", "score": n} for n in range(3)]
    content = "\n".join(map(json.dumps, rows))
    told = "read as JSON lines: topic from 'qid', document from 'docid', score from 'score'"
    assert read("run", content) == ({"1": {"d0": 0, "d1": 1, "d2": 2}}, (told,))
    assert read("run", json.dumps(rows))[0] == {"1": {"d0": 0, "d1": 1, "d2": 2}}
