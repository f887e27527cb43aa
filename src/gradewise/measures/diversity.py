"""Measures of novelty: what a document adds for an intent shrinks with what it has been given."""

from typing import ClassVar

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Hits, Judged
from gradewise.errors import MeasureError
from gradewise.kernels import covering
from gradewise.measures.first_relevant import ERR
from gradewise.measures.intent_aware import SUM_OF_WEIGHTS, OverIntents
from gradewise.measures.measure import Cutoff, ratio
from gradewise.measures.parameters import Gains
from gradewise.measures.references import (
    AGRAWAL_2009,
    CHAPELLE_2011,
    CLARKE_2008,
    CLARKE_2009,
    NDEVAL,
    SAKAI_2011,
    ZHAI_2003,
)
from gradewise.measures.registry import register

_ANY_DEPTH = 2**62


class Novelty(OverIntents):
    """What measures of novelty share: Σ_n D(n) Σ_i w_i J_i(n) (1 - α)^(c_i(n)), over a maximum.

    J_i(n) says whether the document at rank n is relevant to intent i, and c_i(n) counts the
    documents above it that are; w_i is the weight of the intent.
    """

    alpha: float
    rel: int
    normalized: ClassVar[bool]  # by the topic's own documents, or by documents that cover all

    def discount(self, rank: Ints | Floats) -> Floats:
        """Return D(n)."""
        return 1 / np.log2(rank + 1.0)

    def highest_sum(self) -> float:
        """Return the sum for an intent that every document covers."""
        rank = np.arange(1, int(self.cutoff or 0) + 1)
        return float(((1 - self.alpha) ** (rank - 1.0) * self.discount(rank)).sum())

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        intents, lists = self.known_intents(judged), judged.by_intent
        first = lists.first_level(self.rel)
        found = self._sums(lists.hits.where(lists.hits.level >= first))
        found = found.reshape(len(judged.runs), len(intents)) * intents.weights
        if not self.normalized:
            best = intents.sums(self.shares(judged)) * self.highest_sum()
        else:
            best = intents.sums(self._sums(self._ideal(judged, first)) * intents.weights)
        return ratio(intents.sums(found), best).ravel()

    def _sums(self, hits: Hits) -> Floats:
        """Return the discounted gain of each list that belongs to an intent."""
        hits = self.within_cutoff(hits)
        return hits.sums(self.discount(hits.rank) * (1 - self.alpha) ** (hits.running() - 1.0))

    def _ideal(self, judged: Judged, first: int) -> Hits:
        """Return the relevant documents of each intent, ranked as in the ideal list of its topic.

        The best list is hard to find, so each rank gets the document that adds most to those
        above it and, of several, the one with the greatest id, as in ndeval.
        """
        intents, depth = self.known_intents(judged), int(self.cutoff or _ANY_DEPTH)
        covers = judged.by_intent.known_pool.level >= first
        row = intents.row[covers]
        rows = len(intents.offsets) - 1
        relevant = np.bincount(row, minlength=rows) > 0
        chosen = intents.by_id[relevant[intents.by_id]]
        topic = judged.known_pool.topic[chosen]
        starts = np.flatnonzero(np.diff(topic, prepend=-1))
        rank = covering.cover_intents(
            np.append(starts, len(chosen)),
            chosen,
            np.searchsorted(row, np.arange(rows + 1)),
            intents.intent[covers],
            intents.weights,
            1 - self.alpha,
            depth,
        )[row]
        order = np.lexsort((rank, intents.intent[covers]))
        order = order[rank[order] > 0]
        level = np.ones(len(order), np.int64)
        return Hits(intents.intent[covers][order], rank[order], level, len(intents))


class Patient(Novelty):
    """Novelty for a user who goes on to the next document with probability beta."""

    beta: float
    cutoff_rule: ClassVar[Cutoff] = "none"
    meanings: ClassVar[dict[str, str]] = {
        "beta": "patience: how likely a user goes on to the next document, between 0 and 1"
    }

    def check(self) -> None:
        """Raise a MeasureError if the parameters do not go together."""
        if self.beta >= 1:
            raise MeasureError(f"{self.name}: beta must be between 0 and 1, not {self.beta}")

    def discount(self, rank: Ints | Floats) -> Floats:
        """Return the chance to get to a rank."""
        return np.asarray(self.beta ** (rank - 1.0))

    def highest_sum(self) -> float:
        """Return the sum of a geometric series without end."""
        return 1 / (1 - (1 - self.alpha) * self.beta)


