"""Two lists of one topic, document by document: where each stands, and what is known of it."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.judged import Hits, Judged, Lists
from gradewise.measures.measure import Measure

FREE = -1  # the level of a document that nobody has judged


@dataclass(frozen=True, eq=False)
class Pair:
    """The documents of two lists of a topic.

    `rank[i, d]` is the rank of document d in list i, 0 if it is not there. `level[d]` is its
    level on the `scale` of positive grades, 0 if it is judged and not relevant, FREE if it is
    unjudged. `outside[l]` counts the judged documents of level l that are in neither list,
    and `deeper` the unjudged ones that are further down in lists, where they do not count.
    """

    scale: Ints
    rank: Ints
    level: Ints
    retrieved: Ints
    outside: Ints
    deeper: int = 0

    @property
    def levels(self) -> int:
        """The highest level."""
        return len(self.scale)

    @cached_property
    def free(self) -> Bools:
        """Which documents are unjudged."""
        return self.level == FREE

    @cached_property
    def judged_counts(self) -> Ints:
        """How many documents of each level were judged, in the lists or not."""
        known = self.level[~self.free]
        return self.outside + np.bincount(known, minlength=self.levels + 1)

    @cached_property
    def lists(self) -> Lists:
        """What measures may know of the two lists as they are judged."""
        return Lists(self.scale, self.judged_counts[None, :], np.zeros(2, np.int64), self.retrieved)

    def judged_at(self, side: int, least: int) -> Ints:
        """Return how many judged documents of at least a level stand at each rank or above."""
        ranks = self.rank[side, (self.level >= least) & (self.rank[side] > 0)]
        return np.cumsum(np.bincount(ranks, minlength=self.retrieved[side] + 1))[1:]

    def swapped(self) -> "Pair":
        """Return the pair with the second list first."""
        return replace(self, rank=self.rank[::-1], retrieved=self.retrieved[::-1])

    def with_levels(self, levels: Ints) -> "Pair":
        """Return the pair with some documents judged."""
        return replace(self, level=levels)

    def judged_under(self, levels: Ints, unretrieved: Ints | None = None) -> Judged:
        """Return both lists under assignments, each of them a topic of its own.

        `levels[a, d]` is the level of document d under assignment a; FREE stays unjudged.
        `unretrieved[a, l]` counts further documents of level l that neither list holds.
        """
        assigned = len(levels)
        size = self.levels + 1
        known = levels >= 0
        cell = np.arange(assigned)[:, None] * size + levels
        counts = np.bincount(cell[known], minlength=assigned * size).reshape(assigned, size)
        counts = counts + self.outside
        if unretrieved is not None:
            counts = counts + unretrieved
        parts = []
        for side in (0, 1):
            order = np.argsort(self.rank[side], kind="stable")
            order = order[self.rank[side, order] > 0]
            shown = known[:, order]
            which, column = np.nonzero(shown)
            parts.append(
                (which + side * assigned, self.rank[side, order][column], levels[:, order][shown])
            )
        list_, rank, level = (np.concatenate(column) for column in zip(*parts, strict=True))
        return Judged(
            scale=self.scale,
            counts=counts,
            topic=np.tile(np.arange(assigned), 2),
            retrieved=self.retrieved.repeat(assigned),
            runs=("first", "second"),
            topics=tuple(map(str, range(assigned))),
            hits=Hits(list_, rank, level, 2 * assigned),
        )

    def scores(self, measure: Measure, levels: Ints, unretrieved: Ints | None = None) -> Floats:
        """Return the values of both lists under assignments, [list, assignment]."""
        return measure.values(self.judged_under(levels, unretrieved)).reshape(2, -1)


@dataclass(frozen=True, eq=False)
class Lead:
    """How far the first list of a pair can lead the second.

    `levels` is an assignment under which the lead is `value`, with `unretrieved[l]` further
    relevant documents of level l that neither list holds. No assignment gives more than `upper`.
    `inside` bounds it when no other document is relevant than those of the lists; it may be below
    0, and is None where that is not known. `scaled` is the largest lead of SSP, which the search
    for AP finds on its way.
    """

    value: float
    upper: float
    levels: Ints
    unretrieved: Ints
    inside: float | None = None
    scaled: float | None = None

    @property
    def exact(self) -> bool:
        """Whether no assignment gives more than the value."""
        return self.upper <= self.value

    def at_most(self, pair: Pair) -> float:
        """Return a bound when no other document is relevant than those of the lists."""
        if self.inside is not None:
            return self.inside
        return self.upper if pair.free.any() else self.value


def lead(
    pair: Pair,
    value: float,
    chosen: Ints,
    level: int,
    *,
    unretrieved: int = 0,
) -> Lead:
    """Make a Lead in which chosen documents have a level, and the other free ones level 0."""
    levels = np.where(pair.free, 0, pair.level)
    levels[chosen] = level
    further = np.zeros(pair.levels + 1, np.int64)
    further[level] = unretrieved
    return Lead(value, value, levels, further, inside=value)
