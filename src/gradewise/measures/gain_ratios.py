"""Gain against the gain of the ideal list: sliding ratios, average nDCG, generalized P and R.

n stands for the cutoff, or for the number of retrieved documents where there is none.
"""

from abc import abstractmethod

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Lists
from gradewise.measures.cumulated_gain import rank_discount
from gradewise.measures.gain_discount import GainDiscount, cut_terms
from gradewise.measures.gains import gain_table
from gradewise.measures.ideal import ideal_lists, prefix_sums
from gradewise.measures.measure import ratio
from gradewise.measures.parameters import Gains
from gradewise.measures.references import (
    JARVELIN_2002,
    KEKALAINEN_2002,
    KISHIDA_2005,
    POLLACK_1968,
    SAGARA_2002,
)
from gradewise.measures.registry import register


class _UpToN(GainDiscount):
    """A measure that compares the first n documents with the first n of the ideal list."""

    gains: Gains

    def gain(self, lists: Lists) -> Floats:
        """Return the gain of each level."""
        return gain_table(self.gains, lists.scale)

    def depth(self, lists: Lists) -> Ints:
        """Return n for each list."""
        if self.cutoff is None:
            return lists.retrieved
        return np.full(len(lists), int(self.cutoff))

    @abstractmethod
    def norm(self, lists: Lists) -> Floats:
        """Return Z for each list."""


def _ideal_sum(measure: _UpToN, lists: Lists, discounts: Floats) -> Floats:
    """Return the discounted gain of the first n ranks of each list's ideal list."""
    ideal = ideal_lists(lists, measure.gain(lists))
    return ideal.discounted(prefix_sums(discounts), measure.depth(lists), lists.topic)


def _most_relevant(lists: Lists) -> int:
    return int(lists.relevant().max(initial=0))


@register
class SR(_UpToN):
    """Sliding ratio: the gain of the first n documents against that of the n best.

    Definition
    ----------
    SR = Σ_{m <= n} h(r_m) / Σ_{m <= n} h(y_m), where y is the ideal list and n is the cutoff, or
    the number of retrieved documents. Kishida writes v_S.

    Examples
    --------
    Kishida's example: documents of grades 1, 2, 3 retrieved, ideal list 3, 2, 2, 1.

    >>> import gradewise as gw
    >>> gw.score("SR@5", grades=[1, 2, 3, 0, 0], relevant={1: 1, 2: 2, 3: 1})
    0.75
    """

    gains: Gains = None
    references = (POLLACK_1968, KISHIDA_2005)

    def ideal_discounts(self, depth: int) -> Floats | None:
        """Return 1 down to the cutoff; without one, the ideal list is as long as the list is."""
        return None if self.cutoff is None else cut_terms(np.ones(depth), self.cutoff)

    def norm(self, lists: Lists) -> Floats:
        """Return the gain of the n best documents."""
        return _ideal_sum(self, lists, np.ones(_most_relevant(lists)))


@register
class MSR(_UpToN):
    """Modified sliding ratio: as SR, with each gain divided by its rank.

    Definition
    ----------
    MSR = Σ_{m <= n} h(r_m)/m / Σ_{m <= n} h(y_m)/m, where y is the ideal list and n is the
    cutoff, or the number of retrieved documents. Kishida writes v_S'.

    Examples
    --------
    Kishida's example: documents of grades 1, 2, 3 retrieved, ideal list 3, 2, 2, 1.

    >>> import gradewise as gw
    >>> round(gw.score("MSR@5", grades=[1, 2, 3, 0, 0], relevant={1: 1, 2: 2, 3: 1}), 2)
    0.61
    """

    gains: Gains = None
    references = (SAGARA_2002, KISHIDA_2005)

    def discount(self, rank: Ints, index: Ints, lists: Lists) -> Floats:
        """Return 1/n."""
        return 1 / rank

    def ideal_discounts(self, depth: int) -> Floats | None:
        """Return 1/m down to the cutoff; without one, the ideal list is as long as the list is."""
        terms = 1 / np.arange(1, depth + 1)
        return None if self.cutoff is None else cut_terms(terms, self.cutoff)

    def norm(self, lists: Lists) -> Floats:
        """Return the sum for the n best documents."""
        return _ideal_sum(self, lists, 1 / np.arange(1, _most_relevant(lists) + 1))


