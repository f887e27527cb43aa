"""Exact MED for cascade measures, whose users stop at what satisfies them: RR and ERR."""

import numpy as np

from gradewise.arrays import Floats
from gradewise.distance.pair import Lead, Pair, lead, nobody
from gradewise.distance.precisions import best_lead, reciprocal_ranks
from gradewise.distance.staircase import walk
from gradewise.kernels import charges
from gradewise.measures.measure import Measure


def is_cascade(measure: Measure, pair: Pair) -> bool:
    """Whether a measure is the expected reciprocal of the rank at which a user stops."""
    return measure.satisfaction(pair.lists) is not None


def cascade_lead(measure: Measure, pair: Pair) -> Lead:
    """Return the largest lead of the first list."""
    satisfied = measure.satisfaction(pair.lists)
    assert satisfied is not None
    if not satisfied.any():
        return lead(pair, 0.0, nobody, 0)
    if np.isin(satisfied, (0, 1)).all():
        return _first_relevant_lead(int(np.argmax(satisfied)), pair)
    return _satisfaction_lead(satisfied, pair)


def _first_relevant_lead(level: int, pair: Pair) -> Lead:
    """Return the largest lead if users stop at the first document of at least a level.

    One relevant free document suffices: once the best one for the first list is there, more could
    only help the second list.
    """
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


def _satisfaction_lead(satisfied: Floats, pair: Pair) -> Lead:
    """Return the largest lead if users stop at documents with given chances.

    The lead is linear in the chance that one document satisfies, so some best assignment gives
    free documents the highest grade or none.
    """
    grid = pair.grid

    def earn() -> tuple[Floats, Floats]:
        first, second = (
            charges.earn_satisfaction(rank, pair.level, rank[documents], discount, satisfied)
            for rank, documents, discount in zip(
                pair.rank, (grid.first, grid.second), reciprocal_ranks(pair), strict=True
            )
        )
        return first, second

    walked = walk(grid, earn)
    return best_lead(pair, walked, walked.best, pair.levels)
