"""What the families give for free: the change under a swap, the expectation, the variance."""

import random
from dataclasses import replace

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import MeasureError
from gradewise.measures.registry import all_measures
from measures.cases import ORACLES, make_case
from oracles.lists import enumerate_lists, swapped

FAMILIES = [m.name for m in all_measures() if m.family in ("pivot", "gain-discount")]
OTHERS = [m.name for m in all_measures() if m.family == "other" and not m.uses_scores]
CASES = [case for case in map(make_case, range(1000, 1060)) if len(case.ranking) <= 14]


@pytest.mark.parametrize("name", [*FAMILIES, *OTHERS])
def test_swap_delta_is_value_after_less_value_before(name: str) -> None:
    oracle, pairs = ORACLES[name]
    for case in CASES[:12]:
        # Swaps know levels only: unjudged documents count as not relevant.
        ranking = [0 if g is None or g < 0 else g for g in case.ranking]
        extra = {0: case.judged.get(0, 0) + ranking.count(0)}
        judged = {grade: n for grade, n in case.judged.items() if grade > 0} | extra
        for pair in pairs(case)[:3]:
            deltas = gw.swap_deltas(pair.text, ranking, judged)
            assert deltas.shape == (len(ranking), len(ranking))
            before = oracle(ranking, judged, **pair.parameters)
            for a in range(len(ranking)):
                for b in range(len(ranking)):
                    after = oracle(swapped(ranking, a + 1, b + 1), judged, **pair.parameters)
                    expected = pytest.approx(
                        after - before if a != b else 0.0, abs=1e-12, nan_ok=True
                    )
                    assert deltas[a, b] == expected, (pair, a, b)


@pytest.mark.parametrize("name", FAMILIES)
def test_expectation_and_variance_are_those_over_all_lists(name: str) -> None:
    rng = random.Random(5)
    oracle, pairs = ORACLES[name]
    case = next(
        c for c in map(make_case, range(50, 500)) if len([g for g in c.judged if g > 0]) == 2
    )
    scale = sorted(grade for grade in case.judged if grade > 0)
    length = 4
    chances = np.array([[rng.random() for _ in range(3)] for _ in range(length)])
    chances /= chances.sum(axis=1, keepdims=True)
    judged = {scale[0]: length, scale[1]: length, 0: length}  # as many as a list can hold
    for pair in pairs(case):
        mean = square = 0.0
        given = np.zeros((length, 3))
        for choice in enumerate_lists([0, 1, 2], length):
            ranking = [0 if i == 0 else scale[i - 1] for i in choice]
            weight = float(np.prod([chances[n, i] for n, i in enumerate(choice)]))
            value = oracle(ranking, judged, **pair.parameters)
            mean += weight * value
            square += weight * value**2
            for n, i in enumerate(choice):
                given[n, i] += weight / chances[n, i] * value
        assert gw.expectation(pair.text, chances, judged) == pytest.approx(mean, abs=1e-12)
        variance = gw.variance(pair.text, chances, judged)
        assert variance == pytest.approx(square - mean**2, abs=1e-12)
        lists = gw.judge_list([0] * length, judged)
        found = gw.parse_measure(pair.text).given_levels(lists, chances)
        np.testing.assert_allclose(found - found[:, :1], given - given[:, :1], atol=1e-12)


@pytest.mark.parametrize("name", FAMILIES)
def test_expectations_of_many_lists_are_those_of_each_alone(name: str) -> None:
    rng = np.random.default_rng(3)
    qrels = {f"t{t}": {f"d{d}": int(rng.integers(0, 3)) for d in range(8)} for t in range(4)}
    runs = {
        f"r{r}": {t: {f"d{d}": float(rng.random()) for d in range(12)} for t in qrels}
        for r in range(3)
    }
    judged = gw.judge(qrels, runs)
    chances = rng.dirichlet([1.0, 1.0, 1.0], len(judged.known_pool))
    case = make_case(7)
    for pair in ORACLES[name][1](replace(case, g=[0.4, 0.6], gains={1: 0.5, 2: 2.0}))[:4]:
        measure = gw.parse_measure(pair.text)
        mine = chances[judged.hit_rows]
        means, variances = measure.expected_values(judged, mine), measure.variances(judged, mine)
        for number in range(len(judged)):
            run, topic = divmod(number, len(judged.topics))
            alone = judged.list_of(judged.runs[run], judged.topics[topic])
            mine = chances[judged.known_pool.topic == topic][alone.hit_rows]
            mean, variance = measure.expected_values(alone, mine), measure.variances(alone, mine)
            assert means[number] == pytest.approx(mean[0], abs=1e-12)
            assert variances[number] == pytest.approx(variance[0], abs=1e-12)


@pytest.mark.parametrize("name", OTHERS)
def test_other_measures_say_that_they_have_no_expectation(name: str) -> None:
    _, pairs = ORACLES[name]
    text = pairs(CASES[0])[0].text
    with pytest.raises(MeasureError, match="no closed form"):
        gw.expectation(text, [[0.5, 0.5]], {1: 3})
    with pytest.raises(MeasureError, match="no closed form"):
        gw.variance(text, [[0.5, 0.5]], {1: 3})
    with pytest.raises(MeasureError, match="no closed form"):
        gw.parse_measure(text).given_levels(CASES[0].joined, np.ones((0, 2)))


def test_expectation_wants_a_column_for_each_level() -> None:
    with pytest.raises(MeasureError, match="3 columns"):
        gw.expectation("AP", [[0.5, 0.5]], {1: 3, 2: 1})


def test_expectation_wants_probabilities() -> None:
    for chances in ([[0.5, 0.6]], [[1.5, -0.5]]):
        with pytest.raises(MeasureError, match="at rank 1 are not probabilities"):
            gw.expectation("AP", chances, {1: 3})
        with pytest.raises(MeasureError, match="at rank 1 are not probabilities"):
            gw.variance("AP", chances, {1: 3})


def test_swaps_of_condensed_lists_are_refused() -> None:
    with pytest.raises(MeasureError, match="unjudged documents are dropped"):
        gw.swap_deltas("AP(judged_only=True)", [None, 1], {1: 1})
    assert gw.swap_deltas("AP(judged_only=True)", [0, 1], {1: 1})[0, 1] == 0.5
