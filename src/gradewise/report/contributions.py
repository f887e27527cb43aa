"""What each document of a list adds to a measure, as small tables that a page can use.

A pivot measure is Σ_n d(n) Σ_{m<=n} K(r_n, r_m): the document at rank n adds its own term, which
depends on the levels at and above it. A gain–discount measure is Σ_n h(r_n) D(n) / Z. RR and ERR
are Σ_n D(n) s(r_n) Π_{m<n} (1 - s(r_m)) for users who stop at a document with chance s. The tables
say nothing of runs; whether they give back the values of a measure is checked on lists before they
are used, and a measure for which they do not has none.
"""

from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.judged import Hits, Judged, Lists
from gradewise.measures.first_relevant import ERR, RR, stop_chances
from gradewise.measures.gain_discount import GainDiscount
from gradewise.measures.measure import Measure, ratio
from gradewise.measures.pivot import Pivot
from gradewise.report.thresholds import MOST_GRADES

_CLOSE: Final = 1e-9


@dataclass(frozen=True, eq=False)
class Terms:
    """What documents add to a measure.

    `kind` is "pivot", with K in `table[topic, level, level]`; "gain", with h in `table[topic,
    level]`, divided by Z; or "cascade", with s in `table[0, level]`. d or D of rank n is
    `discount[topic, n - 1]`, 0 below the cutoff. Tables of one topic are those of all.
    """

    kind: Literal["pivot", "gain", "cascade"]
    table: Floats
    discount: Floats

    def of_hits(self, hits: Hits, topic: Ints) -> Floats:
        """Return what each hit adds, given the topic of each; hits are ordered by list and rank."""
        level = np.maximum(np.asarray(hits.level, np.int64), 0)
        none = np.zeros(len(topic), np.int64)
        own, ranked = (topic if len(each) > 1 else none for each in (self.table, self.discount))
        discount = self.discount[ranked, np.asarray(hits.rank, np.int64) - 1]
        if self.kind == "gain":
            return np.asarray(self.table[own, level] * discount)
        if self.kind == "cascade":
            return stop_chances(replace(hits, level=level), self.table[0]) * discount
        terms = np.zeros(len(level))
        for above in range(1, self.table.shape[1]):
            terms += self.table[own, level, above] * hits.running(level == above)
        return terms * discount


def find_terms(measure: Measure, judged: Judged) -> Terms | None:
    """Return the terms of a measure on the topics of some lists, if it is a sum of them."""
    depth = int(np.max(judged.hits.rank, initial=1))
    topics = np.arange(len(judged.topics))
    lists = Lists(judged.scale, judged.counts, topics, np.full(len(topics), depth))
    terms = _declared(measure, lists, depth)
    if terms is None:
        return None
    hits = judged.hits
    sums = hits.sums(terms.of_hits(hits, judged.topic[hits.list]))
    values = measure.values(judged)
    known = ~np.isnan(values)
    return terms if np.allclose(sums[known], values[known], atol=_CLOSE) else None


def _declared(measure: Measure, lists: Lists, depth: int) -> Terms | None:
    """Return what a measure of the two families declares, RR or ERR."""
    rank = np.arange(1, depth + 1)
    within = rank <= (depth if measure.cutoff is None else measure.cutoff)
    if isinstance(measure, (RR, ERR)):
        stops, norm = (
            (measure.satisfaction(lists), np.ones(1))
            if isinstance(measure, RR)
            else (measure.stops(lists), measure.norm(lists))
        )
        return Terms("cascade", stops[None, :], ratio(within / rank, norm[:, None]))
    too_many = isinstance(measure, Pivot) and len(lists.scale) > MOST_GRADES  # for a matrix of them
    if too_many or not isinstance(measure, (Pivot, GainDiscount)):
        return None
    topics = np.arange(len(lists))
    discount = measure.discount(np.tile(rank, len(topics)), topics.repeat(depth), lists)
    discount = np.where(within, discount.reshape(len(topics), depth), 0.0)
    if (discount == discount[:1]).all():
        discount = discount[:1]
    if isinstance(measure, Pivot):
        return Terms("pivot", measure.kernel(lists), discount)
    gain = np.broadcast_to(measure.gain(lists), (len(lists), len(lists.scale) + 1))
    return Terms("gain", ratio(gain, measure.norm(lists)[:, None]), discount)


def terms_content(terms: Terms | None, used: Bools) -> dict[str, Any] | None:
    """Return terms as what JSON can hold, with discounts of the ranks that are used.

    `used[t, n - 1]` says whether rank n of topic t is.
    """
    if terms is None:
        return None
    if len(terms.discount) == 1:
        used = np.logical_or.reduce(used, axis=0, keepdims=True)
    ranks = min(used.shape[1], terms.discount.shape[1])
    discount = np.where(used[:, :ranks], terms.discount[:, :ranks], 0.0)
    return {
        "kind": terms.kind,
        "table": terms.table.tolist(),
        "discount": [np.trim_zeros(row, "b").tolist() for row in discount],
    }
