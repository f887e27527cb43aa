"""Where qrels and runs come from: files, streams, dictionaries, frames, parquet, ir_datasets."""

import gzip
import io
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

import gradewise as gw
from gradewise.collection.reading import run_name
from gradewise.collection.sources import blocks
from gradewise.errors import GradewiseError, InputError
from oracles.reading import literal_qrels, literal_run

QRELS = {"1": {"a": 1, "b": 0}, "2": {"c": 2}}
RUN = {"1": {"a": 3.5, "b": 2.5}, "2": {"c": 0.25}}
QRELS_ROWS = [("1", "a", 1), ("1", "b", 0), ("2", "c", 2)]
RUN_ROWS = [("1", "a", 3.5), ("1", "b", 2.5), ("2", "c", 0.25)]
QRELS_TEXT = "1 0 a 1\n1 0 b 0\n2 0 c 2\n"
RUN_TEXT = "1 Q0 a 1 3.5 tag\n1 Q0 b 2 2.5 tag\n2 Q0 c 1 0.25 tag\n"


def message(read: Callable[[Any], Any], source: Any) -> str:
    """Return what the user is told when a source is refused."""
    with pytest.raises(InputError) as caught:
        read(source)
    return str(caught.value)


def frame(rows: list[tuple[Any, ...]], *columns: str) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=list(columns), orient="row")


# Dictionaries


def test_dictionaries():
    assert gw.read_qrels(QRELS).to_dict() == QRELS
    assert gw.read_run(RUN).to_dict() == RUN


def test_ids_in_dictionaries_may_be_whole_numbers():
    assert gw.read_run({7: {np.int64(8): 1}}).to_dict() == {"7": {"8": 1.0}}


def test_numbers_in_dictionaries_may_be_numpys():
    run = gw.read_run({"1": {"a": np.float64(0.1), "b": np.int32(2), "c": np.float32(0.5)}})
    assert run.to_dict() == {"1": {"a": 0.1, "b": 2.0, "c": 0.5}}
    assert gw.read_qrels({"1": {"a": 2.0, "b": np.int8(-1)}}).to_dict() == {"1": {"a": 2, "b": -1}}


def test_the_order_of_a_dictionary_is_the_order_of_input():
    run = gw.read_run({"1": {"b": 1, "c": 1, "a": 1}})
    assert run.ranking("1", ties="input") == ["b", "c", "a"]


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (float("nan"), "the score nan is not a finite number"),
        (float("-inf"), "the score -inf is not a finite number"),
        ("1.5", "the score '1.5' is not a finite number"),
        (None, "the score None is not a finite number"),
        (True, "the score True is not a finite number"),
        (1j, "the score 1j is not a finite number"),
    ],
)
def test_scores_in_dictionaries_are_finite_numbers(number, told):
    assert message(gw.read_run, {"1": {"a": 1, "b": number}}) == f"run['1']['b']: {told}"


def test_a_score_too_large_for_a_double_is_refused():
    assert message(gw.read_run, {"1": {"a": 10**400}}).startswith("run['1']['a']: the score")


@pytest.mark.parametrize("grade", [1.5, float("nan"), "1", None, False])
def test_grades_in_dictionaries_are_whole_numbers(grade):
    told = message(gw.read_qrels, {"1": {"a": 1, "b": grade}})
    assert told == f"qrels['1']['b']: the grade {grade!r} is not a whole number"


@pytest.mark.parametrize("grade", [2**53 + 1, 2**63, 10**30, -(10**30)])
def test_a_large_grade_in_a_dictionary_is_kept_exactly_or_refused(grade):
    grades, told = None, ""
    try:
        grades = gw.read_qrels({"1": {"a": grade}}).to_dict()
    except InputError as error:
        told = str(error)
    assert grades == {"1": {"a": grade}} or told.startswith("qrels['1']['a']: the grade")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ({}, "qrels: there are no rows"),
        ({"1": {}}, "qrels: there are no rows"),
        ({"1": ["a", "b"]}, "qrels['1']: expected a dictionary, not ['a', 'b']"),
        ({"1": 5}, "qrels['1']: expected a dictionary, not 5"),
        ({"1": {"": 1}}, "qrels['1']['']: the document id is empty"),
        ({" ": {"a": 1}}, "qrels[' ']['a']: the topic id is empty"),
        ({None: {"a": 1}}, "qrels[None]['a']: the topic id None is not text"),
        ({"1": {1.5: 1}}, "qrels['1'][1.5]: the document id 1.5 is not text"),
        ({"1": {b"a": 1}}, "qrels['1'][b'a']: the document id b'a' is not text"),
    ],
)
def test_dictionaries_of_another_shape(source, told):
    assert message(gw.read_qrels, source) == told


def test_ids_that_become_the_same_text_are_duplicates():
    told = message(gw.read_qrels, {"1": {7: 1, "7": 0}})
    assert told.startswith("qrels['1']['7']: document 7 appears twice for topic 1, first at")
    assert "qrels['1'][7]" in told


