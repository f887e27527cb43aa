"""Compatibility of a list with an ideal one: Compat."""

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Hits, Judged
from gradewise.measures.ideal import prefix_sums
from gradewise.measures.measure import Measure, ratio
from gradewise.measures.references import CLARKE_2021, MACAVANEY_2022
from gradewise.measures.registry import register


@register
class Compat(Measure):
    """Compatibility: rank-biased overlap with the ideal list that is nearest to the list.

    Definition
    ----------
    Compat = Σ_{n <= k} p^(n-1) x_n/n / Σ_{n <= k} p^(n-1) min(n, R)/n, where x_n counts the
    documents that the first n ranks of the list and of its ideal list share. The ideal list holds
    the R relevant documents by falling grade; among equal grades the order is that of the list, and
    documents that the list lacks come last. k is the length of the longer of the two. With
    normalize=False the denominator is Σ_{n <= k} p^(n-1).

    Examples
    --------
    The first rank is shared, the second document joins at rank 3:
    (1 + 0.95/2 + 0.95² · 2/3) / (1 + 0.95 + 0.95² · 2/3).

    >>> import gradewise as gw
    >>> round(gw.score("Compat", grades=[2, 0, 1], relevant={1: 1, 2: 1}), 4)
    0.8138
    """

    p: float = 0.95
    normalize: bool = True
    cutoff_rule = "none"
    references = (CLARKE_2021, MACAVANEY_2022)
    differs = (
        "ir_measures gives the score 0 to documents missing from the list, which puts them above "
        "retrieved ones with negative scores, and breaks ties by the lesser document id.",
    )

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits, number = judged.relevant_hits, judged.per_list(judged.relevant()).astype(np.int64)
        depth = np.maximum(judged.retrieved, number)
        ranks = np.arange(1, int(depth.max(initial=0)) + 1)
        weight = self.p ** (ranks - 1)
        sums = prefix_sums(weight / ranks)
        # A document adds p^(n-1)/n from the rank on at which both lists have it.
        shared = np.maximum(hits.rank, ideal_ranks(judged, hits))
        total = hits.sums(sums[depth[hits.list]] - sums[shared - 1])
        if not self.normalize:
            return ratio(total, prefix_sums(weight)[depth])
        best = number * sums[depth] - prefix_sums(sums)[number]
        return ratio(total, best)


def ideal_ranks(judged: Judged, hits: Hits) -> Ints:
    """Return the rank of relevant hits in the ideal list: by grade, then by rank."""
    better = judged.counts[:, ::-1].cumsum(axis=1)[:, ::-1] - judged.counts
    rank = better[judged.topic[hits.list], hits.level]
    for level in range(1, len(judged.scale) + 1):
        mine = hits.level == level
        rank[mine] += hits.running(mine)[mine]
    return rank
