"""Tests by resampling, against loops that take the same random numbers one by one."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats as scipy_stats

from gradewise import stats
from gradewise.errors import GradewiseError
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
