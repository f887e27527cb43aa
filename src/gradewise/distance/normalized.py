"""MED for measures that divide a sum of gains by that of the ideal list: nDCG, recall and others.

With Δ_j the step of the gain at level j, the first list leads by Σ_j Δ_j (base_j + Σ_{d in S_j}
w_d), where S_j holds the free documents of at least level j and w_d is the weight of d in the
first list less that in the second; the ideal sum is Σ_j Δ_j S(RB_j + |S_j|), S being the sum of
the first discounts. For a fixed ratio λ every level picks a prefix of the documents by falling w,
and since S is concave, higher levels pick shorter ones: the prefixes nest by themselves.
Dinkelbach's method then finds λ. On two levels this is Algorithm 1 of Moffat.
"""

from functools import lru_cache, partial
from typing import NamedTuple, TypeGuard

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.distance.pair import Lead, Pair
from gradewise.distance.static import document_discounts, lists_of_scale, round_up
from gradewise.kernels import ratio
from gradewise.measures.gain_discount import GainDiscount
from gradewise.measures.ideal import prefix_sums
from gradewise.measures.measure import Measure


def is_normalized(measure: Measure, pair: Pair) -> TypeGuard[GainDiscount]:
    """Whether a measure is normalized by the ideal list, with gains that rise by level."""
    if not isinstance(measure, GainDiscount) or measure.ideal_discounts(0) is None:
        return False
    return bool((_gain_steps(measure, tuple(pair.scale.tolist())) >= 0).all())


@lru_cache(maxsize=16)
def _gain_steps(measure: GainDiscount, scale: tuple[int, ...]) -> Floats:
    """Return how much the gain of each level is above that of the level below."""
    return np.diff(measure.gain(lists_of_scale(scale)))


def normalized_lead(measure: GainDiscount, pair: Pair) -> Lead:
    """Return the largest lead of the first list; 0 is the upper bound if it cannot be ahead.

    If it cannot, a negative λ turns concave into convex, and the prefixes need not nest; they
    still give a bound.
    """
    steps = _gain_steps(measure, tuple(pair.scale.tolist()))
    weight = np.subtract(*document_discounts(measure, pair))
    free = np.flatnonzero(pair.free)
    order = free[np.argsort(-weight[free], kind="stable")]
    relevant = pair.lists.at_least[0].copy()
    ideal = _ideal_sums(measure, round_up(int(relevant.max(initial=0)) + len(order)))
    known, bound, chosen = ratio.maximize_ratio(weight, pair.level, order, relevant, steps, ideal)
    value = bound
    if bound < 0:
        value, chosen = known, np.zeros(pair.levels, np.int64)
    nothing = np.zeros(pair.levels + 1, np.int64)
    find_levels = partial(_levels, pair, order, chosen)
    return Lead(value, max(bound, 0.0), find_levels, nothing, inside=bound)


class Step(NamedTuple):
    """A line of Moffat's Table 2: a document made relevant, and the ratio that this gives."""

    document: int
    weights: tuple[float, float]
    relevant: int
    numerator: float
    denominator: float
    ratio: float


def trace(measure: GainDiscount, pair: Pair) -> list[Step]:
    """Return the steps of Moffat's Algorithm 1 for the first list, on a scale of one grade.

    The first step has document -1: nothing is made relevant yet. Steps end where a document would
    not add to the lead.
    """
    assert pair.levels == 1
    weights = document_discounts(measure, pair)
    difference = np.subtract(*weights)
    free = np.flatnonzero(pair.free)
    order = free[np.argsort(-difference[free], kind="stable")]
    known = int(pair.judged_counts[1])
    ideal = _ideal_sums(measure, known + len(order))
    numerator = float(difference[pair.level > 0].sum())
    steps = [_step(-1, (0.0, 0.0), known, numerator, ideal)]
    for number, document in enumerate(order[difference[order] > 0].tolist(), known + 1):
        numerator += float(difference[document])
        both = (float(weights[0, document]), float(weights[1, document]))
        steps.append(_step(document, both, number, numerator, ideal))
    return steps


def _step(
    document: int, weights: tuple[float, float], relevant: int, numerator: float, ideal: Floats
) -> Step:
    denominator = float(ideal[relevant])
    ratio = numerator / denominator if denominator > 0 else 0.0
    return Step(document, weights, relevant, numerator, denominator, ratio)


def _levels(pair: Pair, order: Ints, chosen: Ints) -> Ints:
    """Return the level of each document when level j has the first chosen[j - 1] of them."""
    levels = np.where(pair.free, 0, pair.level)
    for level, number in enumerate(chosen.tolist(), 1):
        levels[order[:number]] = level
    return levels


@lru_cache(maxsize=16)
def _ideal_sums(measure: GainDiscount, most: int) -> Floats:
    """Return what 0, 1, ..., most relevant documents of gain 1 add to the ideal sum."""
    terms = measure.ideal_discounts(most)
    assert terms is not None
    return prefix_sums(terms)
