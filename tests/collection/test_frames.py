"""Frames and tables of other libraries, read from their buffers, whatever columns are made of."""

import sys
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest

import gradewise as gw
from gradewise.collection.sources import arrow
from gradewise.errors import InputError

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

TOPICS = ["7", "7", "7", "10", "10", "7b"]
DOCS = ["a", "a document of more than 12 bytes", "é", "b", "a", "z" * 300]
SCORES = [3.0, 2.5, 1.0, 9.0, -0.5, 0.0]
EXPECTED = {
    "7": {"a": 3.0, DOCS[1]: 2.5, "é": 1.0},
    "10": {"b": 9.0, "a": -0.5},
    "7b": {DOCS[5]: 0.0},
}


def table(**columns: Any) -> Any:
    return pa.table({"topic": TOPICS, "doc": DOCS, "score": SCORES} | columns)


def in_chunks(made: Any) -> Any:
    """Return the rows of a table in chunks, some of them with an offset."""
    return pa.concat_tables([made[:1], made[1:1], made[1:4], made[4:]])


@pytest.fixture(params=[1 << 16, 2, 1])
def chunk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let batches have few rows."""
    monkeypatch.setattr(arrow, "_CHUNK", request.param)


STRINGS = [pa.string(), pa.large_string(), pa.string_view()]


@pytest.mark.usefixtures("chunk")
@pytest.mark.parametrize("kind", STRINGS, ids=str)
@pytest.mark.parametrize("make", [lambda made: made, in_chunks], ids=["whole", "chunks"])
def test_tables_of_pyarrow(kind, make):
    made = table(topic=pa.array(TOPICS, kind), doc=pa.array(DOCS, kind))
    assert gw.read_run(make(made)).to_dict() == EXPECTED


@pytest.mark.usefixtures("chunk")
@pytest.mark.parametrize("kind", STRINGS[:2], ids=str)
def test_dictionary_encoded_columns(kind):
    topic, doc = (pa.array(values, kind).dictionary_encode() for values in (TOPICS, DOCS))
    made = table(topic=topic, doc=doc)
    assert gw.read_run(made).to_dict() == EXPECTED
    assert gw.read_run(in_chunks(made)).to_dict() == EXPECTED


@pytest.mark.usefixtures("chunk")
def test_frames_of_polars():
    made = pl.DataFrame({"topic": TOPICS, "doc": DOCS, "score": SCORES})
    assert gw.read_run(made).to_dict() == EXPECTED
    assert gw.read_run(pl.concat([made[:2], made[2:]], rechunk=False)).to_dict() == EXPECTED
    assert (
        gw.read_run(made.with_columns(pl.col("topic").cast(pl.Categorical))).to_dict() == EXPECTED
    )
    assert gw.read_run(made.lazy().filter(pl.col("score") > -9)).to_dict() == EXPECTED


def test_relations_of_duckdb():
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    rows = ", ".join(f"('{t}', '{d}', {s})" for t, d, s in zip(TOPICS, DOCS, SCORES, strict=True))
    relation = duckdb.sql(f"select * from (values {rows}) as rows(topic, doc, score)")
    assert gw.read_run(relation).to_dict() == EXPECTED  # scores are decimals here
    as_doubles = duckdb.sql("select topic, doc, score::double as score from relation")
    assert gw.read_run(as_doubles).to_dict() == EXPECTED
    scores = gw.evaluate({"7": {"a": 1}}, as_doubles, "AP")
    assert scores.summary().tolist() == [[1.0]]


@pytest.fixture
def no_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no row of a frame become Python objects."""

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a row became Python objects")

    monkeypatch.setattr(arrow._Column, "objects", refuse)
    monkeypatch.setattr(arrow, "batch_of", refuse)


NAMED = pl.DataFrame({"qid": TOPICS, "pid": DOCS, "sim": SCORES, "system": ["s"] * 6})
TOLD = "read topic from 'qid', document from 'pid', score from 'sim', run from 'system'"


