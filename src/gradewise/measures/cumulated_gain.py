"""Cumulated gain, discounted and normalized."""

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Lists
from gradewise.errors import MeasureError
from gradewise.measures.gain_discount import GainDiscount, cut_terms
from gradewise.measures.gains import GainRuleName, gain_table
from gradewise.measures.ideal import ideal_lists, prefix_sums
from gradewise.measures.parameters import Dcg, Gains
from gradewise.measures.references import (
    BURGES_2005,
    JARVELIN_2002,
    MOFFAT_MED,
    ROBERTSON_2010,
)
from gradewise.measures.registry import register

_RANKS = 1_000_000  # whose discounts are added up at a time


def rank_discount(rank: Ints, *, dcg: Dcg, b: float) -> Floats:
    """Return D(n): 1/log2(n+1); for 'linear' 1/n; for 'jk' 1 above rank b, then 1/log_b(n)."""
    if dcg == "linear":
        return 1 / rank
    if dcg != "jk":
        return 1 / np.log2(rank + 1.0)
    return 1 / np.maximum(np.log(np.maximum(rank, 1)) / np.log(b), np.where(rank < b, 1.0, 0.0))


def dcg_gains(dcg: Dcg, gains: Gains, scale: Ints) -> Floats:
    """Return the gain of each level in a variant of DCG."""
    usual: GainRuleName = "exp" if dcg == "exp-log2" else "linear"
    return gain_table(gains, scale, usual=usual)


class _Discounted(GainDiscount):
    """What DCG, nDCG and SDCG have in common: gains and discount of a variant of DCG."""

    dcg: Dcg = "log2"
    b: float = 2.0
    gains: Gains = None

    def gain(self, lists: Lists) -> Floats:
        """Return the gain of each level."""
        return dcg_gains(self.dcg, self.gains, lists.scale)

    def discount(self, rank: Ints, index: Ints, lists: Lists) -> Floats:
        """Return the discount of each rank."""
        return rank_discount(rank, dcg=self.dcg, b=self.b)

    def discount_sums(self, depth: int) -> Floats:
        """Return the sums of the discounts of the first 0, 1, 2, ..., depth ranks."""
        return prefix_sums(rank_discount(np.arange(1, depth + 1), dcg=self.dcg, b=self.b))


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

    static = True
    references = (JARVELIN_2002, BURGES_2005)


@register
class nDCG(_Discounted):  # noqa: N801 - the community's spelling
    """Normalized discounted cumulated gain: DCG against that of the ideal list.

    Definition
    ----------
    nDCG@k = Σ_{n <= k} h(r_n) D(n) / Σ_{n <= k} h(y_n) D(n), where y is the ideal list of all
    judged documents of the topic. Without a cutoff both sums run to the end; the ideal list is
    never cut at the length of the list.

    Robertson et al. tried linear and exponential gains with linear and logarithmic discounts:
    gains='linear' or gains='exp' with dcg='linear' or dcg='log2'.

    Examples
    --------
    (2/log2(2) + 1/log2(4)) / (2/log2(2) + 1/log2(3)):

    >>> import gradewise as gw
    >>> round(gw.score("nDCG", grades=[2, 0, 1], relevant={1: 1, 2: 1}), 4)
    0.9502
    """

    differs = (
        "trec_eval's ndcg_cut.k, ir_measures' nDCG@k and NTCIREVAL's MSnDCG@k are `nDCG@k`.",
        "NTCIREVAL's nDCG@k does not discount ranks 1 and 2: `nDCG(dcg='jk')@k`.",
        "gdeval's nDCG@k, as in the TREC Web tracks, has the gain 2^grade - 1: "
        "`nDCG(dcg='exp-log2')@k`.",
    )
    references = (JARVELIN_2002, BURGES_2005, ROBERTSON_2010)

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
    collection, which `max_grade` can state. Unlike nDCG it does not depend on how many relevant
    documents the topic has.

    Examples
    --------
    >>> import gradewise as gw
    >>> round(gw.score("SDCG@3", grades=[1, 0, 1], relevant={1: 2}), 4)
    0.7039
    """

    max_grade: int | None = None
    static = True
    cutoff_rule = "required"
    differs = (
        "ir_measures' SDCG(max_rel=4)@k is `SDCG(max_grade=4)@k`; `SDCG@k` takes the highest grade "
        "of the qrels.",
    )
    references = (MOFFAT_MED,)

    def norm(self, lists: Lists) -> Floats:
        """Return the DCG of k documents of the highest grade."""
        return np.full(len(lists), self._highest_gain(lists) * self._all_discounts())

    def _all_discounts(self) -> float:
        """Return the sum of the discounts down to the cutoff, a part of the ranks at a time."""
        depth, total = int(self.cutoff or 0), 0.0
        for first in range(1, depth + 1, _RANKS):
            ranks = np.arange(first, min(first + _RANKS, depth + 1))
            total += float(prefix_sums(rank_discount(ranks, dcg=self.dcg, b=self.b))[-1])
        return total

    def _highest_gain(self, lists: Lists) -> float:
        """Return the gain of the highest grade, stated or in the qrels."""
        if self.max_grade is None:
            return float(self.gain(lists)[-1])
        if len(lists.scale) and lists.scale[-1] > self.max_grade:
            raise MeasureError(f"{self}: the qrels have grade {lists.scale[-1]}, above max_grade")
        return float(dcg_gains(self.dcg, self.gains, np.array([self.max_grade]))[-1])
