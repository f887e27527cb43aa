"""Interpolated precision at recall levels."""

import numpy as np

from gradewise.arrays import Floats, add_up
from gradewise.collection.judged import Judged
from gradewise.measures.measure import Measure
from gradewise.measures.references import TREC_EVAL, VAN_RIJSBERGEN_1979
from gradewise.measures.registry import register


def _precision_at_recall(judged: Judged, recall: float, rel: int) -> Floats:
    """Return the highest precision at any rank with at least a recall.

    The recall is rounded to a whole number of documents, halves up, as trec_eval 10 does.
    """
    hits = judged.hits_of(rel)
    found = hits.running()
    wanted = np.floor(recall * judged.per_list(judged.relevant(rel)) + 0.5)
    reached = found >= wanted[hits.list]
    best = np.zeros(len(judged))
    np.maximum.at(best, hits.list[reached], (found / hits.rank)[reached])
    return best


@register
class IPrec(Measure):
    """Interpolated precision: the highest precision at any rank with at least recall x.

    Definition
    ----------
    IPrec@x = max of precision over the ranks with at least x·R relevant documents, x·R rounded to
    the nearest whole number (halves up); 0 if the list does not reach that recall.

    Examples
    --------
    >>> import gradewise as gw
    >>> round(gw.score("IPrec@0.5", grades=[0, 1, 1], relevant={1: 2}), 4)
    0.6667
    """

    rel: int = 1
    cutoff_rule = "recall"
    differs = (
        "trec_eval 10 rounds x·R to the nearest whole number, as `IPrec@0.4` does; trec_eval 9 and "
        "ir_measures nearly always round it up.",
    )
    references = (VAN_RIJSBERGEN_1979, TREC_EVAL)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        return _precision_at_recall(judged, float(self.cutoff or 0), self.rel)


@register
class AvgIPrec(Measure):
    """Interpolated precision averaged over recall levels: 11-point average precision.

    Definition
    ----------
    The mean of IPrec@x over the levels x in `recalls`, by default 0, 0.1, ..., 1.

    Examples
    --------
    >>> import gradewise as gw
    >>> round(gw.score("AvgIPrec", grades=[0, 1, 1], relevant={1: 2}), 4)
    0.6667
    """

    rel: int = 1
    recalls: tuple[float, ...] = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    cutoff_rule = "none"
    references = (VAN_RIJSBERGEN_1979, TREC_EVAL)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        levels = [_precision_at_recall(judged, recall, self.rel) for recall in self.recalls]
        return add_up(np.stack(levels, axis=-1)) / len(levels)
