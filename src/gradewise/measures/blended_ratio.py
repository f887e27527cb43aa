"""Measures of one highly relevant document, by the blended ratio: O-measure, P-measure, P-plus."""

from typing import ClassVar

import numpy as np

from gradewise.arrays import Bools, Floats
from gradewise.collection.judged import Hits, Judged
from gradewise.measures.gains import gain_table
from gradewise.measures.ideal import ideal_lists
from gradewise.measures.measure import Measure, ratio
from gradewise.measures.parameters import Gains
from gradewise.measures.references import NTCIREVAL, SAKAI_2007
from gradewise.measures.registry import register

BETA = "the weight of gain relative to precision"


def blended_ratios(hits: Hits, judged: Judged, *, gains: Gains, beta: float) -> Floats:
    """Return BR(n) = (C(n) + β Σ_{m <= n} h(r_m)) / (n + β Σ_{m <= n} h(y_m)) at each hit.

    C(n) is how many relevant documents are at rank n or above; the hits must be all relevant ones.
    """
    gain = gain_table(gains, judged.scale)
    gained = np.zeros(len(hits.rank))
    for level in range(1, len(gain)):
        gained += gain[level] * hits.running(hits.level == level)
    best = ideal_lists(judged, gain).cumulated(hits.rank, judged.topic[hits.list])
    return (hits.running() + beta * gained) / (hits.rank + beta * best)


def _is_highest(hits: Hits) -> Bools:
    """Return which hits have the highest level of their list."""
    highest = np.zeros(hits.lists, np.int64)
    np.maximum.at(highest, hits.list, hits.level)
    return hits.level == highest[hits.list]


class _Blended(Measure):
    """What the measures of one highly relevant document have in common."""

    beta: float = 1.0
    gains: Gains = None
    cutoff_rule = "none"
    elsewhere = "lowers"
    highest = 1.0
    meanings: ClassVar[dict[str, str]] = {"beta": BETA}
    references = (SAKAI_2007, NTCIREVAL)

    def _ratios(self, judged: Judged) -> Floats:
        hits = judged.relevant_hits
        return blended_ratios(hits, judged, gains=self.gains, beta=self.beta)


@register
class Omeasure(_Blended):
    """O-measure: the blended ratio at the first relevant document.

    Definition
    ----------
    O-measure = BR(n) for the smallest n with r_n > 0, where BR(n) = (C(n) + β Σ_{m <= n} h(r_m)) /
    (n + β Σ_{m <= n} h(y_m)), C(n) counts the relevant documents down to rank n, y is the ideal
    list and h the gain. It is RR that also considers how relevant the document is.

    Examples
    --------
    A document of grade 1 at rank 2, where the ideal list has gains 3 and 1: (1 + 1) / (2 + 4).

    >>> import gradewise as gw
    >>> round(gw.score("Omeasure", grades=[0, 1, 3], relevant={1: 1, 3: 1}), 4)
    0.3333
    """

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = judged.relevant_hits
        return hits.sums(np.where(hits.running() == 1, self._ratios(judged), 0.0))


@register
class Pmeasure(_Blended):
    """P-measure: the blended ratio at the preferred rank, that of the best document retrieved.

    Definition
    ----------
    P-measure = BR(n) at the preferred rank, the smallest n whose grade is the highest that the list
    has, where BR(n) = (C(n) + β Σ_{m <= n} h(r_m)) / (n + β Σ_{m <= n} h(y_m)), C(n) counts the
    relevant documents down to rank n, y is the ideal list and h the gain.

    Examples
    --------
    The best document, of grade 3, is at rank 3: (2 + 4) / (3 + 4).

    >>> import gradewise as gw
    >>> round(gw.score("Pmeasure", grades=[0, 1, 3], relevant={1: 1, 3: 1}), 4)
    0.8571
    """

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = judged.relevant_hits
        best = _is_highest(hits)
        preferred = best & (hits.running(best) == 1)
        return hits.sums(np.where(preferred, self._ratios(judged), 0.0))


@register
class Pplus(_Blended):
    """P-plus (P+): the blended ratio averaged over relevant documents down to the preferred rank.

    Definition
    ----------
    P-plus = (1/C(p)) Σ_{n <= p} I(r_n) BR(n), where p is the preferred rank, the smallest whose
    grade is the highest that the list has, BR(n) = (C(n) + β Σ_{m <= n} h(r_m)) /
    (n + β Σ_{m <= n} h(y_m)), C(n) counts the relevant documents down to rank n, y is the ideal
    list and h the gain.

    Examples
    --------
    The mean of (1 + 1) / (2 + 4) and (2 + 4) / (3 + 4):

    >>> import gradewise as gw
    >>> round(gw.score("P+", grades=[0, 1, 3], relevant={1: 1, 3: 1}), 4)
    0.5952
    """

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = judged.relevant_hits
        best = _is_highest(hits)
        counted = hits.running(best) - best == 0
        total = hits.sums(np.where(counted, self._ratios(judged), 0.0))
        return ratio(total, hits.counts(counted))
