"""Tests by resampling, against loops that take the same random numbers one by one."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats as scipy_stats

from gradewise import stats
from gradewise.errors import GradewiseError

Array = NDArray[np.float64]


def _literal_bootstrap(differences: Array, replicates: int, seed: int) -> float:
    """Sakai (2006), Fig 1: shift to a mean of zero, resample, compare studentised means."""
    topics = len(differences)
    rng = np.random.default_rng(seed)
    draws = rng.multinomial(topics, [1 / topics] * topics, size=replicates)
    observed = abs(_studentised(list(differences)))
    shifted = [value - sum(differences) / topics for value in differences]
    count = 0
    for draw in draws:
        sample = [v for v, times in zip(shifted, draw, strict=True) for _ in range(times)]
        count += abs(_studentised(sample)) >= observed
    return count / replicates


def _studentised(sample: list[float]) -> float:
    size = len(sample)
    if len(set(sample)) == 1:
        return 0.0 if sample[0] == 0 else np.inf
    mean = sum(sample) / size
    variance = sum((value - mean) ** 2 for value in sample) / (size - 1)
    return mean / (variance / size) ** 0.5


@pytest.mark.parametrize("topics", [2, 3, 4, 5, 12, 30])
@pytest.mark.parametrize("seed", [0, 7])
def test_bootstrap_as_a_literal_loop(topics: int, seed: int) -> None:
    differences = np.random.default_rng(topics).normal(0.3, 1, (5, topics))
    found = stats.bootstrap_test(differences, replicates=300, seed=seed)
    assert found.tolist() == [_literal_bootstrap(row, 300, seed) for row in differences]


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


def _literal_tukey(values: Array, replicates: int, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    runs, topics = values.shape
    places = np.tile(np.arange(runs)[:, None], (1, topics))
    means = [sum(row) / topics for row in values]
    count = np.ones((runs, runs))
    for _ in range(replicates):
        order = rng.permuted(places, axis=0)
        shuffled = [[values[order[r, t], t] for t in range(topics)] for r in range(runs)]
        new = [sum(row) / topics for row in shuffled]
        widest = max(new) - min(new)
        for a in range(runs):
            for b in range(runs):
                count[a, b] += widest >= abs(means[a] - means[b]) - 1e-12
    return count / (replicates + 1)


def test_tukey_as_a_literal_loop() -> None:
    values = np.random.default_rng(8).random((4, 15)) + np.arange(4)[:, None] / 10
    found = stats.tukey_test(values, replicates=100, seed=3)
    assert found == pytest.approx(_literal_tukey(values, 100, 3), abs=1e-15)


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
