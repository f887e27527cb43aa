"""Gain of sessions: documents count for less in lower ranks, and in later queries."""

from typing import ClassVar

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Judged, Lists
from gradewise.measures.gain_discount import GainDiscount
from gradewise.measures.gains import gain_table
from gradewise.measures.ideal import ideal_lists, prefix_sums
from gradewise.measures.measure import ratio
from gradewise.measures.parameters import Gains
from gradewise.measures.references import JARVELIN_2008, TANG_2017, TREC_DD
from gradewise.measures.registry import register

_DIFFERS = (
    "TREC Dynamic Domain's sDCG@10 and nSDCG@10 count 10 queries of 5 documents: "
    "`sDCG(queries=10)@5` and `nsDCG(queries=10)@5`, where the grade of a document is the sum of "
    "the ratings of its passages.",
    "TREC Session 2010 discounts by log_b(n + b - 1) and log_bq(q + bq - 1) and has the gain "
    "2^grade - 1; that is not available here.",
)


def _falling(number: Ints | Floats, base: float) -> Floats:
    """Return 1 / (1 + log_base(number))."""
    return np.asarray(1 / (1 + np.log(number) / np.log(base)))


class _Session(GainDiscount):
    """What sDCG and nsDCG have in common; a list that has no queries is a session of one query."""

    b: float
    bq: float
    gains: Gains
    queries: int | None
    uses_sessions: ClassVar[bool] = True
    meanings: ClassVar[dict[str, str]] = {
        "b": "the base of the logarithm by which lower ranks are discounted"
    }
    unjudged = "and documents that an earlier query has returned count as not relevant"
    beyond_end = "ranks beyond the end of a query's list count as not relevant"

    def gain(self, lists: Lists) -> Floats:
        """Return the gain of each level."""
        return gain_table(self.gains, lists.scale)

    def discount(self, rank: Ints, index: Ints, lists: Lists) -> Floats:
        """Return the discount of ranks in the list of a first query."""
        return _falling(rank, self.b)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every session."""
        if judged.sessions is None:
            return super().compute(judged)
        hits = judged.relevant_hits
        query, rank = judged.sessions.locate(hits)
        weight = _falling(rank, self.b) * _falling(query, self.bq)
        counted = np.ones(len(rank), np.bool_)
        if self.cutoff is not None:
            counted &= rank <= self.cutoff
        if self.queries is not None:
            counted &= query <= self.queries
        found = hits.sums(np.where(counted, weight, 0.0) * self.gain(judged)[hits.level])
        return ratio(found, self.norm(judged))


@register
class session_DCG(_Session):  # noqa: N801 - sDCG and SDCG would be files of one name
    """sDCG: discounted cumulated gain over the queries of a session.

    Definition
    ----------
    session_DCG@k = Σ_q Σ_{n <= k} h(r_{q,n}) / ((1 + log_b n) (1 + log_bq q)), where r_{q,n} is the
    grade of the document at rank n of the list for query q, and h its gain. The cutoff k counts
    the documents of each query, `queries` the queries. A document counts once, where the session
    has it first. A run that does not number its queries has one query for each topic.

    Examples
    --------
    The second query has its document at rank 1: 2/1 + 1/(1 + log_4 2).

    >>> import gradewise as gw
    >>> qrels = {"s": {"a": 2, "b": 1}}
    >>> run = {"s": [{"a": 2.0, "x": 1.0}, {"b": 2.0, "a": 1.0}]}
    >>> round(float(gw.evaluate(qrels, run, "sDCG@10")), 4)
    2.6667
    """

    b: float = 2.0
    bq: float = 4.0
    gains: Gains = None
    queries: int | None = None
    static = True
    differs = _DIFFERS
    references = (JARVELIN_2008, TREC_DD)

    def norm(self, lists: Lists) -> Floats:
        """Return 1."""
        return np.ones(len(lists))


@register
class nsDCG(_Session):  # noqa: N801 - the usual spelling
    """Normalized session DCG: sDCG against that of the best session with the same documents.

    Definition
    ----------
    nsDCG@k = sDCG@k / (the sDCG@k of the ideal session). The ideal session has each relevant
    document of the topic once, the best ones where they are discounted least, in lists of k
    documents, and has as many queries as serve it best, but no more than `queries`.

    Examples
    --------
    sDCG@1 is 2 + 1/(1 + log_4 2), and the ideal session has a, then b:

    >>> import gradewise as gw
    >>> qrels = {"s": {"a": 2, "b": 1}}
    >>> run = {"s": [{"a": 2.0, "x": 1.0}, {"b": 2.0, "a": 1.0}]}
    >>> float(gw.evaluate(qrels, run, "nsDCG@1"))
    1.0
    """

    b: float = 2.0
    bq: float = 4.0
    gains: Gains = None
    queries: int | None = None
    differs = _DIFFERS
    references = (JARVELIN_2008, TANG_2017, TREC_DD)

    def ideal_discounts(self, depth: int) -> Floats:
        """Return the discounts of the best places of a session, falling; 0 if there are no more.

        Of the first n places none is at rank r of query q if q · r > n, since all places up to
        that rank of all queries up to that one are better.
        """
        ranks = min(depth, int(self.cutoff or depth))
        queries = min(depth, self.queries or depth)
        numbers = np.minimum(depth // np.arange(1, queries + 1), ranks) if depth else np.zeros(0)
        query = np.arange(1, queries + 1).repeat(numbers.astype(np.int64))
        begins = np.cumsum(numbers) - numbers
        rank = np.arange(1, len(query) + 1) - begins.repeat(numbers.astype(np.int64))
        places = np.sort(_falling(rank, self.b) * _falling(query, self.bq))[::-1][:depth]
        return np.concatenate([places, np.zeros(depth - len(places))])

    def norm(self, lists: Lists) -> Floats:
        """Return the sDCG of the ideal session of each list's topic."""
        ideal = ideal_lists(lists, self.gain(lists))
        sums = prefix_sums(self.ideal_discounts(int(ideal.total.max(initial=0))))
        topics = np.arange(len(lists.counts))
        return lists.per_list(ideal.discounted(sums, ideal.total, topics))
