"""Measures made for incomplete judgments: Bpref and infAP."""

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.judged import Judged
from gradewise.collection.levels import NEGATIVE
from gradewise.measures.measure import Measure, ratio
from gradewise.measures.references import BUCKLEY_2004, TREC_EVAL, YILMAZ_2006
from gradewise.measures.registry import register

_SMOOTHING = 0.00001


@register
class Bpref(Measure):
    """Binary preference: how rarely judged non-relevant documents rank above relevant ones.

    Definition
    ----------
    Bpref = (1/R) Σ over retrieved relevant documents of 1 - min(n, R) / min(N, R), where n counts
    the judged non-relevant documents above it, and R and N the relevant and the non-relevant
    judged documents of the topic; the term is 1 when n = 0.

    Examples
    --------
    One judged non-relevant document above the second relevant one: (1 + 1 - 1/2) / 2.

    >>> import gradewise as gw
    >>> gw.score("Bpref", grades=[1, None, 0, 1], relevant={0: 2, 1: 2})
    0.75
    """

    rel: int = 1
    cutoff_rule = "none"
    differs = (
        "trec_eval and ir_measures take grades below 0 as unjudged, `Bpref` as judged and not "
        "relevant.",
    )
    references = (BUCKLEY_2004, TREC_EVAL)
    unjudged = "are passed over"

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = judged.hits.where(judged.is_judged)
        relevant = hits.level >= judged.first_level(self.rel)
        above = hits.running(~relevant)[relevant].astype(np.float64)
        list_of = hits.list[relevant]
        r_count = judged.per_list(judged.relevant(self.rel))
        n_count = judged.per_list(judged.counts.sum(axis=1)) - r_count
        r, n = r_count[list_of], n_count[list_of]
        terms = 1 - ratio(np.minimum(above, r), np.minimum(n, r))
        return ratio(hits.where(relevant).sums(terms), r_count)


@register
class GMBpref(Bpref):
    """Geometric mean of Bpref over topics.

    Definition
    ----------
    The value of a topic is its Bpref. The summary is exp(mean of ln max(Bpref, 0.00001)).

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("GMBpref", grades=[1, None, 0, 1], relevant={0: 2, 1: 2})
    0.75
    """

    aggregate = "geometric"
    references = (BUCKLEY_2004, TREC_EVAL)


@register
class infAP(Measure):  # noqa: N801 - the usual spelling
    """Inferred average precision: AP estimated from a sample of the judgments.

    Definition
    ----------
    infAP = (1/R) Σ over relevant ranks n of 1/n + ((n-1)/n) · (pooled/(n-1)) · (rel + e) /
    (rel + nonrel + 2e), where rel and nonrel count the judged documents above n, pooled counts
    these and the documents with a negative grade, which means "in the pool and not judged",
    and e = 0.00001. With complete judgments it differs from AP only by the smoothing e.

    Examples
    --------
    >>> import gradewise as gw
    >>> round(gw.score("infAP", grades=[1, 0, 1], relevant={0: 1, 1: 2}), 4)
    0.8333
    """

    rel: int = 1
    cutoff_rule = "none"
    differs = ("sample_eval's infAP knows strata and stops at rank 1000: `xinfAP@1000`.",)
    references = (YILMAZ_2006, TREC_EVAL)
    not_positive = "0 is judged and not relevant, below 0 is in the pool and not judged"

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = judged.hits
        relevant = hits.level >= judged.first_level(self.rel)
        pooled = hits.level == NEGATIVE
        above = [hits.running(kind)[relevant] for kind in (relevant, ~relevant & ~pooled, pooled)]
        rel, nonrel, unjudged = above[0] - 1, above[1], above[2]
        share = (rel + _SMOOTHING) / (rel + nonrel + 2 * _SMOOTHING)
        terms = (1 + (rel + nonrel + unjudged) * share) / hits.rank[relevant]
        total = hits.where(relevant).sums(terms)
        return ratio(total, judged.per_list(judged.relevant(self.rel)))
