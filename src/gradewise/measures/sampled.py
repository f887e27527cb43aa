"""Measures of pools that were judged in part: AP and nDCG estimated from a sample."""

from dataclasses import dataclass, replace

import numpy as np

from gradewise.arrays import Bools, Floats, Ints, add_up
from gradewise.collection.judged import Hits, Judged
from gradewise.collection.levels import NEGATIVE
from gradewise.errors import MeasureError
from gradewise.measures.cumulated_gain import rank_discount
from gradewise.measures.gains import gain_table
from gradewise.measures.ideal import ideal_lists, prefix_sums
from gradewise.measures.measure import Measure, ratio
from gradewise.measures.parameters import Gains
from gradewise.measures.references import (
    ASLAM_2006,
    PAVLU_2007,
    SAMPLE_EVAL,
    STATAP_EVAL,
    YILMAZ_2008,
)
from gradewise.measures.registry import register

_RELEVANT, _JUDGED = 0.00001, 0.00003  # sample_eval's smoothing of a share of relevant documents
_IN_POOL = "0 is judged and not relevant, below 0 is in the pool and not judged"


@dataclass(frozen=True, eq=False)
class Strata:
    """The strata of a pool: that of each hit, and the documents of each topic in each.

    `counts[t, s, i]` counts the judged documents of level i in stratum s of topic t, `size[t, s]`
    all that are in the pool. What is not sampled by strata is a single stratum.
    """

    of_hit: Ints
    counts: Ints
    size: Ints

    @property
    def weight(self) -> Floats:
        """How many documents of the pool each judged one stands for, by topic and stratum."""
        return ratio(self.size, self.counts.sum(axis=2))

    @property
    def estimated(self) -> Floats:
        """How many documents of each level a topic is estimated to have."""
        drawn = self.counts.sum(axis=2)[:, :, None]
        shares = ratio(self.counts * self.size[:, :, None], drawn)
        return add_up(np.moveaxis(shares, 1, 2))


def find_strata(judged: Judged, name: str) -> Strata:
    """Return the strata of judged lists; an error if documents were sampled in another way."""
    pool, levels = judged.pool, len(judged.scale) + 1
    if pool is None or pool.sample is None:
        return _one_stratum(judged)
    if pool.sample.stratum is None:
        raise MeasureError(
            f"{name} needs strata, but these judgments have probabilities; use statAP"
        )
    known, stratum = np.unique(pool.sample.stratum, return_inverse=True)
    shape = len(judged.topics), len(known)
    cell = pool.topic * len(known) + stratum
    size = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape)
    at = (cell * levels + pool.level)[pool.level != NEGATIVE]
    counts = np.bincount(at, minlength=size.size * levels).reshape(*shape, levels)
    return Strata(stratum[judged.hit_rows], counts, size)


def _one_stratum(judged: Judged) -> Strata:
    """Take the whole pool of a topic for a stratum; grades below 0 are what was not drawn."""
    pool, hits, topics = judged.pool, judged.hits, len(judged.topics)
    if pool is not None:
        left_out = np.bincount(pool.topic[pool.level == NEGATIVE], minlength=topics)
    else:  # of the pool no more is known than what lists have of it
        left_out = np.zeros(topics, np.int64)
        np.maximum.at(left_out, judged.topic, hits.counts(hits.level == NEGATIVE))
    counts = judged.counts.copy()
    if judged.negative == "nonrelevant":
        counts[:, 0] -= left_out
    size = counts.sum(axis=1) + left_out
    return Strata(np.zeros(len(hits.list), np.int64), counts[:, None, :], size[:, None])


def _above(hits: Hits, counted: Bools) -> Ints:
    """For each hit, how many counted hits of its list are above it."""
    return hits.running(counted) - counted


