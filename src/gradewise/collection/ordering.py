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
    """Return the rank (from 1) of some rows, which ascend, given the list of each.

    `ties="trec"` puts the document id that is greater as bytes first, as trec_eval does; "input"
    keeps the order of the input; "random" draws an order of the topic's documents from the seed.
    """
    order = _order_by_score(run)
    tied: Ints = np.zeros(0, np.int64) if ties == "input" else _tied_positions(run, order)
    settled = _settle(run, tied if order is None else order[tied], tied, ties, seed)
    if order is None:  # rows ascend, and stand where they are but for ties
        position = rows.copy()
        place = np.minimum(np.searchsorted(rows, settled), len(rows) - 1)
        moved = rows[place] == settled if len(rows) else np.zeros(len(place), np.bool_)
        position[place[moved]] = tied[moved]
    else:
        order[tied] = settled
        place = np.empty(len(run), np.int64)
        place[order] = np.arange(len(run))
        position = place[rows]
    return position - run.offsets[lists] + 1


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
    same_as_next = _within_list(run, scores[1:] == scores[:-1])
    tied = np.zeros(len(run), np.bool_)
    tied[:-1] = same_as_next
    tied[1:] |= same_as_next
    return np.flatnonzero(tied)


def _settle(run: Entries, rows: Ints, positions: Ints, ties: Ties, seed: int) -> Ints:
    """Order rows within each group of equal scores; they stand at consecutive positions."""
    lists = np.searchsorted(run.offsets, positions, "right")
    scores = run.numbers[rows]
    begins = (lists[1:] != lists[:-1]) | (scores[1:] != scores[:-1])
    group = np.concatenate([[0], np.cumsum(begins)])[: len(rows)]
    if ties == "random":  # by document, topic and seed alone: equal for equal runs
        topics = Ids.from_strings(run.topics).keys[lists - 1]
        keys = [mix(run.docs.keys[rows] ^ mix(topics + np.uint64(seed % 2**64)))]
    else:  # greater ids first: order by the complement of their words, last word least
        keys = [~word for word in reversed(run.docs.take(rows).sort_words())]
    return rows[np.lexsort((*keys, group))]
