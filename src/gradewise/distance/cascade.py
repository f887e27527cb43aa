"""Exact MED for users who stop at what satisfies: RR and ERR."""

import numpy as np

from gradewise.arrays import Floats
from gradewise.distance.pair import Lead, Pair, lead, nobody
from gradewise.distance.precisions import best_lead, reciprocal_ranks
from gradewise.distance.staircase import walk
from gradewise.kernels import charges
from gradewise.measures.first_relevant import ERR, RR


def reciprocal_rank_lead(measure: RR, pair: Pair) -> Lead:
    """Return the largest lead of the first list: one relevant free document suffices.

    More of them could only help the second list, once the best one for the first is there.
    """
    level = pair.first_level(measure.rel)
    if level > pair.levels:
        return lead(pair, 0.0, nobody, 0)
    each = _reciprocal(pair)
    known = np.where(pair.level >= level, each, 0.0).max(axis=1, initial=0.0)
    free = np.flatnonzero(pair.free)
    leads = np.subtract(*np.maximum(each[:, free], known[:, None]))
    alone = float(known[0] - known[1])
    if not len(free) or leads.max() <= alone:
        return lead(pair, alone, nobody, level)
    return lead(pair, float(leads.max()), lambda: free[[np.argmax(leads)]], level)


def _reciprocal(pair: Pair) -> Floats:
    """Return 1/rank of each document in each list, 0 if it is not there."""
    return np.divide(1.0, pair.rank, out=np.zeros(pair.rank.shape), where=pair.rank > 0)


def expected_reciprocal_rank_lead(measure: ERR, pair: Pair) -> Lead:
    """Return the largest lead of the first list.

    The lead is linear in the chance that one document satisfies, so that some best assignment
    has only documents of the highest grade and of none.
    """
    if not pair.levels:
        return lead(pair, 0.0, nobody, 0)
    satisfied = measure.satisfaction(pair.lists)
    grid = pair.grid
    earned = [
        charges.earn_satisfaction(rank, pair.level, rank[documents], discount, satisfied)
        for rank, documents, discount in zip(
            pair.rank, (grid.first, grid.second), reciprocal_ranks(pair), strict=True
        )
    ]
    walked = walk(grid, *earned)
    return best_lead(pair, walked, walked.best, pair.levels)
