"""Rank correlations against scipy.stats and literal definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats as scipy_stats

from gradewise import stats
from gradewise.errors import GradewiseError
from gradewise.stats.correlations import CORRELATIONS
from oracles import statistics

Array = NDArray[np.float64]
scorings = st.integers(2, 9).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 5), min_size=n, max_size=n)] * 2)
)


@given(scorings)
def test_tau_and_spearman_as_scipy(pair: tuple[list[int], list[int]]) -> None:
    x, y = (np.array(side, float) for side in pair)
    if len(set(pair[0])) == 1 or len(set(pair[1])) == 1:
        assert np.isnan(stats.kendall_tau(x, y))
        assert np.isnan(stats.spearman(x, y))
        return
    assert stats.kendall_tau(x, y) == pytest.approx(scipy_stats.kendalltau(x, y)[0], abs=1e-12)
    assert stats.spearman(x, y) == pytest.approx(scipy_stats.spearmanr(x, y)[0], abs=1e-12)
    assert stats.tau_matrix(np.stack([x, y]))[0, 1] == pytest.approx(
        scipy_stats.kendalltau(x, y)[0], abs=1e-12
    )


@given(scorings)
def test_tau_a_counts_pairs(pair: tuple[list[int], list[int]]) -> None:
    x, y = pair
    found = stats.kendall_tau(np.array(x, float), np.array(y, float), variant="a")
    assert found == pytest.approx(statistics.tau_a(x, y), abs=1e-12)


@given(
    st.integers(2, 6).flatmap(
        lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2)
    )
)
def test_ap_tau_is_the_mean_over_orders_of_ties(pair: tuple[list[int], list[int]]) -> None:
    x, y = pair
    found = stats.ap_tau(np.array(x, float), np.array(y, float))
    assert found == pytest.approx(statistics.tau_ap(x, y), abs=1e-12)


def test_ap_tau_ends() -> None:
    x = np.arange(10.0)
    assert stats.ap_tau(x, x) == pytest.approx(1)
    assert stats.ap_tau(x, -x) == pytest.approx(-1)


def test_many_at_once() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.random((2, 5, 12))
    for kind in CORRELATIONS:
        found = stats.correlate(x, y, kind)
        alone = [float(stats.correlate(x[k], y[k], kind)) for k in range(5)]
        assert found.tolist() == pytest.approx(alone, abs=1e-15)


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=3, max_size=9))
def test_pearson_as_in_scipy(pairs: list[tuple[float, float]]) -> None:
    x, y = np.array(pairs).T
    found = stats.pearson(x, y)
    if min(np.ptp(x), np.ptp(y)) == 0:
        assert np.isnan(found)
    elif min(np.ptp(x), np.ptp(y)) > 1e-6:
        assert found == pytest.approx(scipy_stats.pearsonr(x, y).statistic, abs=1e-7)


def test_rms_by_hand() -> None:
    assert stats.rms_difference(np.array([1.0, 2.0]), np.array([1.0, 4.0])) == pytest.approx(2**0.5)


def test_interval_as_a_literal_loop() -> None:
    rng = np.random.default_rng(1)
    x = rng.random((6, 15)) + np.arange(6)[:, None] / 8
    y = x + rng.random((6, 15))
    draws = np.random.default_rng(4).multinomial(15, [1 / 15] * 15, size=60)
    taus = [
        scipy_stats.kendalltau((x * draw).sum(axis=1), (y * draw).sum(axis=1))[0] for draw in draws
    ]
    found = stats.correlation_interval(x, y, replicates=60, seed=4, level=0.8)
    assert found == pytest.approx(tuple(np.quantile(taus, [0.1, 0.9])), abs=1e-12)


def test_bad_input() -> None:
    with pytest.raises(GradewiseError, match="must have the same items, but have 3 and 2"):
        stats.kendall_tau(np.zeros(3), np.zeros(2))
    with pytest.raises(GradewiseError, match="at least 2 items, not 1"):
        stats.spearman(np.zeros(1), np.zeros(1))
    with pytest.raises(GradewiseError, match="did you mean spearman"):
        stats.correlate(np.zeros(3), np.zeros(3), "spearmen")  # type: ignore[arg-type]
