"""Counts of documents and topics, and how much of a list is judged."""

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.judged import Judged
from gradewise.measures.measure import Measure, ratio
from gradewise.measures.references import MACAVANEY_2022, TREC_EVAL
from gradewise.measures.registry import register


class _Count(Measure):
    """A number of things, added up over topics."""

    cutoff_rule = "none"
    aggregate = "sum"
    references = (TREC_EVAL,)
    no_relevant = "counted like any other topic"


@register
class NumQ(_Count):
    """The number of topics.

    Definition
    ----------
    1 for each topic.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("NumQ", grades=[1, 0], relevant={1: 3})
    1.0
    """

    uses_preferences = True
    missing_topic = "1"

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        return np.ones(len(judged))


@register
class NumRet(_Count):
    """The number of retrieved documents.

    Definition
    ----------
    The length of the list.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("NumRet", grades=[1, 0], relevant={1: 3})
    2.0
    """

    uses_preferences = True

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        return judged.retrieved.astype(np.float64)


@register
class NumRel(_Count):
    """The number of relevant documents of the topic, retrieved or not.

    Definition
    ----------
    The judged documents with a grade of at least rel.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("NumRel", grades=[1, 0], relevant={1: 3})
    3.0
    """

    rel: int = 1
    missing_topic = "counted like any other topic"

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        return judged.per_list(judged.relevant(self.rel))


@register
class NumRelRet(_Count):
    """The number of relevant documents retrieved.

    Definition
    ----------
    The retrieved documents with a grade of at least rel.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("NumRelRet", grades=[1, 0], relevant={1: 3})
    1.0
    """

    rel: int = 1

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        return judged.hits_of(self.rel).counts().astype(np.float64)


@register
class NumNonrelRet(_Count):
    """The number of judged non-relevant documents retrieved.

    Definition
    ----------
    The retrieved documents that were judged, with a grade below rel.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("NumNonrelRet", grades=[1, 0, None], relevant={1: 3})
    1.0
    """

    rel: int = 1
    unjudged = "do not count"

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        nonrelevant = judged.is_judged & (judged.hits.level < judged.first_level(self.rel))
        return judged.hits.counts(nonrelevant).astype(np.float64)


@register
class JudgedAt(Measure):
    """The share of the first k documents that is judged.

    Definition
    ----------
    Judged@k = judged documents among the first k / min(k, number of retrieved documents).

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("Judged@4", grades=[1, None], relevant={1: 3})
    0.5
    """

    uses_preferences = True
    name = "Judged"
    references = (MACAVANEY_2022,)
    unjudged = "are what it measures"
    beyond_end = "only the documents in the list count"
    no_relevant = "like any other topic"

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = self.within_cutoff(judged.hits.where(judged.is_judged))
        depth = judged.retrieved
        if self.cutoff is not None:
            depth = np.minimum(depth, int(self.cutoff))
        return ratio(hits.counts().astype(np.float64), depth)


@register
class Unjudged(Measure):
    """The number of unjudged documents among the first k, over k.

    Definition
    ----------
    Unjudged@k = (1/k) #{n <= k : the document at rank n is unjudged}.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("Unjudged@4", grades=[1, None], relevant={1: 3})
    0.25
    """

    uses_preferences = True
    cutoff_rule = "required"
    higher_is_better = False
    references = (TREC_EVAL,)
    unjudged = "are what it measures"
    no_relevant = "like any other topic"

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = self.within_cutoff(judged.hits.where(judged.is_judged))
        known = hits.counts()
        depth = np.minimum(judged.retrieved, int(self.cutoff or 0))
        return (depth - known) / float(self.cutoff or 1)
