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

    def norm(self, lists: Lists) -> Floats:
        """Return Z for each list, 1 unless a measure says else; a list whose Z is 0 has value 0."""
        return np.ones(len(lists))

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

    def expected_values(self, judged: Judged, chances: Floats) -> Floats:
        """Return Σ D(n)/Z · E[h] for every list."""
        return judged.hits.sums(self.hit_weights(judged) * (chances @ self.gain(judged)))

    def variances(self, judged: Judged, chances: Floats) -> Floats:
        """Return Σ (D(n)/Z)² · Var[h] for every list."""
        gain = self.gain(judged)
        variance = np.maximum(chances @ gain**2 - (chances @ gain) ** 2, 0.0)
        return judged.hits.sums(self.hit_weights(judged) ** 2 * variance)

    def given_levels(self, judged: Judged, chances: Floats) -> Floats:
        """Return D(n)/Z · h(level): what the others are makes no difference."""
        return self.hit_weights(judged)[:, None] * self.gain(judged)

    def hit_weights(self, judged: Judged) -> Floats:
        """Return D(n)/Z for every hit."""
        hits = judged.hits
        discount = self.discount(hits.rank, hits.list, judged)
        if self.cutoff is not None:
            discount = np.where(hits.rank <= self.cutoff, discount, 0.0)
        return ratio(discount, self.norm(judged)[hits.list])

    def derivatives(self, lists: Lists, levels: Ints) -> Floats:
        """Return D(n)/Z for each rank: the sum is linear in the gains."""
        return self._weights(lists, len(levels))


def cut_terms(terms: Floats, cutoff: int | float | None) -> Floats:
    """Return the terms of ranks 1, 2, ... with 0 below a cutoff."""
    if cutoff is None:
        return terms
    return np.where(np.arange(1, len(terms) + 1) <= cutoff, terms, 0.0)


def binary_gain(lists: Lists, rel: int) -> Floats:
    """Return gain 1 for the levels whose grade is at least `rel`, else 0."""
    level = np.arange(len(lists.scale) + 1)
    return (level >= lists.first_level(rel)).astype(np.float64)
