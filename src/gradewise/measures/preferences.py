"""Measures of preferences: how many pairs of documents a list puts in the right order.

Preferences are judged (`read_preferences`) or follow from grades: of two judged documents the one
with the higher grade is preferred. A pair is decided by the document that is ranked first.
"""

from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.judged import Hits, Judged
from gradewise.collection.preferences import Preferences
from gradewise.measures.measure import Measure, ratio
from gradewise.measures.references import CARTERETTE_2008, CARTERETTE_2008B, PREF_EVAL
from gradewise.measures.registry import register

_DIFFERS = (
    "pairwise_pref_eval leaves out pairs of a preferred document that is not retrieved and a bad "
    "one that is.",
)


@dataclass(frozen=True, eq=False)
class Decided:
    """The pairs that each hit decides, right or wrong, and what topics have of them.

    `right[i]` pairs have hit i as the better document, and the worse one further down or nowhere;
    `wrong[i]` the other way round. `is_preferred` tells which hits are preferred to anything;
    `pairs` and `preferred` count the pairs and such documents of each topic.
    """

    hits: Hits
    right: Floats
    wrong: Floats
    is_preferred: Bools
    pairs: Ints
    preferred: Ints


def decide(judged: Judged) -> Decided:
    """Find the pairs that hits decide."""
    if judged.pool is not None and judged.pool.preferences is not None:
        return _decide_judged(judged, judged.pool.topic, judged.pool.preferences)
    return _decide_by_grade(judged)


def _decide_by_grade(judged: Judged) -> Decided:
    hits, counts = judged.hits.where(judged.is_judged), judged.counts
    level = np.maximum(hits.level, 0)
    topic = judged.topic[hits.list]
    right, wrong = np.zeros(len(level)), np.zeros(len(level))
    for other in range(counts.shape[1]):
        same = level == other
        below = counts[topic, other] - hits.running(same)
        right += np.where(level > other, below, 0)
        wrong += np.where(level < other, below, 0)
    lower = np.cumsum(counts, axis=1) - counts
    return Decided(
        hits,
        right,
        wrong,
        lower[topic, level] > 0,
        (counts * lower).sum(axis=1),
        (counts * (lower > 0)).sum(axis=1),
    )


def _decide_judged(judged: Judged, topic: Ints, pairs: Preferences) -> Decided:
    hits, topics = judged.hits, len(judged.topics)
    number, documents = len(hits.list), len(topic)
    right, wrong = np.zeros(number), np.zeros(number)
    edges = np.searchsorted(hits.list, np.arange(len(judged.runs) + 1) * topics)
    for run in range(len(judged.runs)):
        mine = np.arange(edges[run], edges[run + 1])
        hit_of = np.full(documents, number, np.int64)  # beyond all hits: not retrieved
        hit_of[judged.hit_rows[mine]] = mine
        better, worse = hit_of[pairs.better], hit_of[pairs.worse]  # by rank, as hits are
        right += np.bincount(better[better < worse], minlength=number + 1)[:number]
        wrong += np.bincount(worse[worse < better], minlength=number + 1)[:number]
    preferred = np.zeros(documents, np.bool_)
    preferred[pairs.better] = True
    return Decided(
        hits,
        right,
        wrong,
        preferred[judged.hit_rows],
        np.bincount(topic[pairs.better], minlength=topics),
        np.bincount(topic[preferred], minlength=topics),
    )


class _Preference(Measure):
    """What measures of preferences have in common."""

    elsewhere = "matters"
    uses_preferences = True
    references = (CARTERETTE_2008, CARTERETTE_2008B, PREF_EVAL)
    unjudged = "are passed over"

    def within(self, hits: Hits) -> Floats:
        """Return 1 for hits that the cutoff leaves, 0 for others."""
        inside = np.ones(len(hits.rank))
        return inside if self.cutoff is None else inside * (hits.rank <= self.cutoff)


@register
class ppref(_Preference):  # noqa: N801 - the usual spelling
    """Precision of preferences: the share of ordered pairs that are in the right order.

    Definition
    ----------
    ppref@k = (pairs in the right order) / (pairs in either order), of the pairs that have a
    document among the first k. A document that is not retrieved is below all others. Preferences
    are judged, or follow from grades; 0 if the list orders no pair.

    Examples
    --------
    The first document is better than both others, the second is worse than the third:

    >>> import gradewise as gw
    >>> round(gw.score("ppref", grades=[2, 0, 1], relevant={0: 1, 1: 1, 2: 1}), 4)
    0.6667
    """

    differs = _DIFFERS

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        found = decide(judged)
        inside = self.within(found.hits)
        return ratio(
            found.hits.sums(found.right * inside),
            found.hits.sums((found.right + found.wrong) * inside),
        )