def test_an_id_that_is_no_unicode_text_is_refused():
    assert message(gw.read_run, {"1": {"\udcff": 1}}).startswith("run['1']['\\udcff']: ")


def test_all_problems_of_a_dictionary_are_counted():
    told = message(gw.read_run, {"1": {f"d{n}": None for n in range(33)}}).splitlines()
    assert len(told) == 21
    assert told[-1] == "... 33 problems in total; the first 20 are shown"


# What is none of these


@pytest.mark.parametrize("source", [None, 5, [1, 2], b"1 0 a 1\n", {"a"}, object()])
def test_sources_of_another_type(source):
    told = message(gw.read_qrels, source)
    assert told.startswith("qrels: expected a path, an open binary file, a dictionary or a frame")
    assert told.endswith(f"not {type(source).__name__}")


def test_what_has_been_read_is_returned_as_it_is():
    qrels, run = gw.read_qrels(QRELS), gw.read_run(RUN, name="mine")
    assert gw.read_qrels(qrels) is qrels
    assert gw.read_run(run) is run
    renamed = gw.read_run(run, name="other")
    assert (run.name, renamed.name) == ("mine", "other")
    assert renamed.to_dict() == RUN


# Frames


@pytest.mark.parametrize(
    "columns",
    [
        ("topic", "doc", "score"),
        ("qid", "docno", "score"),
        ("query_id", "doc_id", "score"),
        ("query-id", "corpus-id", "score"),
        ("QID", "DocNo", "Score"),
    ],
)
def test_polars_frames(columns):
    table = frame(RUN_ROWS, *columns).with_columns(other=pl.lit("x"))
    run = gw.read_run(table)
    assert run.to_dict() == RUN
    topic, doc, score = columns
    told = f"read topic from '{topic}', document from '{doc}', score from '{score}'"
    assert run.notes == (() if topic == "topic" else (told,))
    qrels = gw.read_qrels(frame(QRELS_ROWS, *columns[:2], "grade"))
    assert qrels.to_dict() == QRELS
    told = f"read topic from '{topic}', document from '{doc}', grade from 'grade'"
    assert qrels.assumed == (() if topic == "topic" else (told,))


def test_lazy_polars_frames():
    assert gw.read_run(frame(RUN_ROWS, "topic", "doc", "score").lazy()).to_dict() == RUN
    assert gw.read_qrels(frame(QRELS_ROWS, "topic", "doc", "grade").lazy()).to_dict() == QRELS


def test_a_lazy_frame_among_runs():
    lazy = frame(RUN_ROWS, "topic", "doc", "score").lazy()
    assert gw.evaluate(QRELS, lazy, "AP").mean["value"].to_list() == [1.0]


@pytest.mark.parametrize(
    "name", ["grade", "relevance", "rel", "label", "score", "Label", "rating", "judgment"]
)
def test_the_column_of_the_grade(name):
    qrels = gw.read_qrels(frame(QRELS_ROWS, "qid", "docno", name))
    assert qrels.to_dict() == QRELS
    assert qrels.assumed == (f"read topic from 'qid', document from 'docno', grade from '{name}'",)


def test_the_grade_is_not_taken_from_a_score_beside_it():
    rows = [(*row, 0.5) for row in QRELS_ROWS]
    assert gw.read_qrels(frame(rows, "qid", "docno", "label", "score")).to_dict() == QRELS


def test_the_text_of_a_query_is_not_its_topic():
    rows = [("a question", *row) for row in RUN_ROWS]
    assert gw.read_run(frame(rows, "query", "qid", "docno", "score")).to_dict() == RUN


def test_ranks_serve_where_there_are_no_scores():
    rows = [("1", "a", 2), ("1", "b", 1), ("1", "c", 10)]
    for name in ("rank", "Rank", "position"):
        run = gw.read_run(frame(rows, "topic", "doc", name))
        assert run.ranking("1") == ["b", "a", "c"]
        told = f"read topic from 'topic', document from 'doc', rank from '{name}'"
        assert run.notes == (() if name == "rank" else (told,))


@pytest.mark.parametrize("score", ["score", "Score"])
def test_scores_come_before_ranks(score):
    rows = [("1", "a", 1, 0.5), ("1", "b", 2, 0.75)]
    assert gw.read_run(frame(rows, "topic", "doc", "rank", score)).ranking("1") == ["b", "a"]


@pytest.mark.parametrize("value", [None, "first", float("nan")])
def test_ranks_in_frames_are_finite_numbers(value):
    rows = [("1", "a", value), ("1", "b", value)]
    told = message(gw.read_run, frame(rows, "topic", "doc", "rank"))
    assert told.startswith("run: row 1: the ")
    assert "is not a finite number" in told


