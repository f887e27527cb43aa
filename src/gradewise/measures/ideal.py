"""The ideal list of a topic, all its judged documents by falling gain, without building it.

A topic's ideal list is a few stretches of equal gain, one for each level. Sums over it have
closed forms in the stretches, so that nothing of the length of a list is needed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gradewise.arrays import Floats, Ints, add_up
from gradewise.collection.judged import Lists

_BLOCK = 1 << 22  # ranks by stretches that are looked at together


@dataclass(frozen=True, eq=False)
class Ideal:
    """Stretches of the ideal lists: `gain[s]`, and where each begins and ends for each topic.

    Ranks begin[t, s] + 1 .. end[t, s] of topic t hold documents with gain[s].
    """

    gain: Floats
    begin: Ints
    end: Ints

    @cached_property
    def total(self) -> Ints:
        """How many relevant documents each topic has."""
        return self.end[:, -1] if self.end.shape[1] else np.zeros(len(self.end), np.int64)

    @cached_property
    def gain_before(self) -> Floats:
        """The gain cumulated before each stretch."""
        cumulated = np.cumsum((self.end - self.begin) * self.gain, axis=1)
        return np.concatenate([np.zeros((len(cumulated), 1)), cumulated[:, :-1]], axis=1)

    def cumulated(self, rank: Ints, topic: Ints) -> Floats:
        """Return the gain cumulated down to a rank, for each (rank, topic)."""
        found = np.empty(len(rank))
        for part in self._blocks(len(rank)):
            begin, end = self.begin[topic[part]], self.end[topic[part]]
            found[part] = add_up(np.clip(rank[part, None] - begin, 0, end - begin), self.gain)
        return found

    def discounted(self, sums: Floats, depth: Ints, topic: Ints) -> Floats:
        """Return the discounted gain of the first `depth` ranks.

        `sums[n]` is the sum of the discounts of ranks 1..n, and reaches as far as needed.
        """
        found = np.empty(len(topic))
        deepest = np.minimum(depth, self.total[topic])[:, None]
        for part in self._blocks(len(topic)):
            low = np.minimum(self.begin[topic[part]], deepest[part])
            high = np.minimum(self.end[topic[part]], deepest[part])
            found[part] = add_up(sums[high] - sums[low], self.gain)
        return found

    def _blocks(self, number: int) -> Iterator[slice]:
        """Give parts of so many lists or ranks, fewer at a time if there are many stretches."""
        step = max(1, _BLOCK // max(len(self.gain), 1))
        return (slice(low, low + step) for low in range(0, number, step))

    def sum_of_average_gains(self) -> Floats:
        """Return Σ_n (1/n) Σ_{m<=n} gain_m over the ideal list of each topic.

        Within a stretch the inner sum is a + b·n, so that the whole is a·(H_end - H_begin) plus
        b times the length of the stretch, with H the harmonic numbers.
        """
        harmonic = prefix_sums(1 / np.arange(1, int(self.total.max(initial=0)) + 1))
        offset = self.gain_before - self.gain * self.begin
        inside = offset * (harmonic[self.end] - harmonic[self.begin])
        return add_up(inside + self.gain * (self.end - self.begin))


def ideal_lists(lists: Lists, gains: Floats) -> Ideal:
    """Return the ideal lists for gains by level; `gains[0]`, of level 0, is not used."""
    order = np.argsort(-gains[1:], kind="stable")
    counts = lists.counts[:, 1:][:, order]
    end = np.cumsum(counts, axis=1)
    return Ideal(gains[1:][order], end - counts, end)


def prefix_sums(values: Floats) -> Floats:
    """Return the sums of the first 0, 1, 2, ... values."""
    return np.concatenate([[0.0], np.cumsum(values)])