def every_kind() -> dict[str, Any]:
    """Return one frame in the types of many libraries."""
    made: dict[str, Any] = {
        "polars, string views": NAMED,
        "polars, lazy": NAMED.lazy(),
        "polars, categories": NAMED.with_columns(pl.col("qid").cast(pl.Categorical)),
        "polars, enumeration": NAMED.with_columns(pl.col("qid").cast(pl.Enum(["7", "10", "7b"]))),
        "pyarrow, dictionary": NAMED.to_arrow().set_column(
            0, "qid", pa.array(TOPICS).dictionary_encode()
        ),
        "pyarrow, string views": NAMED.to_arrow().set_column(
            1, "pid", pa.array(DOCS, pa.string_view())
        ),
        "pyarrow, read once": NAMED.to_arrow().to_reader(max_chunksize=2),
    }
    try:
        import pandas
    except ImportError:
        pass
    else:
        made["pandas"] = pandas.DataFrame(NAMED.to_dict(as_series=False))
        made["pandas, categories"] = made["pandas"].astype({"qid": "category"})
    try:
        import duckdb
    except ImportError:
        pass
    else:
        connection = duckdb.connect()
        connection.register("named", NAMED.to_arrow())
        made["duckdb, table"] = connection.sql("select * from named")
        made["duckdb, query"] = connection.sql("select qid, pid, sim, system from named where true")
    return made


@pytest.mark.usefixtures("no_objects", "chunk")
@pytest.mark.parametrize("kind", list(every_kind()))
def test_no_row_of_a_frame_becomes_python_objects(kind):
    run = gw.read_run(every_kind()[kind])
    assert run.to_dict() == EXPECTED
    assert (run.tag, run.notes) == ("s", (TOLD,))
    columns = {"topic": "qid", "doc": "pid", "score": "sim"}
    run = gw.read_run(every_kind()[kind], columns=columns)
    assert (run.to_dict(), run.tag, run.notes) == (EXPECTED, None, ())
    run = gw.read_run(every_kind()[kind], columns="topic,doc,_,_")
    assert run.to_dict()["7"] == {"a": -1.0, DOCS[1]: -2.0, "é": -3.0}
    scores = gw.evaluate({"7": {"a": 1}}, every_kind()[kind], "NumRet")
    assert scores.summary().tolist() == [[3.0]]


def test_a_stream_that_can_be_read_once():
    reader = pa.RecordBatchReader.from_batches(table().schema, table().to_batches(max_chunksize=2))
    assert gw.read_run(reader).to_dict() == EXPECTED


@pytest.mark.parametrize(
    "kind", [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64()]
)
def test_ids_and_numbers_that_are_whole_numbers(kind):
    made = pa.table(
        {
            "qid": pa.array([1, 1, 2], kind),
            "docno": pa.array([10, 0, 10], kind),
            "score": pa.array([1, 2, 3], kind),
        }
    )
    assert gw.read_run(made).to_dict() == {"1": {"10": 1.0, "0": 2.0}, "2": {"10": 3.0}}
    assert gw.read_qrels(made).to_dict() == {"1": {"10": 1, "0": 2}, "2": {"10": 3}}


def test_the_largest_ids():
    made = pa.table({"qid": pa.array([-(2**63)]), "docno": pa.array([2**64 - 1], pa.uint64())})
    run = gw.read_run(made.append_column("score", pa.array([1.0])))
    assert run.to_dict() == {"-9223372036854775808": {"18446744073709551615": 1.0}}


