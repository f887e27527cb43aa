"""Paired tests against scipy.stats, which shares only special functions with them."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats as scipy_stats

from gradewise import stats
from gradewise.stats import tests as stats_tests
from oracles import statistics

Array = NDArray[np.float64]


def _samples() -> list[Array]:
    """Differences with and without ties and zeros, for few topics and for many."""
    rng = np.random.default_rng(1)
    samples = []
    for topics in (2, 3, 4, 5, 8, 13, 14, 30, 50, 51, 80):
        plain = rng.normal(0.2, 1, (6, topics))
        tied = rng.integers(-3, 4, (6, topics)) / 4
        few_zeros = np.where(rng.random((6, topics)) < 0.2, 0.0, rng.normal(0, 1, (6, topics)))
        samples += [plain, tied, few_zeros, np.abs(plain)]
    return samples


@pytest.mark.parametrize("differences", _samples(), ids=lambda d: f"{d.shape[1]} topics")
@pytest.mark.parametrize("name", ["t", "wilcoxon", "sign"])
def test_as_scipy(name: stats_tests.Test, differences: Array) -> None:
    expected = [statistics.TESTS[name](row, 0, 0) for row in differences]
    assert stats.paired_p(differences, name) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("topics", [2, 3, 4, 5, 40, 60])
def test_constant_differences(topics: int) -> None:
    constant, nothing = np.full((1, topics), 0.25), np.zeros((1, topics))
    assert stats.t_test(constant) == 0
    assert stats.bootstrap_test(constant, replicates=50) == 1 / 51
    expected = scipy_stats.wilcoxon(constant[0]).pvalue
    assert stats.wilcoxon_test(constant) == pytest.approx(expected, abs=1e-15)
    assert stats.sign_test(constant) == pytest.approx(min(1, 2 * 0.5**topics))
    for test in (stats.t_test, stats.wilcoxon_test, stats.sign_test, stats.strict_test):
        assert test(nothing) == 1
    assert stats.bootstrap_test(nothing, replicates=50) == 1
    assert stats.randomization_test(nothing, replicates=50) == 1


def test_strict_is_the_least_sure_of_three() -> None:
    differences = np.random.default_rng(3).normal(0.3, 1, (40, 25))
    three = [stats.t_test(differences), stats.wilcoxon_test(differences)]
    three.append(stats.sign_test(differences))
    strict = stats.strict_test(differences)
    for p in three:
        assert (strict >= p).all()
    assert all(strict[k] in [p[k] for p in three] for k in range(40))


def test_any_leading_shape() -> None:
    cube = np.random.default_rng(4).normal(0, 1, (3, 4, 12))
    for test in (stats.t_test, stats.wilcoxon_test, stats.sign_test):
        assert test(cube).shape == (3, 4)
        assert test(cube)[2, 1] == pytest.approx(float(test(cube[2, 1])), abs=1e-15)
