"""Several runs in one source, rows one by one, and what runs are called."""

import gzip
import io
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import gradewise as gw
from gradewise.collection.naming import name_runs
from gradewise.collection.reading import run_name
from gradewise.collection.sources import arrow, blocks, iterables
from gradewise.errors import InputError, OptionError

QRELS = {"1": {"a": 1, "b": 0}, "2": {"c": 2}}
ROWS = [
    *(("x", "1", "a", 3.0), ("x", "1", "b", 2.0), ("y", "1", "b", 9.0), ("y", "1", "a", 8.0)),
    *(("x", "2", "c", 1.0), ("y", "2", "d", 1.0), ("y", "2", "c", 0.5)),
]
TABLES = {
    "x": {"1": {"a": 3.0, "b": 2.0}, "2": {"c": 1.0}},
    "y": {"1": {"b": 9.0, "a": 8.0}, "2": {"d": 1.0, "c": 0.5}},
}
NAMES = ("run", "qid", "docid", "score")
TOLD = "topic from 'qid', document from 'docid', score from 'score', run from 'run'"


def as_csv(rows: list[tuple[Any, ...]]) -> bytes:
    return "".join(",".join(map(str, row)) + "\n" for row in [NAMES, *rows]).encode()


def frame() -> pl.DataFrame:
    return pl.DataFrame(ROWS, schema=list(NAMES), orient="row")


def sources(tmp_path: Path) -> dict[str, tuple[Any, str]]:
    """Return the same runs in all forms, with what is told of each."""
    path = tmp_path / "both.parquet"
    frame().write_parquet(path)
    lines = "".join(frame().select(pl.struct(pl.all()).struct.json_encode()).to_series().to_list())
    made: dict[str, tuple[Any, str]] = {
        "csv": (io.BytesIO(as_csv(ROWS)), f"read as CSV: {TOLD}"),
        "packed": (io.BytesIO(gzip.compress(as_csv(ROWS))), f"read as CSV: {TOLD}"),
        "jsonl": (io.BytesIO(lines.encode()), f"read as JSON lines: {TOLD}"),
        "frame": (frame(), f"read {TOLD}"),
        "lazy": (frame().lazy(), f"read {TOLD}"),
        "table": (frame().to_arrow(), f"read {TOLD}"),
        "parquet": (path, f"read {TOLD}"),
        "dictionaries": (frame().to_dicts(), f"read {TOLD}"),
        "generator": (iter(frame().to_dicts()), f"read {TOLD}"),
    }
    return made


KINDS = [
    *("csv", "packed", "jsonl", "frame", "lazy", "table", "parquet", "dictionaries", "generator"),
]


