"""Values of ranked lists by family, from tables of numbers: as the formulas print them."""

from collections.abc import Sequence
from typing import Any


def pivot(levels: Sequence[int], kernel: Any, weight: Sequence[float]) -> float:
    """Σ_n d(n) Σ_{m<=n} K(r_n, r_m)."""
    return sum(
        weight[n] * kernel[levels[n]][levels[m]] for n in range(len(levels)) for m in range(n + 1)
    )


def gain(levels: Sequence[int], gains: Sequence[float], weight: Sequence[float]) -> float:
    """Σ_n h(r_n) D(n)."""
    return sum(gains[level] * d for level, d in zip(levels, weight, strict=True))


def cascade(levels: Sequence[int], chances: Sequence[float], weight: Sequence[float]) -> float:
    """Σ_n w(n) p(r_n) Π_{m<n} (1 - p(r_m))."""
    total, reached = 0.0, 1.0
    for level, w in zip(levels, weight, strict=True):
        total += w * chances[level] * reached
        reached *= 1 - chances[level]
    return total


def first(levels: Sequence[int], relevant: Sequence[float], weight: Sequence[float]) -> float:
    """The weight of the first rank with a relevant level."""
    for level, w in zip(levels, weight, strict=True):
        if relevant[level]:
            return w
    return 0.0
