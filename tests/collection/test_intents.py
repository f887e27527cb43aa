"""Judgments by intent: the same qrels from every kind of source, and what goes wrong."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import gradewise as gw
from gradewise.collection.writing import qrels_frame
from gradewise.errors import InputError
from parity.material import read_lines

NESTED = {
    "10": {"2": {"b": 0, "a": 1}, "1": {"a": 2}, "10": {"c": -2, "b": 3}},
    "9": {"0": {"a": 1}},
}
ROWS = [
    (topic, intent, document, grade)
    for topic, intents in NESTED.items()
    for intent, judged in intents.items()
    for document, grade in judged.items()
]
TEXT = "".join(f"{t} {i} {d} {g}\n" for t, i, d, g in ROWS)


def by_intent(qrels: gw.Qrels) -> dict[str, dict[str, dict[str, int]]]:
    """Return {topic: {intent: {document: grade}}}, one judgment after the other."""
    assert qrels.intents is not None
    intents, documents = qrels.intents, qrels.docs.to_list()
    topics = [qrels.topics[index] for index in qrels.topic_order]
    found: dict[str, dict[str, dict[str, int]]] = {}
    for row, intent, grade in zip(intents.row, intents.intent, intents.numbers, strict=True):
        topic = found.setdefault(topics[intents.topic[intent]], {})
        topic.setdefault(intents.names[intent], {})[documents[row]] = int(grade)
    return found


def _frame() -> pl.DataFrame:
    return pl.DataFrame(ROWS, schema=["topic", "intent", "doc", "grade"], orient="row")


SOURCES: dict[str, Any] = {
    "dictionary": lambda: NESTED,
    "text": lambda: io.BytesIO(TEXT.encode()),
    "rows in any order": lambda: io.BytesIO("".join(sorted(TEXT.splitlines(True))[::-1]).encode()),
    "header": lambda: io.BytesIO(
        b"doc grade subtopic topic\n"
        + b"".join(f"{d} {g} {i} {t}\n".encode() for t, i, d, g in ROWS)
    ),
    "polars": _frame,
    "lazy": lambda: _frame().lazy(),
    "arrow": lambda: _frame().to_arrow(),
    "pandas": lambda: pd.DataFrame(ROWS, columns=["query_id", "iteration", "doc_id", "relevance"]),
    "pandas of objects": lambda: pd.DataFrame(
        ROWS, columns=["qid", "intent_id", "docno", "label"], dtype=object
    ),
    "intents as numbers": lambda: _frame().with_columns(pl.col("intent").cast(pl.Int64)),
}


@pytest.mark.parametrize("name", SOURCES)
def test_every_source(name: str) -> None:
    if name == "arrow":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    qrels = gw.read_qrels(SOURCES[name]())
    assert by_intent(qrels) == NESTED
    highest = {"10": {"a": 2, "b": 3, "c": -2}, "9": {"a": 1}}
    assert qrels.to_dict() == highest
    assert repr(qrels) == "Qrels(2 topics, 4 judged documents, grades -2 1 2 3, 4 intents)"
    assert qrels.scale.tolist() == [1, 2, 3]
    assert qrels.intents is not None
    assert qrels.intents.names == ("0", "1", "2", "10")  # topic 9 first, intents as numbers


@pytest.mark.parametrize("ending", ["txt", "txt.gz", "parquet"])
def test_written_qrels_read_back(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"qrels.{ending}"
    gw.write_qrels(gw.read_qrels(NESTED), path)
    assert by_intent(gw.read_qrels(path)) == NESTED


def test_a_frame_of_qrels_names_intents() -> None:
    frame = qrels_frame(gw.read_qrels(NESTED))
    rows = frame.select("topic", "intent", "doc", "grade").rows()
    assert sorted(rows) == sorted(ROWS)
    assert "intent" not in qrels_frame(gw.read_qrels({"t": {"a": 1}})).columns


def test_an_intent_that_text_cannot_hold_is_not_written(tmp_path: Path) -> None:
    qrels = gw.read_qrels({"t": {"an island": {"a": 1}, "language": {"a": 1}}})
    with pytest.raises(gw.GradewiseError, match="the intent id 'an island' contains white space"):
        gw.write_qrels(qrels, tmp_path / "qrels.txt")


@pytest.mark.parametrize("column", ["0", "Q0", "7"])
def test_a_second_column_that_does_not_vary_is_ignored(column: str) -> None:
    text = f"1 {column} a 1\n1 {column} b 0\n2 {column} a 1\n"
    assert gw.read_qrels(io.BytesIO(text.encode())).intents is None


def test_a_second_column_that_varies_only_between_topics_is_ignored() -> None:
    qrels = gw.read_qrels(io.BytesIO(b"1 0 a 1\n1 0 b 0\n2 1 a 1\n"))
    assert qrels.intents is None
    assert qrels.to_dict() == {"1": {"a": 1, "b": 0}, "2": {"a": 1}}


def test_intents_that_show_late_are_found_by_repeated_documents() -> None:
    many = "".join(f"1 0 d{number} 0\n" for number in range(9000))  # more than is looked at first
    qrels = gw.read_qrels(io.BytesIO((many + "2 1 a 1\n2 2 a 2\n").encode()))
    assert qrels.intents is not None
    assert by_intent(qrels)["2"] == {"1": {"a": 1}, "2": {"a": 2}}


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            io.BytesIO(b"1 1 a 1\n1 2 a 0\n1 2 a 1\n"),
            "stream:3: document a appears twice for one intent of topic 1, first at stream:2",
        ),
        (
            io.BytesIO(b"1 0 a 1\n2 1 b 0\n1 0 a 1\n"),
            "stream:3: document a appears twice for topic 1, first at stream:1",
        ),
        (
            {"t": {"1": {"a": 1}, "2": 1}},
            "qrels['t']['2']: expected a dictionary of documents, as other intents of the topic "
            "have, not 1",
        ),
        ({"t": {"1": {"a": 1.5}}}, "qrels['t']['1']['a']: the grade 1.5 is not a whole number"),
        (
            pl.DataFrame({"topic": ["t"], "intent": [None], "doc": ["a"], "grade": [1]}),
            "qrels: row 1: the intent id None is not text",
        ),
    ],
)
def test_mistakes_get_a_sentence(source: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        gw.read_qrels(source)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"7": {"0": 1}}, "weights: there is no topic '7'"),
        ({"10": {"1": 1, "2": 1}}, "weights['10']: expected the intents 1, 2, 10, found 1, 2"),
        ({"9": {"0": 0}}, "weights['9']: weights must be 0 or more, and not all 0; found 0"),
        ({"9": {"0": -1}}, "weights['9']: weights must be 0 or more"),
    ],
)
def test_weights_are_checked(weights: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        gw.read_qrels(NESTED).weigh_intents(weights)
    assert str(error.value).startswith(message)


def test_a_column_called_iteration_may_hold_anything() -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")  # for to_pandas
    frame = pl.DataFrame({"topic": ["t", "t"], "doc": ["a", "b"], "grade": [1, 0]})
    for iteration in ([None, None], [0.0, 1.5]):
        named = frame.with_columns(iteration=pl.Series(iteration))
        assert gw.read_qrels(named).to_dict() == {"t": {"a": 1, "b": 0}}
        assert gw.read_qrels(named.to_pandas()).to_dict() == {"t": {"a": 1, "b": 0}}


def test_weights_need_intents() -> None:
    with pytest.raises(InputError, match="have no intents"):
        gw.read_qrels({"t": {"a": 1}}).weigh_intents({"t": {"0": 1.0}})


def test_trec_2013_web(real_data: Path) -> None:
    """A topic has intent 0 alone, as a whole, or intents from 1 on."""
    path = real_data / "qrels" / "qrels.web.201-250.ndeval.txt.gz"
    expected: dict[str, dict[str, dict[str, int]]] = {}
    for topic, intent, document, grade in read_lines(path):
        expected.setdefault(topic, {}).setdefault(intent, {})[document] = int(grade)
    qrels = gw.read_qrels(path)
    assert by_intent(qrels) == expected
    for intents in expected.values():
        assert set(intents) == {"0"} or "0" not in intents
    # The highest grade over intents is the grade of the topic's other qrels, whose -2 is spam.
    whole = gw.read_qrels(real_data / "qrels" / "qrels.web.201-250.txt.gz").to_dict()
    ours = qrels.to_dict()
    assert {t: set(d) for t, d in ours.items()} == {t: set(d) for t, d in whole.items()}


def test_lists_by_intent_hold_what_is_relevant_to_each() -> None:
    judged = gw.judge(NESTED, {"one": {"10": {"a": 3.0, "x": 2.0, "b": 1.0}, "9": {"c": 1.0}}})
    split = judged.by_intent
    assert split.topics == ("9/0", "10/1", "10/2", "10/10")
    assert split.hits.list.tolist() == [1, 2, 3]
    assert split.hits.rank.tolist() == [1, 1, 3]
    assert split.hit_grades.tolist() == [2, 1, 3]
    assert split.retrieved.tolist() == [1, 3, 3, 3]
    assert split.counts.tolist() == [[0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 0, 0], [1, 0, 0, 1]]
    with pytest.raises(gw.GradewiseError, match="have no intents"):
        _ = gw.judge({"t": {"a": 1}}, {"t": {"a": 1.0}}).by_intent
    assert np.array_equal(split.topic, [0, 1, 2, 3])


def test_weights_come_from_files(tmp_path: Path) -> None:
    path = tmp_path / "Dtest.DINprob"
    path.write_text("10 10 0.25 nav\n9 0 1 inf\n10 2 0.5 inf\n10 1 0.25 inf\n")
    weights = gw.read_intent_weights(path)
    assert weights == {"10": {"10": 0.25, "2": 0.5, "1": 0.25}, "9": {"0": 1.0}}
    assert gw.read_qrels(NESTED).weigh_intents(weights).intents is not None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 1 x", "1: the weight 'x' is not a finite number: 1 1 x"),
        ("1 1", "1: expected 3 columns (topic intent weight), found 2: 1 1"),
        ("1 1 0.5\n1 2 0.1\n1 1 0.4\n", " intent 1 of topic 1 has two weights"),
    ],
)
def test_weights_in_files_are_checked(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "weights.txt"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        gw.read_intent_weights(path)
    assert str(error.value) == f"{path}:{message}"


def test_only_intents_with_a_relevant_document_need_a_weight() -> None:
    """As in NTCIR's files, where documents that are relevant to no intent have intent 0."""
    qrels = gw.read_qrels(io.BytesIO(b"1 0 x L0\n1 1 a L1\n1 2 b L2\n1 2 a L1\n"))
    run = {"1": {"a": 2.0, "b": 1.0}}
    found = [
        gw.evaluate(qrels.weigh_intents({"1": weights}), run, ["D_nDCG@1", "AP_IA"]).summary()
        for weights in ({"1": 0.2, "2": 0.3}, {"0": 0.5, "1": 0.2, "2": 0.3, "nobody": 0.7})
    ]
    np.testing.assert_array_equal(found[0], found[1])
    with pytest.raises(InputError, match="expected the intents 1, 2, found 0, 2"):
        qrels.weigh_intents({"1": {"0": 1, "2": 1}})
