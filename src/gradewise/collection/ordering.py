"""Which rank each row of a run has: by score, and by a stated rule where scores are equal.

Most runs come in rank order already, so only lists that do not are sorted, and only documents
with equal scores are compared by id.
"""

from typing import Literal

import numpy as np

from gradewise.arrays import Bools, Ints, Words
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
    place = np.arange(len(run))
    if order is not None:
        place[order] = np.arange(len(run))
    if ties != "input":
        tied = _tied_positions(run, order)
        settled = _settle(run, tied if order is None else order[tied], tied, ties, seed)
        place[settled] = tied
    return place[rows] - (run.offsets - 1)[lists]


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
    begins = np.ones(len(rows), np.bool_)
    begins[1:] = (lists[1:] != lists[:-1]) | (scores[1:] != scores[:-1])
    if ties == "random":  # by document, topic and seed alone: equal for equal runs
        topics = Ids.from_strings(run.topics).keys[lists - 1]
        return _sort_groups(
            rows, begins, [~mix(run.docs.keys[rows] ^ mix(topics + np.uint64(seed % 2**64)))]
        )
    return _sort_groups(rows, begins, run.docs.take(rows).sort_words())


def _sort_groups(rows: Ints, begins: Bools, words: list[Words]) -> Ints:
    """Put the greatest first in each group of rows, by their words, the first word first.

    Most groups are pairs, which need to be turned round or not; only larger ones are sorted.
    """
    less = np.zeros(max(len(rows) - 1, 0), np.bool_)
    for word in reversed(words):
        less = (word[:-1] < word[1:]) | ((word[:-1] == word[1:]) & less)
    wrong = np.flatnonzero(less & ~begins[1:])
    sizes = np.diff(np.flatnonzero(begins), append=len(rows))
    group = np.cumsum(begins) - 1
    is_pair = sizes[group[wrong]] == 2
    pairs = wrong[is_pair]
    rows = rows.copy()
    rows[pairs], rows[pairs + 1] = rows[pairs + 1], rows[pairs]
    unsorted = np.zeros(len(sizes), np.bool_)
    unsorted[group[wrong[~is_pair]]] = True
    places = np.flatnonzero(unsorted[group])
    keys = [~word[places] for word in reversed(words)]
    rows[places] = rows[places[np.lexsort((*keys, group[places]))]]
    return rows
