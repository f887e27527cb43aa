"""Moffat's greedy heuristic for AP (equation 13), as a baseline: fast, but not exact.

The smallest counterexample known has lists 1 2 5 3 4 and 4 2 1 5 0 with documents 0 and 1 relevant,
3 and 4 not, 2 and 5 unjudged, and three more relevant documents in neither list: divided by
min(k, R) with k = 5, the distance is 17/300, and the heuristic finds 4/75.
"""

from dataclasses import replace

import numpy as np

from gradewise.arrays import Bools, Floats
from gradewise.collection.accepted import QrelsLike, RunLike
from gradewise.collection.ties import Ties
from gradewise.distance.align import Aligned
from gradewise.distance.med import checked_measure, depth_of, distance_of, name_pair
from gradewise.distance.pair import Lead, Pair, lead, nobody
from gradewise.distance.result import Med
from gradewise.errors import MeasureError
from gradewise.measures.average_precision import AP
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import Measure


def greedy_ap(
    run_a: RunLike,
    run_b: RunLike,
    qrels: QrelsLike,
    measure: MeasureLike = "AP",
    k: int | None = None,
    *,
    ties: Ties = "trec",
    seed: int = 0,
) -> Med:
    """Return a lower bound of the AP distance by Moffat's greedy heuristic.

    Documents are made relevant one by one, each time the one that adds most to the lead, and the
    best state on the way is kept. `med` is exact and takes the same parameters.
    """
    parsed = checked_ap(measure)
    named = name_pair(run_a, run_b)
    aligned = Aligned.of(named, qrels, ties=ties, seed=seed)
    lists = aligned.lists(k, depth_of(parsed, k))
    found = [distance_of(parsed, each, 0, 1, greedy_lead) for each in lists]
    return Med(parsed, (named[0][0], named[1][0]), tuple(found))


def checked_ap(measure: MeasureLike) -> AP:
    """Return the measure if it is AP, which is all that the heuristic supports."""
    parsed = checked_measure(measure)
    if not isinstance(parsed, AP):
        raise MeasureError(f"the greedy heuristic supports AP only, not {parsed}")
    return parsed


def greedy_lead(measure: Measure, pair: Pair) -> Lead:
    """Return the best lead of the first list on the greedy way."""
    assert isinstance(measure, AP)
    level = pair.first_level(measure.rel)
    if level > pair.levels:
        return lead(pair, 0.0, nobody, 0)
    number = int(pair.judged_counts[level:].sum())
    relevant = pair.level >= level
    left = pair.free.copy()
    gains, kept = [float(np.subtract(*_sums(pair, relevant)))], []
    while left.any():
        weight = np.where(left, _weights(pair, relevant), -np.inf)
        document = int(np.argmax(weight))
        if weight[document] <= 0:
            break
        gains.append(gains[-1] + float(weight[document]))
        relevant[document], left[document] = True, False
        kept.append(document)
    divisor = measure.divisor(number + np.arange(len(gains)))
    leads = np.array(gains) / np.maximum(divisor, 1)
    chosen = int(np.argmax(leads))
    documents = np.array(kept[:chosen], np.int64)
    found = lead(pair, float(leads[chosen]), lambda: documents, level)
    return replace(found, upper=1.0, inside=None)


def _sums(pair: Pair, relevant: Bools) -> Floats:
    """Return the sum of precisions of both lists."""
    sums = np.zeros(2)
    for side in (0, 1):
        ranks = np.sort(pair.rank[side, relevant & (pair.rank[side] > 0)])
        sums[side] = (np.arange(1, len(ranks) + 1) / ranks).sum()
    return sums


def _weights(pair: Pair, relevant: Bools) -> Floats:
    """Return what each document adds to the lead if it becomes relevant (equation 13)."""
    weights = np.zeros(pair.rank.shape)
    for side in (0, 1):
        ranks = pair.rank[side]
        there = ranks > 0
        found = np.bincount(ranks[relevant & there], minlength=int(pair.retrieved[side]) + 1)
        above = np.cumsum(found)
        each = np.divide(found, np.arange(len(found)), out=np.zeros(len(found)), where=found > 0)
        below = each.sum() - np.cumsum(each)
        at = ranks[there]
        weights[side, there] = (1 + above[at - 1]) / at + below[at]
    return np.asarray(weights[0] - weights[1])
