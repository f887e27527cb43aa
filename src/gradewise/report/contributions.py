"""What each document of a list adds to a measure, as small tables that a page can use.

A pivot measure is Σ_n d(n) Σ_{m<=n} K(r_n, r_m): the document at rank n adds its own term, which
depends on the levels at and above it. A gain–discount measure is Σ_n h(r_n) D(n) / Z. RR is what
its first relevant document adds. The tables say nothing of runs; whether they give back the values
of a measure is checked on lists before they are used, and a measure for which they do not has none.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.judged import Hits, Judged, Lists
from gradewise.measures.first_relevant import RR
from gradewise.measures.gain_discount import GainDiscount, binary_gain
from gradewise.measures.measure import Measure, ratio
from gradewise.measures.pivot import Pivot
from gradewise.report.thresholds import MOST_GRADES

_CLOSE: Final = 1e-9


@dataclass(frozen=True, eq=False)
class Terms:
    """What documents add to a measure.

    `kind` is "pivot", with K in `table[topic, level, level]`; "gain", with h in `table[topic,
    level]`, divided by Z; or "first", with 1 in `table[0, level]` for relevant levels. d or D of
    rank n is `discount[topic, n - 1]`, 0 below the cutoff. Tables of one topic are those of all.
    """

    kind: Literal["pivot", "gain", "first"]
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
        if self.kind == "first":
            return (
                np.where(hits.running(self.table[0, level] > 0) == 1, discount, 0.0)
                * (self.table[0, level])
            )
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
    """Return what a measure of the two families declares, or RR."""
    rank = np.arange(1, depth + 1)
    within = rank <= (depth if measure.cutoff is None else measure.cutoff)
    if isinstance(measure, RR):
        table = binary_gain(lists, measure.rel)[None, :]
        return Terms("first", table, np.where(within, 1 / rank, 0.0)[None, :])
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
