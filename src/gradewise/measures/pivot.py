"""The pivot family: M = Σ_n d(n) · Σ_{m<=n} K(r_n, r_m).

Step down the list; each document in turn is the pivot, and every document at or above it
contributes K(level of the pivot, level of the document), discounted by the rank of the pivot.
K is a table over levels 0..c, fixed for a topic, with K(0, ·) = K(·, 0) = 0.

Value, swap delta and expectation are written here once. For d(n) = 1/n every measure is a
weighted sum of the entries of one matrix per list, which all such measures share.
"""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from gradewise.arrays import Floats, Ints, add_up
from gradewise.collection.judged import Hits, Judged, Lists
from gradewise.errors import MeasureError
from gradewise.measures.measure import Measure, check_probabilities
from gradewise.measures.parameters import Norm

_MANY_LEVELS = 64  # above which tables over levels take more memory than they save time
_PAIRS = 1 << 22  # of hits, that are looked at together


class Pivot(Measure):
    """A measure given by a table K over levels and a discount d of ranks."""

    family: ClassVar[str] = "pivot"
    # For distances: a sum of precisions over a constant, or over a number of relevant documents; a
    # mixture of these over thresholds, of sums or of ratios, or one that each pivot draws anew; a
    # blend of precision and ideal gain; divided by the same sum over the ideal list.
    precisions_over: ClassVar[Literal["constant", "relevant"] | None] = None
    mixes: ClassVar[Literal["sums", "ratios", "pivots"] | None] = None
    blends: ClassVar[bool] = False
    over_ideal: ClassVar[bool] = False

    @abstractmethod
    def kernel(self, lists: Lists) -> Floats:
        """Return K for each topic, shape (topics, c+1, c+1), or (1, c+1, c+1) if all alike."""

    def discount(self, rank: Ints, topic: Ints, lists: Lists) -> Floats:
        """Return d(n) for ranks of topics."""
        return 1 / rank

    def divisor(self, relevant: Ints) -> Ints:
        """Return what the sum is divided by, given numbers of relevant documents."""
        return relevant

    def contributions(self, scale: Ints) -> Floats | None:
        """Return what a document of each level adds to any relevant pivot, before division.

        None if that depends on the level of the pivot.
        """
        return None

    def gain_slope(self, lists: Lists) -> Floats | None:
        """Return by how much K(a, b) grows with the gain of b, for a and b > 0 and each topic.

        None if K is not a function of gains.
        """
        return None

    def shares(self, scale: Ints) -> Floats:
        """Return, for each level, the share of users who draw the line there, if thresholds mix."""
        raise MeasureError(f"{self.name} does not mix thresholds")

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        if len(judged.scale) > _MANY_LEVELS:
            return self._sum_pairs(judged)
        kernel = self.kernel(judged)[:, 1:, 1:]
        matrix = self._matrix(judged)
        by_run = matrix.reshape(len(judged.runs), len(judged.topics), -1)
        return add_up(by_run, kernel.reshape(len(kernel), -1)).ravel()

    def _sum_pairs(self, judged: Judged) -> Floats:
        """Return the value of every list, pair by pair of its hits, with K of one topic at a time.

        With very many levels, there are fewer pairs of hits than pairs of levels.
        """
        hits = self.within_cutoff(judged.relevant_hits)
        discount = self.discount(hits.rank, judged.topic[hits.list], judged)
        edges = np.searchsorted(hits.list, np.arange(hits.lists + 1))
        added, nothing = np.zeros(len(hits.list)), np.zeros(1, np.int64)
        for topic, counts in enumerate(judged.counts):
            lists = np.flatnonzero((judged.topic == topic) & (np.diff(edges) > 0))
            if not len(lists):
                continue
            kernel = self.kernel(Lists(judged.scale, counts[None, :], nothing, nothing))[0]
            for low, high in zip(edges[lists].tolist(), edges[lists + 1].tolist(), strict=True):
                added[low:high] = _above_pivots(kernel, hits.level[low:high])
        return hits.sums(discount * added)

    def _matrix(self, judged: Judged) -> Floats:
        def make() -> Floats:
            hits = self.within_cutoff(judged.relevant_hits)
            discount = self.discount(hits.rank, judged.topic[hits.list], judged)
            return pivot_matrix(hits, discount, len(judged.scale))

        if type(self).discount is Pivot.discount:  # alike for all measures that have 1/n
            return judged.keep(("pivot matrix", self.cutoff), make)
        return make()

    def _discounts(self, lists: Lists, size: int) -> Floats:
        """Return d(1)..d(size) for a single list."""
        rank = np.arange(1, size + 1)
        result = self.discount(rank, np.zeros(size, np.int64), lists)
        return result if self.cutoff is None else np.where(rank <= self.cutoff, result, 0.0)

    def swap_deltas(self, lists: Lists, levels: Ints) -> Floats:
        """Return the change of value for every swap of two ranks, in closed form."""
        kernel, d = self.kernel(lists)[0], self._discounts(lists, len(levels))
        above = np.vstack([np.zeros(len(kernel)), np.cumsum(kernel[:, levels].T, axis=0)])
        own = np.diag(kernel)
        as_pivot = np.where(levels[:, None] == np.arange(len(kernel)), d[:, None], 0.0)
        pivots = np.cumsum(as_pivot, axis=0)  # Σ d(n) over the pivots of each level down to a rank
        a, b = np.triu_indices(len(levels), 1)
        x, y = levels[a], levels[b]
        upper = d[a] * (above[a, y] + own[y] - above[a, x] - own[x])
        between = pivots[b - 1] - pivots[a]
        middle = np.einsum("pi,ip->p", between, kernel[:, y] - kernel[:, x])
        lower = d[b] * (above[b + 1, x] - above[b + 1, y])
        deltas = np.zeros((len(levels), len(levels)))
        deltas[a, b] = deltas[b, a] = upper + middle + lower
        return deltas

    def expectation(self, lists: Lists, chances: Floats) -> float:
        """Return the expected value under independent levels, in closed form."""
        check_probabilities(chances, lists)
        kernel, d = self.kernel(lists)[0], self._discounts(lists, len(chances))
        above = np.vstack([np.zeros(chances.shape[1]), np.cumsum(chances, axis=0)[:-1]])
        own = chances @ np.diag(kernel)
        pairs = np.einsum("na,ab,nb->n", chances, kernel, above)
        return float(d @ (own + pairs))

    def expected_values(self, judged: Judged, chances: Floats) -> Floats:
        """Return the expected value of every list."""
        return judged.hits.sums(_SoftHits.of(self, judged, chances).expected())

    def variances(self, judged: Judged, chances: Floats) -> Floats:
        """Return the variance of every list.

        The value is a sum over single hits and over pairs of them. Its variance is that of the
        value given each hit alone, and that of what pairs add to it (Hoeffding's decomposition).
        """
        soft = _SoftHits.of(self, judged, chances)
        alone = soft.given()
        mean = (soft.chances * alone).sum(axis=1)
        single = np.maximum((soft.chances * alone**2).sum(axis=1) - mean**2, 0.0)
        return judged.hits.sums(single + soft.pair_variance())

    def given_levels(self, judged: Judged, chances: Floats) -> Floats:
        """Return what a hit of each level adds, as a pivot and above other pivots."""
        given = _SoftHits.of(self, judged, chances).given()
        return np.concatenate([np.zeros((len(given), 1)), given], axis=1)

    def derivatives(self, lists: Lists, levels: Ints) -> Floats:
        """Return Σ d(n) times the slope of K over the relevant pivots at or below each rank.

        A document that is not relevant would become a pivot as well, so it gets NaN.
        """
        slope = self.gain_slope(lists)
        if slope is None:
            return super().derivatives(lists, levels)
        terms = np.where(levels > 0, self._discounts(lists, len(levels)), 0.0)
        below = np.cumsum(terms[::-1])[::-1]
        return np.where(levels > 0, slope[0] * below, np.nan)


