"""What the threshold explorer needs: pivot matrices, and the best run at each threshold."""

import math
from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.judged import Judged
from gradewise.measures.pivot import pivot_matrix

MOST_POINTS = 250
MOST_GRADES = 50  # more thresholds than anybody explores
_MOST_ENTRIES = 10**8  # of matrices


def can_explore(judged: Judged) -> bool:
    """Whether there are few enough thresholds to explore, for the memory that matrices take."""
    grades = len(judged.scale)
    return grades <= MOST_GRADES and len(judged) * grades**2 <= _MOST_ENTRIES


def pivot_triangles(judged: Judged) -> Floats:
    """Return A[i, j] for j <= i of every run and topic, row by row: shape (runs, topics, c(c+1)/2).

    A[i, j] = Σ over documents of level i of (1/n) · documents of at least level j at or above.
    GAP, xGAP and eGAP are weighted sums of these for any threshold probabilities.
    """
    hits = judged.relevant_hits
    levels = len(judged.scale)
    matrix = pivot_matrix(hits, 1 / hits.rank, levels)
    at_least = np.cumsum(matrix[:, :, ::-1], axis=2)[:, :, ::-1]
    row, column = np.tril_indices(levels)
    return at_least[:, row, column].reshape(len(judged.runs), len(judged.topics), -1)


def simplex_grid(levels: int) -> Floats:
    """Return evenly spaced threshold probabilities, at most a few hundred points.

    Examples
    --------
    >>> simplex_grid(2)[:3].tolist()
    [[1.0, 0.0], [0.99, 0.01], [0.98, 0.02]]
    """
    if levels == 1:
        return np.ones((1, 1))
    parts = 100 if levels == 2 else 20
    while math.comb(parts + levels - 1, levels - 1) > MOST_POINTS and parts > 1:
        parts -= 1
    return _compositions(parts, levels) / parts


def _compositions(total: int, parts: int) -> Ints:
    """Return every way to write a total as an ordered sum, the first part largest first."""
    if parts == 1:
        return np.array([[total]])
    blocks = []
    for first in range(total, -1, -1):
        rest = _compositions(total - first, parts - 1)
        blocks.append(np.column_stack([np.full(len(rest), first), rest]))
    return np.concatenate(blocks)


@dataclass(frozen=True, eq=False)
class Winners:
    """Which run has the highest mean GAP at each point of a grid of threshold probabilities."""

    points: Floats
    run: Ints

    def shares(self) -> list[tuple[int, float]]:
        """Return the runs that win somewhere and on which share of the points, most first."""
        runs, counts = np.unique(self.run, return_counts=True)
        order = np.argsort(-counts, kind="stable")
        return [(int(runs[k]), float(counts[k] / len(self.run))) for k in order]


def gap_winners(triangles: Floats, judged: Judged, counted: Bools) -> Winners:
    """Find the run with the highest mean GAP over a grid of threshold probabilities."""
    levels = len(judged.scale)
    points = simplex_grid(levels)
    _, column = np.tril_indices(levels)
    weight = counted / np.maximum(counted.sum(axis=1, keepdims=True), 1)
    winners = np.zeros(len(points), np.int64)
    for index, g in enumerate(points):
        expected = judged.at_least @ g
        values = triangles @ g[column] / np.where(expected > 0, expected, 1)
        winners[index] = (values * weight).sum(axis=1).argmax()
    return Winners(points, winners)