@register
class alpha_DCG(Novelty):  # noqa: N801 - the community's spelling
    """α-DCG: discounted gain that shrinks each time an intent is covered again.

    Definition
    ----------
    alpha_DCG@k = Σ_{n <= k} D(n) Σ_i J_i(n) (1 - α)^(c_i(n)) / (N Σ_{n <= k} D(n) (1 - α)^(n-1)),
    with D(n) = 1/log2(n+1). J_i(n) is 1 if the document at rank n is relevant to intent i, c_i(n)
    counts the documents above it that are, and N the intents with a relevant document. The
    denominator belongs to a list whose documents cover all intents, as in ndeval. (ndeval does not
    divide at k = 1.)

    Examples
    --------
    Both documents cover the language, and none the island: (1 + 0.5/log2(3)) divided by twice that.

    >>> import gradewise as gw
    >>> qrels = {"java": {"island": {"a": 1}, "language": {"b": 1, "c": 1}}}
    >>> run = {"java": {"b": 3.0, "c": 2.0, "a": 1.0}}
    >>> float(gw.evaluate(qrels, run, "alpha_DCG@2"))
    0.5
    """

    alpha: float = 0.5
    rel: int = 1
    normalized = False
    cutoff_rule = "required"
    references = (CLARKE_2008, NDEVAL)


@register
class alpha_nDCG(Novelty):  # noqa: N801
    """α-nDCG: α-DCG normalized by that of an ideal list of the topic.

    Definition
    ----------
    alpha_nDCG@k = Σ_{n <= k} D(n) Σ_i J_i(n) (1 - α)^(c_i(n)) / (the same sum of the ideal list),
    with D(n) = 1/log2(n+1). J_i(n) is 1 if the document at rank n is relevant to intent i, and
    c_i(n) counts the documents above it that are. The ideal list gets, rank by rank, the document
    that adds most; of several, the one with the greatest id, as in ndeval. A better list may exist,
    so that values above 1 are possible.

    Examples
    --------
    The ideal list covers both intents with two documents: (1 + 0.5/log2(3)) / (1 + 1/log2(3)).

    >>> import gradewise as gw
    >>> qrels = {"java": {"island": {"a": 1}, "language": {"b": 1, "c": 1}}}
    >>> run = {"java": {"b": 3.0, "c": 2.0, "a": 1.0}}
    >>> round(float(gw.evaluate(qrels, run, "alpha_nDCG@2")), 4)
    0.8066
    """

    alpha: float = 0.5
    rel: int = 1
    normalized = True
    references = (CLARKE_2008, NDEVAL)


@register
class ERR_IA(Novelty):  # noqa: N801
    """Intent-aware expected reciprocal rank, scaled so that the highest possible value is 1.

    Definition
    ----------
    ERR_IA@k = Σ_{n <= k} (1/n) Σ_i J_i(n) (1 - α)^(c_i(n)) / (N Σ_{n <= k} (1/n) (1 - α)^(n-1)).
    J_i(n) is 1 if the document at rank n is relevant to intent i, c_i(n) counts the documents
    above it that are, and N the intents with a relevant document. This is ndeval's `ERR-IA`: ERR
    with binary relevance, where a relevant document satisfies a share α of users, averaged over
    intents and divided by the value of a list whose documents all cover every intent. (ndeval does
    not divide at k = 1.) With `max_grade` or `gains` it is Σ_i P(i) M_i, where M_i is ERR under the
    grades for intent i alone, without the division, as defined by Chapelle et al.; `alpha` and
    `rel` do not matter then.

    Examples
    --------
    Both documents cover the language, and none the island: (1 + 0.5/2) divided by twice that.

    >>> import gradewise as gw
    >>> qrels = {"java": {"island": {"a": 1}, "language": {"b": 1, "c": 1}}}
    >>> run = {"java": {"b": 3.0, "c": 2.0, "a": 1.0}}
    >>> float(gw.evaluate(qrels, run, "ERR_IA@2"))
    0.5

    Graded, the language gets 1/2 + 1/2 · 1/2 · 1/2 and the island 0:

    >>> float(gw.evaluate(qrels, run, "ERR_IA(max_grade=1)@2"))
    0.3125
    """

    alpha: float = 0.5
    rel: int = 1
    gains: Gains = None
    max_grade: int | None = None
    normalized = False
    cutoff_rule = "required"
    meanings: ClassVar[dict[str, str]] = {
        "gains": "the gain of each grade, {grade: gain}, 'linear' or 'exp', to use graded "
        "relevance, as in `ERR`",
        "max_grade": "the highest grade of the scale, to use graded relevance; relevance is "
        "binary, as in ndeval, if neither this nor `gains` is given",
    }
    differs = (
        "NTCIREVAL's IA-ERR@k takes linear gains, and the highest gain from each intent: "
        "`ERR_IA(gains='linear')@k` if every intent has a document of the highest grade.",
        SUM_OF_WEIGHTS,
    )
    references = (CHAPELLE_2011, AGRAWAL_2009, NDEVAL)

    def discount(self, rank: Ints | Floats) -> Floats:
        """Return the reciprocal rank."""
        return np.asarray(1.0 / rank)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        if self.max_grade is None and self.gains is None:
            return super().compute(judged)
        plain = ERR(max_grade=self.max_grade, gains=self.gains, cutoff=self.cutoff)
        return self.average(judged, plain.compute(judged.by_intent))


