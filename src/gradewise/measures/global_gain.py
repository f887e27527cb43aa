"""D-measures: the gain of a document is the mean of its gains over intents."""

from typing import ClassVar

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Judged
from gradewise.measures.cumulated_gain import rank_discount
from gradewise.measures.diversity import StRecall
from gradewise.measures.gains import gain_table
from gradewise.measures.intent_aware import OverIntents
from gradewise.measures.measure import ratio
from gradewise.measures.parameters import Gains
from gradewise.measures.references import NTCIREVAL, SAKAI_2011
from gradewise.measures.registry import register


@register
class D_nDCG(OverIntents):  # noqa: N801 - the community's spelling
    """D-nDCG: nDCG with the mean gain of a document over intents.

    Definition
    ----------
    D_nDCG@k = Σ_{n <= k} h(n) D(n) / (the same sum of the ideal list), with h(n) = Σ_i P(i) h_i(n)
    and D(n) = 1/log2(n+1). h_i(n) is the gain of the document at rank n for intent i, and P(i) the
    weight of the intent. The ideal list has the judged documents of the topic by falling h.

    Examples
    --------
    Document c is worth 0.5 and b is worth 1: (0.5 + 1/log2(3)) / (1 + 0.5/log2(3)).

    >>> import gradewise as gw
    >>> qrels = {"java": {"island": {"a": 1}, "language": {"b": 2, "c": 1}}}
    >>> run = {"java": {"c": 3.0, "b": 2.0, "a": 1.0}}
    >>> round(float(gw.evaluate(qrels, run, "D_nDCG@2")), 4)
    0.8597
    """

    gains: Gains = None
    differs = (
        "NTCIREVAL prints it as MSnDCG@k in its Dnev files; weights of intents come from its Iprob "
        "file (--intent-weights).",
    )
    references = (SAKAI_2011, NTCIREVAL)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        gain, hits = self._gains(judged), judged.hits
        found = hits.sums(gain[judged.hit_rows] * self._discounts(hits.rank))
        topic = judged.known_pool.topic
        order = np.lexsort((-gain, topic))
        begins = np.searchsorted(topic[order], np.arange(len(judged.topics)))
        rank = np.arange(1, len(order) + 1) - begins[topic[order]]
        terms = gain[order] * self._discounts(rank)
        ideal = np.bincount(topic[order], terms, len(judged.topics))
        return ratio(found, judged.per_list(ideal))

    def _gains(self, judged: Judged) -> Floats:
        """Return h for each judged document; the sum of weights cancels out."""
        intents, level = self.known_intents(judged), judged.by_intent.known_pool.level
        table = gain_table(self.gains, judged.scale)
        gain = intents.weights[intents.intent] * table[np.maximum(level, 0)]
        return np.asarray(np.bincount(intents.row, gain, len(intents.offsets) - 1), np.float64)

    def _discounts(self, rank: Ints) -> Floats:
        discount = rank_discount(rank, dcg="log2", b=2.0)
        return discount if self.cutoff is None else np.where(rank <= self.cutoff, discount, 0.0)


@register
class Dsharp_nDCG(OverIntents):  # noqa: N801
    """D♯-nDCG: a mixture of intent recall and D-nDCG.

    Definition
    ----------
    Dsharp_nDCG@k = γ StRecall@k + (1 - γ) D_nDCG@k.

    Examples
    --------
    Half of the intents are covered, and D_nDCG@2 is 0.8597:

    >>> import gradewise as gw
    >>> qrels = {"java": {"island": {"a": 1}, "language": {"b": 2, "c": 1}}}
    >>> run = {"java": {"c": 3.0, "b": 2.0, "a": 1.0}}
    >>> round(float(gw.evaluate(qrels, run, "Dsharp_nDCG@2")), 4)
    0.6799
    """

    gamma: float = 0.5
    meanings: ClassVar[dict[str, str]] = {"gamma": "the weight of intent recall, from 0 to 1"}
    gains: Gains = None
    references = (SAKAI_2011, NTCIREVAL)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        recall = StRecall(cutoff=self.cutoff).compute(judged)
        gain = D_nDCG(gains=self.gains, cutoff=self.cutoff).compute(judged)
        return self.gamma * recall + (1 - self.gamma) * gain
