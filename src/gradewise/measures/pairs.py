"""Pairs of a relevant and another document: how many are in the right order."""

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.judged import Judged
from gradewise.measures.measure import Measure
from gradewise.measures.references import FAWCETT_2006, MACAVANEY_2022
from gradewise.measures.registry import register

_UNDEFINED = "undefined (NaN), and left out of the mean"


def _share(right: Floats, pairs: Floats) -> Floats:
    """Divide, with NaN where there is no pair."""
    shares = np.full(len(pairs), np.nan)
    np.divide(right, pairs, out=shares, where=pairs > 0)
    return shares


@register
class Accuracy(Measure):
    """Pairwise accuracy: the share of retrieved pairs with the relevant document first.

    Definition
    ----------
    Of all pairs of a retrieved document with r_n >= rel and another retrieved document, the share
    in which the first ranks above the second. With a cutoff, only the first k documents make
    pairs. Undefined if there is no pair.

    Examples
    --------
    The relevant document at rank 1 is above both others, the one at rank 3 above one: 3 of 4.

    >>> import gradewise as gw
    >>> gw.score("Accuracy", grades=[1, 0, 1, 0], relevant={1: 2})
    0.75
    """

    rel: int = 1
    no_relevant = _UNDEFINED
    missing_topic = _UNDEFINED
    beyond_end = "only retrieved documents make pairs"
    differs = (
        "ir_measures' Accuracy fails on a list of relevant documents only, where `Accuracy` is "
        "undefined.",
    )
    references = (MACAVANEY_2022,)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = self.within_cutoff(judged.hits_of(self.rel))
        size = judged.retrieved
        if self.cutoff is not None:
            size = np.minimum(size, int(self.cutoff))
        relevant = hits.counts()
        pairs = relevant * (size - relevant)
        wrong = hits.sums(hits.rank - hits.running())  # others that stand above
        return _share(pairs - wrong, pairs)


@register
class AUC(Measure):
    """Area under the ROC curve of a topic: the share of judged pairs in the right order.

    Definition
    ----------
    Of all pairs of a judged document with grade >= rel and another judged document of the topic,
    the share in which the first ranks above the second. Documents that were not retrieved rank
    below the list, and a pair of them counts half. Undefined if there is no pair.

    Examples
    --------
    Of the 4 pairs, 2 have the relevant document at rank 1, 1 has the one at rank 3 above a document
    that was not retrieved:

    >>> import gradewise as gw
    >>> gw.score("AUC", grades=[1, 0, 1], relevant={0: 2, 1: 2})
    0.75
    """

    rel: int = 1
    cutoff_rule = "none"
    unjudged = "are passed over"
    no_relevant = _UNDEFINED
    missing_topic = "0.5, since nothing is retrieved"
    references = (FAWCETT_2006,)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = judged.hits.where(judged.is_judged)
        relevant = hits.level >= judged.first_level(self.rel)
        found, others_found = hits.counts(relevant), hits.counts(~relevant)
        number = judged.per_list(judged.relevant(self.rel))
        others = judged.per_list(judged.counts.sum(axis=1)) - number
        wrong = hits.where(relevant).sums(hits.running(~relevant)[relevant])
        right = found * others - wrong + (number - found) * (others - others_found) / 2
        return _share(right, number * others)