@register
class nERR_IA(Novelty):  # noqa: N801
    """Intent-aware expected reciprocal rank, normalized by that of an ideal list of the topic.

    Definition
    ----------
    nERR_IA@k = Σ_{n <= k} (1/n) Σ_i J_i(n) (1 - α)^(c_i(n)) / (the same sum of the ideal list).
    J_i(n) is 1 if the document at rank n is relevant to intent i, and c_i(n) counts the documents
    above it that are. The ideal list is that of `alpha_nDCG`.

    Examples
    --------
    The ideal list covers both intents with two documents: (1 + 0.5/2) / (1 + 1/2).

    >>> import gradewise as gw
    >>> qrels = {"java": {"island": {"a": 1}, "language": {"b": 1, "c": 1}}}
    >>> run = {"java": {"b": 3.0, "c": 2.0, "a": 1.0}}
    >>> round(float(gw.evaluate(qrels, run, "nERR_IA@2")), 4)
    0.8333
    """

    alpha: float = 0.5
    rel: int = 1
    normalized = True
    differs = (
        "NTCIREVAL's IA-nERR@k is another measure: the mean of nERR@k over intents, each with an "
        "ideal list of its own.",
    )
    references = (CHAPELLE_2011, NDEVAL)

    def discount(self, rank: Ints | Floats) -> Floats:
        """Return the reciprocal rank."""
        return np.asarray(1.0 / rank)


@register
class NRBP(Patient):
    """Novelty- and rank-biased precision.

    Definition
    ----------
    NRBP = (1 - (1 - α) β) / N Σ_n β^(n-1) Σ_i J_i(n) (1 - α)^(c_i(n)). J_i(n) is 1 if the document
    at rank n is relevant to intent i, c_i(n) counts the documents above it that are, and N the
    intents with a relevant document.

    Examples
    --------
    0.75/2 · (1 + 0.5 · 0.5 + 0.25 · 1):

    >>> import gradewise as gw
    >>> qrels = {"java": {"island": {"a": 1}, "language": {"b": 1, "c": 1}}}
    >>> run = {"java": {"b": 3.0, "c": 2.0, "a": 1.0}}
    >>> float(gw.evaluate(qrels, run, "NRBP"))
    0.5625
    """

    alpha: float = 0.5
    beta: float = 0.5
    rel: int = 1
    normalized = False
    references = (CLARKE_2009, NDEVAL)


@register
class nNRBP(Patient):  # noqa: N801
    """Novelty- and rank-biased precision, normalized by that of an ideal list of the topic.

    Definition
    ----------
    nNRBP = Σ_n β^(n-1) Σ_i J_i(n) (1 - α)^(c_i(n)) / (the same sum of the ideal list). J_i(n) is 1
    if the document at rank n is relevant to intent i, and c_i(n) counts the documents above it
    that are. The ideal list is that of `alpha_nDCG`.

    Examples
    --------
    (1 + 0.5 · 0.5 + 0.25 · 1) / (1 + 0.5 · 1 + 0.25 · 0.5):

    >>> import gradewise as gw
    >>> qrels = {"java": {"island": {"a": 1}, "language": {"b": 1, "c": 1}}}
    >>> run = {"java": {"b": 3.0, "c": 2.0, "a": 1.0}}
    >>> round(float(gw.evaluate(qrels, run, "nNRBP")), 4)
    0.9231
    """

    alpha: float = 0.5
    beta: float = 0.5
    rel: int = 1
    normalized = True
    references = (CLARKE_2009, NDEVAL)


@register
class StRecall(OverIntents):
    """Subtopic recall at k: the share of the intents that the first k documents cover.

    Definition
    ----------
    StRecall@k = (1/N) #{i : some document at a rank n <= k is relevant to intent i}, where N counts
    the intents with a relevant document. NTCIR calls it intent recall, I-rec. Intents count alike
    whatever their weights.

    Examples
    --------
    The first two documents cover the language only:

    >>> import gradewise as gw
    >>> qrels = {"java": {"island": {"a": 1}, "language": {"b": 1, "c": 1}}}
    >>> run = {"java": {"b": 3.0, "c": 2.0, "a": 1.0}}
    >>> float(gw.evaluate(qrels, run, "StRecall@2"))
    0.5
    """

    rel: int = 1
    references = (ZHAI_2003, SAKAI_2011, NDEVAL)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        intents, lists = self.known_intents(judged), judged.by_intent
        hits = self.within_cutoff(lists.relevant_hits)
        covered = hits.counts(hits.level >= lists.first_level(self.rel)) > 0
        found = covered.reshape(len(judged.runs), len(intents)).astype(np.float64)
        there = (lists.relevant(self.rel) > 0).astype(np.float64)
        return ratio(intents.sums(found), intents.sums(there)).ravel()