class OverRelevant(Pivot):
    """A measure whose sum is divided by R, or with a cutoff k by the smaller of k and R."""

    norm: Norm = "R"

    def divisor(self, relevant: Ints) -> Ints:
        """Return what the sum is divided by, given numbers of relevant documents."""
        if self.norm != "R" and self.cutoff is not None:
            relevant = np.minimum(relevant, int(self.cutoff))
        return relevant


@dataclass(frozen=True, eq=False)
class _SoftHits:
    """Hits with a distribution over the levels 1..c, in the order of lists and ranks.

    `kernel[h]` is K of the topic of hit h, `discount[h]` is d of its rank; level 0 adds nothing.
    """

    chances: Floats
    kernel: Floats
    discount: Floats
    first: Ints
    last: Ints

    @staticmethod
    def of(measure: Pivot, judged: Judged, chances: Floats) -> "_SoftHits":
        hits = judged.hits
        topic = judged.topic[hits.list]
        discount = measure.discount(hits.rank, topic, judged)
        if measure.cutoff is not None:
            discount = np.where(hits.rank <= measure.cutoff, discount, 0.0)
        kernel = measure.kernel(judged)[:, 1:, 1:]
        kernel = (
            kernel.take(topic, axis=0)
            if len(kernel) > 1
            else np.broadcast_to(kernel[0], (len(topic), *kernel.shape[1:]))
        )
        edges = np.searchsorted(hits.list, np.arange(hits.lists + 1))
        return _SoftHits(chances[:, 1:], kernel, discount, edges[hits.list], edges[hits.list + 1])

    def above(self, values: Floats) -> Floats:
        """Return the sum of values over the hits of the same list that stand above each."""
        total = np.concatenate([np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0)])
        return total[:-1] - total.take(self.first, axis=0)

    def below(self, values: Floats) -> Floats:
        """Return the sum of values over the hits of the same list that stand below each."""
        total = np.concatenate([np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0)])
        return total.take(self.last, axis=0) - total[1:]

    @cached_property
    def as_pivot(self) -> Floats:
        """Σ_a p(a) K(a, b) for each hit as a pivot, [hit, b]."""
        return np.einsum("ha,hab->hb", self.chances, self.kernel)

    def given(self) -> Floats:
        """Return what a hit of each level is expected to add to its list, [hit, level]."""
        own = np.einsum("haa->ha", self.kernel)
        upper = np.einsum("hab,hb->ha", self.kernel, self.above(self.chances))
        return self.discount[:, None] * (own + upper) + self.below(
            self.discount[:, None] * self.as_pivot
        )

    def expected(self) -> Floats:
        """Return what each hit is expected to add as a pivot."""
        own = np.einsum("ha,haa->h", self.chances, self.kernel)
        return self.discount * (own + (self.as_pivot * self.above(self.chances)).sum(axis=1))

    def pair_variance(self) -> Floats:
        """Return, for each pivot, the variance that its pairs with hits above it add.

        For a pair it is d² Var[K - E[K|pivot] - E[K|above]], which is d² (E[K²] - E[E[K|pivot]²] -
        E[E[K|above]²] + E[K]²), and a sum over the hits above needs Σ p and Σ p pᵀ only.
        """
        p, above = self.chances, self.above(self.chances)
        pairs = self.above(p[:, :, None] * p[:, None, :])
        both = np.einsum("ha,hab,hb->h", p, self.kernel**2, above)
        pivot = np.einsum("ha,hab,hac,hbc->h", p, self.kernel, self.kernel, pairs, optimize=True)
        upper = (self.as_pivot**2 * above).sum(axis=1)
        mean = np.einsum("hb,hc,hbc->h", self.as_pivot, self.as_pivot, pairs)
        return self.discount**2 * np.maximum(both - pivot - upper + mean, 0.0)


