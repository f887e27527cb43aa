"""Rank-biased precision, for a user who goes on to the next document with probability p."""

from typing import ClassVar, cast

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Judged, Lists
from gradewise.errors import MeasureError
from gradewise.measures.gain_discount import GainDiscount, binary_gain
from gradewise.measures.gains import gain_table
from gradewise.measures.measure import Measure
from gradewise.measures.parameters import Gains, Pairs
from gradewise.measures.references import MOFFAT_2008
from gradewise.measures.registry import register


@register
class RBP(GainDiscount):
    """Rank-biased precision: the expected gain per document seen by a user with patience p.

    Definition
    ----------
    RBP = (1 - p) Σ_n h(r_n) p^(n-1), with h(r) = [r >= rel]. With gains = {grade: gain} the gains
    are used as given if none is above 1, and divided by the highest otherwise; gains='linear' is
    grade / highest grade and gains='exp' is (2^grade - 1) / (2^highest - 1), so that RBP never
    exceeds 1. `rel` does not matter when gains are given. What unjudged documents could still add
    is RBPResidual.

    Examples
    --------
    Relevant documents at ranks 1 and 3: 0.5 · (1 + 0.25).

    >>> import gradewise as gw
    >>> gw.score("RBP(p=0.5)", grades=[1, 0, 1], relevant={1: 3})
    0.625
    """

    p: float = 0.8
    rel: int = 1
    gains: Gains = None
    static = True
    meanings: ClassVar[dict[str, str]] = {
        "gains": "graded gains in place of yes and no: {grade: gain}, for every grade, divided by "
        "the highest if one is above 1; 'linear' is grade / highest grade, 'exp' is "
        "(2^grade - 1) / (2^highest - 1)"
    }
    differs = (
        "NTCIREVAL's RBP is graded: `RBP(p=0.95,gains='linear')`.",
        "trec_eval's rbp is graded too, with p = 0.9, and divides grades by the highest grade of "
        "the topic instead of the qrels.",
        "ir_measures' RBP(rel=1) is `RBP`.",
    )
    references = (MOFFAT_2008,)

    def gain(self, lists: Lists) -> Floats:
        """Return binary or graded gains, at most 1."""
        if self.gains is None:
            return binary_gain(lists, self.rel)
        table = gain_table(self.gains, lists.scale)
        if isinstance(self.gains, str):
            return table / max(table[-1], 1.0)
        named = dict(cast(Pairs, self.gains))
        unnamed = set(lists.scale.tolist()) - named.keys()
        if unnamed:
            raise MeasureError(f"{self} has no gain for grade {min(unnamed)}, which the qrels have")
        return table / max(*named.values(), 1.0)

    def discount(self, rank: Ints, index: Ints, lists: Lists) -> Floats:
        """Return the chance that the user looks at rank n and stops there."""
        return (1 - self.p) * self.p ** (rank - 1.0)

    def tail_weight(self, size: int) -> float:
        """Return p^N, if there is no cutoff."""
        return float(self.p) ** size if self.cutoff is None else 0.0


@register
class RBPResidual(Measure):
    """The residual of RBP: the most that unjudged and unseen documents could add.

    Definition
    ----------
    RBPResidual = (1 - p) Σ p^(n-1) over the unjudged ranks n <= N, plus p^N for all ranks beyond
    N, the length of the list or the cutoff if that is smaller.

    Examples
    --------
    An unjudged document at rank 2, and nothing known beyond rank 3: 0.25 + 0.125.

    >>> import gradewise as gw
    >>> gw.score("RBPResidual(p=0.5)", grades=[1, None, 1], relevant={1: 3})
    0.375
    """

    p: float = 0.8
    higher_is_better = False
    references = (MOFFAT_2008,)
    unjudged = "add their whole weight"
    beyond_end = "ranks beyond the end of the list are unknown"
    no_relevant = "like any other topic"
    missing_topic = "1, since nothing is known"

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list: 1 less the weight of what is judged."""
        known = self.within_cutoff(judged.hits.where(judged.is_judged))
        return 1 - known.sums((1 - self.p) * self.p ** (known.rank - 1.0))