def test_topics_in_frames_may_be_numbers_and_come_in_any_order():
    rows = [(2, "c", 0.25), (1, "a", 3.5), (2, "d", 0.5), (1, "b", 2.5)]
    run = gw.read_run(frame(rows, "topic", "doc", "score"))
    assert run.to_dict() == {"2": {"c": 0.25, "d": 0.5}, "1": {"a": 3.5, "b": 2.5}}


@pytest.mark.parametrize(
    ("rows", "columns", "told"),
    [
        ([("1", "a", 1)], ("topic", "doc", "x"), "run: no column contains the score"),
        ([("1", "a", 1)], ("topic", "x", "score"), "run: no column contains the document"),
        ([("1", "a", 1)], ("x", "doc", "score"), "run: no column contains the topic"),
        ([("1", "a", None)], ("topic", "doc", "score"), "run: row 1: the score None is not"),
        ([("1", None, 1.0)], ("topic", "doc", "score"), "run: row 1: the document id None is not"),
        (
            [("1", "a", 1.0), ("2", "a", 1.0), ("1", "a", 1.0)],
            ("topic", "doc", "score"),
            "run: row 3: document a appears twice for topic 1, first at run: row 1",
        ),
    ],
)
def test_what_is_wrong_with_a_frame(rows, columns, told):
    assert message(gw.read_run, frame(rows, *columns)).startswith(told)


def test_the_columns_that_there_are_are_named():
    told = message(gw.read_run, frame([("1", "a", 1)], "topic", "doc", "points"))
    assert told.endswith("found topic, doc, points")


def test_a_frame_without_rows():
    empty = pl.DataFrame(schema={"topic": pl.String, "doc": pl.String, "score": pl.Float64})
    assert message(gw.read_run, empty) == "run: there are no rows"


def test_pandas_frames():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    run = pandas.DataFrame(RUN_ROWS, columns=["qid", "docno", "score"])
    assert gw.read_run(run).to_dict() == RUN
    assert gw.read_run(run.iloc[::-1]).to_dict() == {
        "2": {"c": 0.25},
        "1": {"b": 2.5, "a": 3.5},
    }
    qrels = pandas.DataFrame(QRELS_ROWS, columns=["qid", "docno", "label"])
    assert gw.read_qrels(qrels).to_dict() == QRELS
    run.loc[1, "score"] = float("nan")
    assert message(gw.read_run, run).startswith("run: row 2: the score nan is not a finite number")
    scores = gw.evaluate(qrels, pandas.DataFrame(RUN_ROWS, columns=["qid", "docno", "score"]), "AP")
    assert scores.mean["value"].to_list() == [1.0]