def _sums_above(hits: Hits, values: Floats) -> Floats:
    """For each hit, the sum of a value per hit over the hits of its list above it."""
    down_to = np.concatenate([[0.0], hits.running_sums(values)])
    place = np.arange(len(values))
    return np.where(hits.first == place, 0.0, down_to[place])


@register
class xinfAP(Measure):  # noqa: N801 - the usual spelling
    """Extended inferred average precision: AP estimated from a sample drawn by strata.

    Definition
    ----------
    xinfAP = Σ_n w_s P(n) / Σ w_s. The sums run over the ranks n of relevant documents, and over all
    relevant documents of the topic. A judged document of stratum s stands for w_s documents, as
    many as the pool has in s for each that is judged. P(n) = 1/n + (1/n) Σ_s m_s (r_s + e) /
    (j_s + 3e) estimates the precision at rank n: of the documents of stratum s above it, m_s are
    in the pool, j_s are judged and r_s are relevant, and e = 0.00001. With complete judgments it
    differs from AP only by the smoothing e.

    Examples
    --------
    >>> import gradewise as gw
    >>> round(gw.score("xinfAP", grades=[1, 0, 1], relevant={0: 1, 1: 2}), 4)
    0.8333
    """

    rel: int = 1
    uses_sample = True
    references = (YILMAZ_2008, SAMPLE_EVAL)
    differs = (
        "sample_eval calls it infAP and stops at rank 1000: `xinfAP@1000`; it averages over the "
        "topics that the run has.",
        "trec_eval's infAP knows a single stratum and adds 2e in place of 3e: `infAP`.",
    )
    not_positive = _IN_POOL

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits, strata = judged.hits, find_strata(judged, self.name)
        first = judged.first_level(self.rel)
        relevant = hits.level >= first
        drawn = hits.level != NEGATIVE
        found = np.zeros(len(hits.list))
        for stratum in range(strata.size.shape[1]):
            mine = strata.of_hit == stratum
            share = (_above(hits, mine & relevant) + _RELEVANT) / (
                _above(hits, mine & drawn) + _JUDGED
            )
            found += _above(hits, mine) * share
        weight = strata.weight[judged.topic[hits.list], strata.of_hit]
        counted = relevant if self.cutoff is None else relevant & (hits.rank <= self.cutoff)
        total = hits.sums(np.where(counted, weight * (1 + found) / hits.rank, 0.0))
        return ratio(total, judged.per_list(add_up(strata.estimated[:, first:])))


@register
class infNDCG(Measure):  # noqa: N801 - the usual spelling
    """Inferred nDCG: nDCG estimated from a sample drawn by strata.

    Definition
    ----------
    infNDCG = (1/Z) Σ_s (m_s/j_s) Σ_n h(r_n) / log2(n+1), where n runs over the ranks of stratum s,
    and m_s and j_s count the documents of stratum s in the list that are in the pool and that are
    judged. Z is the DCG of an ideal list with the estimated number of documents of each grade,
    rounded: a judged document of stratum s stands for as many as the pool has in s for each that
    is judged. With complete judgments it is nDCG; estimates can be above 1.

    Examples
    --------
    With complete judgments, nDCG:

    >>> import gradewise as gw
    >>> round(gw.score("infNDCG", grades=[2, 0, 1], relevant={0: 1, 1: 1, 2: 1}), 4)
    0.9502
    """

    gains: Gains = None
    uses_sample = True
    references = (YILMAZ_2008, SAMPLE_EVAL)
    differs = (
        "sample_eval stops at rank 1000, in the list and in the ideal one: `infNDCG@1000`; it "
        "averages over the topics that the run has.",
        "Where a grade alone fills the 1000 ranks of the ideal list, sample_eval adds one more "
        "document of each lower grade, which lowers the value in the fourth digit.",
    )
    not_positive = _IN_POOL

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        strata, gain = find_strata(judged, self.name), gain_table(self.gains, judged.scale)
        seen = judged.hits
        inside = np.ones(len(seen.rank), np.bool_)
        if self.cutoff is not None:
            inside = seen.rank <= self.cutoff
        hits, of_hit = seen.where(inside), strata.of_hit[inside]
        values = gain[np.maximum(hits.level, 0)] / np.log2(hits.rank + 1.0)
        total = np.zeros(len(judged))
        for stratum in range(strata.size.shape[1]):
            mine = of_hit == stratum
            pooled, drawn = hits.counts(mine), hits.counts(mine & (hits.level != NEGATIVE))
            total += ratio(pooled, drawn) * hits.sums(np.where(mine, values, 0.0))
        return ratio(total, judged.per_list(self._ideal(judged, strata, gain)))

    def _ideal(self, judged: Judged, strata: Strata, gain: Floats) -> Floats:
        """Return the DCG of each topic's ideal list, as far as the sample tells it."""
        counts = np.floor(strata.estimated + 0.5).astype(np.int64)
        ideal = ideal_lists(replace(judged, counts=counts), gain)
        deepest = int(ideal.total.max(initial=0))
        depth = deepest if self.cutoff is None else min(deepest, int(self.cutoff))
        sums = prefix_sums(rank_discount(np.arange(1, deepest + 1), dcg="log2", b=2.0))
        topics = np.arange(len(counts))
        return ideal.discounted(sums, np.full(len(topics), depth), topics)