@register
class AnDCG(_UpToN):
    """Average nDCG: the mean of nDCG over the ranks 1..n, with the discount of 'jk'.

    Definition
    ----------
    AnDCG = (1/n) Σ_{i <= n} d(i)/d_I(i), where d(i) = Σ_{m <= i} h(r_m) D(m), D(m) = 1 for m < b
    and 1/log_b(m) from there on, d_I is the same for the ideal list, and n is the cutoff, or the
    number of retrieved documents. Kishida writes v_D.

    Examples
    --------
    Kishida's Table 5, pattern 03210 with relevant documents of grades 3, 2 and 1:

    >>> import gradewise as gw
    >>> round(gw.score("AnDCG", grades=[0, 3, 2, 1, 0], relevant={1: 1, 2: 1, 3: 1}), 2)
    0.61
    """

    b: float = 2.0
    gains: Gains = None
    elsewhere = "lowers"
    highest = 1.0
    references = (JARVELIN_2002, KISHIDA_2005)

    def discount(self, rank: Ints, index: Ints, lists: Lists) -> Floats:
        """Return the weight of rank m: D(m) (1/n) Σ_{i=m..n} 1/d_I(i).

        d_I no longer grows below the last relevant document, so that its inverse is summed up to
        there only.
        """
        most = _most_relevant(lists)
        ranks, topics = np.arange(1, most + 1), np.arange(len(lists.counts))
        sums = prefix_sums(rank_discount(ranks, dcg="jk", b=self.b))
        ideal = ideal_lists(lists, self.gain(lists))
        every = ideal.discounted(sums, np.tile(ranks, len(topics)), topics.repeat(most))
        inverse = ratio(1.0, every).reshape(len(topics), most)
        cumulated = np.concatenate([np.zeros((len(topics), 1)), np.cumsum(inverse, axis=1)], axis=1)

        def inverse_sum(depth: Ints, topic: Ints) -> Floats:
            inside = np.minimum(depth, most)
            last = inverse[topic, -1] if most else np.zeros(len(topic))
            return cumulated[topic, inside] + (depth - inside) * last

        topic, depth = lists.topic[index], self.depth(lists)[index]
        tail = inverse_sum(depth, topic) - inverse_sum(rank - 1, topic)
        return rank_discount(rank, dcg="jk", b=self.b) * ratio(tail, depth)

    def norm(self, lists: Lists) -> Floats:
        """Return 1: the weights are normalized already."""
        return np.ones(len(lists))


@register
class gP(GainDiscount):  # noqa: N801 - the usual spelling
    """Generalized precision: the mean degree of relevance of the first n documents.

    Definition
    ----------
    gP = (1/n) Σ_{m <= n} r_m / max, where max is the highest grade of the collection and n the
    cutoff, or the number of retrieved documents.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("gP@4", grades=[2, 0, 1], relevant={1: 1, 2: 1})
    0.375
    """

    static = True
    references = (KEKALAINEN_2002, KISHIDA_2005)

    def gain(self, lists: Lists) -> Floats:
        """Return the grade of each level over the highest."""
        grades = np.concatenate([[0.0], lists.scale.astype(np.float64)])
        return grades / max(grades[-1], 1.0)

    def norm(self, lists: Lists) -> Floats:
        """Return n."""
        if self.cutoff is None:
            return lists.retrieved.astype(np.float64)
        return np.full(len(lists), float(self.cutoff))


@register
class gR(gP):  # noqa: N801 - the usual spelling
    """Generalized recall: the share of all relevance that is among the first n documents.

    Definition
    ----------
    gR = Σ_{m <= n} r_m / Σ r over all judged documents of the topic.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("gR@1", grades=[2, 0, 1], relevant={1: 2, 2: 1})
    0.5
    """

    static = False
    references = (KEKALAINEN_2002, KISHIDA_2005)

    def ideal_discounts(self, depth: int) -> Floats:
        """Return 1 for every relevant document, whatever the cutoff."""
        return np.ones(depth)

    def norm(self, lists: Lists) -> Floats:
        """Return the degree of relevance of all judged documents together."""
        return lists.per_list(lists.counts @ self.gain(lists))
