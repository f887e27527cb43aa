"""The expansion against its formula, its differences, and the distribution that it stands for."""

from typing import Any

import numpy as np
import pytest
from numpy.polynomial import hermite_e

from gradewise.kernels.rank_expansion import expand_rank_discount
from oracles import sums


def _formula(mean: float, variance: float, third: float, fourth: float, discount: Any) -> float:
    """Σ_r φ(x)/σ [1 + κ3/(6σ³) He3 + κ4/(24σ⁴) He4 + κ3²/(72σ⁶) He6] D(r)."""
    deviation = variance**0.5
    r = np.arange(-300, len(discount) + 300)
    x = (r - mean) / deviation
    skew = third / (6 * deviation**3)
    series = hermite_e.hermeval(x, [1, 0, 0, skew, fourth / (24 * variance**2), 0, skew**2 / 2])
    chance = np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi) / deviation * series
    return float(chance @ np.asarray(discount)[np.clip(r, 0, len(discount) - 1)])


@pytest.mark.parametrize("size", [20, 100, 300])
def test_it_is_the_formula_and_its_derivatives(size: int) -> None:
    rng = np.random.default_rng(size)
    discount = rng.random(size)
    for _ in range(20):
        given = np.array([rng.uniform(0, size), rng.uniform(4, 60), *rng.normal(size=2)])
        value, *slopes = expand_rank_discount(*given, discount)
        assert value == pytest.approx(_formula(*given, discount), abs=1e-13)
        for place, unit in enumerate(1e-5 * np.eye(4)):
            ends = [_formula(*(given + sign * unit), discount) for sign in (1, -1)]
            assert slopes[place] == pytest.approx((ends[0] - ends[1]) / 2e-5, abs=1e-8)


def test_a_discount_that_is_the_same_for_all_ranks() -> None:
    value, *slopes = expand_rank_discount(30.0, 9.0, 2.0, 1.0, np.full(61, 0.7))
    assert value == pytest.approx(0.7, abs=1e-14)
    assert np.abs(slopes).max() < 1e-14


@pytest.mark.parametrize(("variance", "most"), [(4, 2e-4), (8, 2e-5), (16, 2e-6), (64, 2e-8)])
def test_it_is_close_to_the_distribution(variance: int, most: float) -> None:
    rng = np.random.default_rng(variance)
    for _ in range(5):
        chances = rng.beta(0.5, 0.8, size=40 * variance)
        chances = chances[: np.searchsorted(np.cumsum(chances * (1 - chances)), variance) + 1]
        discount = 1 / np.log2(np.arange(len(chances) + 1) + 2)
        value, *_ = expand_rank_discount(*sums.cumulants(chances.tolist()), discount)
        assert value == pytest.approx(sums.expected(chances.tolist(), discount), abs=most)