def test_frames_are_told_without_importing_pandas():
    code = """
        import sys

        import gradewise as gw


        class Column(list):
            def tolist(self):
                return list(self)


        class DataFrame:
            columns = ["qid", "docno", "score"]

            def __getitem__(self, name):
                return Column({"qid": ["1"], "docno": ["a"], "score": [2.5]}[name])


        DataFrame.__module__ = "pandas.core.frame"
        assert gw.read_run(DataFrame()).to_dict() == {"1": {"a": 2.5}}
        assert gw.read_run({"1": {"a": 2.5}}).to_dict() == {"1": {"a": 2.5}}
        assert not {"pandas", "pyarrow", "ir_datasets"} & set(sys.modules)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


# Parquet


@pytest.mark.parametrize("name", ["run.parquet", "run", "run.txt", "run[1].parquet", "a*b.parquet"])
def test_parquet_is_told_by_content_whatever_its_name(tmp_path, name):
    decoy = frame([("9", "z", 1.0)], "topic", "doc", "score")
    for other in ("run1.parquet", "axb.parquet"):
        decoy.write_parquet(tmp_path / other)
    frame(RUN_ROWS, "topic", "doc", "score").write_parquet(tmp_path / name)
    assert gw.read_run(tmp_path / name).to_dict() == RUN
    assert gw.read_run(str(tmp_path / name)).to_dict() == RUN
    frame(QRELS_ROWS, "topic", "doc", "grade").write_parquet(tmp_path / name)
    assert gw.read_qrels(tmp_path / name).to_dict() == QRELS


def test_problems_in_parquet_name_the_file(tmp_path):
    path = tmp_path / "run.parquet"
    frame([("1", "a", None)], "topic", "doc", "score").write_parquet(path)
    assert message(gw.read_run, path).startswith(f"{path}: row 1: the score None")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert message(gw.read_run, path).startswith(f"{path}: cannot be read as parquet (")


def test_parquet_of_pyarrow(tmp_path):
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    topics, docs, scores = zip(*RUN_ROWS, strict=True)
    table = arrow.table(
        {
            "topic": arrow.array(topics).dictionary_encode(),
            "doc": arrow.array(docs, arrow.large_string()),
            "score": arrow.array(scores, arrow.float32()),  # 3.5, 2.5, 0.25 are exact
        }
    )
    parquet.write_table(table, tmp_path / "run.parquet")
    assert gw.read_run(tmp_path / "run.parquet").to_dict() == RUN


# Streams


def test_open_binary_files(tmp_path):
    path = tmp_path / "run.txt"
    path.write_text(RUN_TEXT)
    with path.open("rb") as file:
        assert gw.read_run(file).to_dict() == RUN
    assert gw.read_run(io.BytesIO(RUN_TEXT.encode())).to_dict() == RUN
    assert gw.read_run(io.BytesIO(gzip.compress(RUN_TEXT.encode()))).to_dict() == RUN
    assert gw.read_qrels(io.BytesIO(QRELS_TEXT.encode())).to_dict() == QRELS


def test_problems_in_streams_name_them(tmp_path):
    assert message(gw.read_run, io.BytesIO(b"1 Q0 a 1 x t\n")).startswith("stream:1: the score 'x'")
    path = tmp_path / "run.txt"
    path.write_text("1 Q0 a 1 1 t\n1 Q0 b 1 x t\n")
    with path.open("rb") as file:
        assert message(gw.read_run, file).startswith(f"{path}:2: the score 'x'")


@pytest.mark.parametrize("kind", ["file", "memory"])
def test_what_is_open_as_text_is_read_or_refused(tmp_path, kind):
    path = tmp_path / "run.txt"
    path.write_text(RUN_TEXT)
    found, told = None, ""
    with path.open() if kind == "file" else io.StringIO(RUN_TEXT) as source:
        try:
            found = gw.read_run(source).to_dict()
        except InputError as error:
            told = str(error)
    assert found == RUN or "binary" in told


def test_text_that_is_not_unicode_is_refused():
    """As a file has it that was opened with errors="surrogateescape"."""
    assert message(gw.read_run, io.StringIO("1 Q0 \udcff 1 1 t\n")).startswith("stream")


@pytest.fixture
def standard_input(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    def give(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))

    return give


def test_standard_input(standard_input):
    standard_input(RUN_TEXT.encode())
    run = gw.read_run("-")
    assert (run.name, run.to_dict()) == ("stdin", RUN)
    standard_input(gzip.compress(QRELS_TEXT.encode()))
    assert gw.read_qrels("-").to_dict() == QRELS
    standard_input(b"1 0 a x\n")
    assert message(gw.read_qrels, "-").startswith("standard input:1: the grade 'x'")
    standard_input(b"")
    assert message(gw.read_qrels, "-") == "standard input: the file is empty"


def test_standard_input_among_other_runs(standard_input, tmp_path):
    path = tmp_path / "mine"
    path.write_text(RUN_TEXT)
    standard_input(RUN_TEXT.replace("a", "x").encode())
    scores = gw.evaluate(QRELS, [path, "-"], "AP")
    assert scores.mean.rows() == [("mine", "AP", 1.0), ("stdin", "AP", 0.5)]


# Three columns


def test_a_run_of_three_columns_has_ranks(tmp_path):
    path = tmp_path / "msmarco.tsv"
    path.write_text("1048585\t7187158\t1\n1048585\t7617404\t10\n1048585\t7187157\t2\n2\t5\t1\n")
    run = gw.read_run(path)
    assert run.ranking("1048585") == ["7187158", "7187157", "7617404"]
    assert run.ranking("2") == ["5"]
    assert (run.name, run.tag) == ("msmarco", None)
    assert [note.partition(";")[0] for note in run.notes] == [
        "read the third column as ranks (1 is best)"
    ]


def test_equal_ranks_are_ties():
    run = gw.read_run(io.BytesIO(b"1 a 1\n1 b 1\n1 c 0\n"))
    assert run.ranking("1") == ["c", "b", "a"]


HEADERS = ["query-id corpus-id score", "query_id doc_id relevance"]


def with_header(header: str, separator: str = " ") -> str:
    rows = [header.split(), *[map(str, row) for row in QRELS_ROWS]]
    return "".join(separator.join(row) + "\n" for row in rows)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("separator", ["\t", " ", "   "])
@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("before", ["", "\n", "\ufeff", "# comment\n"])
def test_qrels_of_three_columns_with_a_header(newline, separator, header, before):
    content = before + with_header(header, separator)
    qrels = gw.read_qrels(io.BytesIO(content.replace("\n", newline).encode()))
    assert qrels.to_dict() == QRELS
    topic, doc, grade = header.split()
    told = f"topic from '{topic}', document from '{doc}', grade from '{grade}'"
    assert qrels.assumed == (f"read as TSV: {told}" if separator == "\t" else f"read {told}",)


@pytest.mark.parametrize("header", HEADERS)
def test_a_header_that_ends_in_a_lone_carriage_return(header):
    content = with_header(header).replace("\n", "\r")
    assert gw.read_qrels(io.BytesIO(content.encode())).to_dict() == QRELS


@pytest.mark.parametrize("header", HEADERS)
def test_a_header_below_a_comment_that_speaks_of_it(header):
    content = f"# {header.split()[0]} is the topic\n{with_header(header)}"
    assert gw.read_qrels(io.BytesIO(content.encode())).to_dict() == QRELS


def test_qrels_of_three_columns_without_a_header():
    content = "".join("\t".join(map(str, row)) + "\n" for row in QRELS_ROWS)
    qrels = gw.read_qrels(io.BytesIO(content.encode()))
    assert qrels.to_dict() == QRELS
    assert qrels.assumed == ("read 3 columns as topic, document, grade",)


def test_a_header_counts_as_a_line():
    content = b"query-id\tcorpus-id\tscore\n1\ta\tx\n"
    assert message(gw.read_qrels, io.BytesIO(content)).startswith("stream:2: the grade 'x'")


def test_a_header_further_down_is_no_header():
    content = b"1\ta\t1\nquery-id\tcorpus-id\tscore\n"
    assert message(gw.read_qrels, io.BytesIO(content)).startswith("stream:2: the grade 'score'")


def test_a_header_alone_is_no_data():
    assert message(gw.read_qrels, io.BytesIO(b"query-id\tcorpus-id\tscore\n")).startswith("stream")


# ir_datasets


@pytest.fixture
def local_datasets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Register two datasets: one of local qrels and scored documents, one with neither."""
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "home"))
    ir_datasets = pytest.importorskip("ir_datasets", reason="ir_datasets is not installed")
    from ir_datasets.datasets.base import Dataset
    from ir_datasets.formats import TrecQrels, TrecScoredDocs
    from ir_datasets.util import LocalDownload

    (tmp_path / "qrels").write_text(QRELS_TEXT)
    (tmp_path / "run").write_text(RUN_TEXT)
    judged = TrecQrels(LocalDownload(tmp_path / "qrels"), {0: "no", 1: "yes", 2: "very"})
    scored = TrecScoredDocs(LocalDownload(tmp_path / "run"))
    names = {"gradewise-local/full": Dataset(judged, scored), "gradewise-local/empty": Dataset()}
    for name, dataset in names.items():
        ir_datasets.registry.register(name, dataset)
    yield
    for name in names:
        del ir_datasets.registry._registered[name]


