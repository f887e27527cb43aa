"""The gain–discount family: M = (1/Z) Σ_n h(r_n) · D(n).

Every document brings the gain h of its level, discounted by its rank; Z brings the sum to scale.
Value, swap delta and expectation are written here once.
"""

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Judged, Lists
from gradewise.measures.measure import Measure, check_probabilities, ratio


class GainDiscount(Measure):
    """A measure given by gains h of levels, a discount D of ranks and a normalizer Z."""

    family: ClassVar[str] = "gain-discount"
    static: ClassVar[bool] = False  # D depends on ranks only, and Z not on the topic's documents

    @abstractmethod
    def gain(self, lists: Lists) -> Floats:
        """Return h(0)..h(c), with h(0) = 0."""

    def discount(self, rank: Ints, index: Ints, lists: Lists) -> Floats:
        """Return D(n) for ranks of lists, given by their index; 1 unless a measure says else."""
        return np.ones(len(rank))

    @abstractmethod
    def norm(self, lists: Lists) -> Floats:
        """Return Z for each list; a list whose Z is 0 has value 0."""

    def ideal_discounts(self, depth: int) -> Floats | None:
        """Return what the 1st, 2nd, ... document of the ideal list adds to Z for each unit of gain.

        None if Z is not such a sum over the ideal list of all relevant documents.
        """
        return None

    def tail_weight(self, size: int) -> float:
        """Return what the ranks below a list of some size could add with a gain of 1."""
        return 0.0

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = self.within_cutoff(judged.relevant_hits)
        terms = self.gain(judged)[hits.level] * self.discount(hits.rank, hits.list, judged)
        return ratio(hits.sums(terms), self.norm(judged))

    def _weights(self, lists: Lists, size: int) -> Floats:
        """Return D(1)..D(size) / Z for a single list."""
        rank = np.arange(1, size + 1)
        discount = self.discount(rank, np.zeros(size, np.int64), lists)
        if self.cutoff is not None:
            discount = np.where(rank <= self.cutoff, discount, 0.0)
        return ratio(discount, np.broadcast_to(self.norm(lists), (size,)))

    def swap_deltas(self, lists: Lists, levels: Ints) -> Floats:
        """Return the change of value for every swap of two ranks, in closed form."""
        gain, weight = self.gain(lists)[levels], self._weights(lists, len(levels))
        return (gain[None, :] - gain[:, None]) * (weight[:, None] - weight[None, :])

    def expectation(self, lists: Lists, chances: Floats) -> float:
        """Return the expected value under independent levels; the sum is linear in them."""
        check_probabilities(chances, lists)
        return float(self._weights(lists, len(chances)) @ (chances @ self.gain(lists)))


def cut_terms(terms: Floats, cutoff: int | float | None) -> Floats:
    """Return the terms of ranks 1, 2, ... with 0 below a cutoff."""
    if cutoff is None:
        return terms
    return np.where(np.arange(1, len(terms) + 1) <= cutoff, terms, 0.0)


def binary_gain(lists: Lists, rel: int) -> Floats:
    """Return gain 1 for the levels whose grade is at least `rel`, else 0."""
    level = np.arange(len(lists.scale) + 1)
    return (level >= lists.first_level(rel)).astype(np.float64)
