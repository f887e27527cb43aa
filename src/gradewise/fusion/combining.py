"""How the values, or the ranks, that runs give a document become one score.

The functions take lists of several runs and return a score for each document. s is the value of a
document in a run, w the weight of the run, and N the number of runs that retrieved the document;
sums are over these runs.
"""

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.fusion.lists import Lists
from gradewise.fusion.normalizations import borda_points, unranked_points
from gradewise.kernels import majority, ranking


def comb_sum(lists: Lists) -> Floats:
    """Return Σ s (Fox and Shaw 1994)."""
    return lists.add_up(lists.value)


def comb_mnz(lists: Lists) -> Floats:
    """Return N Σ s (Fox and Shaw 1994)."""
    return lists.found_by * comb_sum(lists)


def comb_gmnz(lists: Lists, gamma: float) -> Floats:
    """Return N^gamma Σ s (Lee 1997)."""
    return lists.found_by**gamma * comb_sum(lists)


def comb_anz(lists: Lists) -> Floats:
    """Return Σ s / N (Fox and Shaw 1994)."""
    return comb_sum(lists) / lists.found_by


def comb_med(lists: Lists) -> Floats:
    """Return the median of s (Fox and Shaw 1994)."""
    ordered = lists.value[np.lexsort((lists.value, lists.document))]
    count = lists.found_by
    first = np.cumsum(count) - count
    return (ordered[first + (count - 1) // 2] + ordered[first + count // 2]) / 2


def comb_min(lists: Lists) -> Floats:
    """Return the least s (Fox and Shaw 1994)."""
    least = np.full(len(lists.docs), np.inf)
    np.minimum.at(least, lists.document, lists.value)
    return least


def comb_max(lists: Lists) -> Floats:
    """Return the greatest s (Fox and Shaw 1994)."""
    greatest = np.full(len(lists.docs), -np.inf)
    np.maximum.at(greatest, lists.document, lists.value)
    return greatest


def weighted_sum(lists: Lists, weights: Floats) -> Floats:
    """Return Σ w s, a linear combination."""
    return lists.add_up(weights[lists.run] * lists.value)


def weighted_mnz(lists: Lists, weights: Floats) -> Floats:
    """Return Σ s · Σ w (Wu and Crestani 2002)."""
    return comb_sum(lists) * lists.add_up(weights[lists.run])


def mixed(lists: Lists, weights: Floats) -> Floats:
    """Return √N Σ w s (Wu and Crestani 2002)."""
    return np.sqrt(lists.found_by) * weighted_sum(lists, weights)


def reciprocal_rank(lists: Lists, weights: Floats, k: float) -> Floats:
    """Return Σ w / (k + rank) (Cormack, Clarke and Büttcher 2009, where w = 1)."""
    return lists.add_up(weights[lists.run] / (k + lists.rank))


def rank_biased_centroid(lists: Lists, weights: Floats, phi: float) -> Floats:
    """Return Σ w (1 - phi) phi^(rank - 1) (Bailey et al. 2017, where w = 1)."""
    return lists.add_up(weights[lists.run] * (1 - phi) * phi ** (lists.rank - 1))


def inverse_square_rank(lists: Lists) -> Floats:
    """Return N Σ 1 / rank² (Mourão, Martins and Magalhães 2015)."""
    return lists.found_by * lists.add_up(1 / lists.rank**2)


def log_inverse_square_rank(lists: Lists) -> Floats:
    """Return log N Σ 1 / rank² (Mourão, Martins and Magalhães 2015)."""
    return np.log(lists.found_by) * lists.add_up(1 / lists.rank**2)


def smoothed_log_inverse_square_rank(lists: Lists, sigma: float) -> Floats:
    """Return log(N + sigma) Σ 1 / rank² (Mourão, Martins and Magalhães 2015)."""
    return np.log(lists.found_by + sigma) * lists.add_up(1 / lists.rank**2)


def borda(lists: Lists, weights: Floats | None = None) -> Floats:
    """Return Σ w · points over all runs (Aslam and Montague 2001).

    Of c documents that the topic has in all runs, a run gives c points to its first one, c - 1 to
    the next, and so on; those that it did not retrieve share the points that are left.
    """
    given = np.ones(lists.runs) if weights is None else weights
    unranked = unranked_points(lists)
    more = borda_points(lists) - unranked.ravel()[lists.place]
    return lists.add_up(given[lists.run] * more) + (given @ unranked).repeat(lists.candidates)


def condorcet(lists: Lists, weights: Floats | None = None) -> Floats:
    """Return c for the first of c documents in the order of majorities, c - 1 for the next, etc.

    Condorcet-fuse (Montague and Aslam 2002): runs vote for the document that they rank higher; one
    that they did not retrieve ranks below all others. No document is beaten by the next one. Where
    there is no majority, Borda points decide, then the greater document id.
    """
    given = np.ones(lists.runs) if weights is None else weights
    ranks = lists.by_run()
    ranks[ranks == 0] = np.iinfo(np.int32).max
    start = order_documents(lists, borda(lists, given))
    order = majority.order_by_majority(ranks, given, lists.offsets.astype(np.int64), start)
    scores = np.empty(len(lists.docs))
    scores[order] = lists.offsets[1:].repeat(lists.candidates) - np.arange(len(order))
    return scores


def order_documents(lists: Lists, scores: Floats) -> Ints:
    """Return the documents of each topic by falling score, the greater id first where equal."""
    docs, no_seeds = lists.docs, np.empty(0, np.uint64)
    return ranking.order_lists(docs.data, docs.offsets, scores, lists.offsets, 0, no_seeds)
