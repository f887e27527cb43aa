"""MED for measures that divide a sum of gains by that of the ideal list: nDCG, recall and kin.

With Δ_j the step of the gain at level j, the first list leads by Σ_j Δ_j (base_j + Σ_{d in S_j}
w_d), where S_j holds the free documents of at least level j and w_d is the weight of d in the
first list less that in the second; the ideal sum is Σ_j Δ_j S(RB_j + |S_j|), S being the sum of
the first discounts. For a fixed ratio λ every level picks a prefix of the documents by falling w,
and since S is concave, higher levels pick shorter ones: the prefixes nest by themselves.
Dinkelbach's method then finds λ. On two levels this is Algorithm 1 of Moffat.
"""

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.distance.pair import Lead, Pair
from gradewise.measures.cumulated_gain import nDCG
from gradewise.measures.gain_discount import GainDiscount
from gradewise.measures.gain_ratios import MSR, SR, gR
from gradewise.measures.ideal import prefix_sums
from gradewise.measures.measure import Measure
from gradewise.measures.precision import R, RelP


def is_normalised(measure: Measure, pair: Pair) -> bool:
    """Tell whether a measure is normalised by the ideal list, with gains that rise by level."""
    if type(measure) not in (nDCG, R, RelP, gR) and not (
        type(measure) in (SR, MSR) and measure.cutoff is not None
    ):
        return False
    assert isinstance(measure, GainDiscount)
    return bool((np.diff(measure.gain(pair.lists)) >= 0).all())


def normalised_lead(measure: GainDiscount, pair: Pair) -> Lead:
    """Return the largest lead of the first list; 0 is the upper bound if it cannot be ahead."""
    steps = np.diff(measure.gain(pair.lists))
    weight = np.subtract(*_discounts(measure, pair))
    free = np.flatnonzero(pair.free)
    order = free[np.argsort(-weight[free], kind="stable")]
    gained = prefix_sums(weight[order])
    base = np.array([weight[pair.level >= level].sum() for level in range(1, pair.levels + 1)])
    relevant = np.cumsum(pair.judged_counts[:0:-1])[::-1]
    ideal = _ideal_sums(measure, int(relevant.max(initial=0)) + len(order))
    sizes = relevant[:, None] + np.arange(len(order) + 1)
    costs = ideal[sizes]

    chosen = np.zeros(pair.levels, np.int64)
    value = _ratio(steps, base, gained, costs, chosen)
    ratio = max(value, 0.0)
    while True:
        better = np.argmax(gained - ratio * costs, axis=1)
        found = _ratio(steps, base, gained, costs, better)
        if found <= ratio:
            break
        ratio = value = found
        chosen = better
    return Lead(value, ratio, _levels(pair, order, chosen), np.zeros(pair.levels + 1, np.int64))


def _ratio(steps: Floats, base: Floats, gained: Floats, costs: Floats, chosen: Ints) -> float:
    """Return the lead when each level has so many of the documents."""
    ideal = steps @ costs[np.arange(len(chosen)), chosen]
    return float(steps @ (base + gained[chosen]) / ideal) if ideal > 0 else 0.0


def _levels(pair: Pair, order: Ints, chosen: Ints) -> Ints:
    """Return the level of each document when level j has the first chosen[j - 1] of them."""
    levels = np.where(pair.free, 0, pair.level)
    for level, number in enumerate(chosen.tolist(), 1):
        levels[order[:number]] = level
    return levels


def _discounts(measure: GainDiscount, pair: Pair) -> Floats:
    """Return the discount of each document in each list, 0 where it does not count."""
    result = np.zeros(pair.rank.shape)
    for side in (0, 1):
        there = pair.rank[side] > 0
        if measure.cutoff is not None:
            there &= pair.rank[side] <= measure.cutoff
        ranks = pair.rank[side, there]
        result[side, there] = measure.discount(ranks, np.full(len(ranks), side), pair.lists)
    return result


def _ideal_sums(measure: GainDiscount, most: int) -> Floats:
    """Return what 0, 1, ..., most relevant documents of gain 1 add to the ideal sum."""
    ranks = np.arange(1, most + 1)
    if isinstance(measure, nDCG):
        terms = np.diff(measure.discount_sums(most))
    elif isinstance(measure, MSR):
        terms = 1 / ranks
    else:
        terms = np.ones(most)
    if measure.cutoff is not None and type(measure) not in (R, gR):
        terms = np.where(ranks <= measure.cutoff, terms, 0.0)
    return prefix_sums(terms)
