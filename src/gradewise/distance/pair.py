"""Two lists of one topic, document by document: where each stands, and what is known of it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from gradewise.arrays import Bools, Ints
from gradewise.collection.judged import Lists
from gradewise.kernels import pairing

FREE = -1  # the level of a document that nobody has judged


@dataclass(frozen=True, eq=False)
class Grid:
    """Where free documents stand among the free documents of both lists.

    `first` holds the free documents of the first list by rank, `second` those of them that are in
    the second list, by rank there. `place[y]` is the position, from 1, of first[y] in the second,
    or len(second) + 1; `back[z]` is that of second[z] in the first.
    """

    first: Ints
    second: Ints
    place: Ints
    back: Ints


@dataclass(frozen=True, eq=False)
class Pair:
    """The documents of two lists of a topic.

    `rank[i, d]` is the rank of document d in list i, 0 if it is not there. `level[d]` is its
    level on the `scale` of positive grades, 0 if it is judged and not relevant, FREE if it is
    unjudged. `judged_counts[l]` counts the judged documents of level l, in the lists or not, and
    `deeper` the unjudged ones that are further down in lists, where they do not count.
    """

    scale: Ints
    rank: Ints
    level: Ints
    retrieved: Ints
    judged_counts: Ints
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
    def orders(self) -> list[Ints]:
        """The documents of each list by rank."""
        order = np.argsort(self.rank, axis=1, kind="stable")
        return [order[i, len(self.level) - size :] for i, size in enumerate(self.retrieved)]

    @cached_property
    def grid(self) -> Grid:
        """Where the free documents of the first list stand in both."""
        return Grid(*pairing.place_free(self.rank[0], self.rank[1], self.level))

    @cached_property
    def lists(self) -> Lists:
        """What measures may know of the two lists as they are judged."""
        return Lists(self.scale, self.judged_counts[None, :], np.zeros(2, np.int64), self.retrieved)

    def first_level(self, grade: int) -> int:
        """Return the lowest level whose grade is at least a grade."""
        return self.lists.first_level(grade)

    def swapped(self) -> "Pair":
        """Return the pair with the second list first."""
        return replace(self, rank=self.rank[::-1], retrieved=self.retrieved[::-1])


@dataclass(frozen=True, eq=False)
class Lead:
    """How far the first list of a pair can lead the second.

    `find_levels` gives an assignment under which the lead is `value`, with `unretrieved[l]` further
    relevant documents of level l that neither list holds. No assignment gives more than `upper`.
    `inside` bounds it when no other document is relevant than those of the lists; it may be below
    0, and is None where that is not known. `scaled` is the largest lead of SSP, which the search
    for AP finds on its way.
    """

    value: float
    upper: float
    find_levels: Callable[[], Ints]
    unretrieved: Ints
    inside: float | None = None
    scaled: float | None = None

    @staticmethod
    def under(levels: Ints, value: float, upper: float, unretrieved: Ints) -> "Lead":
        """Make a lead whose assignment is known."""
        return Lead(value, upper, lambda: levels, unretrieved)

    @cached_property
    def levels(self) -> Ints:
        """The level of each document under the assignment, found when first asked for."""
        return self.find_levels()

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
    choose: Callable[[], Ints],
    level: int,
    *,
    unretrieved: int = 0,
) -> Lead:
    """Make a Lead in which chosen documents have a level, and the other free ones level 0."""

    def find_levels() -> Ints:
        levels = np.where(pair.free, 0, pair.level)
        levels[choose()] = level
        return levels

    further = np.zeros(pair.levels + 1, np.int64)
    further[level] = unretrieved
    return Lead(value, value, find_levels, further, inside=value)


def nobody() -> Ints:
    """Choose no document."""
    return np.zeros(0, np.int64)