@pytest.mark.usefixtures("local_datasets")
def test_a_dataset_of_ir_datasets():
    assert gw.read_qrels("irds:gradewise-local/full").to_dict() == QRELS
    run = gw.read_run("irds:gradewise-local/full")
    assert run.to_dict() == RUN
    scores = gw.evaluate("irds:gradewise-local/full", "irds:gradewise-local/full", "AP")
    assert scores.mean["value"].to_list() == [1.0]


@pytest.mark.usefixtures("local_datasets")
def test_a_dataset_without_what_is_wanted():
    told = message(gw.read_qrels, "irds:gradewise-local/empty")
    assert told == "irds:gradewise-local/empty: the dataset has no qrels"
    told = message(gw.read_run, "irds:gradewise-local/empty")
    assert told.startswith("irds:gradewise-local/empty: the dataset has no scored documents")


@pytest.mark.usefixtures("local_datasets")
def test_an_unknown_dataset():
    told = message(gw.read_qrels, "irds:gradewise-local/none")
    assert told.startswith(
        "irds:gradewise-local/none: ir_datasets has no such dataset; did you mean"
    )
    assert "gradewise-local/full" in told


def test_ir_datasets_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(GradewiseError) as caught:
        gw.read_qrels("irds:msmarco-passage")
    assert str(caught.value) == (
        "irds:msmarco-passage needs the library ir_datasets, which is not installed; "
        "install it with pip install 'gradewise[plugins]'"
    )


# Names


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("bm25", "bm25"),
        ("runs/bm25.txt", "bm25"),
        (Path("/x/bm25.run.gz"), "bm25"),
        ("bm25.v1.2.trec.zst", "bm25.v1.2"),
        ("BM25.TXT", "BM25"),
        ("bm25.parquet", "bm25"),
        (".txt", ".txt"),
        ("input.robust", "input.robust"),
        ("-", "stdin"),
        ({"1": {"a": 1}}, "run"),
        (io.BytesIO(), "run"),
    ],
)
def test_a_run_is_called_by_its_file(source, name):
    assert run_name(source) == name


def test_a_run_is_called_what_the_user_says(tmp_path):
    path = tmp_path / "bm25.txt"
    path.write_text(RUN_TEXT)
    assert (gw.read_run(path).name, gw.read_run(path).tag) == ("bm25", "tag")
    assert (gw.read_run(path, name="mine").name, gw.read_run(RUN, name="x").name) == ("mine", "x")


# Several files at a time


