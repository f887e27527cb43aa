"""The distribution of a sum of independent yes-and-no's, by convolution."""

from collections.abc import Sequence
from typing import Any

import numpy as np


def distribution(chances: Sequence[float]) -> Any:
    """P(r) for r = 0, 1, ..., the number of chances."""
    found = np.ones(1)
    for p in chances:
        found = np.convolve(found, [1 - p, p])
    return found


def expected(chances: Sequence[float], discount: Sequence[float]) -> float:
    """Σ_r P(r) D(r); there is no discount beyond the end."""
    return float(sum(p * d for p, d in zip(distribution(chances), discount, strict=False)))


def slopes(chances: Sequence[float], discount: Sequence[float]) -> list[float]:
    """The derivative in each chance: what is expected with it for sure, less without it."""
    found = []
    for i in range(len(chances)):
        others = [*chances[:i], *chances[i + 1 :]]
        found.append(expected([*others, 1.0], discount) - expected([*others, 0.0], discount))
    return found


def cumulants(chances: Sequence[float]) -> tuple[float, float, float, float]:
    """The mean and the next three cumulants, from central moments of the distribution."""
    p = distribution(chances)
    r = np.arange(len(p))
    mean = float(p @ r)
    second, third, fourth = (float(p @ (r - mean) ** power) for power in (2, 3, 4))
    return mean, second, third, fourth - 3 * second**2
