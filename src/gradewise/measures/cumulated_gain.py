"""Cumulated gain, discounted and normalized."""

from abc import abstractmethod

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Lists
from gradewise.measures.gain_discount import GainDiscount, cut_terms
from gradewise.measures.gains import gain_table
from gradewise.measures.ideal import ideal_lists, prefix_sums
from gradewise.measures.parameters import Dcg, Gains
from gradewise.measures.references import BURGES_2005, JARVELIN_2002, MOFFAT_MED
from gradewise.measures.registry import register


def rank_discount(rank: Ints, *, dcg: Dcg, b: float) -> Floats:
    """Return D(n): 1/log2(n+1), or for 'jk' 1 above rank b and 1/log_b(n) from there on."""
    if dcg != "jk":
        return 1 / np.log2(rank + 1.0)
    return 1 / np.maximum(np.log(np.maximum(rank, 1)) / np.log(b), np.where(rank < b, 1.0, 0.0))


class _Discounted(GainDiscount):
    """What DCG, nDCG and SDCG have in common: gains and discount of a variant of DCG."""

    dcg: Dcg
    b: float
    gains: Gains

    def gain(self, lists: Lists) -> Floats:
        """Return the gain of each level."""
        usual = "exp" if self.dcg == "exp-log2" else "linear"
        return gain_table(self.gains, lists.scale, usual=usual)

    def discount(self, rank: Ints, index: Ints, lists: Lists) -> Floats:
        """Return the discount of each rank."""
        return rank_discount(rank, dcg=self.dcg, b=self.b)

    def discount_sums(self, depth: int) -> Floats:
        """Return the sums of the discounts of the first 0, 1, 2, ..., depth ranks."""
        return prefix_sums(rank_discount(np.arange(1, depth + 1), dcg=self.dcg, b=self.b))

    @abstractmethod
    def norm(self, lists: Lists) -> Floats:
        """Return Z for each list."""


def ideal_dcg(measure: _Discounted, lists: Lists) -> Floats:
    """Return the DCG of each topic's ideal list down to the cutoff."""
    ideal = ideal_lists(lists, measure.gain(lists))
    deepest = int(ideal.total.max(initial=0))
    depth = deepest if measure.cutoff is None else min(deepest, int(measure.cutoff))
    topics = np.arange(len(lists.counts))
    return ideal.discounted(measure.discount_sums(deepest), np.full(len(topics), depth), topics)


@register
class CG(GainDiscount):
    """Cumulated gain: the sum of the gains of the first k documents.

    Definition
    ----------
    CG@k = Σ_{n <= k} h(r_n), over the whole list without a cutoff.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("CG@2", grades=[2, 0, 1], relevant={1: 1, 2: 1})
    2.0
    """

    gains: Gains = None
    static = True
    references = (JARVELIN_2002,)

    def gain(self, lists: Lists) -> Floats:
        """Return the gain of each level."""
        return gain_table(self.gains, lists.scale)

    def norm(self, lists: Lists) -> Floats:
        """Return 1."""
        return np.ones(len(lists))


@register
class DCG(_Discounted):
    """Discounted cumulated gain.

    Definition
    ----------
    DCG@k = Σ_{n <= k} h(r_n) D(n), over the whole list without a cutoff.

    Examples
    --------
    Grade 2 at rank 1 and grade 1 at rank 3: 2/log2(2) + 1/log2(4).

    >>> import gradewise as gw
    >>> gw.score("DCG", grades=[2, 0, 1], relevant={1: 1, 2: 1})
    2.5
    """

    dcg: Dcg = "log2"
    b: float = 2.0
    gains: Gains = None
    static = True
    references = (JARVELIN_2002, BURGES_2005)

    def norm(self, lists: Lists) -> Floats:
        """Return 1."""
        return np.ones(len(lists))


@register
class nDCG(_Discounted):  # noqa: N801 - the community's spelling
    """Normalized discounted cumulated gain: DCG against that of the ideal list.

    Definition
    ----------
    nDCG@k = Σ_{n <= k} h(r_n) D(n) / Σ_{n <= k} h(y_n) D(n), where y is the ideal list of all
    judged documents of the topic. Without a cutoff both sums run to the end; the ideal list is
    never cut at the length of the list.

    Examples
    --------
    (2/log2(2) + 1/log2(4)) / (2/log2(2) + 1/log2(3)):

    >>> import gradewise as gw
    >>> round(gw.score("nDCG", grades=[2, 0, 1], relevant={1: 1, 2: 1}), 4)
    0.9502
    """

    dcg: Dcg = "log2"
    b: float = 2.0
    gains: Gains = None
    references = (JARVELIN_2002, BURGES_2005)

    def ideal_discounts(self, depth: int) -> Floats:
        """Return the discounts of the ranks of the ideal list, down to the cutoff."""
        discounts = rank_discount(np.arange(1, depth + 1), dcg=self.dcg, b=self.b)
        return cut_terms(discounts, self.cutoff)

    def norm(self, lists: Lists) -> Floats:
        """Return the DCG of the ideal list."""
        return lists.per_list(ideal_dcg(self, lists))


@register
class SDCG(_Discounted):
    """Scaled discounted cumulated gain: DCG@k against k documents of the highest grade.

    Definition
    ----------
    SDCG@k = Σ_{n <= k} h(r_n) D(n) / Σ_{n <= k} h(c) D(n), where c is the highest grade of the
    collection. Unlike nDCG it does not depend on how many relevant documents the topic has.

    Examples
    --------
    >>> import gradewise as gw
    >>> round(gw.score("SDCG@3", grades=[1, 0, 1], relevant={1: 2}), 4)
    0.7039
    """

    dcg: Dcg = "log2"
    b: float = 2.0
    gains: Gains = None
    static = True
    cutoff_rule = "required"
    references = (MOFFAT_MED,)

    def norm(self, lists: Lists) -> Floats:
        """Return the DCG of k documents of the highest grade."""
        best = self.gain(lists)[-1] * self.discount_sums(int(self.cutoff or 0))[-1]
        return np.full(len(lists), best)