RUNS = {
    "plain": RUN_TEXT,
    "unsorted": "2 Q0 c 1 1 t\n1 Q0 b 1 0.5 t\n1 Q0 a 1 0.75 t\n",
    "three": "2\tc\t2\n2\ta\t1\n1\ta\t2\n",
    "tabs": RUN_TEXT.replace(" ", "\t").replace("a", "x"),
    "spaces": RUN_TEXT.replace(" ", "   "),
    "windows": RUN_TEXT.replace("\n", "\r\n"),
    "mac": RUN_TEXT.replace("\n", "\r"),
    "marked": "\ufeff" + RUN_TEXT,
    "open": RUN_TEXT.removesuffix("\n"),
    "open_three": "1 b 1\n1 a 2",
    "comments": "# head\n\n" + RUN_TEXT + "# foot",
    "mixed": "1 Q0 a 1 5 t\n2 Q0 c 1 1 t\n1 Q0 é 2 5 t\n2 Q0 a 2 1 t\n",
    "extra": RUN_TEXT + "3 Q0 a 1 1 t\n0 Q0 a 1 1 t\n",
    "wide": RUN_TEXT.replace("tag", "tag and more"),
    "topic_2_only": "2 Q0 c 1 1 t\n",
    "topic_2_again": "2 Q0 c 1 1 t\n2 Q0 d 1 2 t\n",
    "ties": "1 Q0 a 1 1 t\n1 Q0 b 1 1 t\n1 Q0 z 1 1 t\n2 Q0 zzzzzzzzzzzz 1 1 t\n2 Q0 c 1 1 t\n",
}


@pytest.fixture
def run_files(tmp_path: Path) -> list[tuple[str, Path]]:
    for name, content in RUNS.items():
        (tmp_path / name).write_bytes(content.encode())
    (tmp_path / "packed").write_bytes(gzip.compress(RUN_TEXT.encode()))
    return [(name, tmp_path / name) for name in [*RUNS, "packed"]]


@pytest.mark.parametrize("block", [1 << 22, 200, 64, 1])
def test_files_of_all_shapes(run_files, monkeypatch, block):
    monkeypatch.setattr(blocks, "BLOCK", block)
    for name, path in run_files:
        assert gw.read_run(path).to_dict() == literal_run(RUNS.get(name, RUN_TEXT).encode()), name


@pytest.mark.parametrize("ties", ["trec", "input", "random"])
@pytest.mark.parametrize("block", [1 << 22, 64, 1])
def test_files_together_give_the_same_hits_and_scores_as_one_by_one(
    run_files, monkeypatch, ties, block
):
    monkeypatch.setattr(blocks, "BLOCK", block)
    measures = ["AP", "nDCG@2", "GAP(g=[0.5,0.5])", "NumRet", "ADM"]
    together = gw.judge(QRELS, dict(run_files), ties=ties, seed=3, scores=True)
    scores = gw.evaluate(QRELS, dict(run_files), measures, ties=ties, seed=3)
    topics = len(QRELS)
    for index, (name, path) in enumerate(run_files):
        alone = gw.judge(QRELS, {name: gw.read_run(path)}, ties=ties, seed=3, scores=True)
        lists = slice(index * topics, (index + 1) * topics)
        mine = together.hits.list // topics == index
        np.testing.assert_array_equal(together.hits.list[mine] - index * topics, alone.hits.list)
        np.testing.assert_array_equal(together.hits.rank[mine], alone.hits.rank)
        np.testing.assert_array_equal(together.hits.level[mine], alone.hits.level)
        np.testing.assert_array_equal(together.hit_scores[mine], alone.hit_scores)
        np.testing.assert_array_equal(together.retrieved[lists], alone.retrieved)
        np.testing.assert_allclose(together.unjudged_scores[lists], alone.unjudged_scores)
        assert together.extra_topics[index] == alone.extra_topics[0]
        one = gw.evaluate(QRELS, {name: gw.read_run(path)}, measures, ties=ties, seed=3)
        np.testing.assert_allclose(scores.values[index], one.values[0], rtol=0, atol=1e-15)
        for note in one.notes:
            assert note in scores.notes


@pytest.mark.parametrize("before", ["dictionary", "parquet", "stream", "text"])
def test_an_empty_file_after_a_source_of_any_kind(tmp_path, before):
    empty = tmp_path / "empty"
    empty.write_bytes(b"")
    text, parquet = tmp_path / "text", tmp_path / "parquet"
    text.write_text(RUN_TEXT)
    frame(RUN_ROWS, "topic", "doc", "score").write_parquet(parquet)
    source: Any = {
        "dictionary": RUN,
        "parquet": parquet,
        "stream": io.BytesIO(RUN_TEXT.encode()),
        "text": text,
    }[before]
    with pytest.raises(InputError) as caught:
        gw.evaluate(QRELS, {"first": source, "second": empty}, "AP")
    assert str(caught.value) == f"{empty}: the file is empty"


