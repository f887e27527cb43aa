"""Measures of the ranking of a whole collection: normalized recall and precision."""

from abc import abstractmethod

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.judged import Hits, Judged
from gradewise.errors import MeasureError
from gradewise.measures.ideal import prefix_sums
from gradewise.measures.measure import Measure, ratio
from gradewise.measures.references import KISHIDA_2005, SALTON_1968
from gradewise.measures.registry import register


class WholeRanking(Measure):
    """A measure of how a run ranks every document of a collection, retrieved or not."""

    rel: int = 1
    size: int | None = None
    cutoff_rule = "none"

    def check(self) -> None:
        """Raise a MeasureError if the parameters do not go together."""
        if self.size is None:
            raise MeasureError(
                f"{self.name} needs the number of documents in the collection, such as "
                f"{self.name}(size=1000000)"
            )

    def relevant_hits(self, judged: Judged) -> Hits:
        """Return the relevant documents of lists; an error if a topic has more than `size`."""
        relevant = judged.per_list(judged.relevant(self.rel))
        largest = max(relevant.max(initial=0), judged.retrieved.max(initial=0))
        if largest > float(self.size or 0):
            raise MeasureError(f"{self}: a topic has {int(largest)} documents, more than size")
        return judged.hits_of(self.rel)


class _Normalized(WholeRanking):
    """What normalized recall and precision have in common: the cost of ranks, best and worst."""

    @abstractmethod
    def cost(self, rank: Floats) -> Floats:
        """Return the cost of a rank."""

    def _cost_of_first(self, count: Floats) -> Floats:
        """Return the cost of ranks 1..count together."""
        ranks = 1.0 + np.arange(count.max(initial=0))
        return prefix_sums(self.cost(ranks))[count.astype(np.int64)]

    def _cost_of_last(self, count: Floats) -> Floats:
        """Return the cost of the last `count` ranks of the collection together."""
        ranks = float(self.size or 0) - np.arange(count.max(initial=0))
        return prefix_sums(self.cost(ranks))[count.astype(np.int64)]

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list; relevant documents not retrieved come last."""
        hits = self.relevant_hits(judged)
        relevant = judged.per_list(judged.relevant(self.rel))
        missing = relevant - hits.counts()
        found = hits.sums(self.cost(hits.rank.astype(np.float64)))
        best = self._cost_of_first(relevant)
        span = self._cost_of_last(relevant) - best
        excess = found + self._cost_of_last(missing) - best
        value = 1 - ratio(excess, span)
        return np.where(relevant > 0, value, 0.0)


@register
class NormRecall(_Normalized):
    """Normalized recall: how near the ranks of relevant documents are to the best ranks.

    Definition
    ----------
    NormRecall = 1 - (Σ ranks of the R relevant documents - Σ_{i <= R} i) / (R (N - R)), with N
    documents in the collection (`size`). Relevant documents that were not retrieved are assumed to
    be at the last ranks of the collection.

    Examples
    --------
    Relevant documents at ranks 1 and 3 of 4: 1 - (4 - 3) / (2 · 2).

    >>> import gradewise as gw
    >>> gw.score("NormRecall(size=4)", grades=[1, 0, 1, 0], relevant={1: 2})
    0.75
    """

    references = (SALTON_1968, KISHIDA_2005)

    def cost(self, rank: Floats) -> Floats:
        """Return the rank."""
        return rank


@register
class NormPrec(_Normalized):
    """Normalized precision: as normalized recall, with the logarithms of ranks.

    Definition
    ----------
    NormPrec = 1 - (Σ log of the ranks of the R relevant documents - Σ_{i <= R} log i) /
    log(N choose R), with N documents in the collection (`size`). Relevant documents that were not
    retrieved are assumed to be at the last ranks of the collection.

    Examples
    --------
    Relevant documents at ranks 1 and 3 of 4: 1 - (log 3 - log 2) / log 6.

    >>> import gradewise as gw
    >>> round(gw.score("NormPrec(size=4)", grades=[1, 0, 1, 0], relevant={1: 2}), 4)
    0.7737
    """

    references = (SALTON_1968, KISHIDA_2005)

    def cost(self, rank: Floats) -> Floats:
        """Return the logarithm of the rank."""
        return np.log(rank)
