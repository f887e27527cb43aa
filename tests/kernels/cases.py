"""Random measures of each family, for the kernels that take tables of numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from oracles import families

FAMILIES = ("pivot", "gain", "cascade", "first")  # in the order of the kernels' codes


@dataclass(frozen=True)
class Case:
    """Tables of a measure, and its value of a list of levels in rank order."""

    code: int
    kernel: Any
    gain: Any
    weight: Any
    value: Callable[[list[int]], float]


def random_case(family: str, size: int, width: int, rng: np.random.Generator) -> Case:
    """Draw a measure on lists of `size` documents of `width` levels."""
    kernel = np.zeros((width, width))
    gain = np.zeros(width)
    weight = np.sort(rng.random(size))[::-1].copy()
    if family == "pivot":
        kernel = rng.random((width, width))
    elif family == "first":
        gain = np.array([0.0, *rng.integers(0, 2, width - 1)])
    else:
        gain = np.sort(rng.random(width)) * 0.9
    function = getattr(families, family)
    table = kernel.tolist() if family == "pivot" else gain.tolist()

    def value(levels: list[int]) -> float:
        return function(levels, table, weight.tolist())

    return Case(FAMILIES.index(family), kernel, gain, weight, value)
