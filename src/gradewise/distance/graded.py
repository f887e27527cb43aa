"""MED for mixtures over thresholds, GAP and eGAP: bounds from walks over single levels.

A mixture of sums is Σ_j g_j SP_j / Σ_j g_j RB_j, as GAP, and one of ratios Σ_j g_j SP_j / RB_j, as
eGAP, where SP_j is the sum of precisions with at least level j as relevant. The free documents of
at least level j are nested sets. If every level may have a set of its own, the lead can only grow,
and the levels separate, each with a walk. Where these sets happen to nest, the bound is exact.
Assignments found on the way give the lower bound.
"""

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.distance.pair import Lead, Pair
from gradewise.distance.precisions import reciprocal_ranks, walk_precisions
from gradewise.distance.staircase import Walked
from gradewise.distance.trials import SAME, climb
from gradewise.measures.measure import Measure
from gradewise.measures.pivot import Pivot


def sums_lead(measure: Pivot, pair: Pair) -> Lead:
    """Return bounds of the largest lead of the first list; a negative one is bounded by 0."""
    g, levels, walks = _walk_levels(measure, pair)
    relevant = pair.lists.at_least[0][levels - 1]
    shares = g[levels - 1]
    upper, sizes = 0.0, [0] * len(walks)
    while True:
        trial = [int(np.argmax(w.best - upper * np.arange(len(w.best)))) for w in walks]
        gained = sum(s * w.best[n] for s, w, n in zip(shares, walks, trial, strict=True))
        number = shares @ (relevant + trial)
        if number <= 0 or gained / number <= upper:
            break
        upper, sizes = float(gained / number), trial
    starts = _nested(pair, levels, walks, sizes)
    for level in levels.tolist():
        starts.append(_one_level(pair, g, level))
    return between(climb(measure, pair, starts, upper), upper)


def ratios_lead(measure: Pivot, pair: Pair) -> Lead:
    """Return bounds of the largest lead of the first list; a negative one is bounded by 0.

    A level at which the first list is behind gains from relevant documents in neither list, of
    which there may be any number: it counts as 0 in the upper bound, not as what it is.
    """
    g, levels, walks = _walk_levels(measure, pair)
    relevant = pair.lists.at_least[0][levels - 1]
    upper, sizes = 0.0, []
    for level, walked, known in zip(levels.tolist(), walks, relevant.tolist(), strict=True):
        values = walked.best / np.maximum(known + np.arange(len(walked.best)), 1)
        sizes.append(int(np.argmax(values)))
        upper += float(g[level - 1]) * max(0.0, float(values.max()))
    return between(climb(measure, pair, _nested(pair, levels, walks, sizes), upper), upper)


def climbed_lead(measure: Measure, pair: Pair, upper: float) -> Lead:
    """Return a lead found from the assignments that are best for AP at each level."""
    walks = [_walk_level(pair, level) for level in range(1, pair.levels + 1)]
    known = pair.lists.at_least[0]
    sizes = [
        int(np.argmax(walked.best / np.maximum(known[index] + np.arange(len(walked.best)), 1)))
        for index, walked in enumerate(walks)
    ]
    starts = _nested(pair, np.arange(1, pair.levels + 1), walks, sizes)
    return between(climb(measure, pair, starts, upper), upper)


def between(found: Lead, upper: float) -> Lead:
    """Return a lead with its upper bound, which is exact if it differs by rounding only."""
    if upper <= found.value + SAME:  # rounding
        upper = found.value
    return Lead(found.value, upper, found.find_levels, found.unretrieved)


def _walk_levels(measure: Pivot, pair: Pair) -> tuple[Floats, Ints, list[Walked]]:
    """Return g, the levels at which users draw the line, and a walk for each of them."""
    g = measure.shares(pair.scale)
    levels = np.flatnonzero(g > 0) + 1
    return g, levels, [_walk_level(pair, level) for level in levels.tolist()]


def _walk_level(pair: Pair, level: int) -> Walked:
    return walk_precisions(pair, reciprocal_ranks(pair), np.array([level]), np.ones(1))


def _one_level(pair: Pair, g: Floats, level: int) -> Ints:
    """Return the best assignment for GAP in which relevant free documents have one level."""
    levels = np.arange(1, level + 1)
    walked = walk_precisions(pair, reciprocal_ranks(pair), levels, g[:level])
    number = pair.lists.at_least[0] @ g + g[:level].sum() * np.arange(len(walked.best))
    values = np.divide(walked.best, number, out=np.zeros(len(number)), where=number > 0)
    assigned = np.where(pair.free, 0, pair.level)
    assigned[walked.chosen(int(np.argmax(values)))] = level
    return assigned


def _nested(pair: Pair, levels: Ints, walks: list[Walked], sizes: list[int]) -> list[Ints]:
    """Return assignments made of a set for each level: the highest, and the last unbroken one."""
    highest = np.where(pair.free, 0, pair.level)
    unbroken = highest.copy()
    inside: Bools = pair.free.copy()
    for level, walked, size in zip(levels.tolist(), walks, sizes, strict=True):
        chosen = walked.chosen(size)
        highest[chosen] = level
        here = np.zeros(len(inside), np.bool_)
        here[chosen] = True
        inside &= here
        unbroken[inside] = level
    return [highest, unbroken]
