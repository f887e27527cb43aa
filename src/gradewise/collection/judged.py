"""Judged: for each list of each run, the ranks and grades of its judged documents.

A list is what one run retrieved for one topic. Its judged documents are its hits. Hits, how many
documents were retrieved, and how many documents of each grade the topic has: that is all that a
measure needs, and nothing downstream sees a document id.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.qrels import NEGATIVE
from gradewise.errors import GradewiseError
from gradewise.showing import Shown

Negative = Literal["nonrelevant", "unjudged"]


@dataclass(frozen=True, eq=False)
class Lists:
    """What a measure may know of lists besides their hits.

    `scale` holds the positive grades, ascending; a document's level is 0 if it is not relevant,
    else the position of its grade in the scale, from 1. `counts[t, i]` says how many documents
    of level i were judged for topic t. List l belongs to topic `topic[l]` and has
    `retrieved[l]` documents.
    """

    scale: Ints
    counts: Ints
    topic: Ints
    retrieved: Ints

    def __len__(self) -> int:
        return len(self.topic)

    def relevant(self, grade: int = 1) -> Ints:
        """Return how many documents of each topic have at least a grade."""
        return self.counts[:, self.first_level(grade) :].sum(axis=1)

    def first_level(self, grade: int) -> int:
        """Return the lowest level whose grade is at least a grade; c+1 if there is none."""
        return int(np.searchsorted(self.scale, grade)) + 1


@dataclass(frozen=True, eq=False)
class Hits:
    """Judged documents: the list, rank and level of each, ordered by list and rank.

    All hits of a collection are kept in small integers; those that are chosen, in large ones.
    """

    list: NDArray[np.integer]
    rank: NDArray[np.integer]
    level: NDArray[np.integer]
    lists: int

    def where(self, chosen: Bools) -> "Hits":
        """Return the hits that are chosen."""
        index = np.flatnonzero(chosen)  # quicker than three times by yes and no
        list_, rank, level = (
            column[index].astype(np.int64) for column in (self.list, self.rank, self.level)
        )
        return Hits(list_, rank, level, self.lists)

    @cached_property
    def first(self) -> Ints:
        """For each hit, the position of the first hit of its list."""
        return np.searchsorted(self.list, np.arange(self.lists))[self.list]

    def running(self, counted: Bools) -> Ints:
        """For each hit, how many counted hits of its list stand at its rank or above."""
        total = np.concatenate([[0], np.cumsum(counted)])
        running: Ints = total[1:] - total[self.first]
        return running

    def sums(self, values: Floats | Ints) -> Floats:
        """Add up a value per hit over each list."""
        return np.asarray(np.bincount(self.list, weights=values, minlength=self.lists), np.float64)

    def counts(self, counted: Bools) -> Ints:
        """Count the chosen hits of each list."""
        return np.bincount(self.list[counted], minlength=self.lists)


@dataclass(frozen=True, eq=False)
class Judged(Shown, Lists):
    """The hits of every list of every run: list `r * len(topics) + t` is run r on topic t.

    A topic that a run misses has an empty list. `negative` says what documents with a grade
    below 0 are: judged and not relevant, or in the pool and not judged (as in trec_eval).
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    hits: Hits
    extra_topics: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    negative: Negative = "nonrelevant"
    hit_scores: Floats | None = field(default=None, repr=False)
    unjudged_scores: Floats | None = field(default=None, repr=False)
    hit_rows: Ints | None = field(default=None, repr=False)  # of the qrels
    notes: tuple[str, ...] = ()  # what was assumed when runs were read
    _kept: dict[Hashable, Floats] = field(default_factory=dict, init=False, repr=False)

    def keep(self, key: Hashable, make: Callable[[], Floats]) -> Floats:
        """Return what measures derive from the hits alike, made once."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    @cached_property
    def relevant_hits(self) -> Hits:
        """The hits with a positive grade."""
        return self.hits.where(self.hits.level > 0)

    @cached_property
    def is_judged(self) -> Bools:
        """Which hits were judged: all, or all but those with a negative grade."""
        if self.negative == "unjudged":
            return self.hits.level > NEGATIVE
        return np.ones(len(self.hits.level), np.bool_)

    def cut(self, depth: int) -> "Judged":
        """Return the same lists with only the first `depth` documents of each."""
        if self.unjudged_scores is not None:
            raise GradewiseError("lists with scores can be cut only when they are joined")
        return self._keep(self.hits.rank <= depth, retrieved=np.minimum(self.retrieved, depth))

    @cached_property
    def condensed(self) -> "Judged":
        """Return the lists without their unjudged documents."""
        kept = self._keep(self.is_judged, retrieved=self.hits.counts(self.is_judged))
        hits = kept.hits
        rank = np.arange(len(hits.rank)) - hits.first + 1
        unjudged = None if self.unjudged_scores is None else np.zeros(len(self))
        return replace(kept, hits=replace(hits, rank=rank), unjudged_scores=unjudged)

    def _keep(self, chosen: Bools, *, retrieved: Ints) -> "Judged":
        scores = None if self.hit_scores is None else self.hit_scores[chosen]
        rows = None if self.hit_rows is None else self.hit_rows[chosen]
        return replace(
            self,
            hits=self.hits.where(chosen),
            retrieved=retrieved,
            hit_scores=scores,
            hit_rows=rows,
        )
