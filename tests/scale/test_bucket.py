"""A bucket of topics gives the bits that one process gives for all topics, whatever is in it."""

import random
from typing import Any

import pyarrow as pa
import pytest

import gradewise as gw
from gradewise.errors import GradewiseError
from scale.cases import (
    KINDS,
    expected_values,
    found_values,
    measures_for,
    plain_case,
)


def _buckets(table: Any, topics: list[list[str]]) -> list[Any]:
    import pyarrow.compute as pc

    return [table.filter(pc.is_in(table["topic"], pa.array(part))) for part in topics]


def _in_buckets(rng: random.Random, topics: list[str], size: int) -> list[list[str]]:
    shuffled = rng.sample(topics, len(topics))
    return [shuffled[k : k + size] for k in range(0, len(topics), size)]


@pytest.mark.parametrize("size", [1, 3, 100])
@pytest.mark.parametrize("kind", KINDS)
def test_values_are_those_of_the_whole_collection(kind: str, size: int) -> None:
    rng = random.Random(f"{kind} {size}")
    case = KINDS[kind](rng)
    measures = measures_for(case)
    assert len(measures) > 100
    topics = sorted({*case.judgments["topic"], "unjudged"})
    parts = _in_buckets(rng, topics, size)
    judged = _buckets(case.judgment_table(rng), parts)
    rows = _buckets(case.row_table(rng), parts)
    grades = {grade for grade in case.judgments["grade"] if grade > 0}
    for missing in ("zero", "drop"):
        found = {}
        for some, lists in zip(judged, rows, strict=True):
            table = gw.scale.evaluate_bucket(
                some, lists, measures, runs=list(case.runs), grades=list(grades), missing=missing
            )
            found.update(found_values(table))
        assert found == expected_values(case, measures, missing=missing)


@pytest.mark.parametrize(
    "rules",
    [
        {"ties": "input"},
        {"ties": "random", "seed": 3},
        {"depth": 5},
        {"judged_only": True},
        {"depth": 7, "judged_only": True, "ties": "random"},
    ],
    ids=str,
)
def test_rules_are_those_of_evaluate(rules: dict[str, Any]) -> None:
    rng = random.Random(5)
    case = plain_case(rng)
    measures = ["AP", "nDCG@10", "GAP(g=[0.1,0.2,0.7])", "ADM", "NumRet"]
    table = gw.scale.evaluate_bucket(
        case.judgment_table(rng), case.row_table(rng), measures, runs=list(case.runs), **rules
    )
    assert found_values(table) == expected_values(case, measures, **rules)


def test_ranks_stand_for_scores() -> None:
    judgments = pa.table({"qid": [1, 1], "docno": ["a", "b"], "rel": [1, 0]})
    rows = pa.table({"run": ["x"] * 2, "qid": [1, 1], "docno": ["a", "b"], "rank": [2, 1]})
    found = gw.scale.evaluate_bucket(judgments, rows, ["AP"])
    assert found.to_pylist() == [{"run": "x", "topic": "1", "measure": "AP", "value": 0.5}]


JUDGMENTS = {"topic": ["t", "t"], "doc": ["a", "b"], "grade": [1, 0]}
ROWS = {"run": ["x", "x"], "topic": ["t", "t"], "doc": ["a", "b"], "score": [2.0, 1.0]}


@pytest.mark.parametrize(
    ("judgments", "rows", "rules", "message"),
    [
        ({"doc": ["a", "a"]}, {}, {}, "judgments: document a appears twice for topic t"),
        ({"grade": [1, 0.5]}, {}, {}, "document b: the grade 0.5 is not a whole number"),
        ({"topic": ["t", None]}, {}, {}, "document b: the topic id None is not text"),
        ({}, {"doc": ["a", "a"]}, {}, "run x: document a appears twice for topic t"),
        (
            {},
            {"score": [float("nan"), 1.0]},
            {},
            "run x, topic t, document a: the score is missing, or not a number",
        ),
        ({}, {"score": [None, 1.0]}, {}, "topic t, document a: the score is missing"),
        ({}, {"doc": ["a", " "]}, {}, "run x, topic t: the document id is empty"),
        ({}, {"run": ["x", None]}, {}, "topic t, document b: the run is not named"),
        ({}, {"run": ["x", "y"]}, {"runs": ["x"]}, "found rows of the run 'y', which is not among"),
        (
            {},
            {"score": ["2", "1"]},
            {},
            "the column score has type string; it must contain numbers",
        ),
        ({}, {"topic": [1.0, 2.0]}, {}, "the column topic has type double; ids must be text"),
        ({}, {}, {"ties": "input"}, "ties='input' needs a column with the order"),
        ({}, {"order": [1, 1], "score": [1.0, 1.0]}, {"ties": "input"}, "same place in the input"),
        ({}, {}, {"ties": "best"}, "ties must be one of"),
        ({}, {}, {"measures": "P"}, "P needs a cutoff"),
        ({"probability": [0.5, 0.0]}, {}, {}, "found the probability 0; it must"),
        ({"stratum": [1, 2], "probability": [0.5, 0.5]}, {}, {}, "both strata and probabilities"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_problems_are_named_by_their_keys(
    judgments: dict[str, Any], rows: dict[str, Any], rules: dict[str, Any], message: str
) -> None:
    measures = rules.pop("measures", "AP")
    with pytest.raises(GradewiseError) as caught:
        gw.scale.evaluate_bucket(
            pa.table({**JUDGMENTS, **judgments}), pa.table({**ROWS, **rows}), measures, **rules
        )
    assert message in str(caught.value)


def test_all_problems_are_counted() -> None:
    rows = {name: column * 30 for name, column in ROWS.items()}
    rows["score"] = [float("inf")] * 60
    with pytest.raises(GradewiseError) as caught:
        gw.scale.evaluate_bucket(pa.table(JUDGMENTS), pa.table(rows), "AP")
    assert "60 problems in total; the first 20 are shown" in str(caught.value)


def test_batches_of_any_number() -> None:
    case = plain_case(random.Random(1))
    judgments, rows = case.judgment_table(), case.row_table()
    whole = gw.scale.evaluate_bucket(judgments, rows, "AP")
    in_batches = gw.scale.evaluate_bucket(
        judgments.to_batches(max_chunksize=7), iter(rows.to_batches(max_chunksize=11)), "AP"
    )
    assert whole.equals(in_batches)
