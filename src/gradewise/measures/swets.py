"""Swets' E: how far apart relevant and other documents are, in standard deviations."""

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Floats
from gradewise.collection.judged import Hits, Judged
from gradewise.measures.measure import ratio
from gradewise.measures.references import KISHIDA_2005, SWETS_1969, VAN_RIJSBERGEN_1979
from gradewise.measures.registry import register
from gradewise.measures.whole_ranking import WholeRanking


@register
class SwetsE(WholeRanking):
    """Swets' E: how well a ranking separates relevant documents from others; 0 is chance.

    Definition
    ----------
    Swets takes the scores of relevant and other documents to be normally distributed. Then normal
    deviates of recall, plotted against those of fallout, lie on a line z_R = a + b z_F, and E is
    the difference of the two means over the average of the two standard deviations:
    E = 2 a / (1 + b).

    The line is fitted by least squares to one point for each relevant document retrieved. With i
    relevant and f other documents down to its rank, recall is taken as (i + 1/2) / (R + 1) and
    fallout as (f + 1/2) / (N - R + 1), so that deviates are finite; N is the number of documents
    in the collection (`size`). If f is the same at all points, b = 1. A list without relevant
    documents has E = 0.

    Examples
    --------
    One of 2 relevant documents is at rank 1, in a collection of 5. Recall and fallout are taken
    as 1/2 and 1/8, which have deviates 0 and -1.15.

    >>> import gradewise as gw
    >>> round(gw.score("SwetsE(size=5)", grades=[1, 0], relevant={1: 2}), 2)
    1.15
    """

    rel: int = 1
    size: int | None = None
    references = (SWETS_1969, VAN_RIJSBERGEN_1979, KISHIDA_2005)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        from scipy.special import ndtri

        hits = self.relevant_hits(judged)
        relevant = judged.per_list(judged.relevant(self.rel))[hits.list]
        found = hits.running()
        others = hits.rank - found
        recall = ndtri((found + 0.5) / (relevant + 1))
        fallout = ndtri((others + 0.5) / (float(self.size or 0) - relevant + 1))
        slope = _slopes(hits, fallout, recall, others)
        number = hits.counts()
        level = ratio(hits.sums(recall), number) - slope * ratio(hits.sums(fallout), number)
        return 2 * level / (1 + slope)


def _slopes(hits: Hits, x: Floats, y: Floats, steps: NDArray[np.integer]) -> Floats:
    """Return the slope of each list's line; 1 if the steps of x are all the same."""
    number = hits.counts()
    x = x - ratio(hits.sums(x), number)[hits.list]
    y = y - ratio(hits.sums(y), number)[hits.list]
    slopes = ratio(hits.sums(x * y), hits.sums(x * x))
    varies = hits.counts(steps != steps[hits.first]) > 0
    return np.where(varies, slopes, 1.0)