@register
class statAP(Measure):  # noqa: N801 - the usual spelling
    """AP estimated from a sample in which each document had a known chance of being judged.

    Definition
    ----------
    statAP = Σ_n w_n (1 + Σ_{m < n} w_m) / n / Σ w. The sums run over the ranks n and m of relevant
    documents, and over all relevant documents of the topic. A judged document stands for w
    documents, 1 divided by how likely it was to be judged: the Horvitz-Thompson estimate. That
    probability is given for each document, or follows from the strata of the pool, or is 1 if
    nothing is known of it. With complete judgments it is AP; estimates can be above 1.

    Examples
    --------
    Without a sample, AP: (1/1 + 2/3) / 2.

    >>> import gradewise as gw
    >>> round(gw.score("statAP", grades=[1, 0, 1], relevant={0: 1, 1: 2}), 4)
    0.8333
    """

    rel: int = 1
    uses_sample = True
    references = (ASLAM_2006, PAVLU_2007, STATAP_EVAL)
    differs = (
        "statAP_MQ_eval leaves out topics without a sampled or a relevant document, or that the "
        "run lacks, and puts equal scores in any order.",
    )
    not_positive = "not relevant"

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        first = judged.first_level(self.rel)
        weight, estimated = self._weights(judged, first)
        relevant = judged.hits.level >= first
        hits, weight = judged.hits.where(relevant), weight[relevant]
        above = _sums_above(hits, weight)
        terms = weight * (1 + above) / hits.rank
        if self.cutoff is not None:
            terms = np.where(hits.rank <= self.cutoff, terms, 0.0)
        return ratio(hits.sums(terms), judged.per_list(estimated))

    def _weights(self, judged: Judged, first: int) -> tuple[Floats, Floats | Ints]:
        """Return 1/π of each hit, and the estimated number of relevant documents of each topic."""
        pool = judged.pool
        if pool is None or pool.sample is None:
            return np.ones(len(judged.hits.list)), judged.relevant(self.rel)
        if pool.sample.probability is None:
            strata = find_strata(judged, self.name)
            weight = strata.weight[judged.topic[judged.hits.list], strata.of_hit]
            return weight, add_up(strata.estimated[:, first:])
        weight = 1 / pool.sample.probability
        relevant = pool.level >= first
        topics = len(judged.topics)
        order = np.argsort(weight[relevant], kind="stable")  # not that of the judgments
        topic, weights = pool.topic[relevant][order], weight[relevant][order]
        estimated = np.bincount(topic, weights, minlength=topics)
        return weight[judged.hit_rows], estimated
