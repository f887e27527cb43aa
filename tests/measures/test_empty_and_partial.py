"""Every measure on every kind of emptiness: no relevant document, no retrieved one, no topic."""

import math

import numpy as np
import pytest

import gradewise as gw
from measures.cases import ORACLES, make_case

NAMES = [name for name in ORACLES if name != "ADM"]
QRELS = {
    "relevant": {"a": 2, "b": 1, "c": 0},
    "none relevant": {"a": 0, "b": 0},
    "negative": {"a": -1, "b": -2},
}
RUN = {
    "relevant": {"a": 3.0, "x": 2.0, "b": 1.0},
    "none relevant": {"a": 3.0, "x": 2.0},
    "negative": {"a": 3.0, "x": 2.0},
    "not judged": {"a": 1.0},
}


def _texts(name: str) -> list[str]:
    """Write the measure as it is in the tests against oracles, with two thresholds."""
    return [
        pair.text
        for seed in range(20)
        for pair in ORACLES[name][1](make_case(seed))
        # RBP wants a gain for each grade of the qrels, and these have other grades.
        if len(make_case(seed).g) == 2
        and "size=" not in pair.text
        and not ("RBP" in pair.text and "gains" in pair.text)
    ][:4] or [f"{name}(size=100)"]


@pytest.mark.parametrize("name", NAMES)
def test_values_are_finite_or_documented_not_to_be(name: str) -> None:
    for text in _texts(name):
        measure = gw.parse_measure(text)
        for run in (RUN, {"relevant": {"x": 1.0}}, {"not judged": {"a": 1.0}}):
            scores = gw.evaluate(QRELS, run, measure)
            if "undefined" in measure.no_relevant:
                assert np.isnan(scores.values[0, list(scores.topics).index("negative"), 0])
            else:
                assert np.isfinite(scores.values).all(), text


@pytest.mark.parametrize("name", NAMES)
def test_missing_topic_is_worth_what_the_documentation_says(name: str) -> None:
    for text in _texts(name):
        measure = gw.parse_measure(text)
        scores = gw.evaluate({"t": {"a": 1, "b": 2}}, {"other": {"a": 1.0}}, measure)
        value = float(scores.values[0, 0, 0])
        if measure.missing_topic == "0":
            assert value == 0, text
        elif measure.missing_topic.startswith("1"):
            assert value == pytest.approx(1), text
        elif "undefined" in measure.missing_topic:
            assert math.isnan(value), text


@pytest.mark.parametrize("name", NAMES)
def test_topic_without_relevant_documents(name: str) -> None:
    for text in _texts(name):
        measure = gw.parse_measure(text)
        if measure.no_relevant != "0":
            continue
        qrels = {"t": {"a": 0, "b": 0}, "u": {"a": 1, "b": 2}}
        scores = gw.evaluate(qrels, {"t": {"a": 1.0, "x": 0.5}}, measure)
        assert scores.values[0, 0, 0] == 0, text


def test_qrels_without_any_relevant_document() -> None:
    measures = [
        "AP",
        "GAP",
        "eGAP(g=[0.5,0.5])",
        "nDCG",
        "ERR",
        "SDCG@5",
        "Q",
        "gP",
        "RBP(gains='exp')",
    ]
    scores = gw.evaluate({"t": {"a": 0}}, {"t": {"a": 1.0}}, measures)
    np.testing.assert_array_equal(scores.values, 0)


def test_dropping_missing_topics() -> None:
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    runs = {"half": {"1": {"a": 1.0}}, "whole": {"1": {"a": 1.0}, "2": {"x": 2.0, "a": 1.0}}}
    zero = gw.evaluate(qrels, runs, "AP")
    drop = gw.evaluate(qrels, runs, "AP", missing="drop")
    assert zero.summary().tolist() == [[0.5], [0.75]]
    assert drop.summary().tolist() == [[1.0], [0.75]]
    assert drop.per_topic.height == 3
    assert zero.notes == ["half: 1 of 2 judged topics are missing from the run"]


def test_undefined_values_are_left_out_of_the_mean() -> None:
    qrels = {"1": {"a": 1}, "2": {"b": 1}}
    scores = gw.evaluate(qrels, {"1": {"a": 1.0}, "2": {"x": 1.0}}, "RHL")
    assert scores.summary()[0, 0] == 0.5
    assert "null" in scores.to_json(per_topic=True)
