"""Upper bounds of MED for measures in which every relevant document is a pivot: GenAP, Q and WAP.

They are Σ_j θ_j T_j / Z, where T_j = Σ_{n: r_n >= 1} d(n) #{m <= n : r_m >= j}, and θ_j is what a
document of level j adds more than one of the level below. T_1 is a sum of precisions, which a walk
maximizes; the others are relaxed.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Lists
from gradewise.distance.pair import Pair
from gradewise.distance.precisions import reciprocal_ranks, walk_precisions
from gradewise.distance.relaxed import Weights, relax_pairs
from gradewise.measures.pivot import Pivot

_SPLITS = 4  # of boxes; each takes two bounds


class OverIdeal(Protocol):
    """What a measure has that divides by the same sum over the ideal list."""

    def ideal_share(self, relevant: Ints, counted: Ints) -> Floats:
        """Return what documents of at least a level add to the sum for each unit of gain."""


def _relaxed_sums(pair: Pair, discounts: list[Floats], levels: int) -> list[Floats]:
    """Bound T_1, T_2, ..., at [a, b] for a relevant free documents, b of them of level j."""
    walked = walk_precisions(pair, discounts, np.array([1]), np.ones(1))
    weights = Weights.of(pair, discounts)
    level = pair.level[weights.known]
    relaxed = [relax_pairs(weights, level >= j) for j in range(2, levels + 1)]
    return [np.diag(walked.best), *relaxed]


def bound_over_ideal(measure: OverIdeal, steps: Floats, pair: Pair) -> float:
    """Return how far the first list can lead at most by GenAP, by Dinkelbach's method.

    For a ratio λ and a number of relevant documents, every level chooses how many have it.
    """
    sums = _relaxed_sums(pair, reciprocal_ranks(pair), len(steps))
    number = np.arange(len(sums[0]))
    possible = number[:, None] >= number
    possible_first = number[:, None] == number
    known = pair.lists.at_least[0]
    shares = [
        measure.ideal_share(known[0] + number[:, None], each + number) for each in known.tolist()
    ]
    bound = 0.0
    while True:
        lead, divisor = np.zeros(len(number)), np.zeros(len(number))
        for j, (step, most, share) in enumerate(zip(steps, sums, shares, strict=True)):
            allowed = possible if j else possible_first
            chosen = np.argmax(np.where(allowed, most - bound * share, -np.inf), axis=1)
            lead += step * most[number, chosen]
            divisor += step * share[number, chosen]
        best = int(np.argmax(lead - bound * divisor))
        if divisor[best] <= 0 or lead[best] / divisor[best] <= bound:
            return bound
        bound = float(lead[best] / divisor[best])


@dataclass(frozen=True, eq=False)
class _Box:
    """Topics whose numbers RB(1), RB(2), ... of documents lie between two bounds.

    From the length of the lists on, a number is not bounded above: discounts do not change.
    """

    low: Ints
    high: Ints

    def split(self) -> list["_Box"]:
        """Halve the box where it is widest, by ratio, and leave out what no topic can have."""
        ratio = (self.high + 1) / (self.low + 1)
        j = int(np.argmax(ratio))
        if ratio[j] <= 1:
            return []
        middle = int(np.sqrt((self.low[j] + 1) * (self.high[j] + 1))) - 1
        high, low = self.high.copy(), self.low.copy()
        high[j], low[j] = middle, middle + 1
        parts = [_Box.of(self.low, high), _Box.of(low, self.high)]
        return [box for box in parts if (box.low <= box.high).all()]

    @staticmethod
    def of(low: Ints, high: Ints) -> "_Box":
        """Make a box, shrunk to numbers that do not rise with the level."""
        low = np.maximum.accumulate(low[::-1])[::-1]
        return _Box(low, np.minimum.accumulate(high))


def bound_over_relevant(measure: Pivot, steps: Floats, pair: Pair, aim: float) -> float:
    """Return how far the first list can lead at most by Q or WAP, refined until at most `aim`.

    The discount falls as the topic has more relevant documents. In a box of topics the first list
    gets the largest discount and the second one the smallest; boxes with large bounds are split.
    """
    known, deepest = pair.lists.at_least[0], int(pair.retrieved.max(initial=0))
    low = known.copy()
    low[0] = max(low[0], 1)  # with nothing relevant both lists have 0
    boxes = [_Box.of(low, np.maximum(low, deepest))]
    bounds = [_bound_box(measure, steps, pair, boxes[0])]
    for _ in range(_SPLITS if np.isfinite(aim) and pair.free.any() else 0):
        worst = int(np.argmax(bounds))
        parts = boxes[worst].split()
        if bounds[worst] <= aim or not parts:
            break
        whole = bounds.pop(worst)
        boxes.pop(worst)
        boxes += parts
        bounds += [min(whole, _bound_box(measure, steps, pair, part)) for part in parts]
    return max(bounds, default=0.0)


def _bound_box(measure: Pivot, steps: Floats, pair: Pair, box: _Box) -> float:
    """Return how far the first list can lead at most if the topic is in a box."""
    most, least = (_discounts(measure, pair, relevant) for relevant in (box.low, box.high))
    if not (most > 0).all():  # nothing is gained at the low end, so that no bound is known
        return np.inf
    sizes = pair.retrieved.tolist()
    sums = _relaxed_sums(pair, [most[: sizes[0]], least[: sizes[1]]], len(steps))
    known, number = pair.lists.at_least[0], np.arange(len(sums[0]))
    bounded = box.high < max(sizes)
    limit = np.where(bounded, np.maximum(box.high - known, 0), len(number))
    number = number[: int(limit[0]) + 1]
    lead = steps[0] * np.diagonal(sums[0])[: len(number)]
    for step, most_pairs, each in zip(steps[1:], sums[1:], limit[1:].tolist(), strict=True):
        lead = lead + step * most_pairs[number, np.minimum(number, each)]
    divisor = measure.divisor(np.maximum(box.low[0], known[0] + number))
    return max(0.0, float((lead / divisor).max()))


def _discounts(measure: Pivot, pair: Pair, relevant: Ints) -> Floats:
    """Return the discounts for a topic with RB(1), RB(2), ... relevant documents."""
    counts = np.concatenate([[0], relevant - np.append(relevant[1:], 0)])
    nothing = np.zeros(1, np.int64)
    lists = Lists(pair.scale, counts[None, :], nothing, nothing)
    ranks = np.arange(1, int(pair.retrieved.max(initial=0)) + 1)
    return measure.discount(ranks, np.zeros(len(ranks), np.int64), lists)