@pytest.mark.parametrize("kind", [pa.float16(), pa.float32(), pa.float64(), pa.decimal128(5, 2)])
def test_scores_of_other_types(kind):
    values = [Decimal(str(score)) for score in SCORES] if pa.types.is_decimal(kind) else SCORES
    numbers = np.array(values, np.float16) if kind == pa.float16() else values
    assert gw.read_run(table(score=pa.array(numbers, kind))).to_dict() == EXPECTED


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        (
            {"score": [1.0, None, 2.0, 3.0, 4.0, 5.0]},
            "row 2: the score None is not a finite number",
        ),
        ({"score": [1.0] * 5 + [float("inf")]}, "row 6: the score inf is not a finite number"),
        ({"score": ["1", "2", "3", "4", "5", "6"]}, "row 1: the score '1' is not a finite number"),
        ({"score": [True] * 6}, "row 1: the score True is not a finite number"),
        ({"topic": ["7", "7", None, "8", "8", "8"]}, "row 3: the topic id None is not text"),
        ({"doc": ["a", "", "c", "d", "e", "f"]}, "row 2: the document id is empty"),
        ({"doc": ["a", " ", "c", "d", "e", "f"]}, "row 2: the document id is empty"),
        ({"doc": ["a", "\u00a0", "c", "d", "e", "f"]}, "row 2: the document id is empty"),
        ({"doc": [1.5, 2.5, 3.5, 4.5, 5.5, 6.5]}, "row 1: the document id 1.5 is not text"),
        (
            {"doc": [b"a", b"b", b"c", b"d", b"e", b"f"]},
            "row 1: the document id (Arrow type 'z') is not text",
        ),
        ({"doc": pa.nulls(6)}, "row 1: the document id None is not text"),
        ({"doc": ["a", "a", "c", "d", "e", "f"]}, "row 2: document a appears twice for topic 7"),
    ],
)
@pytest.mark.usefixtures("chunk")
def test_what_is_wrong_is_named_by_its_row(columns, told):
    with pytest.raises(InputError) as caught:
        gw.read_run(table(**columns))
    assert str(caught.value).startswith(f"run: {told}")


def test_ids_that_only_look_blank():
    made = table(doc=["日本", "é", "a", "b", "c", "d"])
    assert list(gw.read_run(made).to_dict()["7"]) == ["日本", "é", "a"]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([1.0, 0.5, 2.0, 1.0, 1.0, 1.0], "row 2: the grade 0.5 is not a whole number"),
        ([1, 2**53 + 2, 2, 1, 1, 1], "row 2: the grade is beyond 9007199254740991"),
    ],
)
def test_what_is_wrong_with_grades(values, told):
    with pytest.raises(InputError) as caught:
        gw.read_qrels(table(score=values))
    assert str(caught.value).startswith(f"qrels: {told}")


def test_a_table_without_rows():
    with pytest.raises(InputError, match="run: there are no rows"):
        gw.read_run(table()[:0])


def test_frames_of_pandas_in_all_their_types():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    made = pandas.DataFrame({"topic": TOPICS, "doc": DOCS, "score": SCORES})
    assert gw.read_run(made).to_dict() == EXPECTED
    assert gw.read_run(made.astype({"topic": "category"})).to_dict() == EXPECTED
    assert gw.read_run(made.astype({"doc": object})).to_dict() == EXPECTED
    assert gw.read_run(made.astype({"score": "Float64"})).to_dict() == EXPECTED
    assert gw.read_run(made.iloc[[3, 4, 0, 1, 2, 5]]).to_dict() == EXPECTED
    numbers = made.assign(topic=[7, 7, 7, 10, 10, 11])
    assert list(gw.read_run(numbers).to_dict()) == ["7", "10", "11"]


def test_pandas_without_pyarrow(monkeypatch):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    made = pandas.DataFrame({"topic": TOPICS, "doc": DOCS, "score": SCORES}, dtype=object)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert gw.read_run(made.astype({"score": float})).to_dict() == EXPECTED


@pytest.mark.parametrize("source", ["table", "frame", "parquet"])
def test_hits_of_frames_are_those_of_dictionaries(source, tmp_path):
    made = gw.simulate.collection(topics=9, runs=1, depth=40, ties=0.3, seed=2)
    run = made.runs["run1"]
    rows = [(t, d, s) for t, inner in run.to_dict().items() for d, s in inner.items()]
    frame = pl.DataFrame(rows, schema=["topic", "doc", "score"], orient="row")
    path = tmp_path / "run.parquet"
    frame.write_parquet(path, row_group_size=50)
    given = {"table": frame.to_arrow(), "frame": frame, "parquet": path}[source]
    for options in ({}, {"ties": "random", "seed": 4}, {"depth": 7}):
        expected, found = (gw.judge(made.qrels, {"r": r}, **options) for r in (run, given))
        for name in ("list", "rank", "level"):
            assert getattr(found.hits, name).tolist() == getattr(expected.hits, name).tolist()
        assert found.retrieved.tolist() == expected.retrieved.tolist()
