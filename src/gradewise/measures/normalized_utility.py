"""Normalized cumulative utility: users stop at relevant documents, with some utility at each.

NCU = Σ_n Pr(n) U(n), where Pr(n) is the share of users who stop at rank n and U(n) how useful the
list is down to there: precision (P) or the blended ratio (BR). With a share that is the same for
all relevant documents, NCU is AP and the Q-measure.
"""

from typing import ClassVar

import numpy as np

from gradewise.arrays import Floats, Ints, add_up
from gradewise.collection.judged import Judged, Lists
from gradewise.measures.blended_ratio import BETA, blended_ratios
from gradewise.measures.gains import gain_table
from gradewise.measures.ideal import ideal_lists
from gradewise.measures.measure import Measure, ratio
from gradewise.measures.parameters import Gains
from gradewise.measures.pivot import Pivot
from gradewise.measures.references import NTCIREVAL, SAKAI_2008
from gradewise.measures.registry import register


def _stopping_kernel(stops: Floats, contribution: Floats, lists: Lists) -> Floats:
    """Return s(a) · contribution(b) over the sum of s over all relevant documents of a topic."""
    everyone = add_up(lists.counts, stops)
    # Shares first: the product of two high gains would leave the doubles.
    return (stops * ratio(1.0, everyone)[:, None])[:, :, None] * contribution


@register
class NCUguP(Pivot):
    """Normalized cumulative utility: graded-uniform stops, precision as utility.

    Definition
    ----------
    NCUguP = Σ_n s(r_n) P(n) / Σ_k R(k) s(k), where P(n) is precision at rank n, R(k) counts the
    topic's documents of grade k, and users stop at a document of grade k in proportion to s(k).
    If s is the same for all grades, it is AP.

    Examples
    --------
    Twice as many users stop at grade 2 as at grade 1: (1 · 1/2 + 2 · 2/3) / (1 + 2).

    >>> import gradewise as gw
    >>> round(gw.score("NCUguP", grades=[0, 1, 2], relevant={1: 1, 2: 1}), 4)
    0.6111
    """

    stops: Gains = "linear"
    cutoff_rule = "none"
    highest = 1.0
    meanings: ClassVar[dict[str, str]] = {
        "stops": "how many users stop at a document of each grade, in proportion, {grade: weight}; "
        "grades not named keep the grade as weight; 'linear' is the grade itself and 'exp' is "
        "2^grade - 1"
    }
    references = (SAKAI_2008, NTCIREVAL)

    def kernel(self, lists: Lists) -> Floats:
        """Return s(a) I(b) / Σ_k R(k) s(k)."""
        stops = gain_table(self.stops, lists.scale)
        relevant = (np.arange(len(stops)) > 0).astype(np.float64)
        return _stopping_kernel(stops, relevant, lists)


@register
class NCUguBR(Pivot):
    """Normalized cumulative utility: graded-uniform stops, blended ratio as utility.

    Definition
    ----------
    NCUguBR = Σ_n s(r_n) BR(n) / Σ_k R(k) s(k), where BR(n) = (C(n) + β Σ_{m <= n} h(r_m)) /
    (n + β Σ_{m <= n} h(y_m)), C(n) counts the relevant documents down to rank n, y is the ideal
    list, h the gain, R(k) the number of documents of grade k, and users stop at a document of
    grade k in proportion to s(k). If s is the same for all grades, it is the Q-measure.

    Examples
    --------
    (1 · (1 + 1)/(2 + 3) + 2 · (2 + 3)/(3 + 3)) / (1 + 2):

    >>> import gradewise as gw
    >>> round(gw.score("NCUguBR", grades=[0, 1, 2], relevant={1: 1, 2: 1}), 4)
    0.6889
    """

    beta: float = 1.0
    gains: Gains = None
    stops: Gains = None
    cutoff_rule = "none"
    elsewhere = "lowers"
    highest = 1.0
    meanings: ClassVar[dict[str, str]] = {"beta": BETA}
    references = (SAKAI_2008, NTCIREVAL)

    def kernel(self, lists: Lists) -> Floats:
        """Return s(a) (β h(b) + I(b)) / Σ_k R(k) s(k)."""
        gains = gain_table(self.gains, lists.scale)
        stops = gains if self.stops is None else gain_table(self.stops, lists.scale)
        relevant = np.arange(len(gains)) > 0
        return _stopping_kernel(stops, self.beta * gains + relevant, lists)

    def discount(self, rank: Ints, topic: Ints, lists: Lists) -> Floats:
        """Return 1 / (n + β times the ideal cumulated gain at n)."""
        ideal = ideal_lists(lists, gain_table(self.gains, lists.scale))
        return 1 / (rank + self.beta * ideal.cumulated(rank, topic))


