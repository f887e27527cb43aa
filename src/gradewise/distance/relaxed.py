"""Leads of pivot measures when every pivot may choose anew what the free documents above it are.

The lead of the first list is a sum over pairs of a pivot n and a document m at or above it: what m
adds to n, times c(n, m) = d(n) in the first list less d(n) in the second, each only if m is at or
above n there. What a free document is holds for all pairs. If every pivot may choose anew for the
documents above it, the lead can only grow, and what a pivot adds at most is a sum of the largest
c(n, m). So can it if every document may choose its pivots.

Free documents that only the second list holds never let the first one lead by more than documents
do that neither list holds, and are left out. Bounds hold for any number of these.
"""

from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.distance.pair import Pair


@dataclass(frozen=True, eq=False)
class Weights:
    """c(n, m), pivots n by rows, for documents that are known to be relevant, or free."""

    known: Ints
    free: Ints
    known_known: Floats
    known_free: Floats
    free_known: Floats
    free_free: Floats

    @staticmethod
    def of(pair: Pair, discounts: list[Floats]) -> "Weights":
        """Return the weights of a pair, given the discounts of the ranks of each list."""
        known = np.flatnonzero(pair.level > 0)
        free = np.flatnonzero(pair.free & (pair.rank[0] > 0))
        ranks = pair.rank[:, np.concatenate([known, free])]
        first, second = (_of_list(*each) for each in zip(ranks, discounts, strict=True))
        both, number = first - second, len(known)
        (known_known, known_free), (free_known, free_free) = (
            np.split(rows, [number], axis=1) for rows in np.split(both, [number])
        )
        return Weights(known, free, known_known, known_free, free_known, free_free)


def _of_list(rank: Ints, discount: Floats) -> Floats:
    """Return d(n) for each pivot of a list and document at or above it, 0 for others."""
    each = np.concatenate([[0.0], discount])[rank]  # 0 for documents that are not there
    above = (rank > 0)[None, :] & (rank[None, :] <= rank[:, None])
    return np.where(above, each[:, None], 0.0)


def largest_sums(values: Floats) -> Floats:
    """Return the sums of the 0, 1, 2, ... largest values of each row."""
    sums = np.zeros((len(values), values.shape[1] + 1))
    np.cumsum(-np.sort(-values, axis=1), axis=1, out=sums[:, 1:])
    return sums


def relax_pairs(weights: Weights, counted: Bools) -> Floats:
    """Bound the sum of c(n, m) over relevant pivots n and documents m of at least some level.

    Entry [a, b] is the bound if a free documents are relevant and at most b of them have that
    level; `counted` says which of the known ones have it. The smaller of two relaxations is taken:
    that pivots choose documents, and that documents choose pivots.
    """
    fixed = float(weights.known_known[:, counted].sum())
    gains = np.maximum(weights.free_free, 0.0)
    by_pivot = _choose(
        weights.free_known[:, counted].sum(axis=1), np.maximum(weights.known_free, 0.0), gains
    )
    chosen = np.maximum(weights.free_known[:, counted], 0.0)
    by_document = _choose(weights.known_free.sum(axis=0), chosen.T, gains.T)
    by_document = np.maximum.accumulate(by_document.T, axis=1)
    return fixed + np.minimum(by_pivot, by_document)


def _choose(own: Floats, from_known: Floats, from_free: Floats) -> Floats:
    """Return, at [a, b], the best a free documents when each document has its best b others."""
    each = own[:, None] + largest_sums(from_free)
    return np.asarray(largest_sums(each.T).T + largest_sums(from_known).sum(axis=0))
