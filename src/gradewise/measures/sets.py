"""Measures of the retrieved documents as a set, without their order."""

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.judged import Judged
from gradewise.measures.measure import Measure, ratio
from gradewise.measures.references import TREC_EVAL, VAN_RIJSBERGEN_1979
from gradewise.measures.registry import register


class _OfSets(Measure):
    """What measures of sets have in common: three counts for each list."""

    rel: int = 1
    cutoff_rule = "none"

    def counts(self, judged: Judged) -> tuple[Floats, Floats, Floats]:
        """Return how many documents are relevant and retrieved, retrieved, and relevant."""
        both = judged.hits_of(self.rel).counts().astype(np.float64)
        relevant = judged.per_list(judged.relevant(self.rel))
        return both, judged.retrieved.astype(np.float64), relevant


@register
class SetP(_OfSets):
    """Precision of the retrieved set.

    Definition
    ----------
    SetP = relevant retrieved / retrieved.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("SetP", grades=[1, 0, 1, 0], relevant={1: 3})
    0.5
    """

    references = (VAN_RIJSBERGEN_1979,)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        both, retrieved, _ = self.counts(judged)
        return ratio(both, retrieved)


@register
class SetR(_OfSets):
    """Recall of the retrieved set.

    Definition
    ----------
    SetR = relevant retrieved / relevant.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("SetR", grades=[1, 0, 1, 0], relevant={1: 4})
    0.5
    """

    references = (VAN_RIJSBERGEN_1979,)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        both, _, relevant = self.counts(judged)
        return ratio(both, relevant)


@register
class SetF(_OfSets):
    """F-measure of the retrieved set: a weighted harmonic mean of precision and recall.

    Definition
    ----------
    SetF = (1 + β²) P R / (β² P + R), with P and R the precision and recall of the set. trec_eval's
    set_F takes β² as its parameter; set_F.4 is SetF(beta=2).

    Examples
    --------
    >>> import gradewise as gw
    >>> round(gw.score("SetF", grades=[1, 0, 1, 0], relevant={1: 3}), 4)
    0.5714
    """

    beta: float = 1.0
    differs = (
        "trec_eval's set_F.x takes x = β²: set_F.4 is `SetF(beta=2)`. ir_measures passes β on as "
        "x, so that its SetF(beta=4) is `SetF(beta=2)`.",
    )
    references = (VAN_RIJSBERGEN_1979,)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        both, retrieved, relevant = self.counts(judged)
        precision, recall = ratio(both, retrieved), ratio(both, relevant)
        square = self.beta**2
        return ratio((1 + square) * precision * recall, square * precision + recall)


@register
class SetAP(_OfSets):
    """Average precision of a set: precision times recall.

    Definition
    ----------
    SetAP = (relevant retrieved)² / (retrieved · relevant).

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("SetAP", grades=[1, 0, 1, 0], relevant={1: 4})
    0.25
    """

    references = (TREC_EVAL,)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        both, retrieved, relevant = self.counts(judged)
        return ratio(both**2, retrieved * relevant)


@register
class SetRelP(_OfSets):
    """Relative precision of the retrieved set.

    Definition
    ----------
    SetRelP = relevant retrieved / min(retrieved, relevant).

    Examples
    --------
    >>> import gradewise as gw
    >>> round(gw.score("SetRelP", grades=[1, 0, 1, 0], relevant={1: 3}), 4)
    0.6667
    """

    references = (TREC_EVAL,)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        both, retrieved, relevant = self.counts(judged)
        return ratio(both, np.minimum(retrieved, relevant))


@register
class Utility(_OfSets):
    """Utility of the retrieved set: a worth for each kind of document.

    Definition
    ----------
    Utility = a·(relevant retrieved) + b·(other retrieved) + c·(relevant missed) + d·(others
    missed), with weights = [a, b, c, d] and `size` documents in the collection, which only the
    last term needs.

    Examples
    --------
    Two relevant and two other documents retrieved, one relevant missed:

    >>> import gradewise as gw
    >>> gw.score("Utility(weights=[1,-1,-2,0])", grades=[1, 0, 1, 0], relevant={1: 3})
    -2.0
    """

    weights: tuple[float, ...] = (1.0, -1.0, 0.0, 0.0)
    size: int | None = None
    references = (TREC_EVAL,)
    no_relevant = "like any other topic"
    missing_topic = "as for an empty list"

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        both, retrieved, relevant = self.counts(judged)
        others_missed = float(self.size or 0) + both - retrieved - relevant
        terms = [both, retrieved - both, relevant - both, others_missed]
        return np.asarray(sum(w * term for w, term in zip(self.weights, terms, strict=True)))
