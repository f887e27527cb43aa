"""Exact MED for users who stop at what satisfies: RR and ERR."""

import numpy as np

from gradewise.arrays import Floats
from gradewise.distance.charges import satisfaction_charges
from gradewise.distance.pair import Lead, Pair, lead
from gradewise.distance.precisions import best_lead, reciprocal_ranks
from gradewise.distance.staircase import walk
from gradewise.measures.first_relevant import ERR, RR


def reciprocal_rank_lead(measure: RR, pair: Pair) -> Lead:
    """Return the largest lead of the first list: one relevant free document suffices.

    More of them could only help the second list, once the best one for the first is there.
    """
    level = pair.lists.first_level(measure.rel)
    nobody = np.zeros(0, np.int64)
    if level > pair.levels:
        return lead(pair, 0.0, nobody, 0)
    each = _reciprocal(pair)
    known = np.where(pair.level >= level, each, 0.0).max(axis=1, initial=0.0)
    free = np.flatnonzero(pair.free)
    leads = np.subtract(*np.maximum(each[:, free], known[:, None]))
    alone = float(known[0] - known[1])
    if not len(free) or leads.max() <= alone:
        return lead(pair, alone, nobody, level)
    return lead(pair, float(leads.max()), free[[np.argmax(leads)]], level)


def _reciprocal(pair: Pair) -> Floats:
    """Return 1/rank of each document in each list, 0 if it is not there."""
    return np.divide(1.0, pair.rank, out=np.zeros(pair.rank.shape), where=pair.rank > 0)


def expected_reciprocal_rank_lead(measure: ERR, pair: Pair) -> Lead:
    """Return the largest lead of the first list.

    The lead is linear in the chance that one document satisfies, so that some best assignment
    has only documents of the highest grade and of none.
    """
    if not pair.levels:
        return lead(pair, 0.0, np.zeros(0, np.int64), 0)
    satisfied = measure.satisfaction(pair.lists)
    charges = [
        satisfaction_charges(pair, side, discount, satisfied)
        for side, discount in enumerate(reciprocal_ranks(pair))
    ]
    walked = walk(pair, *charges)
    return best_lead(pair, walked, walked.best, pair.levels)