@pytest.mark.parametrize("block", [1 << 22, 64])
@pytest.mark.parametrize("mixed", [True, False])  # with compressed and marked files or without
@pytest.mark.parametrize(
    ("content", "line", "told"),
    [
        ("# head\n1 Q0 a 1 1 t\n1 Q0 b 2 bad t\n1 Q0 c 1 1 t\n", 3, "the score 'bad'"),
        ("1 Q0 a 1 bad t", 1, "the score 'bad'"),
        ("1 Q0 a 1 1 t\n\n1 Q0 b 1", 3, "expected 6 columns"),
        ("\n1 a 1\n1 b 2 3\n", 3, "expected 3 columns"),
        ("1 a 1\n1 b bad\n", 2, "the rank 'bad'"),
        ("1 Q0 a 1 1 t\r2 Q0 a 1 1 t\r1 Q0 a 1 1 t\r", 3, "document a appears twice for topic 1"),
        ("1 Q0 a 1 1 t\n1 Q0 a\x01 1 1 t\n", 2, "control character 1"),
        ("# head\n\n1 Q0 a 1\n", 3, "expected 6 columns"),
    ],
)
def test_an_error_in_the_middle_of_a_batch_names_file_and_line(
    run_files, tmp_path, monkeypatch, block, mixed, content, line, told
):
    monkeypatch.setattr(blocks, "BLOCK", block)
    path = tmp_path / "bad"
    path.write_text(content, newline="")
    others = run_files if mixed else run_files[:5]
    runs = [*others[:3], ("bad", path), *others[3:]]
    with pytest.raises(InputError) as caught:
        gw.evaluate(QRELS, dict(runs), "AP")
    assert str(caught.value).startswith(f"{path}:{line}: {told}")
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "the file is empty"),
        (b"# nothing\n", "the file has no data lines"),
        (b"\xff\xfe1\x00", "this is UTF-16 text; save it as UTF-8"),
        (gzip.compress(RUN_TEXT.encode(), mtime=0)[:-9], "damaged gzip data"),
    ],
    ids=["empty", "comments", "utf-16", "damaged"],
)
def test_a_file_of_a_batch_that_is_wrong_as_a_whole(run_files, tmp_path, content, told):
    path = tmp_path / "bad"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        gw.evaluate(QRELS, dict([*run_files[:2], ("bad", path), *run_files[2:]]), "AP")
    assert str(caught.value).startswith(f"{path}: {told}")


