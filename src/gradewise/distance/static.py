"""MED for static measures, which add up a fixed weight for each document: P@k, RBP, DCG, SDCG.

Each free document is settled on its own: it gets the best grade if it weighs more in the first
list than in the second, and is not relevant otherwise (Tan & Clarke 2015).
"""

from functools import lru_cache
from typing import TypeGuard

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.judged import Lists
from gradewise.distance.pair import Lead, Pair, lead
from gradewise.measures.gain_discount import GainDiscount
from gradewise.measures.measure import Measure, ratio


def is_static(measure: Measure) -> TypeGuard[GainDiscount]:
    """Whether a document's weight depends on its rank only."""
    return isinstance(measure, GainDiscount) and measure.static


def static_lead(measure: GainDiscount, pair: Pair) -> Lead:
    """Return the largest lead of the first list."""
    gain = measure.gain(pair.lists)
    difference = np.subtract(*document_weights(measure, pair))
    best = int(np.argmax(gain))
    chosen = np.flatnonzero(pair.free & (difference > 0))
    known = np.where(pair.free, 0.0, gain[np.maximum(pair.level, 0)]) @ difference
    value = float(known + gain[best] * difference[chosen].sum())
    return lead(pair, value, lambda: chosen, best)


def document_weights(measure: GainDiscount, pair: Pair) -> Floats:
    """Return the weight of each document in each list, [list, document]; 0 if it is not there."""
    return ratio(document_discounts(measure, pair), measure.norm(pair.lists)[:, None])


def document_discounts(measure: GainDiscount, pair: Pair) -> Floats:
    """Return the discount of each document in each list; 0 where it does not count."""
    return rank_discounts(measure, round_up(int(pair.retrieved.max())))[pair.rank]


@lru_cache(maxsize=16)
def rank_discounts(measure: GainDiscount, depth: int) -> Floats:
    """Return the discount of ranks 0..depth, for measures where ranks alone decide it."""
    ranks = np.arange(1, depth + 1)
    discount = measure.discount(ranks, np.zeros(depth, np.int64), lists_of_scale(()))
    if measure.cutoff is not None:
        discount = np.where(ranks <= measure.cutoff, discount, 0.0)
    return np.concatenate([[0.0], discount])


def lists_of_scale(scale: tuple[int, ...]) -> Lists:
    """Return an empty list, for what measures say of grades or ranks whatever the list is."""
    nothing = np.zeros(1, np.int64)
    counts = np.zeros((1, len(scale) + 1), np.int64)
    return Lists(np.array(scale, np.int64), counts, nothing, nothing)


def round_up(size: int) -> int:
    """Return a power of 2 that is no less than a size, so that few tables serve many lists."""
    return 1 << max(size - 1, 0).bit_length()


def residual(measure: Measure, pair: Pair) -> float:
    """Return what ranks beyond the end of the first list could add to its lead."""
    if not isinstance(measure, GainDiscount):
        return 0.0
    weight = measure.tail_weight(int(pair.retrieved[0]))
    return weight and weight * float(measure.gain(pair.lists).max())
