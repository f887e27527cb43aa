"""Further measures of gain that trec_eval reports."""

import numpy as np

from gradewise.arrays import Floats, add_up
from gradewise.collection.judged import Judged
from gradewise.measures.gains import gain_table
from gradewise.measures.ideal import Ideal, ideal_lists, prefix_sums
from gradewise.measures.measure import Measure, ratio
from gradewise.measures.parameters import Gains
from gradewise.measures.references import TREC_EVAL
from gradewise.measures.registry import register


def _ideal(judged: Judged, gain: Floats) -> tuple[Ideal, Floats]:
    """Return the ideal lists and the sums of the discounts 1/log2(n+1)."""
    ideal = ideal_lists(judged, gain)
    deepest = int(ideal.total.max(initial=0))
    return ideal, prefix_sums(1 / np.log2(np.arange(2.0, deepest + 2)))


@register
class BinG(Measure):
    """G with gains of 0 and 1: what is lost is the non-relevant documents above.

    Definition
    ----------
    BinG = (1/R) Σ over relevant ranks n of 1 / log2(2 + non-relevant documents above n).

    Examples
    --------
    >>> import gradewise as gw
    >>> round(gw.score("BinG", grades=[1, 0, 1], relevant={1: 2}), 4)
    0.8155
    """

    rel: int = 1
    cutoff_rule = "none"
    references = (TREC_EVAL,)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = judged.hits_of(self.rel)
        found = hits.running()
        total = hits.sums(1 / np.log2(2.0 + hits.rank - found))
        return ratio(total, judged.per_list(judged.relevant(self.rel)))


@register
class G(Measure):
    """Gain discounted by the cost of the documents seen so far.

    Definition
    ----------
    G = (1/Σ h(y)) Σ_n h(r_n) / log2(2 + C_n - S_n), where S_n = Σ_{m <= n} h(r_m) and
    C_n = Σ_{m <= n} max(h(y_m), 1), with y the ideal list and h(y_m) = 0 beyond its end.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("G", grades=[2, 1], relevant={1: 1, 2: 1})
    1.0
    """

    gains: Gains = None
    cutoff_rule = "none"
    references = (TREC_EVAL,)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        gain = gain_table(self.gains, judged.scale)
        hits, topic = judged.relevant_hits, judged.topic[judged.relevant_hits.list]
        # Gains of 0 are no part of the ideal list, and a rank costs at least 1.
        paid = np.where(gain > 0, np.maximum(gain, 1.0), 1.0)
        ideal = ideal_lists(judged, gain)
        best = np.sort(paid[1:])[::-1] if len(paid) > 1 else paid[1:]
        cost = Ideal(best, ideal.begin, ideal.end).cumulated(hits.rank, topic)
        cost += np.maximum(hits.rank - ideal.total[topic], 0)
        gained = np.zeros(len(hits.rank))
        for level in range(1, len(gain)):
            gained += gain[level] * hits.running(hits.level == level)
        total = hits.sums(gain[hits.level] / np.log2(2 + np.maximum(cost - gained, 0)))
        return ratio(total, judged.per_list(add_up(judged.counts, gain)))


@register
class nDCGrel(Measure):  # noqa: N801 - after nDCG
    """nDCG averaged over the ranks of relevant documents.

    Definition
    ----------
    nDCGrel = (1/R) [Σ over ranks n with a gain of DCG(n)/IDCG(n) + (R - their number) ·
    DCG(N)/IDCG(R)], with N the length of the list and R the number of documents with a gain.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("nDCGrel", grades=[2, 1, 0], relevant={1: 1, 2: 1})
    1.0
    """

    gains: Gains = None
    cutoff_rule = "none"
    references = (TREC_EVAL,)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        gain = gain_table(self.gains, judged.scale)
        hits = judged.relevant_hits.where(gain[judged.relevant_hits.level] > 0)
        ideal, sums = _ideal(judged, gain)
        terms = gain[hits.level] / np.log2(hits.rank + 1.0)
        dcg = hits.running_sums(terms)
        at_hits = ratio(dcg, ideal.discounted(sums, hits.rank, judged.topic[hits.list]))
        in_all = judged.per_list(judged.counts[:, 1:] @ (gain[1:] > 0))
        whole = ideal.discounted(sums, np.full(len(judged), 2**31), judged.topic)
        last = ratio(hits.sums(terms), whole)
        missed = in_all - hits.counts()
        return ratio(hits.sums(at_hits) + missed * last, in_all)


@register
class RnDCG(Measure):
    """nDCG averaged over the ranks at which the gain of the ideal list drops.

    Definition
    ----------
    The mean of DCG(n)/IDCG(n) over the last rank n of each grade in the ideal list of R
    documents, and of DCG(N)/IDCG(R) if the list has N > R + 1 documents.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("RnDCG", grades=[2, 1, 0], relevant={1: 1, 2: 1})
    1.0
    """

    gains: Gains = None
    cutoff_rule = "none"
    references = (TREC_EVAL,)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        gain = gain_table(self.gains, judged.scale)
        gain = np.where(gain > 0, gain, 0.0)
        hits = judged.relevant_hits
        ideal, sums = _ideal(judged, gain)
        terms = gain[hits.level] / np.log2(hits.rank + 1.0)
        total, points = np.zeros(len(judged)), np.zeros(len(judged))
        for value in np.unique(gain[1:])[::-1]:
            if value == 0:
                continue
            at_least = judged.counts[:, 1:] @ (gain[1:] >= value)
            here = judged.counts[:, 1:] @ (gain[1:] == value)
            depth, used = at_least[judged.topic], here[judged.topic] > 0
            dcg = hits.sums(terms * (hits.rank <= depth[hits.list]))
            total += used * ratio(dcg, ideal.discounted(sums, depth, judged.topic))
            points += used
        relevant = (judged.counts[:, 1:] @ (gain[1:] > 0))[judged.topic]
        longer = (judged.retrieved > relevant + 1) & (relevant > 0)
        whole = ideal.discounted(sums, relevant, judged.topic)
        total += longer * ratio(hits.sums(terms), whole)
        return ratio(total, points + longer)
