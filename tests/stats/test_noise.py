"""Differences below the noise of the computation are ties, for every test and correlation.

The expected p-values come from fractions, in which equal differences are equal.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import gradewise as gw
from gradewise import stats
from gradewise.noise import NOISE, drop_noise, merge_ties, order_best_first
from gradewise.stats.tests import TESTS, Test
from oracles import exact, statistics

Array = NDArray[np.float64]
QRELS = {str(topic): {f"r{i}": 1 for i in range(10)} for topic in range(6)}


def _run(found: list[int]) -> dict[str, dict[str, float]]:
    """Return a run that has so many of ten relevant documents of each topic in its top ten."""
    return {
        str(topic): {
            **{f"r{i}": 100.0 - i for i in range(relevant)},
            **{f"n{i}": 50.0 - i for i in range(10 - relevant)},
        }
        for topic, relevant in enumerate(found)
    }


A, B = [3, 2, 4, 1, 7, 9], [2, 1, 3, 2, 6, 8]
TENTHS = [Fraction(a - b, 10) for a, b in zip(A, B, strict=True)]


@pytest.fixture(scope="module")
def tenfold() -> gw.Scores:
    """P@10 and ten times P@10."""
    return gw.evaluate(QRELS, {"A": _run(A), "B": _run(B)}, ["P@10", "CG@10"])


def test_a_measure_and_ten_times_it_have_one_p(tenfold: gw.Scores) -> None:
    expected = exact.wilcoxon(TENTHS)
    assert expected == 0.21875  # 14 of 64 sign assignments: six tied ranks of 3.5, one of them lost
    assert gw.compare(tenfold, test="wilcoxon").pairs["p"].to_list() == [expected, expected]


@pytest.mark.parametrize("name", TESTS)
def test_every_test_is_the_same_for_ten_times_a_measure(tenfold: gw.Scores, name: Test) -> None:
    once, ten = gw.compare(tenfold, test=name, replicates=40).pairs["p"].to_list()
    assert once == pytest.approx(ten, abs=1e-12)


lattice = st.integers(2, 16).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 10), min_size=n, max_size=n)] * 2)
)


def _differences(pair: tuple[list[int], list[int]]) -> tuple[Array, list[Fraction]]:
    a, b = pair
    rounded = np.array(a) / 10 - np.array(b) / 10
    return rounded, [Fraction(i - j, 10) for i, j in zip(a, b, strict=True)]


@given(lattice)
def test_tests_of_tenths_as_of_fractions(pair: tuple[list[int], list[int]]) -> None:
    rounded, fractions = _differences(pair)
    found = {
        name: float(stats.paired_p(rounded, name, scale=1.0, replicates=64, seed=5))
        for name in ("wilcoxon", "sign", "randomization", "bootstrap")
    }
    assert found["wilcoxon"] == pytest.approx(exact.wilcoxon(fractions), abs=1e-12)
    assert found["sign"] == pytest.approx(exact.sign(fractions), abs=1e-12)
    assert found["randomization"] == exact.randomization(fractions, 64, 5)
    assert found["bootstrap"] == exact.bootstrap(fractions, 64, 5)


@given(st.lists(st.lists(st.integers(0, 10), min_size=6, max_size=6), min_size=2, max_size=5))
def test_tukey_of_tenths_as_of_fractions(counts: list[list[int]]) -> None:
    found = stats.tukey_test(np.array(counts) / 10, replicates=20, seed=2)
    fractions = [[Fraction(value, 10) for value in row] for row in counts]
    assert found == pytest.approx(np.array(exact.tukey(fractions, 20, 2)), abs=1e-12)


@given(st.integers(0, 2**32 - 1))
def test_correlations_of_means_as_of_fractions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 3, (2, 6, 10))  # two measures, six runs, ten topics: many equal means
    x, y = (side / 10 for side in counts)
    sums = [[Fraction(int(total), 100) for total in side.sum(axis=1)] for side in counts]
    if any(len(set(side)) == 1 for side in sums):
        return
    # Two orders of summation, which round differently.
    means = x.mean(axis=1), np.array([sum(row[::-1]) / 10 for row in y])
    assert stats.kendall_tau(*means) == pytest.approx(exact.tau(*sums), abs=1e-12)
    assert stats.tau_matrix(np.stack(means))[0, 1] == pytest.approx(exact.tau(*sums), abs=1e-12)
    assert stats.spearman(*means) == pytest.approx(exact.spearman(*sums), abs=1e-12)
    assert stats.ap_tau(*means) == pytest.approx(statistics.tau_ap(*sums), abs=1e-12)


def test_equal_differences_have_no_spread() -> None:
    rounded = np.array([0.3 - 0.2, 0.2 - 0.1, 0.8 - 0.7])
    assert len(set(rounded.tolist())) > 1
    assert stats.t_test(rounded) == 0
    assert stats.effect_size(rounded) == np.inf
    assert stats.bootstrap_test(rounded, replicates=9) == 0.1
    nothing = np.array([0.3 - 0.2 - 0.1, 0.0, 0.0])
    for name in ("t", "wilcoxon", "sign", "strict", "bootstrap", "randomization"):
        assert stats.paired_p(nothing, name, scale=1.0, replicates=9) == 1
    assert stats.effect_size(nothing, scale=1.0) == 0


def test_ties_are_chains_of_small_steps_and_not_cells_of_a_grid() -> None:
    for anchor in (0.1, 1 / 3, 0.123456789012):
        near = anchor + np.array([0.0, 0.4, 0.8]) * NOISE
        far = anchor + 4 * NOISE
        values = np.array([1.0, near[2], far, near[0], near[1]])
        assert merge_ties(values).tolist() == [1.0, near[0], far, near[0], near[0]]


def test_ties_do_not_depend_on_the_scale() -> None:
    values = np.array([0.3, 0.1 + 0.2, 0.7, 0.7 + 2 * NOISE])
    for factor in (1e-9, 1.0, 1e9):
        merged = merge_ties(values * factor)
        assert merged[0] == merged[1]
        assert merged[2] < merged[3]


def test_infinite_and_undefined_values_are_left_alone() -> None:
    values = np.array([[np.inf, 1.0, -np.inf, 2.0], [np.nan, 1.0, 1.0 + NOISE / 2, 2.0]])
    assert merge_ties(values)[0].tolist() == values[0].tolist()
    assert merge_ties(values)[1, 1:].tolist() == [1.0, 1.0, 2.0]
    assert np.isnan(merge_ties(values)[1, 0])


def test_zeros_and_order() -> None:
    assert drop_noise(np.array([1e-13, 0.1]), scale=1.0).tolist() == [0.0, 0.1]
    assert drop_noise(np.array([1e-13, 0.1])).tolist() == [1e-13, 0.1]
    assert order_best_first(np.array([0.1 + 0.2, 0.2, 0.3, 0.4])).tolist() == [3, 0, 2, 1]
    assert order_best_first(np.array([0.3, 0.2, 0.1 + 0.2, 0.4])).tolist() == [3, 0, 2, 1]


def test_runs_with_equal_means_keep_their_order_and_win_no_topic() -> None:
    values = np.array([[0.3, 0.1 + 0.2, 0.6], [0.1 + 0.2, 0.3, 0.6]])[:, :, None]
    scores = gw.Scores(
        ("x", "y"),
        ("1", "2", "3"),
        gw.evaluate(QRELS, {"A": _run(A)}, "P@10").measures,
        values,
        np.ones((2, 3), bool),
    )
    row = gw.compare(scores).pairs.row(0, named=True)
    assert (row["run_a"], row["wins"], row["ties"], row["losses"], row["p"]) == ("x", 0, 3, 0, 1)