def test_problems_of_several_files_of_a_batch_are_reported_together(run_files, tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("1 Q0 a 1 bad t\n")
    second.write_text("1 Q0 a 1 1 t\n1 Q0 b 1 worse t")
    with pytest.raises(InputError) as caught:
        gw.evaluate(QRELS, [first, run_files[0][1], second], "AP")
    told = str(caught.value).splitlines()
    assert [line.split(": ")[0] for line in told] == [f"{first}:1", f"{second}:2"]


# Texts of many blocks


@pytest.mark.parametrize("block", [1, 64, 200, 1000])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_texts_of_many_blocks(monkeypatch, block, newline):
    lines = ["# first comment", ""]
    for n in range(300):
        lines.append(f"{n // 7 % 20} Q0 doc{n * n} {n} {1000 - n / 7} tag")
        if n % 50 == 0:
            lines += [
                "",
                f"# {'comment ' * n}",
                f"  {n % 20}\tQ0   {'é' * (n + 1)} 1 1e{n % 9} x y",
            ]
    run = newline.join(lines).encode()
    monkeypatch.setattr(blocks, "BLOCK", block)
    assert gw.read_run(io.BytesIO(run)).to_dict() == literal_run(run)
    qrels = newline.join(f"{n % 3} 0 doc{n} {n % 4}" for n in range(200)).encode()
    assert gw.read_qrels(io.BytesIO(qrels)).to_dict() == literal_qrels(qrels)


@pytest.mark.parametrize("block", [1, 64, 200, 1 << 22])
def test_problems_in_texts_of_many_blocks(monkeypatch, block):
    lines = [f"1 0 doc{n} {'bad' if n % 37 == 5 else 1}" for n in range(300)]
    lines[100] = "1 0"
    lines[200] = "1 0 doc0 1 1"
    monkeypatch.setattr(blocks, "BLOCK", block)
    told = message(gw.read_qrels, io.BytesIO("\n".join(lines).encode())).splitlines()
    wrong = sorted([*range(5, 300, 37), 100, 200])
    assert [line.split(": ")[0] for line in told] == [f"stream:{n + 1}" for n in wrong]


@pytest.mark.parametrize("block", [1, 64, 200])
def test_duplicates_far_apart(monkeypatch, block):
    lines = [f"{n % 3} 0 doc{n} 1" for n in range(300)] + ["1 0 doc1 1"]
    monkeypatch.setattr(blocks, "BLOCK", block)
    told = message(gw.read_qrels, io.BytesIO("\n".join(lines).encode()))
    assert told.startswith("stream:301: document doc1 appears twice for topic 1, first at stream:2")


# Real files


@pytest.mark.parametrize("name", ["dl19-passage", "covid-round1", "web.151-200"])
def test_real_qrels(real_data, name):
    path = real_data / "qrels" / f"qrels.{name}.txt.gz"
    assert gw.read_qrels(path).to_dict() == literal_qrels(gzip.decompress(path.read_bytes()))


@pytest.mark.parametrize("name", ["NLPR03vb10", "humR03dc"])
def test_real_runs(real_data, name):
    path = real_data / "robust03-runs" / f"input.{name}.gz"
    assert gw.read_run(path).to_dict() == literal_run(gzip.decompress(path.read_bytes()))


# As NTCIR writes them: levels in the qrels, and a line in runs that describes the system.
NTCIR_QRELS = b"0201 clue-1 L1\n0201 clue-2 L2\n0201 clue-3 L0\n0202 clue-1 L0\n"
NTCIR_RUN = "0201 0 clue-2 1 14.7 ME-1\n0201 0 clue-3 2 14.4 ME-1\n0202 0 clue-1 1 3.5 ME-1\n"


def test_levels_of_ntcir():
    expected = {"0201": {"clue-1": 1, "clue-2": 2, "clue-3": 0}, "0202": {"clue-1": 0}}
    assert gw.read_qrels(io.BytesIO(NTCIR_QRELS)).to_dict() == expected


@pytest.mark.parametrize("before", ["", "# a comment\n", "\n\n"])
@pytest.mark.parametrize("words", ["COIL. No splitting", "", " BM25 é "])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_the_description_of_the_system_is_skipped_with_a_note(before, words, newline):
    text = f"{before}<SYSDESC>{words}</SYSDESC>\n{NTCIR_RUN}".replace("\n", newline)
    run = gw.read_run(io.BytesIO(text.encode()))
    assert run.to_dict() == gw.read_run(io.BytesIO(NTCIR_RUN.encode())).to_dict()
    assert run.notes == ("skipped the <SYSDESC> line",)
    scores = gw.evaluate(io.BytesIO(NTCIR_QRELS), {"mine": io.BytesIO(text.encode())}, "nDCG@10")
    assert "mine: skipped the <SYSDESC> line" in scores.notes


def test_a_description_counts_as_a_line_and_stands_first():
    described = "<SYSDESC>one</SYSDESC>\n"
    with pytest.raises(InputError, match=r"stream:3: the score 'x' is not"):
        gw.read_run(io.BytesIO((described + "1 0 a 1 1.5 t\n1 0 b 1 x t\n").encode()))
    with pytest.raises(InputError, match=r"stream:4: .* found 1: <SYSDESC>"):
        gw.read_run(io.BytesIO((NTCIR_RUN + described).encode()))
    with pytest.raises(InputError, match=r"stream:1: expected 4 columns"):
        gw.read_qrels(io.BytesIO(described.encode() + NTCIR_QRELS))
    with pytest.raises(InputError, match="no data lines"):
        gw.read_run(io.BytesIO(described.encode()))


def test_three_columns_below_a_description():
    run = gw.read_run(io.BytesIO(b"<SYSDESC>one 1 2</SYSDESC>\n1 a 0.5\n1 b 0.75\n"))
    assert run.to_dict() == {"1": {"a": 0.5, "b": 0.75}}
    assert [note.partition(" ")[0] for note in run.notes] == ["skipped", "read"]


def test_a_folder_or_a_pattern_stands_for_its_files(tmp_path):
    folder = tmp_path / "runs"
    folder.mkdir()
    for name in ("b.txt", "a.run", ".hidden"):
        (folder / name).write_text("1 Q0 x 1 1 t\n")
    (folder / "more").mkdir()
    qrels = {"1": {"x": 1}}
    assert gw.evaluate(qrels, folder, "AP").runs == ("a", "b")
    assert gw.evaluate(qrels, str(folder / "*.txt"), "AP").runs == ("b",)
    assert gw.evaluate(qrels, [folder / "b.txt", str(folder / "*.run")], "AP").runs == ("b", "a")
    with pytest.raises(InputError, match="nothing/\\*: matches no files"):
        gw.evaluate(qrels, str(tmp_path / "nothing" / "*"), "AP")
    with pytest.raises(InputError, match="more: contains no files"):
        gw.evaluate(qrels, folder / "more", "AP")


def test_a_file_whose_name_looks_like_a_pattern_is_a_file(tmp_path):
    path = tmp_path / "run[1].txt"
    path.write_text("1 Q0 x 1 1 t\n")
    assert gw.evaluate({"1": {"x": 1}}, path, "AP").runs == ("run[1]",)


def test_swapped_files_are_recognized(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 0.5 tag\n")
    with pytest.raises(InputError, match="as a run has; are qrels and runs swapped"):
        gw.read_qrels(tmp_path / "run")
    with pytest.raises(InputError, match="as a qrels file has; are qrels and runs swapped"):
        gw.read_run(tmp_path / "qrels")
