"""Exact MED for measures made of precisions at relevant documents: SP, SSP, AP, and binary Q."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.distance.pair import Lead, Pair, lead, nobody
from gradewise.distance.staircase import Walked, walk
from gradewise.kernels import charges
from gradewise.measures.average_precision import AP, GMAP, SP, SSP
from gradewise.measures.gains import gain_table
from gradewise.measures.generalized_average_precision import Q
from gradewise.measures.measure import Measure

SAME = 1e-14  # values that differ by rounding only


def is_sum_of_precisions(measure: Measure) -> bool:
    """Tell whether a measure is a sum of precisions, divided by something or not."""
    return type(measure) in (AP, GMAP, SP, SSP)


def precisions_lead(measure: AP | SP, pair: Pair) -> Lead:
    """Return the largest lead of the first list.

    If it cannot be ahead in AP, the bound is 0: relevant documents elsewhere would divide it away.
    Inside the lists, no more than all free documents can divide the best of all sums.
    """
    level = pair.first_level(measure.rel)
    if level > pair.levels:
        return lead(pair, 0.0, nobody, 0)
    known = int(pair.judged_counts[level:].sum())
    walked = walk_precisions(pair, reciprocal_ranks(pair), np.array([level]), np.ones(1))
    number = known + np.arange(len(walked.best))
    if not isinstance(measure, AP):
        norm = int(measure.cutoff or 1) if isinstance(measure, SSP) else 1
        return best_lead(pair, walked, walked.best / norm, level)
    found = best_lead(pair, walked, walked.best / ap_norm(measure, number), level)
    most = float(walked.best.max())
    scaled = most / max(int(measure.cutoff or pair.retrieved.max()), 1)
    inside = found.value
    if inside < 0:
        inside = most / max(known + int(pair.free.sum()), 1)
    return replace(found, upper=max(found.value, 0.0), inside=inside, scaled=scaled)


def ap_norm(measure: AP, relevant: Ints) -> Ints:
    """Return what AP divides by, given numbers of relevant documents."""
    if measure.norm != "R" and measure.cutoff is not None:
        relevant = np.minimum(relevant, int(measure.cutoff))
    return np.maximum(relevant, 1)


def is_binary_q(measure: Measure, pair: Pair) -> bool:
    """Tell whether a measure is Q, or a kin of it, on a scale of one grade."""
    return type(measure) is Q and pair.levels == 1


def binary_q_lead(measure: Q, pair: Pair, unretrieved: int | None) -> Lead:
    """Return the largest lead of the first list.

    With R relevant documents, Q is a sum of precisions with a discount that depends on R, so
    that a walk is made for each R. What is not found in the lists is elsewhere; with a limit on
    that, sets that exceed it still give an upper bound.
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
        values = np.where(elsewhere >= 0, walked.best / total, -np.inf)
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
    earned = [
        charges.earn_precisions(rank, pair.level, rank[documents], discount, levels, shares)
        for rank, documents, discount in zip(
            pair.rank, (grid.first, grid.second), discounts, strict=True
        )
    ]
    return walk(grid, *earned)


def best_lead(pair: Pair, walked: Walked, values: Floats, level: int) -> Lead:
    """Return the lead for the best number of relevant documents."""
    size = first_best(values)
    return lead(pair, float(values[size]), partial(walked.chosen, size), level)


def first_best(values: Floats) -> int:
    """Return the smallest number whose value is the largest, but for rounding."""
    most = float(values.max())
    return int(np.argmax(values >= most - SAME * max(1.0, abs(most))))
