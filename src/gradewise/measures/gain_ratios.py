"""Gain against the gain of the ideal list: sliding ratios, average nDCG, generalized P and R.

n stands for the cutoff, or for the number of retrieved documents where there is none.
"""

import numpy as np

from gradewise.arrays import Floats, Ints, add_up
from gradewise.collection.judged import Lists
from gradewise.measures.cumulated_gain import dcg_gains, rank_discount
from gradewise.measures.gain_discount import GainDiscount, cut_terms
from gradewise.measures.gains import gain_table
from gradewise.measures.ideal import ideal_lists, prefix_sums
from gradewise.measures.measure import ratio
from gradewise.measures.parameters import Dcg, Gains
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

    gains: Gains = None

    def gain(self, lists: Lists) -> Floats:
        """Return the gain of each level."""
        return gain_table(self.gains, lists.scale)

    def depth(self, lists: Lists) -> Ints:
        """Return n for each list."""
        if self.cutoff is None:
            return lists.retrieved
        return np.full(len(lists), int(self.cutoff))


def _most_relevant(lists: Lists) -> int:
    return int(lists.relevant().max(initial=0))


@register
class SR(_UpToN):
    """Sliding ratio: the gain of the first n documents against that of the n best.

    Definition
    ----------
    SR = Σ_{m <= n} h(r_m) / Σ_{m <= n} h(y_m), where y is the ideal list and n is the cutoff, or
    the number of retrieved documents. Kishida writes v_S. `gw.sliding_ratio` has the ratio at every
    rank, cumulated and not.

    Examples
    --------
    Kishida's example: documents of grades 1, 2, 3 retrieved, ideal list 3, 2, 2, 1.

    >>> import gradewise as gw
    >>> gw.score("SR@5", grades=[1, 2, 3, 0, 0], relevant={1: 1, 2: 2, 3: 1})
    0.75
    """

    references = (POLLACK_1968, KISHIDA_2005)

    def rank_weights(self, depth: int) -> Floats:
        """Return what the gains at ranks 1..depth are multiplied by: 1."""
        return np.ones(depth)

    def ideal_discounts(self, depth: int) -> Floats | None:
        """Return weights down to the cutoff; without one, the ideal list is cut as the list is."""
        return None if self.cutoff is None else cut_terms(self.rank_weights(depth), self.cutoff)

    def norm(self, lists: Lists) -> Floats:
        """Return the sum for the n best documents."""
        sums = prefix_sums(self.rank_weights(_most_relevant(lists)))
        ideal = ideal_lists(lists, self.gain(lists))
        return ideal.discounted(sums, self.depth(lists), lists.topic)


@register
class MSR(SR):
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

    references = (SAGARA_2002, KISHIDA_2005)

    def discount(self, rank: Ints, index: Ints, lists: Lists) -> Floats:
        """Return 1/n."""
        return 1 / rank

    def rank_weights(self, depth: int) -> Floats:
        """Return 1/m for ranks 1..depth."""
        return 1 / np.arange(1, depth + 1)


@register
class AnDCG(_UpToN):
    """Average nDCG: the mean of nDCG over the ranks 1..n.

    Definition
    ----------
    AnDCG = (1/n) Σ_{i <= n} d(i)/d_I(i), where d(i) = Σ_{m <= i} h(r_m) D(m), d_I is the same for
    the ideal list, and n is the cutoff, or the number of retrieved documents. Kishida writes v_D,
    with D(m) = 1 for m < b and 1/log_b(m) from there on.

    With dcg='log2' it is the mean of the usual nDCG at cutoffs 1, 2, and so on to n.

    Examples
    --------
    Kishida's Table 5, pattern 03210 with relevant documents of grades 3, 2 and 1:

    >>> import gradewise as gw
    >>> relevant = {1: 1, 2: 1, 3: 1}
    >>> round(gw.score("AnDCG", grades=[0, 3, 2, 1, 0], relevant=relevant), 2)
    0.61

    With nDCG's usual discount, the second of two ranks: (0 + (1/log2(3)) / 1) / 2.

    >>> round(gw.score("AnDCG(dcg='log2')", grades=[0, 1], relevant={1: 1}), 4)
    0.3155
    """

    dcg: Dcg = "jk"
    b: float = 2.0
    elsewhere = "lowers"
    highest = 1.0
    references = (JARVELIN_2002, KISHIDA_2005)

    def gain(self, lists: Lists) -> Floats:
        """Return the gain of each level."""
        return dcg_gains(self.dcg, self.gains, lists.scale)

    def discount(self, rank: Ints, index: Ints, lists: Lists) -> Floats:
        """Return the weight of rank m: D(m) (1/n) Σ_{i=m..n} 1/d_I(i).

        d_I no longer grows below the last relevant document, so that its inverse is summed up to
        there only.
        """
        most = _most_relevant(lists)
        ranks, topics = np.arange(1, most + 1), np.arange(len(lists.counts))
        sums = prefix_sums(rank_discount(ranks, dcg=self.dcg, b=self.b))
        ideal = ideal_lists(lists, self.gain(lists))
        every = ideal.discounted(sums, np.tile(ranks, len(topics)), topics.repeat(most))
        inverse = ratio(1.0, every).reshape(len(topics), most)
        cumulated = np.concatenate([np.zeros((len(topics), 1)), np.cumsum(inverse, axis=1)], axis=1)

        def inverse_sum(depth: Ints, topic: Ints) -> Floats:
            inside = np.minimum(depth, ideal.total[topic])
            last = inverse[topic, ideal.total[topic] - 1] if most else np.zeros(len(topic))
            return cumulated[topic, inside] + (depth - inside) * last

        topic, depth = lists.topic[index], self.depth(lists)[index]
        tail = inverse_sum(depth, topic) - inverse_sum(rank - 1, topic)
        return rank_discount(rank, dcg=self.dcg, b=self.b) * ratio(tail, depth)


@register
class gP(GainDiscount):  # noqa: N801 - the usual spelling
    """Generalized precision: the mean degree of relevance of the first n documents.

    Definition
    ----------
    gP = (1/n) Σ_{m <= n} h(r_m) / h_max, where h is the gain, the grade itself unless `gains` says
    otherwise, h_max the highest gain of the collection and n the cutoff, or the number of retrieved
    documents.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("gP@4", grades=[2, 0, 1], relevant={1: 1, 2: 1})
    0.375
    """

    gains: Gains = None
    static = True
    references = (KEKALAINEN_2002, KISHIDA_2005)

    def gain(self, lists: Lists) -> Floats:
        """Return the gain of each level over the highest."""
        table = gain_table(self.gains, lists.scale)
        return np.asarray(table / (table.max() or 1.0))

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
    gR = Σ_{m <= n} h(r_m) / Σ h(r) over all judged documents of the topic, where h is the gain, the
    grade itself unless `gains` says otherwise.

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
        return lists.per_list(add_up(lists.counts, self.gain(lists)))