@register
class rpref(_Preference):  # noqa: N801 - the usual spelling
    """Recall of preferences: the share of all pairs that the list puts in the right order.

    Definition
    ----------
    rpref@k = (pairs in the right order with the better document among the first k) / (all pairs).
    Preferences are judged, or follow from grades; 0 if there are none.

    Examples
    --------
    >>> import gradewise as gw
    >>> round(gw.score("rpref@1", grades=[2, 0, 1], relevant={0: 1, 1: 1, 2: 1}), 4)
    0.6667
    """

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        found = decide(judged)
        total = found.hits.sums(found.right * self.within(found.hits))
        return ratio(total, judged.per_list(found.pairs))


@register
class wpref(_Preference):  # noqa: N801 - the usual spelling
    """Weighted preferences: pairs in the right order, discounted by the rank of the better one.

    Definition
    ----------
    wpref@k = Σ_{n <= k} w_n / (log2(n) + 1), where w_n counts the pairs that rank n puts in the
    right order: its document is the better one, and the other one is below it. Preferences are
    judged, or follow from grades. It has no upper bound; see nwpref.

    Examples
    --------
    Two pairs at rank 1, none at ranks 2 and 3:

    >>> import gradewise as gw
    >>> gw.score("wpref", grades=[2, 0, 1], relevant={0: 1, 1: 1, 2: 1})
    2.0
    """

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        found = decide(judged)
        weight = self.within(found.hits) / (np.log2(found.hits.rank) + 1)
        return found.hits.sums(found.right * weight)


@register
class nwpref(_Preference):  # noqa: N801 - the usual spelling
    """Normalized weighted preferences: wpref against the same pairs all in the right order.

    Definition
    ----------
    nwpref@k = Σ_{n <= k} w_n / (log2(n) + 1) / Σ_{n <= k} v_n / (log2(n) + 1), where v_n counts the
    pairs of rank n with documents below it, and w_n those in which it is the better one.
    Preferences are judged, or follow from grades; 0 if the list orders no pair.

    Examples
    --------
    Two pairs at rank 1, both right, and one at rank 2, which is wrong: 2 / (2 + 1/2).

    >>> import gradewise as gw
    >>> gw.score("nwpref", grades=[2, 0, 1], relevant={0: 1, 1: 1, 2: 1})
    0.8
    """

    differs = _DIFFERS

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        found = decide(judged)
        weight = self.within(found.hits) / (np.log2(found.hits.rank) + 1)
        total = found.hits.sums((found.right + found.wrong) * weight)
        return ratio(found.hits.sums(found.right * weight), total)


@register
class APpref(_Preference):
    """Average precision of preferences: ppref averaged over the preferred documents.

    Definition
    ----------
    APpref = (1/m) Σ_n ppref@n, where n runs over the ranks of the m documents that are preferred to
    any other. One that is not retrieved adds rpref, the share of all pairs that are in the right
    order. Preferences are judged, or follow from grades; 0 if there are none.

    Examples
    --------
    ppref is 1 at rank 1 and 2/3 at rank 3:

    >>> import gradewise as gw
    >>> round(gw.score("APpref", grades=[2, 0, 1], relevant={0: 1, 1: 1, 2: 1}), 4)
    0.8333
    """

    cutoff_rule = "none"
    differs = (
        *_DIFFERS,
        "Carterette, Bennett and Chapelle average over the ranks at which rpref rises, and give "
        "nothing to documents that are not retrieved; `APpref` is that of pairwise_pref_eval.",
    )

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        found = decide(judged)
        hits, ordered = found.hits, found.right + found.wrong
        share = ratio(_running(hits, found.right), _running(hits, ordered))
        at_end = ratio(hits.sums(found.right), judged.per_list(found.pairs))
        number = judged.per_list(found.preferred)
        missed = number - hits.counts(found.is_preferred)
        total = hits.sums(np.where(found.is_preferred, share, 0.0)) + missed * at_end
        return ratio(total, number)


def _running(hits: Hits, values: Floats) -> Floats:
    """Add up whole numbers down to each hit of its list."""
    total = np.concatenate([[0.0], np.cumsum(values)])
    return np.asarray(total[1:] - total[hits.first])
