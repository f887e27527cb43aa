"""Scores of different systems made comparable, list by list."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import OptionError
from gradewise.fusion.lists import Lists

Normalize = Literal["none", "min-max", "min-max-inverted", "max", "sum", "zmuv", "rank", "borda"]


@dataclass(frozen=True)
class Normalization:
    """A normalization: its function from lists to values, and its title.

    If it `inverts`, low scores are good: the function gets scores with the sign changed, and ranks
    follow them. If it `completes`, documents that a run did not retrieve get values too.
    """

    function: Callable[[Lists], Floats]
    title: str
    inverts: bool = False
    completes: bool = False


def keep(lists: Lists) -> Floats:
    """Return scores as they are."""
    return lists.value


def min_max(lists: Lists) -> Floats:
    """Return (s - min) / (max - min); 0 where all scores of a list are equal."""
    first, sizes = _heads(lists)
    best, worst = lists.value[first], lists.value[first + sizes - 1]
    return _divide(lists.value - worst.repeat(sizes), (best - worst).repeat(sizes))


def divide_by_max(lists: Lists) -> Floats:
    """Return s / max."""
    first, sizes = _heads(lists)
    best = lists.value[first]
    if (best < 0).any():
        raise OptionError(
            "normalize='max' divides by the highest score of a list, which must not be negative; "
            f"found {best.min():g}: use 'min-max' instead"
        )
    return _divide(lists.value, best.repeat(sizes))


def divide_by_sum(lists: Lists) -> Floats:
    """Return (s - min) / Σ (s - min); 0 where all scores of a list are equal."""
    first, sizes = _heads(lists)
    above = lists.value - lists.value[first + sizes - 1].repeat(sizes)
    return _divide(above, _sums(above, first).repeat(sizes))


def standardize(lists: Lists) -> Floats:
    """Return (s - mean) / standard deviation; 0 where all scores of a list are equal."""
    first, sizes = _heads(lists)
    equal = lists.value[first] == lists.value[first + sizes - 1]  # else rounding decides
    away = lists.value - (_sums(lists.value, first) / sizes).repeat(sizes)
    deviation = np.sqrt(_sums(away**2, first) / sizes)
    return _divide(away, np.where(equal, 0.0, deviation).repeat(sizes))


def from_ranks(lists: Lists) -> Floats:
    """Return 1 - (rank - 1) / n for lists of n documents."""
    sizes = lists.retrieved.ravel()[lists.place]
    return 1 - (lists.rank - 1) / sizes


def from_borda(lists: Lists) -> Floats:
    """Return the Borda points of each row, divided by how many documents the topic has."""
    return borda_points(lists) / lists.candidates[lists.topic]


def borda_points(lists: Lists) -> Floats:
    """Return c, c - 1, … for the documents of a list, of c that the topic has in all runs.

    Those that a run did not retrieve share what is left: each gets (c - n + 1) / 2.
    """
    return np.where(
        lists.rank > 0,
        lists.candidates[lists.topic] - lists.rank + 1.0,
        unranked_points(lists).ravel()[lists.place],
    )


def unranked_points(lists: Lists) -> Floats:
    """Return the Borda points of a document that a run did not retrieve, by run and topic."""
    return (lists.candidates - lists.retrieved + 1) / 2


def _heads(lists: Lists) -> tuple[Ints, Ints]:
    """Return the first row and the length of every list that has rows."""
    sizes = lists.retrieved.ravel()
    first = np.cumsum(sizes) - sizes
    return first[sizes > 0], sizes[sizes > 0]


def _sums(values: Floats, first: Ints) -> Floats:
    return np.add.reduceat(values, first) if len(first) else np.zeros(0)


def _divide(values: Floats, by: Floats) -> Floats:
    return np.divide(values, by, out=np.zeros(len(values)), where=by > 0)


NORMALIZATIONS: dict[Normalize, Normalization] = {
    "none": Normalization(keep, "scores as they are"),
    "min-max": Normalization(min_max, "from 0 to 1"),
    "min-max-inverted": Normalization(min_max, "from 0 to 1, if lower is better", inverts=True),
    "max": Normalization(divide_by_max, "divided by the highest"),
    "sum": Normalization(divide_by_sum, "from 0, with sum 1"),
    "zmuv": Normalization(standardize, "zero mean, unit variance"),
    "rank": Normalization(from_ranks, "ranks, from 1 down to 1/n"),
    "borda": Normalization(
        from_borda, "Borda points, over the number of candidates", completes=True
    ),
}
