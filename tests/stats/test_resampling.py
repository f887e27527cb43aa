"""Tests by resampling, against loops that take the same random numbers one by one."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats as scipy_stats

from gradewise import stats
from gradewise.errors import GradewiseError
from gradewise.stats import resampling
from oracles import statistics

Array = NDArray[np.float64]


@pytest.mark.parametrize("topics", [2, 3, 4, 5, 12, 30])
@pytest.mark.parametrize("seed", [0, 7])
def test_bootstrap_as_a_literal_loop(topics: int, seed: int) -> None:
    differences = np.random.default_rng(topics).normal(0.3, 1, (5, topics))
    found = stats.bootstrap_test(differences, replicates=300, seed=seed)
    assert found.tolist() == [statistics.bootstrap(row, 300, seed) for row in differences]


@pytest.mark.parametrize("topics", [2, 3, 4, 5, 9])
def test_randomization_is_exact_for_few_topics(topics: int) -> None:
    rng = np.random.default_rng(topics)
    for differences in (rng.normal(0.4, 1, topics), rng.integers(-2, 3, topics) / 8):
        expected = scipy_stats.permutation_test(
            (differences,), np.mean, permutation_type="samples", n_resamples=np.inf
        ).pvalue
        assert stats.randomization_test(differences) == pytest.approx(expected, abs=1e-12)


def test_randomization_of_many_topics_is_near_scipy() -> None:
    differences = np.random.default_rng(5).normal(0.25, 1, 60)
    expected = scipy_stats.permutation_test(
        (differences,),
        np.mean,
        permutation_type="samples",
        n_resamples=20_000,
        rng=np.random.default_rng(1),
    ).pvalue
    found = float(stats.randomization_test(differences, replicates=20_000))
    assert found == pytest.approx(expected, abs=4 * np.sqrt(2 * expected / 20_000))


def test_bootstrap_is_near_t_for_normal_differences() -> None:
    differences = np.random.default_rng(6).normal(0.1, 1, (30, 100))
    found = stats.bootstrap_test(differences, replicates=5000)
    assert np.abs(found - stats.t_test(differences)).max() < 0.04


def test_tukey_as_a_literal_loop() -> None:
    values = np.random.default_rng(8).random((4, 15)) + np.arange(4)[:, None] / 10
    found = stats.tukey_test(values, replicates=100, seed=3)
    assert found == pytest.approx(statistics.tukey(values, 100, 3), abs=1e-15)


def test_tukey_of_several_measures_at_once() -> None:
    values = np.random.default_rng(9).random((4, 15, 2))
    found = stats.tukey_test(values, replicates=50, seed=1)
    for measure in range(2):
        alone = stats.tukey_test(values[:, :, measure], replicates=50, seed=1)
        assert (found[:, :, measure] == alone).all()


def test_false_alarms_are_as_rare_as_alpha_says() -> None:
    rng = np.random.default_rng(10)
    differences = rng.normal(0, 1, (2000, 20))
    for test in (stats.t_test, stats.wilcoxon_test):
        assert (test(differences) <= 0.05).mean() == pytest.approx(0.05, abs=0.02)
    for resampled in (stats.bootstrap_test, stats.randomization_test):
        share = (resampled(differences, replicates=1000) <= 0.05).mean()
        assert share == pytest.approx(0.05, abs=0.025)


@pytest.mark.parametrize("test", [stats.bootstrap_test, stats.randomization_test, stats.tukey_test])
def test_seeds(test: object) -> None:
    values = np.random.default_rng(11).random((6, 30)) - 0.5
    first, again, other = (test(values, replicates=99, seed=seed) for seed in (1, 1, 2))  # type: ignore[operator]
    assert (first == again).all()
    assert (first != other).any()
    with pytest.raises(GradewiseError, match="replicates must be at least 1, not 0"):
        test(values, replicates=0)  # type: ignore[operator]


@pytest.mark.parametrize("test", [stats.bootstrap_test, stats.randomization_test])
@pytest.mark.parametrize("replicates", [100, 2048])
def test_blocks_of_replicates_change_nothing(
    test: Any, replicates: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = np.random.default_rng(12).random((6, 11)) - 0.4  # 2,048 sign assignments
    whole = test(values, replicates=replicates, seed=3)
    monkeypatch.setattr(resampling, "_REPLICATES_AT_ONCE", 7)
    monkeypatch.setattr(resampling, "_CHUNK", 20)  # two or three pairs at a time
    assert test(values, replicates=replicates, seed=3).tolist() == whole.tolist()


@pytest.mark.parametrize("test", [stats.bootstrap_test, stats.randomization_test, stats.tukey_test])
def test_p_is_never_zero(test: Any) -> None:
    clear = np.stack([np.linspace(0.8, 1, 40), np.linspace(0.1, 0.2, 40)])
    data = clear if test is stats.tukey_test else clear[:1] - clear[1:]
    assert test(data, replicates=19, seed=1).min() == pytest.approx(1 / 20, abs=1e-15)


def test_samples_that_are_too_many_to_keep_are_drawn_in_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from gradewise.stats import bootstrap_intervals

    values = np.random.default_rng(1).random((5, 70))
    functions = [
        bootstrap_intervals.bootstrap_interval,
        bootstrap_intervals.bca_interval,
        bootstrap_intervals.studentized_interval,
    ]
    expected = [function(values, replicates=500, seed=4) for function in functions]
    monkeypatch.setattr(bootstrap_intervals, "_WEIGHTS", 100)
    monkeypatch.setattr(resampling, "_WEIGHTS", 700)
    for function, bounds in zip(functions, expected, strict=True):
        found = function(values, replicates=500, seed=4)
        assert np.allclose(found, bounds, rtol=1e-12)
    p = resampling.bootstrap_test(values, replicates=500, seed=4)
    monkeypatch.undo()
    assert p.tolist() == resampling.bootstrap_test(values, replicates=500, seed=4).tolist()


def test_draws_from_many_topics_are_even() -> None:
    weights = resampling.topic_weights(20_000, replicates=30, seed=2)
    assert weights.sum(axis=1).tolist() == [20_000] * 30
    assert weights.var() == pytest.approx(1, abs=0.01)
    assert np.corrcoef(weights)[np.triu_indices(30, 1)].max() < 0.05
    again = resampling.topic_weights(20_000, replicates=30, seed=2)
    assert (weights == again).all()


@pytest.mark.slow
def test_a_million_topics() -> None:
    values = np.random.default_rng(3).random((2, 1_000_000))
    low, high = stats.bootstrap_interval(values, replicates=200, seed=1)
    half = 1.96 * values.std(axis=1) / 1000
    assert low == pytest.approx(values.mean(axis=1) - half, abs=2e-4)
    assert high == pytest.approx(values.mean(axis=1) + half, abs=2e-4)