@pytest.mark.parametrize("size", [None, 1, 60])
@pytest.mark.parametrize("kind", KINDS)
def test_a_column_that_names_runs_gives_several(tmp_path, monkeypatch, kind, size):
    if size is not None:
        monkeypatch.setattr(blocks, "BLOCK", 4 * size)
        for module in (arrow, iterables):
            monkeypatch.setattr(module, "_CHUNK", max(size // 20, 1))
    source, note = sources(tmp_path)[kind]
    runs = gw.read_runs(source)
    assert {name: run.to_dict() for name, run in runs.items()} == TABLES
    assert [(run.name, run.tag, run.notes) for run in runs.values()] == [
        ("x", "x", (note,)),
        ("y", "y", (note,)),
    ]


@pytest.mark.parametrize("ties", ["trec", "input", "random"])
@pytest.mark.parametrize("kind", KINDS)
def test_they_score_as_the_same_runs_apart(tmp_path, kind, ties):
    source, note = sources(tmp_path)[kind]
    measures = ["AP", "nDCG@2", "NumRet", "ADM"]
    together = gw.evaluate(QRELS, source, measures, ties=ties, seed=3)
    apart = gw.evaluate(QRELS, TABLES, measures, ties=ties, seed=3)
    assert together.runs == ("x", "y")
    assert together.values.tolist() == apart.values.tolist()
    assert together.notes[:2] == [f"x: {note}", f"y: {note}"]


def test_runs_whose_topics_come_back():
    rows = [ROWS[0], ROWS[4], *ROWS[2:4], ROWS[1], ("x", "2", "e", 0.25), *ROWS[5:]]
    tables = TABLES | {"x": TABLES["x"] | {"2": {"c": 1.0, "e": 0.25}}}
    scores = gw.evaluate(QRELS, io.BytesIO(as_csv(rows)), ["AP", "NumRet"])
    assert scores.values.tolist() == gw.evaluate(QRELS, tables, ["AP", "NumRet"]).values.tolist()
    again = "the rows of a topic are not contiguous, so the whole run was kept in memory"
    assert f"x: {again}" in scores.notes
    assert f"y: {again}" not in scores.notes


def test_what_is_wrong_is_told_once_and_by_line():
    text = as_csv(ROWS) + b"x,3,d,bad\ny,3,d,worse\n"
    for read in (gw.read_runs, lambda source: gw.evaluate(QRELS, source, "AP")):
        with pytest.raises(InputError) as caught:
            read(io.BytesIO(text))
        told = str(caught.value).splitlines()
        assert [line.split(": ")[0] for line in told] == ["stream:9", "stream:10"]


def test_a_document_twice_in_a_run_and_not_in_two():
    text = as_csv([*ROWS, ("y", "1", "a", 1.0)])
    for read in (gw.read_runs, lambda source: gw.evaluate(QRELS, source, "AP")):
        with pytest.raises(InputError) as caught:
            read(io.BytesIO(text))
        told = "document a appears twice for topic 1, first at stream:5"
        assert str(caught.value) == f"stream:9: {told}: y,1,a,1.0"


def test_read_run_wants_one():
    with pytest.raises(InputError) as caught:
        gw.read_run(io.BytesIO(as_csv(ROWS)))
    assert str(caught.value) == "stream: contains 2 runs (x, y); use read_runs to read them all"
    run = gw.read_run(io.BytesIO(as_csv(ROWS[:2])), name="mine")
    assert (run.name, run.tag, run.to_dict()) == ("mine", "x", {"1": {"a": 3.0, "b": 2.0}})


def test_trec_text_of_several_tags_on_request():
    text = "1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n1 Q0 a 1 1 y\n"
    runs = gw.read_runs(io.BytesIO(text.encode()), columns="topic,_,doc,_,score,run")
    assert {name: (run.to_dict(), run.notes) for name, run in runs.items()} == {
        "x": ({"1": {"a": 2.0, "b": 1.0}}, ()),
        "y": ({"1": {"a": 1.0}}, ()),
    }


def test_a_run_without_a_name_is_refused():
    made = frame().with_columns(run=pl.when(pl.col("docid") != "d").then("run"))
    with pytest.raises(InputError, match="run: row 6: the run id None is not text"):
        gw.read_runs(made)


def test_other_functions_take_them(tmp_path):
    path = tmp_path / "both.csv"
    path.write_bytes(as_csv(ROWS))
    assert gw.fuse(path).topics == ("1", "2")
    assert gw.distance.rbo_matrix(path).runs == ("x", "y")
    report = gw.report.make_report(QRELS, path, ["AP"])
    assert report.notes[:1] == (f"x: read as CSV: {TOLD}",)


# Rows one by one


@pytest.mark.parametrize("size", [1 << 16, 2, 1])
@pytest.mark.parametrize("make", [list, tuple, iter, lambda rows: (row for row in rows)])
def test_tuples(monkeypatch, make, size):
    monkeypatch.setattr(iterables, "_CHUNK", size)
    rows = [("1", "a", 3.0), ("1", "b", 2), (2, 7, 1.5)]
    run = gw.read_run(make(rows))
    assert run.to_dict() == {"1": {"a": 3.0, "b": 2.0}, "2": {"7": 1.5}}
    assert run.notes == ("read values as topic, document, score",)
    graded = [("1", "a", 1), ("1", "b", 0)]
    qrels = gw.read_qrels(make(graded))
    assert qrels.to_dict() == {"1": {"a": 1, "b": 0}}
    assert qrels.assumed == ("read values as topic, document, grade",)
    scores = gw.evaluate(make(graded), make(rows), "AP")
    assert (scores.runs, scores.summary().tolist()) == (("run",), [[1.0]])
    assert scores.notes[:2] == [
        "qrels: read values as topic, document, grade",
        "run: read values as topic, document, score",
    ]
    ranked = gw.read_run(make(rows), columns=("topic", "doc", "rank"))
    assert (ranked.ranking("1"), ranked.notes) == (["b", "a"], ())
    ordered = gw.read_run(make([("a", "1"), ("b", "1")]), columns="doc,topic")
    assert (ordered.ranking("1"), ordered.notes) == (["a", "b"], ())


def test_tuples_by_intent():
    rows = [("1", "i", "a", 1), ("1", "j", "a", 2)]
    for given in (rows, iter(rows)):
        qrels = gw.read_qrels(given)
        assert qrels.intents is not None
        assert qrels.to_dict() == {"1": {"a": 2}}
        assert qrels.assumed == ("read values as topic, intent, document, grade",)


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([("1", "a", 1.0), ("1", "b")], "run: row 2: the topic id None is not text"),
        ([("1", "a", 1.0), ("1", "b", None)], "run: row 2: the score None is not a finite"),
        ([("1", "a", 1.0), 5], "run: row 2: the topic id None is not text"),
        ([("1", "a", 1.0), ("1", "a", 2.0)], "run: row 2: document a appears twice for topic 1"),
        ([("1", "a")], "run: expected 3 or 6 values in a row, found 2; set columns"),
        ([{"qid": "1", "docno": "a"}], "run: no column contains the score"),
        (
            [{"qid": "1", "docno": "a", "score": 1}, {"qid": "1"}],
            "run: row 2: the document id None",
        ),
        ([], "run: there are no rows"),
    ],
)
def test_what_is_wrong_with_rows(rows, told):
    for given in (rows, iter(rows)):
        with pytest.raises(InputError) as caught:
            gw.read_run(given)
        assert str(caught.value).startswith(told)


