"""Average precision with gains in place of yes and no: GenAP, the Q-measure and WAP."""

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Lists
from gradewise.measures.gains import gain_table
from gradewise.measures.ideal import ideal_lists, prefix_sums
from gradewise.measures.measure import ratio
from gradewise.measures.parameters import Gains
from gradewise.measures.pivot import OverRelevant, Pivot
from gradewise.measures.references import KANDO_2001, KISHIDA_2005, SAKAI_2004
from gradewise.measures.registry import register


def _relevant_pivot(lists: Lists, contribution: Floats) -> Floats:
    """Return the table I(a) · contribution(b)."""
    relevant = np.arange(len(lists.scale) + 1) > 0
    return np.outer(relevant, contribution)


@register
class GenAP(Pivot):
    """Generalized average precision: the average gain at each relevant document, against the best.

    Definition
    ----------
    GenAP = Σ_n (I(r_n)/n) Σ_{m <= n} h(r_m) / Σ_n (I(y_n)/n) Σ_{m <= n} h(y_m), where y is the
    ideal list of all judged documents, h the gain and I(r) = [r > 0]. A cutoff shortens the sum
    over the list, not the one over the ideal list. Kishida writes v_G.

    Examples
    --------
    Kishida's Table 5, pattern 03210 with relevant documents of grades 3, 2 and 1:

    >>> import gradewise as gw
    >>> round(gw.score("GenAP", grades=[0, 3, 2, 1, 0], relevant={1: 1, 2: 1, 3: 1}), 3)
    0.622
    """

    gains: Gains = None
    highest = 1.0
    over_ideal = True
    references = (KISHIDA_2005,)

    def contributions(self, scale: Ints) -> Floats:
        """Return h(b)."""
        return gain_table(self.gains, scale)

    def ideal_share(self, relevant: Ints, counted: Ints) -> Floats:
        """Return Σ_n min(n, counted)/n over n <= relevant.

        That is what documents of at least a level add to the divisor for each unit of gain.
        """
        harmonic = prefix_sums(1 / np.arange(1, int(np.max(relevant, initial=0)) + 1))
        counted = np.minimum(counted, relevant)
        return counted * (1 + harmonic[relevant] - harmonic[counted])

    def kernel(self, lists: Lists) -> Floats:
        """Return I(a) h(b) over the sum for the ideal list."""
        gains = gain_table(self.gains, lists.scale)
        best = ideal_lists(lists, gains).sum_of_average_gains()
        return _relevant_pivot(lists, gains) * ratio(1.0, best)[:, None, None]

    def gain_slope(self, lists: Lists) -> Floats:
        """Return one over the sum for the ideal list."""
        gains = gain_table(self.gains, lists.scale)
        return ratio(1.0, ideal_lists(lists, gains).sum_of_average_gains())


@register
class Q(OverRelevant):
    """Q-measure: a blend of precision and cumulated gain, averaged over relevant documents.

    Definition
    ----------
    Q = (1/R) Σ_n I(r_n) Σ_{m <= n} (β h(r_m) + I(r_m)) / (n + β Σ_{m <= n} h(y_m)), where y is
    the ideal list, h the gain and R the number of relevant documents. With a cutoff k the sum runs
    over n <= k; it is divided by R, or with norm='min(k,R)' by the smaller of k and R.

    Examples
    --------
    Kishida's Table 5, pattern 03210 with relevant documents of grades 3, 2 and 1:

    >>> import gradewise as gw
    >>> round(gw.score("Q", grades=[0, 3, 2, 1, 0], relevant={1: 1, 2: 1, 3: 1}), 3)
    0.75
    """

    beta: float = 1.0
    gains: Gains = None
    elsewhere = "lowers"
    highest = 1.0
    blends = True
    differs = (
        "NTCIREVAL's Q-measure is `Q`; its Q@k divides by the smaller of k and R: "
        "`Q(norm='min(k,R)')@k`.",
    )
    references = (SAKAI_2004, KISHIDA_2005)

    def contributions(self, scale: Ints) -> Floats:
        """Return β h(b) + I(b)."""
        return self.beta * gain_table(self.gains, scale) + (np.arange(len(scale) + 1) > 0)

    def kernel(self, lists: Lists) -> Floats:
        """Return I(a) (β h(b) + I(b)) / R."""
        table = _relevant_pivot(lists, self.contributions(lists.scale))
        return table * ratio(1.0, self.divisor(lists.relevant()))[:, None, None]

    def gain_slope(self, lists: Lists) -> Floats:
        """Return β / R."""
        return ratio(self.beta, self.divisor(lists.relevant()))

    def discount(self, rank: Ints, topic: Ints, lists: Lists) -> Floats:
        """Return 1 / (n + β times the ideal cumulated gain at n)."""
        ideal = ideal_lists(lists, gain_table(self.gains, lists.scale))
        return 1 / (rank + self.beta * ideal.cumulated(rank, topic))


@register
class WAP(Pivot):
    """Weighted average precision: cumulated gain against the ideal, averaged over relevant ones.

    Definition
    ----------
    WAP = (1/R) Σ_n I(r_n) Σ_{m <= n} h(r_m) / Σ_{m <= n} h(y_m), where y is the ideal list, h the
    gain and R the number of relevant documents. Below rank R the denominator stays the same, so
    WAP cannot distinguish late from later; the Q-measure fixes this.

    Examples
    --------
    Grades 1 and 3 against the ideal 3, 1: (1/3 + 4/4) / 2.

    >>> import gradewise as gw
    >>> round(gw.score("WAP", grades=[1, 3], relevant={1: 1, 3: 1}), 4)
    0.6667
    """

    gains: Gains = None
    elsewhere = "lowers"
    highest = 1.0
    references = (KANDO_2001, KISHIDA_2005)

    def contributions(self, scale: Ints) -> Floats:
        """Return h(b)."""
        return gain_table(self.gains, scale)

    def kernel(self, lists: Lists) -> Floats:
        """Return I(a) h(b) / R."""
        table = _relevant_pivot(lists, gain_table(self.gains, lists.scale))
        return table * ratio(1.0, lists.relevant())[:, None, None]

    def gain_slope(self, lists: Lists) -> Floats:
        """Return 1 / R."""
        return ratio(1.0, lists.relevant())

    def discount(self, rank: Ints, topic: Ints, lists: Lists) -> Floats:
        """Return one over the ideal cumulated gain at n."""
        ideal = ideal_lists(lists, gain_table(self.gains, lists.scale))
        return ratio(1.0, ideal.cumulated(rank, topic))
