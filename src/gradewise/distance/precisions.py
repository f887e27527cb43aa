"""Exact MED for measures made of precisions at relevant documents: SP, SSP, AP, and binary Q."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import ClassVar, Literal, Protocol

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.distance.pair import Lead, Pair, lead, nobody
from gradewise.distance.staircase import Walked, walk
from gradewise.kernels import charges
from gradewise.measures.gains import gain_table
from gradewise.measures.measure import Measure
from gradewise.measures.parameters import Gains
from gradewise.measures.pivot import Pivot

SAME = 1e-14  # values that differ by rounding only


class SumOfPrecisions(Protocol):
    """What a measure has that declares to be a sum of precisions."""

    rel: int
    cutoff: int | float | None
    precisions_over: ClassVar[Literal["constant", "relevant"] | None]

    def divisor(self, relevant: Ints) -> Ints:
        """Return what the sum is divided by, given numbers of relevant documents."""


class Blend(Protocol):
    """What a measure has that declares to blend precision and ideal gain."""

    beta: float
    gains: Gains

    def divisor(self, relevant: Ints) -> Ints:
        """Return what the sum is divided by, given numbers of relevant documents."""


def is_sum_of_precisions(measure: Measure) -> bool:
    """Whether a measure is a sum of precisions, divided by something or not."""
    return isinstance(measure, Pivot) and measure.precisions_over is not None


def precisions_lead(measure: SumOfPrecisions, pair: Pair) -> Lead:
    """Return the largest lead of the first list.

    If it cannot be ahead and the sum is divided by a number of relevant documents, the bound is 0:
    relevant documents elsewhere would divide the lead away. Inside the lists, no more than all
    free documents can divide the best of all sums.
    """
    level = pair.first_level(measure.rel)
    if level > pair.levels:
        return lead(pair, 0.0, nobody, 0)
    known = int(pair.judged_counts[level:].sum())
    walked = walk_precisions(pair, reciprocal_ranks(pair), np.array([level]), np.ones(1))
    number = known + np.arange(len(walked.best))
    found = best_lead(pair, walked, walked.best / np.maximum(measure.divisor(number), 1), level)
    if measure.precisions_over == "constant":
        return found
    most = float(walked.best.max())
    scaled = most / max(int(measure.cutoff or pair.retrieved.max()), 1)
    inside = found.value
    if inside < 0:
        inside = most / max(known + int(pair.free.sum()), 1)
    return replace(found, upper=max(found.value, 0.0), inside=inside, scaled=scaled)


def is_binary_blend(measure: Measure, pair: Pair) -> bool:
    """Whether a measure blends precision and ideal gain, as Q does, on a scale of one grade."""
    return isinstance(measure, Pivot) and measure.blends and pair.levels == 1


def binary_blend_lead(measure: Blend, pair: Pair, unretrieved: int | None) -> Lead:
    """Return the largest lead of the first list.

    With R relevant documents, Q is a sum of precisions with a discount that depends on R, so
    a walk is made for each R. Relevant documents beyond those chosen are elsewhere; where their
    number is limited, sets that exceed the limit still give an upper bound.
    """
    gain = measure.beta * float(gain_table(measure.gains, pair.scale)[1])
    known, deepest = int(pair.judged_counts[1]), int(pair.retrieved.max())
    nothing = -np.inf if known else 0.0  # with nothing relevant both lists have 0
    found = lead(pair, nothing, nobody, 0)
    upper = nothing
    for relevant in range(max(known, 1), max(known, 1, deepest) + 1):
        discounts = [
            1 / (ranks + gain * np.minimum(ranks, relevant))
            for ranks in (np.arange(1.0, number + 1) for number in pair.retrieved.tolist())
        ]
        walked = walk_precisions(pair, discounts, np.array([1]), np.array([1 + gain]))
        number = np.arange(len(walked.best))
        total = np.full(len(number), relevant)
        if relevant >= deepest:  # from here on the discount stays the same
            total = np.maximum(total, known + number)
        elsewhere = total - known - number
        values = np.where(elsewhere >= 0, walked.best / measure.divisor(total), -np.inf)
        upper = max(upper, float(values.max()))
        if unretrieved is not None:
            values = np.where(elsewhere <= unretrieved + pair.deeper, values, -np.inf)
        size = first_best(values)
        if values[size] > found.value + SAME:
            choose, further = partial(walked.chosen, size), int(elsewhere[size])
            found = lead(pair, float(values[size]), choose, 1, unretrieved=further)
    upper = max(upper, 0.0)
    upper = found.value if upper <= found.value + SAME else upper
    return replace(found, upper=upper, inside=None)


def reciprocal_ranks(pair: Pair) -> list[Floats]:
    """Return 1/n for the ranks of both lists."""
    return [_reciprocals(number) for number in pair.retrieved.tolist()]


@lru_cache(maxsize=16)
def _reciprocals(number: int) -> Floats:
    return 1 / np.arange(1, number + 1)


def walk_precisions(
    pair: Pair, discounts: Sequence[Floats], levels: Ints, shares: Floats
) -> Walked:
    """Walk for the sum of precisions, weighted over levels at which documents are relevant."""
    grid = pair.grid

    def earn() -> tuple[Floats, Floats]:
        first, second = (
            charges.earn_precisions(rank, pair.level, rank[documents], discount, levels, shares)
            for rank, documents, discount in zip(
                pair.rank, (grid.first, grid.second), discounts, strict=True
            )
        )
        return first, second

    return walk(grid, earn)


def best_lead(pair: Pair, walked: Walked, values: Floats, level: int) -> Lead:
    """Return the lead for the best number of relevant documents."""
    size = first_best(values)
    return lead(pair, float(values[size]), partial(walked.chosen, size), level)


def first_best(values: Floats) -> int:
    """Return the smallest number whose value is the largest, but for rounding."""
    most = float(values.max())
    return int(np.argmax(values >= most - SAME * max(1.0, abs(most))))