# Lists


def test_lists_of_documents():
    run = gw.read_run({"q": ["d1", "d9"], "r": [7]})
    assert run.to_dict() == {"q": {"d1": -1.0, "d9": -2.0}, "r": {"7": -1.0}}
    assert run.notes == ("read the order of documents as their ranks",)
    pairs = gw.read_run({"q": [("d1", 0.5), ("d9", 0.75)]})
    assert (pairs.ranking("q"), pairs.notes) == (["d9", "d1"], ())
    scores = gw.evaluate({"q": {"d9": 1}}, {"q": ["d1", "d9"]}, "RR")
    assert (scores.runs, scores.summary().tolist()) == (("run",), [[0.5]])
    assert scores.notes == ["run: read the order of documents as their ranks"]
    named = {"a": {"q": ["d1", "d9"]}, "b": {"q": ["d9"]}, "c": [("q", "d9", 1.0)]}
    scores = gw.evaluate({"q": {"d9": 1}}, named, "RR")
    assert scores["RR"] == {"a": 0.5, "b": 1.0, "c": 1.0}
    with pytest.raises(InputError, match="run\\['q'\\]: expected a dictionary or a list of doc"):
        gw.read_run({"q": 5})
    with pytest.raises(InputError, match="run\\['q'\\]\\['d1'\\]: document d1 appears twice"):
        gw.read_run({"q": ["d1", "d1"]})


# Names


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("final.qruir.txt", "final.qruir"),
        ("final.qruir", "final.qruir"),
        ("runs/bm25.v1.2.jsonl.zst", "bm25.v1.2"),
        ("bm25.run.txt", "bm25.run"),
        ("bm25.csv", "bm25"),
        ("input.gz", "input"),
    ],
)
def test_only_endings_are_cut(path, name):
    assert run_name(path) == name


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Two files of one name, and one with the tag of the first."""
    made = []
    for place, tag in (("a/run.txt", "one"), ("b/run.txt", "two"), ("c.txt.gz", "one")):
        path = tmp_path / place
        path.parent.mkdir(exist_ok=True)
        text = f"# head\n1 Q0 a 1 2.5 {tag}\n".encode()
        path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
        made.append(path)
    return made


def named(*arguments: Any, **options: Any) -> list[str]:
    return [name for name, _ in name_runs(*arguments, **options)]


def test_names_by_file_and_by_tag(files):
    first, second, third = files
    assert named(files[1:]) == ["run", "c"]
    assert named(files) == [str(first), str(second), "c"]
    assert named(files[:2], names="tag") == ["one", "two"]
    assert named(files, names="tag") == [f"one ({first})", "two", f"one ({third})"]
    assert list(gw.read_runs(files[1:], names="tag")) == ["two", "one"]
    with pytest.raises(InputError, match="two runs are named"):
        named([first, first])
    with pytest.raises(OptionError, match="names must be one of 'file', 'tag', not 'tags'"):
        named(files, names="tags")


def test_a_source_without_a_tag_is_called_by_its_file(tmp_path):
    path = tmp_path / "three.tsv"
    path.write_text("1\ta\t1\n")
    assert named([path], names="tag") == ["three"]
    described = tmp_path / "ntcir"
    described.write_text("<SYSDESC>x</SYSDESC>\n1 0 a 1 2.5 ME-1\n")
    assert named([described], names="tag") == ["ME-1"]
    path.write_bytes(as_csv(ROWS[:2]))
    assert named([path]) == ["three"]
    assert named([path], names="tag") == ["x"]


def test_names_of_runs_in_several_files(tmp_path):
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_bytes(as_csv(ROWS))
    second.write_bytes(as_csv(ROWS[2:4] + ROWS[:1]))
    assert named([first]) == ["x", "y"]
    both = named([first, second])
    assert both == [f"x ({first})", f"y ({first})", f"y ({second})", f"x ({second})"]
    assert named({"mine": first, "other": {"1": {"a": 1.0}}}) == ["mine/x", "mine/y", "other"]


def test_standard_input_and_pipes_are_looked_at_once(monkeypatch, tmp_path):
    import subprocess
    import sys

    code = "import gradewise as gw; print(gw.evaluate({'1': {'a': 1}}, '-', 'RR')['RR'])"
    for text in (as_csv(ROWS), b'{"1": {"a": 1.5}}'):
        done = subprocess.run(
            [sys.executable, "-c", code], input=text, capture_output=True, check=True
        )
        assert done.stdout.decode().strip() in ("{'x': 1.0, 'y': 0.5}", "{'stdin': 1.0}")