def _rank_biased(judged: Judged, utility: Floats, gamma: float) -> Floats:
    """Return Σ γ^(C(n)-1) U(n) over relevant ranks n, over the same sum with utility 1 for all."""
    hits = judged.relevant_hits
    total = hits.sums(gamma ** (hits.running() - 1.0) * utility)
    number = judged.relevant()
    everyone = 1.0 * number if gamma == 1 else (1 - gamma ** (1.0 * number)) / (1 - gamma)
    return ratio(total, judged.per_list(everyone))


_CUT = (
    "NTCIREVAL also prints this measure with a cutoff, and then divides by the smaller of k and R "
    "instead of the sum of the weights of all stops."
)


@register
class NCUrbP(Measure):
    """Normalized cumulative utility: rank-biased stops, precision as utility.

    Definition
    ----------
    NCUrbP = Σ_n I(r_n) γ^(C(n)-1) P(n) / Σ_{i <= R} γ^(i-1), where P(n) is precision at rank n,
    C(n) counts the relevant documents down to rank n and R those of the topic: of two relevant
    documents, fewer users stop at the second. With γ = 1 it is AP.

    Examples
    --------
    (1/2 + 0.5 · 2/3) / (1 + 0.5):

    >>> import gradewise as gw
    >>> round(gw.score("NCUrbP(gamma=0.5)", grades=[0, 1, 2], relevant={1: 1, 2: 1}), 4)
    0.5556
    """

    gamma: float = 0.95
    cutoff_rule = "none"
    elsewhere = "lowers"
    highest = 1.0
    differs = (_CUT,)
    references = (SAKAI_2008, NTCIREVAL)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = judged.relevant_hits
        return _rank_biased(judged, hits.running() / hits.rank, self.gamma)


@register
class NCUrbBR(Measure):
    """Normalized cumulative utility: rank-biased stops, blended ratio as utility.

    Definition
    ----------
    NCUrbBR = Σ_n I(r_n) γ^(C(n)-1) BR(n) / Σ_{i <= R} γ^(i-1), where BR(n) = (C(n) +
    β Σ_{m <= n} h(r_m)) / (n + β Σ_{m <= n} h(y_m)), C(n) counts the relevant documents down to
    rank n and R those of the topic, y is the ideal list and h the gain. With γ = 1 it is the
    Q-measure.

    Examples
    --------
    ((1 + 1)/(2 + 3) + 0.5 · (2 + 3)/(3 + 3)) / (1 + 0.5):

    >>> import gradewise as gw
    >>> round(gw.score("NCUrbBR(gamma=0.5)", grades=[0, 1, 2], relevant={1: 1, 2: 1}), 4)
    0.5444
    """

    beta: float = 1.0
    gains: Gains = None
    gamma: float = 0.95
    cutoff_rule = "none"
    elsewhere = "lowers"
    highest = 1.0
    meanings: ClassVar[dict[str, str]] = {"beta": BETA}
    differs = (_CUT,)
    references = (SAKAI_2008, NTCIREVAL)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = judged.relevant_hits
        ratios = blended_ratios(hits, judged, gains=self.gains, beta=self.beta)
        return _rank_biased(judged, ratios, self.gamma)
