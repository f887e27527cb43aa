"""Which rank each row of a run has: by score, and by a stated rule where scores are equal.

Most runs come in rank order already, so only lists that do not are sorted, and only documents
with equal scores are compared by id.
"""

from typing import Literal

import numpy as np

from gradewise.arrays import Bools, Ints
from gradewise.collection.entries import Entries
from gradewise.collection.ids import Ids, mix

Ties = Literal["trec", "input", "random"]
TIES: tuple[Ties, ...] = ("trec", "input", "random")


def ranks_of(run: Entries, rows: Ints, lists: Ints, *, ties: Ties, seed: int = 0) -> Ints:
    """Return the rank (from 1) of some rows, given the list that each belongs to.

    `ties="trec"` puts the document id that is greater as bytes first, as trec_eval does; "input"
    keeps the order of the input; "random" draws an order of the topic's documents from the seed.
    """
    position = rows
    order = _order_by_score(run)
    if order is not None:
        place = np.empty(len(run), np.int64)
        place[order] = np.arange(len(run))
        position = place[rows]
    if ties != "input":
        position = _settle_ties(run, order, position, ties, seed)
    return position - run.offsets[lists] + 1


def _settle_ties(run: Entries, order: Ints | None, position: Ints, ties: Ties, seed: int) -> Ints:
    """Move rows, given by their positions in order of score, within groups of equal scores."""
    tied = _tied_positions(run, order)
    if not len(tied):
        return position
    rows = tied if order is None else order[tied]
    settled = np.empty(len(tied), np.int64)
    settled[_order_tied(run, rows, tied, ties, seed)] = tied
    found = np.minimum(np.searchsorted(tied, position), len(tied) - 1)
    return np.where(tied[found] == position, settled[found], position)


def ranked_rows(run: Entries, *, ties: Ties = "trec", seed: int = 0) -> Ints:
    """Return all rows, topic by topic, best rank first."""
    rows = np.arange(len(run))
    lists = np.repeat(np.arange(len(run.topics)), run.sizes)
    ranks = ranks_of(run, rows, lists, ties=ties, seed=seed)
    order = np.empty(len(run), np.int64)
    order[run.offsets[lists] + ranks - 1] = rows
    return order


def _within_list(run: Entries, compared: Bools) -> Bools:
    """Clear comparisons of a row with the next one where the next begins another list."""
    compared[run.offsets[1:-1] - 1] = False
    return compared


def _order_by_score(run: Entries) -> Ints | None:
    """Return rows in order of list and falling score; None if they are in that order."""
    scores = run.numbers
    rising = np.flatnonzero(_within_list(run, scores[1:] > scores[:-1]))
    if not len(rising):
        return None
    order = np.arange(len(run))
    unsorted = np.unique(np.searchsorted(run.offsets, rising, "right") - 1)
    in_unsorted = np.zeros(len(run.topics), np.bool_)
    in_unsorted[unsorted] = True
    rows = np.flatnonzero(in_unsorted.repeat(run.sizes))
    lists = unsorted.repeat(run.sizes[unsorted])
    order[rows] = rows[np.lexsort((-scores[rows], lists))]
    return order


def _tied_positions(run: Entries, order: Ints | None) -> Ints:
    """Return the positions, in rank order, of rows whose score another row of the list has."""
    scores = run.numbers if order is None else run.numbers[order]
    same_as_next = np.flatnonzero(_within_list(run, scores[1:] == scores[:-1]))
    return np.union1d(same_as_next, same_as_next + 1)


def _order_tied(run: Entries, rows: Ints, positions: Ints, ties: Ties, seed: int) -> Ints:
    """Return the order in which rows with equal scores follow each other, group by group."""
    lists = np.searchsorted(run.offsets, positions, "right")
    scores = run.numbers[rows]
    begins = (lists[1:] != lists[:-1]) | (scores[1:] != scores[:-1])
    group = np.concatenate([[0], np.cumsum(begins)])
    if ties == "random":  # by document, topic and seed alone: equal for equal runs
        topics = Ids.from_strings(run.topics).keys[lists - 1]
        keys = [mix(run.docs.keys[rows] ^ mix(topics + np.uint64(seed % 2**64)))]
    else:  # greater ids first: order by the complement of their words, last word least
        keys = [~word for word in reversed(run.docs.take(rows).sort_words())]
    return np.lexsort((*keys, group))
