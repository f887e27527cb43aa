"""Average precision for users who differ in where they draw the line: GAP, xGAP and eGAP."""

import numpy as np

from gradewise.arrays import Floats, Ints, add_up
from gradewise.collection.judged import Lists
from gradewise.measures.measure import ratio
from gradewise.measures.parameters import EQUAL, Thresholds
from gradewise.measures.pivot import Pivot, minimum_table
from gradewise.measures.references import FERRANTE_2014, ROBERTSON_2010
from gradewise.measures.registry import register
from gradewise.measures.thresholds import draws_line, probabilities


def _shares(lists: Lists, g: Floats) -> Floats:
    """Return H(0)..H(c) for each topic: H(i) = Σ_{k <= i, RB(k) > 0} g_k / RB(k)."""
    base = lists.at_least
    steps = ratio(np.broadcast_to(g, base.shape).astype(np.float64), base)
    return np.concatenate([np.zeros((len(base), 1)), np.cumsum(steps, axis=1)], axis=1)


class _OverThresholds(Pivot):
    """A measure for users of whom a share g_k draws the line at grade k."""

    g: Thresholds = EQUAL
    always_shown = frozenset({"g"})

    def shares(self, scale: Ints) -> Floats:
        """Return g for each level."""
        return probabilities(self.g, scale, str(self))


@register
class GAP(_OverThresholds):
    """Graded average precision: expected precision at each relevant document, over all users.

    Definition
    ----------
    A user draws the line between relevant and not at grade k with probability g_k; with
    G(i) = g_1 + … + g_i, a document of level i is relevant to a share G(i) of users.

    GAP = Σ_n (1/n) Σ_{m <= n} G(min(r_n, r_m)) / Σ_k R(k) G(k), where R(k) counts the documents
    of level k of the topic. It equals AP when all users draw the same line.

    Examples
    --------
    All relevant documents retrieved, in the order of grades 3, 1, 2, 2:

    >>> import gradewise as gw
    >>> round(gw.score("GAP", grades=[3, 1, 2, 2], relevant={1: 1, 2: 2, 3: 1}), 5)
    0.92708
    """

    mixes = "sums"
    references = (ROBERTSON_2010,)

    def kernel(self, lists: Lists) -> Floats:
        """Return G(min(a, b)) divided by the expected number of relevant documents."""
        line = draws_line(self.shares(lists.scale))
        expected = add_up(lists.counts[:, 1:], line[1:])
        return minimum_table(line) * ratio(1.0, expected)[:, None, None]


@register
class eGAP(_OverThresholds):  # noqa: N801 - the paper's spelling
    """Expected graded average precision: the mean of AP over users who draw the line anywhere.

    Definition
    ----------
    eGAP = Σ_k g_k AP(rel = k) = Σ_n (1/n) Σ_{m <= n} H(min(r_n, r_m)), with
    H(i) = Σ_{k <= i} g_k / RB(k) over the grades k for which the topic has RB(k) > 0 documents of
    at least that grade. An ideal list scores less than 1 when the topic has no document of a
    grade with g_k > 0: it scores the sum of g_k over the thresholds that exist.

    Examples
    --------
    One highly relevant document behind one relevant one: g_1 · 1 + g_2 · 1/2.

    >>> import gradewise as gw
    >>> gw.score("eGAP(g=[0.5,0.5])", grades=[1, 2], relevant={1: 1, 2: 1})
    0.75
    """

    elsewhere = "matters"
    mixes = "ratios"
    references = (FERRANTE_2014,)

    def kernel(self, lists: Lists) -> Floats:
        """Return H(min(a, b))."""
        return minimum_table(_shares(lists, self.shares(lists.scale)))


@register
class xGAP(_OverThresholds):  # noqa: N801 - the paper's spelling
    """Extended graded average precision: pick a user first, then one of that user's documents.

    Definition
    ----------
    xGAP = Σ_n (1/n) (H(r_n) / G(r_n)) Σ_{m <= n} G(min(r_n, r_m)), with G as in GAP and
    H(i) = Σ_{k <= i} g_k / RB(k) over the grades k for which the topic has RB(k) > 0 documents of
    at least that grade; a term with G(r_n) = 0 is 0. Two things to know: an ideal list scores
    less than 1 when the topic has no document of a grade with g_k > 0, and moving a better
    document up can lower the value. With g = (.6, .3, .1) the list (0, 2, 2, 3) scores .630, and
    (0, 3, 2, 2) scores .625.

    Examples
    --------
    >>> import gradewise as gw
    >>> relevant = {1: 0, 2: 2, 3: 1}
    >>> round(gw.score("xGAP(g=[0.6,0.3,0.1])", grades=[0, 2, 2, 3], relevant=relevant), 3)
    0.63
    >>> round(gw.score("xGAP(g=[0.6,0.3,0.1])", grades=[0, 3, 2, 2], relevant=relevant), 3)
    0.625
    """

    elsewhere = "lowers"
    highest = 1.0
    mixes = "pivots"
    references = (FERRANTE_2014,)

    def kernel(self, lists: Lists) -> Floats:
        """Return (H(a) / G(a)) G(min(a, b))."""
        g = self.shares(lists.scale)
        line = draws_line(g)
        per_pivot = ratio(_shares(lists, g), np.broadcast_to(line, (1, len(line))))
        return per_pivot[:, :, None] * minimum_table(line)
