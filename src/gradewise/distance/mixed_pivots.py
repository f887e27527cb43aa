"""An upper bound of MED for xGAP, in which each pivot mixes thresholds on its own."""

import numpy as np

from gradewise.distance.pair import Pair
from gradewise.distance.precisions import reciprocal_ranks
from gradewise.distance.relaxed import Weights, largest_sums
from gradewise.measures.measure import ratio
from gradewise.measures.pivot import Pivot
from gradewise.measures.thresholds import draws_line


def bound_mixed_pivots(measure: Pivot, pair: Pair) -> float:
    """Return how far the first list can lead at most, for any number of documents elsewhere.

    xGAP = Σ_k (g_k / RB(k)) Σ_{n: r_n >= k} (1/n) Σ_{m <= n} φ(r_n, r_m), where the share
    φ(a, b) = G(min(a, b)) / G(a) is at most 1. Each k may choose how many free documents are its
    pivots, and divides by these and the judged ones. A k at which the first list is behind counts
    as 0: documents elsewhere can divide it away.
    """
    g = measure.shares(pair.scale)
    line = draws_line(g)
    weights = Weights.of(pair, reciprocal_ranks(pair))
    level = pair.level[weights.known]
    share = ratio(line[np.minimum.outer(np.arange(len(line)), level)], line[:, None])
    at_known = (weights.known_known * share[level]).sum(axis=1)
    at_free = weights.free_known @ share.T  # by the level of the pivot
    own = np.diagonal(weights.free_free)
    others = np.maximum(weights.free_free - np.diag(own), 0.0)
    above_known = largest_sums(np.maximum(weights.known_free, 0.0))
    above_free = largest_sums(others)
    number = np.arange(len(weights.free) + 1)
    bound = 0.0
    for k in (np.flatnonzero(g > 0) + 1).tolist():
        # For k = 1 all relevant documents are pivots; else any number may be above a pivot.
        above = number if k == 1 else np.full(len(number), len(weights.free))
        pivots = level >= k
        lead = at_known[pivots].sum() + above_known[pivots].sum(axis=0)[above]
        each = (at_free[:, k:].max(axis=1) + own)[:, None] + above_free[:, np.maximum(above - 1, 0)]
        lead = lead + np.diagonal(largest_sums(each.T))
        divisor = int(pair.judged_counts[k:].sum()) + number
        bound += float(g[k - 1]) * max(0.0, float(ratio(lead, divisor).max()))
    return bound
