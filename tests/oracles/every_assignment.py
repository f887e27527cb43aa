"""Graded pivot measures of two lists under every assignment at once, for more free documents.

As `oracles.distance.brute_force`, with an array over all assignments in place of its loop: each
measure is the double sum over ranks of MATH.md's table of K(a, b) and d(n).
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from oracles.distance import Documents, Farthest, Judgments, free_documents

Levels = NDArray[np.int64]  # level of a document (0..c) under each assignment
Values = NDArray[np.float64]


class EveryAssignment:
    """The level of each document, and R(1)..R(c), under each of (c+1)^free assignments."""

    def __init__(self, a: Documents, b: Documents, judged: Judgments, scale: Sequence[int]) -> None:
        self.a, self.b, self.scale = a, b, list(scale)
        self.c = len(scale)
        free = free_documents(a, b, judged)
        self.number = (self.c + 1) ** len(free)
        self.level: dict[str, Levels] = {}
        code = np.arange(self.number)
        for document in free:
            self.level[document] = code % (self.c + 1)
            code = code // (self.c + 1)
        for document, grade in judged.items():
            level = self.scale.index(grade) + 1 if grade > 0 else 0
            self.level[document] = np.full(self.number, level)
        self.at_least = [
            sum((level >= k for level in self.level.values()), np.zeros(self.number, dtype=int))
            for k in range(self.c + 1)
        ]  # RB(k); RB(0) is not used

    def farthest(self, value: Callable[[Documents], Values]) -> Farthest:
        """The largest differences of a measure's values."""
        difference = value(self.a) - value(self.b)
        return Farthest(float(difference.max()), float((-difference).max()))

    def _pivot(
        self,
        ranking: Documents,
        kernel: Callable[[Levels, Levels], Values],
        discount: Callable[[int], Values | float],
    ) -> Values:
        """Sum over n of d(n) times the sum over m <= n of K(r_n, r_m)."""
        total = np.zeros(self.number)
        for n in range(1, len(ranking) + 1):
            for m in range(1, n + 1):
                r_n, r_m = self.level[ranking[n - 1]], self.level[ranking[m - 1]]
                total += discount(n) * kernel(r_n, r_m)
        return total

    def _ideal(self, n: int) -> Levels:
        """y_n: the highest level that at least n documents reach, 0 past the ideal list's end."""
        return sum(
            (self.at_least[k] >= n for k in range(1, self.c + 1)), np.zeros(self.number, int)
        )

    def gap(self, g: Sequence[float]) -> Callable[[Documents], Values]:
        """G(min(a, b)) / sum of R(k) G(k), with 1/n."""
        cumulated = np.concatenate([[0.0], np.cumsum(g)])
        below = sum(g[k - 1] * self.at_least[k] for k in range(1, self.c + 1))
        return lambda ranking: _divide(
            self._pivot(ranking, lambda r, s: cumulated[np.minimum(r, s)], lambda n: 1 / n), below
        )

    def _h(self, g: Sequence[float]) -> Values:
        """H(i) of each assignment: the sum of g_k / RB(k) over k <= i with RB(k) > 0."""
        terms = [np.zeros(self.number)]
        for k in range(1, self.c + 1):
            terms.append(_divide(np.full(self.number, g[k - 1]), self.at_least[k]))
        return np.cumsum(terms, axis=0)

    def egap(self, g: Sequence[float]) -> Callable[[Documents], Values]:
        """H(min(a, b)), with 1/n."""
        h, each = self._h(g), np.arange(self.number)
        return lambda ranking: self._pivot(
            ranking, lambda r, s: h[np.minimum(r, s), each], lambda n: 1 / n
        )

    def xgap(self, g: Sequence[float]) -> Callable[[Documents], Values]:
        """H(a)/G(a) times G(min(a, b)), 0 where G(a) = 0, with 1/n."""
        h, each = self._h(g), np.arange(self.number)
        cumulated = np.concatenate([[0.0], np.cumsum(g)])
        return lambda ranking: self._pivot(
            ranking,
            lambda r, s: _divide(h[r, each], cumulated[r]) * cumulated[np.minimum(r, s)],
            lambda n: 1 / n,
        )

    def _gains(self, gains: Mapping[int, float] | None) -> Values:
        """h(level): the grade itself unless `gains` name another."""
        return np.array([0.0, *[float((gains or {}).get(grade, grade)) for grade in self.scale]])

    def gen_ap(self, gains: Mapping[int, float] | None = None) -> Callable[[Documents], Values]:
        """I(a) h(b) against the same sum over the whole ideal list, with 1/n."""
        h = self._gains(gains)
        best = np.zeros(self.number)
        cumulated = np.zeros(self.number)
        for n in range(1, len(self.level) + 1):
            cumulated = cumulated + h[self._ideal(n)]
            best += np.where(self._ideal(n) > 0, cumulated / n, 0)
        return lambda ranking: _divide(
            self._pivot(ranking, lambda r, s: np.where(r > 0, h[s], 0.0), lambda n: 1 / n), best
        )

    def q(
        self, gains: Mapping[int, float] | None = None, beta: float = 1
    ) -> Callable[[Documents], Values]:
        """I(a) (beta h(b) + I(b)) / RB(1), with 1/(n + beta times the ideal gain down to n)."""
        h = self._gains(gains)

        def discount(n: int) -> Values:
            return 1 / (n + beta * sum(h[self._ideal(m)] for m in range(1, n + 1)))

        return lambda ranking: _divide(
            self._pivot(
                ranking, lambda r, s: np.where(r > 0, beta * h[s] + (s > 0), 0.0), discount
            ),
            self.at_least[1],
        )


def _divide(above: Values, below: Values | NDArray[np.int64]) -> Values:
    """Divide, and give 0 where there is nothing to divide by."""
    return np.divide(above, below, out=np.zeros(len(above)), where=np.asarray(below) != 0)
