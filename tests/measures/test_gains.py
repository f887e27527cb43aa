"""Gains of every measure that has them: maps of grades, rules by name, and those of tracks."""

from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.measures.measure import Measure
from gradewise.measures.presets import PRESETS
from gradewise.measures.registry import all_measures

GRADES = {"a": 3, "b": 1, "c": 2, "d": 0, "e": 2, "f": 1}
RUNS = {"one": ["b", "d", "a", "x", "c"], "two": ["e", "c", "a", "b"], "three": ["d", "x", "f"]}
WITH_GAINS = [each for each in all_measures() if "gains" in each.parameters()]


def _values(measure: type[Measure], mapped: dict[str, int] | None = None, **given: Any) -> Any:
    """Score with intents, scores and a cutoff, whatever the measure needs."""
    grades = {d: (mapped or GRADES)[d] for d in GRADES}
    qrels: Any = {"t": {"1": grades, "2": {"a": 0, "b": grades["b"]}}}
    runs = {
        name: {"t": {document: -float(n) for n, document in enumerate(documents)}}
        for name, documents in RUNS.items()
    }
    cutoff = 4 if measure.cutoff_rule in ("required", "optional") else None
    if not measure.uses_intents:
        qrels = {"t": grades}
    return gw.evaluate(qrels, runs, measure(cutoff=cutoff, **given)).values[:, 0, 0]


@pytest.mark.parametrize("measure", WITH_GAINS, ids=str)
def test_a_map_of_grades_acts_as_grades_that_are_the_gains(measure: type[Measure]) -> None:
    """{1: 1, 2: 3, 3: 10} is what documents of grades 1, 3 and 10 are worth with linear gains."""
    mapped = {doc: {0: 0, 1: 1, 2: 3, 3: 10}[grade] for doc, grade in GRADES.items()}
    found = _values(measure, gains={1: 1, 2: 3, 3: 10})
    np.testing.assert_allclose(found, _values(measure, mapped, gains="linear"), atol=1e-12)
    assert not np.allclose(found, _values(measure, gains={1: 1, 2: 1.5, 3: 40}), atol=1e-9)


@pytest.mark.parametrize("measure", WITH_GAINS, ids=str)
def test_rules_by_name_are_maps(measure: type[Measure]) -> None:
    for names, gains in (
        (("linear", "ntcir-www", "@trec-dl"), {1: 1, 2: 2, 3: 3}),
        (("exp", "exponential", "trec-web"), {1: 1, 2: 3, 3: 7}),
    ):
        expected = _values(measure, gains=gains)
        for name in names:
            np.testing.assert_allclose(_values(measure, gains=name), expected, atol=1e-12)


@pytest.mark.parametrize("measure", WITH_GAINS, ids=str)
def test_rules_need_no_quotes(measure: type[Measure]) -> None:
    cutoff = "@4" if measure.cutoff_rule == "required" else ""
    for word, rule in (("linear", "linear"), ("exponential", "exp"), ("trec-web", "exp")):
        found = gw.parse_measure(f"{measure.name}(gains={word}){cutoff}")
        assert found == measure(gains=rule, cutoff=4 if cutoff else None)


def test_every_track_has_a_rule() -> None:
    for name in PRESETS:
        assert gw.parse_measure(f"nDCG(gains={name})").gains in ("linear", "exp")  # type: ignore[attr-defined]
