"""Labels on different scales: the monotone map that fits best, or one that is given.

A map sends each grade of a judge to a grade of another scale, never lowers a higher grade below a
lower one, and leaves "not relevant" as it is. Of all such maps, the one with the highest
quadratically weighted κ fits best. κ is 1 - O/E, and both O and E are sums over the grades that are
mapped, so the best map is found exactly: Dinkelbach's method for ratios, with the best monotone map
for each trial value of κ by dynamic programming.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import OptionError

Rule = Literal["same", "given", "fitted"]


@dataclass(frozen=True)
class ScaleMap:
    """Where each grade of a judge goes, and by which rule."""

    rule: Rule
    grades: dict[int, int]

    def apply(self, grades: Ints) -> Ints:
        """Return the grades that these become."""
        known = np.array(list(self.grades), np.int64)
        return np.array(list(self.grades.values()), np.int64)[np.searchsorted(known, grades)]

    def __str__(self) -> str:
        """Return which grades count as which: 0 1 as 0, 2 3 as 1."""
        merged: dict[int, list[str]] = {}
        for grade, other in self.grades.items():
            merged.setdefault(other, []).append(str(grade))
        return ", ".join(f"{' '.join(held)} as {other}" for other, held in merged.items())


def fit_map(table: Ints | Floats) -> Ints:
    """Return, for each row of a table, the column that its grade is mapped to.

    Parameters
    ----------
    table
        How many documents have grade i of the scale to map and grade j of the scale to map to,
        both ascending; the first of each is "not relevant".

    Examples
    --------
    Of six grades, the two lowest and the two highest mean the same on a scale of four:

    >>> import numpy as np
    >>> fit_map(np.array([[9, 1, 0, 0], [6, 2, 0, 0], [1, 8, 1, 0],
    ...                   [0, 2, 7, 1], [0, 0, 1, 9], [0, 0, 2, 6]])).tolist()
    [0, 0, 1, 2, 3, 3]
    """
    table = np.asarray(table, np.float64)
    steps = np.arange(table.shape[1], dtype=np.float64)
    apart = (steps[:, None] - steps) ** 2  # of a mapped grade and one of the other judge
    seen = table @ apart.T
    expected = np.outer(table.sum(axis=1), apart @ table.sum(axis=0)) / max(table.sum(), 1.0)
    kappa = -np.inf
    best: Ints = np.zeros(len(table), np.int64)
    while True:
        trial = _best_monotone((1 - max(kappa, -1e6)) * expected - seen)
        rows = np.arange(len(table))
        total = expected[rows, trial].sum()
        reached = 1 - seen[rows, trial].sum() / total if total > 0 else 0.0
        if not reached > kappa + 1e-12:
            return best
        kappa, best = reached, trial


def _best_monotone(worth: Floats) -> Ints:
    """Return the non-decreasing choice of columns with the largest sum; the first row takes 0."""
    rows, columns = worth.shape
    total = np.full((rows, columns), -np.inf)
    total[0, 0] = worth[0, 0]
    for row in range(1, rows):
        total[row] = worth[row] + np.maximum.accumulate(total[row - 1])
    choice = np.zeros(rows, np.int64)
    last = columns
    for row in range(rows - 1, -1, -1):
        choice[row] = last = int(np.argmax(total[row, :last]))
        last += 1
    return choice


def given_map(judge: str, grades: Ints, given: Mapping[int, int]) -> ScaleMap:
    """Check a map that a user gives: every grade has its place, and their order stays."""
    known = [int(grade) for grade in grades]
    missing = [grade for grade in known if grade not in given]
    if missing:
        raise OptionError(
            f"the map for {judge} does not include grade {missing[0]}; "
            f"the judge's grades are {' '.join(map(str, known))}"
        )
    places = [given[grade] for grade in known]
    if any(later < earlier for earlier, later in pairwise(places)):
        raise OptionError(f"the map for {judge} puts a higher grade below a lower one")
    return ScaleMap("given", dict(zip(known, map(int, places), strict=True)))


def same_scale(grades: Ints, others: Ints) -> bool:
    """Return whether grades are those of another scale, of which some may not occur."""
    return bool(np.isin(grades, others).all() and grades.max() == others.max())
