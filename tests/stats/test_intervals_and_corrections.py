"""Intervals, effect sizes and corrections against scipy and hand-worked values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from gradewise import stats
from gradewise.errors import GradewiseError
from gradewise.stats import bootstrap_intervals
from gradewise.stats.intervals import INTERVALS, IntervalKind
from oracles import statistics


@pytest.mark.parametrize("topics", [2, 3, 5, 40])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_t_interval_as_scipy(topics: int, level: float) -> None:
    values = np.random.default_rng(topics).random((3, topics))
    low, high = stats.t_interval(values, level=level)
    for row in range(3):
        expected = scipy_stats.ttest_1samp(values[row], 0).confidence_interval(level)
        assert (low[row], high[row]) == pytest.approx(tuple(expected), abs=1e-12)


def test_bootstrap_interval_as_a_literal_loop() -> None:
    values = np.random.default_rng(2).random(12)
    low, high = stats.bootstrap_interval(values, level=0.9, replicates=400, seed=5)
    assert (low, high) == pytest.approx(
        statistics.bootstrap_interval(values, 0.9, 400, 5), abs=1e-12
    )


def test_bootstrap_interval_in_parts() -> None:
    values = np.random.default_rng(3).random((700, 8))
    low, high = stats.bootstrap_interval(values)
    alone_low, alone_high = stats.bootstrap_interval(values[650])
    assert low[650] == pytest.approx(float(alone_low), abs=1e-12)
    assert high[650] == pytest.approx(float(alone_high), abs=1e-12)


@pytest.mark.parametrize(("kind", "method"), [("bootstrap", "percentile"), ("bca", "BCa")])
def test_bootstrap_intervals_near_those_of_scipy(kind: IntervalKind, method: str) -> None:
    values = np.random.default_rng(4).beta(0.8, 2.3, (3, 25))
    low, high = INTERVALS[kind].apply(values, level=0.95, replicates=20_000, seed=1)
    for row in range(3):
        peer = scipy_stats.bootstrap(
            (values[row],), np.mean, n_resamples=20_000, method=method, rng=np.random.default_rng(2)
        )
        # From 20,000 samples, a 2.5% quantile is known to √(.025 · .975 / 20,000) / φ(1.96) = .019
        # standard errors, and 2 z0 to 2 √(π / 2 / 20,000) = .018; this is 4 times what two such
        # estimates differ by.
        slack = 4 * 2**0.5 * (0.019**2 + 0.018**2) ** 0.5 * float(peer.standard_error)
        assert (low[row], high[row]) == pytest.approx(tuple(peer.confidence_interval), abs=slack)


@pytest.mark.parametrize("kind", ["bca", "studentized"])
def test_skewness_moves_an_interval_to_the_long_tail(kind: IntervalKind) -> None:
    values = np.random.default_rng(5).beta(0.5, 4, 25)
    low, high = INTERVALS[kind].apply(values, level=0.95, replicates=5000, seed=1)
    mean = values.mean()
    assert high - mean > 1.1 * (mean - low)
    mirrored = INTERVALS[kind].apply(-values, level=0.95, replicates=5000, seed=1)
    np.testing.assert_allclose(mirrored, (-high, -low), atol=1e-12)


@pytest.mark.parametrize("kind", INTERVALS)
def test_interval_of_equal_values_is_a_point(kind: IntervalKind) -> None:
    values = np.array([[0.1, 0.3 - 0.2, 0.1], [0.1, 0.2, 0.9]])
    low, high = INTERVALS[kind].apply(values, level=0.9, replicates=300, seed=1)
    assert (low[0], high[0]) == pytest.approx((0.1, 0.1), abs=1e-12)
    assert low[1] < 0.4 < high[1]


@pytest.mark.parametrize("kind", ["bootstrap", "bca", "studentized"])
def test_intervals_in_blocks_of_rows(kind: IntervalKind, monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(6).random((2, 9, 12))
    whole = INTERVALS[kind].apply(values, level=0.9, replicates=200, seed=1)
    monkeypatch.setattr(bootstrap_intervals, "_CHUNK", 400)  # two rows at a time
    parts = INTERVALS[kind].apply(values, level=0.9, replicates=200, seed=1)
    np.testing.assert_allclose(parts, whole, rtol=0, atol=1e-12)
    assert whole[0].shape == (2, 9)


def test_too_few_topics_for_a_studentized_interval() -> None:
    low, high = stats.studentized_interval(np.array([0.1, 0.4]), replicates=500)
    assert (low, high) == (-np.inf, np.inf)


def test_effect_size_by_hand() -> None:
    assert stats.effect_size(np.array([1.0, 2.0, 3.0])) == 2
    assert stats.effect_size(np.zeros(4)) == 0
    assert stats.effect_size(np.full(4, -0.5)) == -np.inf


@pytest.mark.parametrize("level", [0, 1, -1])
def test_level_must_make_sense(level: float) -> None:
    with pytest.raises(GradewiseError, match=f"level must be between 0 and 1, not {level}"):
        stats.t_interval(np.zeros(3), level=level)


# Worked by hand: n = 4 tests.
P = np.array([0.02, 0.01, 0.04, 0.03])


def test_corrections_by_hand() -> None:
    assert stats.correct(P, "none") == pytest.approx(P)
    assert stats.correct(P, "bonferroni") == pytest.approx([0.08, 0.04, 0.16, 0.12])
    assert stats.correct(P, "holm") == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert stats.correct(P, "bh") == pytest.approx([0.04, 0.04, 0.04, 0.04])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_bh_as_scipy_and_order_of_corrections(values: list[float]) -> None:
    p = np.array(values)
    expected = scipy_stats.false_discovery_control(p)
    assert stats.correct(p, "bh") == pytest.approx(expected, abs=1e-12)
    holm, bonferroni = stats.correct(p, "holm"), stats.correct(p, "bonferroni")
    assert (p <= stats.correct(p, "bh") + 1e-15).all()
    assert (stats.correct(p, "bh") <= holm + 1e-15).all()
    assert (holm <= bonferroni + 1e-15).all()


def test_unknown_correction() -> None:
    with pytest.raises(GradewiseError, match=r"correction must be one of .*; did you mean holm"):
        stats.correct(P, "holms")  # type: ignore[arg-type]
