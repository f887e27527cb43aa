"""Measures of a user who stops at what satisfies: RR and ERR."""

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.judged import Judged, Lists
from gradewise.errors import MeasureError
from gradewise.measures.gain_discount import binary_gain
from gradewise.measures.measure import Measure
from gradewise.measures.references import CHAPELLE_2009, TREC_EVAL
from gradewise.measures.registry import register


@register
class RR(Measure):
    """Reciprocal rank of the first relevant document.

    Definition
    ----------
    RR = 1/n for the smallest n with r_n >= rel; 0 if there is none, or none down to the cutoff.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("RR", grades=[0, 1, 1], relevant={1: 2})
    0.5
    """

    rel: int = 1
    aliases = ("MRR", "recip_rank")
    references = (TREC_EVAL,)

    def satisfaction(self, lists: Lists) -> Floats:
        """Return 1 for relevant levels: a user stops at the first."""
        return binary_gain(lists, self.rel)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = self.within_cutoff(judged.relevant_hits)
        hits = hits.where(hits.level >= judged.first_level(self.rel))
        lists, first = np.unique(hits.list, return_index=True)
        values = np.zeros(len(judged))
        values[lists] = 1 / hits.rank[first]
        return values


@register
class ERR(Measure):
    """Expected reciprocal rank of the document at which a user stops.

    Definition
    ----------
    ERR = Σ_n (1/n) s(r_n) Π_{m < n} (1 - s(r_m)), where s(r) = (2^r - 1) / 2^max is the chance
    that a document of grade r satisfies, and max the highest grade.

    Examples
    --------
    Highest grade 1: each relevant document satisfies half of the users. 1/2 + 1/3 · 1/2 · 1/2.

    >>> import gradewise as gw
    >>> round(gw.score("ERR", grades=[1, 0, 1], relevant={1: 2}), 4)
    0.5833
    """

    max_grade: int | None = None
    references = (CHAPELLE_2009,)

    def satisfaction(self, lists: Lists) -> Floats:
        """Return the chance that a document of each level satisfies."""
        highest = int(lists.scale.max(initial=0)) if self.max_grade is None else self.max_grade
        if len(lists.scale) and lists.scale[-1] > highest:
            raise MeasureError(f"{self}: the qrels have grade {lists.scale[-1]}, above max_grade")
        return np.concatenate([[0.0], (np.exp2(lists.scale) - 1) / np.exp2(highest)])

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = self.within_cutoff(judged.relevant_hits)
        satisfied = self.satisfaction(judged)
        go_on = np.ones(len(hits.rank))
        for level in range(1, len(satisfied)):
            here = hits.level == level
            go_on *= (1 - satisfied[level]) ** (hits.running(here) - here)
        return hits.sums(satisfied[hits.level] * go_on / hits.rank)
