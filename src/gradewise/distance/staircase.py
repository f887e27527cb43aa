"""The walk that finds the best set of relevant documents, for every size of the set at once.

A measure of this kind adds up, rank by rank, a charge that depends on how many relevant documents
stand at that rank or above; more of them there never hurts. So if document a ranks no lower than
b in the first list and no higher in the second, making a relevant instead of b never hurts the
lead of the first list: some best set is a staircase in the grid of (rank in the first list, rank
in the second). Free documents that only the second list holds stay not relevant, and those that
only the first one holds form a last row of the grid.

Walk along the staircase from (0, 0). At (y, z), with m relevant free documents among those that
are in the first y of the one list and the first z of the other, all free documents that are in
the first y and beyond z are relevant, and all beyond y and in the first z are not. So both
numbers of relevant documents are known, and the next step costs no search. All m are walked at
once, and all points of an anti-diagonal together: O(n³) for n free documents, in NumPy.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from gradewise.arrays import Bools, Floats, Ints
from gradewise.distance.pair import Pair

_BLOCK = 1 << 16


@dataclass(frozen=True, eq=False)
class Charges:
    """What a list earns between one free document and the next, given how many are relevant.

    With x of its first y free documents relevant, it earns `coefficients[y] @ basis(x)` for the
    ranks from its y-th free document to the one before the next. `shift(coefficients, u)` gives
    coefficients for x + u in place of x.
    """

    coefficients: Floats
    basis: Callable[[Ints], Floats]
    shift: Callable[[Floats, Ints], Floats]


@dataclass(frozen=True, eq=False)
class Grid:
    """Where free documents stand among the free documents of both lists.

    `first` holds the free documents of the first list by rank, `second` those of them that are in
    the second list, by rank there. `place[y]` is the position, from 1, of first[y] in the second,
    or len(second) + 1; `back[z]` is that of second[z] in the first.
    """

    first: Ints
    second: Ints
    place: Ints
    back: Ints

    @staticmethod
    def of(pair: Pair) -> "Grid":
        """Find the places of the free documents of a pair."""
        first, second = (_by_rank(pair.rank[side], pair.free) for side in (0, 1))
        second = second[pair.rank[0, second] > 0]
        places = np.full(len(pair.level), len(second) + 1)
        places[second] = np.arange(1, len(second) + 1)
        backs = np.zeros(len(pair.level), np.int64)
        backs[first] = np.arange(1, len(first) + 1)
        return Grid(first, second, places[first], backs[second])

    def beyond(self) -> Ints:
        """Return how many of the first y documents of the one list are beyond z of the other."""
        rows, columns = len(self.first), len(self.second)
        marks = np.zeros((rows + 1, columns + 2), np.int32)
        marks[np.arange(1, rows + 1), self.place] = 1
        inside = marks.cumsum(axis=0, dtype=np.int32).cumsum(axis=1, dtype=np.int32)
        return np.arange(rows + 1)[:, None] - inside[:, : columns + 1]


@dataclass(frozen=True, eq=False)
class Walked:
    """The best sum for each number of relevant free documents, and how to find the set."""

    best: Floats
    grid: Grid
    _end: Ints
    _beyond: Ints
    _steps: list[tuple[int, NDArray[np.uint8]]]

    def chosen(self, number: int) -> Ints:
        """Return the documents of the best set of a size."""
        grid = self.grid
        y, z = int(self._end[number]), len(grid.second)
        m = number - int(self._beyond[y, z])
        relevant = grid.first[:y][grid.place[:y] > z].tolist()
        while y or z:
            low, bits = self._steps[y + z]
            down = (bits[y - low, m >> 3] >> (7 - (m & 7))) & 1
            if down:
                y -= 1
                continue
            if grid.back[z - 1] <= y:
                relevant.append(int(grid.second[z - 1]))
                m -= 1
            z -= 1
        return np.array(sorted(relevant), np.int64)


def walk(pair: Pair, first: Charges, second: Charges) -> Walked:
    """Find the largest sum of the first list's charges less the second's, for each set size."""
    grid = Grid.of(pair)
    rows, columns = len(grid.first), len(grid.second)
    beyond = grid.beyond()
    basis = first.basis(np.arange(columns + 1))
    last = np.empty((rows + 1, columns + 1))  # where the second list has been walked to its end
    width = columns + 2
    old, new = (np.full((rows + 2, width), -np.inf) for _ in range(2))  # row y + 1, column m + 1
    old[1, 1] = (first.coefficients[0] - second.coefficients[0]) @ basis[:, 0]
    steps: list[tuple[int, NDArray[np.uint8]]] = [(0, np.zeros((1, 1), np.uint8))]
    if not columns:
        last[0] = old[1, 1:]
    back = np.concatenate([[rows + 1], grid.back])
    for total in range(1, rows + columns + 1):
        low, high = max(0, total - columns), min(rows, total)
        everything = np.arange(low, high + 1)
        size = int((everything - beyond[everything, total - everything]).max()) + 1
        down_here = np.empty((len(everything), -(-size // 8)), np.uint8)
        several = max(1, _BLOCK // size)  # what is worked on together stays in the cache
        for begin in range(low, high + 1, several):
            y = np.arange(begin, min(begin + several, high + 1))
            z = total - y
            down = first.shift(first.coefficients[y], beyond[y, z]) @ basis[:, :size]
            down += old[y[0] : y[-1] + 1, 1 : size + 1]
            start = (y + 1) * width + 1 - (back[z] <= y)
            across = sliding_window_view(old.reshape(-1), size)[start]
            across -= second.coefficients[z] @ basis[:, :size]
            down_here[y - low] = np.packbits(down > across, axis=1)
            np.maximum(down, across, out=new[y[0] + 1 : y[-1] + 2, 1 : size + 1])
        steps.append((low, down_here))
        if total >= columns:
            last[low] = new[low + 1, 1:]
        old, new = new, old
    best, end = _last_row(first, last, beyond[:, -1])
    return Walked(best, grid, end, beyond, steps)


def _last_row(first: Charges, last: Floats, alone: Ints) -> tuple[Floats, Ints]:
    """Leave the grid at each y: what only the first list holds is relevant down to there.

    Returns the best sum for each number of relevant documents, and where the grid was left.
    """
    rows, columns = len(last) - 1, last.shape[1] - 1
    size = columns + int(alone[-1]) + 1
    basis = first.basis(np.arange(size))
    tails = first.coefficients[::-1].cumsum(axis=0)[::-1]
    best, end = np.full(size, -np.inf), np.zeros(size, np.int64)
    for y in range(rows + 1):
        number = slice(int(alone[y]), int(alone[y]) + columns + 1)
        found = last[y] if y == rows else last[y] + tails[y + 1] @ basis[:, number]
        better = found > best[number]
        best[number][better] = found[better]
        end[number][better] = y
    return best, end


def _by_rank(rank: Ints, free: Bools) -> Ints:
    """Return the free documents of a list by rank."""
    chosen = np.flatnonzero(free & (rank > 0))
    return chosen[np.argsort(rank[chosen])]