def _above_pivots(kernel: Floats, level: Ints) -> Floats:
    """Return Σ_{m<=n} K(r_n, r_m) for each hit n of a list."""
    found = np.empty(len(level))
    step = max(1, _PAIRS // max(len(level), 1))
    for low in range(0, len(level), step):
        pivots = level[low : low + step]
        above = np.arange(len(level)) <= np.arange(low, low + len(pivots))[:, None]
        found[low : low + step] = np.where(above, kernel[pivots[:, None], level], 0.0).sum(axis=1)
    return found


def pivot_matrix(hits: Hits, discount: Floats, levels: int) -> Floats:
    """Return A[l, a, b] = Σ over pivots of level a of d(n) · documents of level b at or above.

    Levels run from 1 to c. One pass serves every measure with the same discount.
    """
    matrix = np.zeros((levels, hits.lists * levels))
    cell = hits.list * levels + hits.level - 1
    for level in range(1, levels + 1):
        above = hits.running(hits.level == level)
        matrix[level - 1] = np.bincount(cell, discount * above, hits.lists * levels)
    return np.ascontiguousarray(np.moveaxis(matrix.reshape(levels, hits.lists, levels), 0, 2))


def minimum_table(values: Floats) -> Floats:
    """Return the table values[min(a, b)] over levels a and b."""
    level = np.arange(values.shape[-1])
    return values[..., np.minimum(level[:, None], level[None, :])]
