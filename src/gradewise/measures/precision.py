"""Precision and recall at a rank."""

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Judged, Lists
from gradewise.measures.gain_discount import GainDiscount, binary_gain, cut_terms
from gradewise.measures.measure import Measure
from gradewise.measures.references import BUCKLEY_2000, TREC_EVAL, VAN_RIJSBERGEN_1979
from gradewise.measures.registry import register


@register
class P(GainDiscount):
    """Precision at k: the share of the first k documents that is relevant.

    Definition
    ----------
    P@k = (1/k) #{n <= k : r_n >= rel}.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("P@5", grades=[1, 0, 1], relevant={1: 3})
    0.4
    """

    rel: int = 1
    cutoff_rule = "required"
    static = True
    references = (VAN_RIJSBERGEN_1979,)

    def gain(self, lists: Lists) -> Floats:
        """Return 1 for relevant levels."""
        return binary_gain(lists, self.rel)

    def norm(self, lists: Lists) -> Floats:
        """Return k."""
        return np.full(len(lists), float(self.cutoff or 0))


@register
class R(P):
    """Recall at k: the share of the relevant documents that is among the first k.

    Definition
    ----------
    R@k = (1/R) #{n <= k : r_n >= rel}, where R counts the relevant documents of the topic.

    Examples
    --------
    >>> import gradewise as gw
    >>> round(gw.score("R@5", grades=[1, 0, 1], relevant={1: 3}), 4)
    0.6667
    """

    static = False
    differs = (
        "BEIR's R_cap@k, and Recall@k in some recommender libraries, divide by the smaller of k "
        "and R: `RelP@k`.",
    )
    references = (VAN_RIJSBERGEN_1979,)

    def ideal_discounts(self, depth: int) -> Floats:
        """Return 1 for every relevant document, whatever the cutoff."""
        return np.ones(depth)

    def norm(self, lists: Lists) -> Floats:
        """Return the number of relevant documents."""
        return lists.per_list(lists.relevant(self.rel))


@register
class RelP(P):
    """Relative precision at k: precision against the best that any list could have.

    Definition
    ----------
    RelP@k = (1/min(k, R)) #{n <= k : r_n >= rel}, where R counts the relevant documents.

    Examples
    --------
    >>> import gradewise as gw
    >>> round(gw.score("RelP@5", grades=[1, 0, 1], relevant={1: 3}), 4)
    0.6667
    """

    static = False
    references = (TREC_EVAL,)

    def ideal_discounts(self, depth: int) -> Floats:
        """Return 1 for as many relevant documents as the cutoff leaves."""
        return cut_terms(np.ones(depth), self.cutoff)

    def norm(self, lists: Lists) -> Floats:
        """Return the smaller of k and the number of relevant documents."""
        return np.minimum(lists.per_list(lists.relevant(self.rel)), float(self.cutoff or 0))


@register
class F1(P):
    """F1 at k: the harmonic mean of precision at k and recall at k.

    Definition
    ----------
    F1@k = 2 #{n <= k : r_n >= rel} / (k + R), where R counts the relevant documents of the topic;
    this is the harmonic mean of P@k and R@k.

    Examples
    --------
    P@5 = 2/5 and R@5 = 2/3, so that F1@5 = 4/8.

    >>> import gradewise as gw
    >>> gw.score("F1@5", grades=[1, 0, 1], relevant={1: 3})
    0.5
    """

    static = False
    highest = 1.0
    references = (VAN_RIJSBERGEN_1979,)

    def gain(self, lists: Lists) -> Floats:
        """Return 2 for relevant levels."""
        return 2 * binary_gain(lists, self.rel)

    def norm(self, lists: Lists) -> Floats:
        """Return k + R."""
        return lists.per_list(lists.relevant(self.rel)) + float(self.cutoff or 0)


@register
class Rprec(GainDiscount):
    """R-precision: precision at the rank that equals the number of relevant documents.

    Definition
    ----------
    Rprec = (1/R) #{n <= R : r_n >= rel}, where R counts the relevant documents of the topic.
    With mult = x, precision is taken at rank floor(x·R + 0.9) instead.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("Rprec", grades=[1, 0, 1, 0], relevant={1: 2})
    0.5
    """

    rel: int = 1
    mult: float = 1.0
    cutoff_rule = "none"
    elsewhere = "matters"
    highest = 1.0
    references = (BUCKLEY_2000, TREC_EVAL)

    def _rank(self, lists: Lists) -> Floats:
        return np.floor(self.mult * lists.relevant(self.rel) + 0.9)

    def gain(self, lists: Lists) -> Floats:
        """Return 1 for relevant levels."""
        return binary_gain(lists, self.rel)

    def discount(self, rank: Ints, index: Ints, lists: Lists) -> Floats:
        """Return 1 down to rank R."""
        return (rank <= self._rank(lists)[lists.topic[index]]).astype(np.float64)

    def norm(self, lists: Lists) -> Floats:
        """Return R."""
        return lists.per_list(self._rank(lists))


@register
class Success(Measure):
    """Success at k: whether any of the first k documents is relevant.

    Definition
    ----------
    Success@k = 1 if r_n >= rel for some n <= k, else 0.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("Success@2", grades=[0, 0, 1], relevant={1: 3})
    0.0
    """

    rel: int = 1
    cutoff_rule = "required"
    differs = (
        "ranx's hits@k counts relevant documents, which is `CG(gains={1:1,2:1})@k` on grades 1 and "
        "2; its hit_rate@k is `Success@k`.",
    )
    references = (TREC_EVAL,)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        return (self.within_cutoff(judged.hits_of(self.rel)).counts() > 0).astype(np.float64)
