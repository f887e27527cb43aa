"""The pivot family: M = Σ_n d(n) · Σ_{m<=n} K(r_n, r_m).

Step down the list; each document in turn is the pivot, and every document at or above it
contributes K(level of the pivot, level of the document), discounted by the rank of the pivot.
K is a table over levels 0..c, fixed for a topic, with K(0, ·) = K(·, 0) = 0.

Value, swap delta and expectation are written here once. For d(n) = 1/n every measure is a
weighted sum of the entries of one matrix per list, which all such measures share.
"""

from abc import abstractmethod
from typing import ClassVar, Literal

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Hits, Judged, Lists
from gradewise.measures.measure import Measure, check_probabilities


class Pivot(Measure):
    """A measure given by a table K over levels and a discount d of ranks."""

    family: ClassVar[str] = "pivot"
    # For distances: a sum of precisions over a constant, or over a number of relevant documents; a
    # mixture of these over thresholds, of sums or of ratios; a blend of precision and ideal gain.
    precisions_over: ClassVar[Literal["constant", "relevant"] | None] = None
    mixes: ClassVar[Literal["sums", "ratios"] | None] = None
    blends: ClassVar[bool] = False

    @abstractmethod
    def kernel(self, lists: Lists) -> Floats:
        """Return K for each topic, shape (topics, c+1, c+1), or (1, c+1, c+1) if all alike."""

    def discount(self, rank: Ints, topic: Ints, lists: Lists) -> Floats:
        """Return d(n) for ranks of topics."""
        return 1 / rank

    def shares(self, scale: Ints) -> Floats:
        """Return, for each level, the share of users who draw the line there, if thresholds mix."""
        raise NotImplementedError

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        kernel = self.kernel(judged)[:, 1:, 1:]
        matrix = self._matrix(judged)
        by_run = matrix.reshape(len(judged.runs), len(judged.topics), *matrix.shape[1:])
        kernel = np.broadcast_to(kernel, by_run.shape[1:])
        return np.einsum("rtab,tab->rt", by_run, kernel).ravel()

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
