"""Ranked half-life: how far down half of the gain has been collected."""

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.judged import Judged
from gradewise.measures.gains import gain_table
from gradewise.measures.ideal import prefix_sums
from gradewise.measures.measure import Measure
from gradewise.measures.parameters import Gains
from gradewise.measures.references import BORLUND_1998, KISHIDA_2005
from gradewise.measures.registry import register


@register
class RHL(Measure):
    """Ranked half-life: the rank at which half of the retrieved gain has been collected.

    Definition
    ----------
    The median for grouped data: with total gain T of the list, the median rank n is the first at
    which the cumulated gain reaches T/2, and RHL = (n - 1) + (T/2 - gain before n) / h(r_n).

    Examples
    --------
    Kishida's example, gains 0.5, 1, 1, 0.5 at ranks 1, 3, 9 and 14:

    >>> import gradewise as gw
    >>> grades = [1, 0, 2, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1]
    >>> gw.score("RHL(gains={1:0.5,2:1.0})", grades=grades, relevant={1: 2, 2: 2})
    3.0
    """

    gains: Gains = None
    higher_is_better = False
    references = (BORLUND_1998, KISHIDA_2005)
    no_relevant = "undefined (NaN), and left out of the mean"
    missing_topic = "undefined (NaN), and left out of the mean"

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = self.within_cutoff(judged.relevant_hits)
        gain = gain_table(self.gains, judged.scale)[hits.level]
        hits, gain = hits.where(gain > 0), gain[gain > 0]
        half = hits.sums(gain)[hits.list] / 2
        cumulated = prefix_sums(gain)
        before = cumulated[:-1] - cumulated[hits.first]
        reached = before + gain >= half
        values = np.full(len(judged), np.nan)
        lists, first = np.unique(hits.list[reached], return_index=True)
        chosen = np.flatnonzero(reached)[first]
        rank, missing = hits.rank[chosen], (half - before)[chosen]
        values[lists] = rank - 1 + missing / gain[chosen]
        return values
