"""The walk that finds the best set of relevant documents, for every size of the set at once.

A measure of this kind adds up, rank by rank, a charge that depends on how many relevant documents
stand at that rank or above; more of them there never hurts. So if document a ranks no lower than
b in the first list and no higher in the second, making a relevant instead of b never hurts the
lead of the first list: some best set is a staircase in the grid of (rank in the first list, rank
in the second). Free documents that only the second list holds stay not relevant, and those that
only the first one holds form a last row of the grid. The kernel walks along all staircases:
O(n³) for n free documents.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.distance.pace import tell_sums
from gradewise.distance.pair import Grid
from gradewise.kernels import staircase

Earn = Callable[[], tuple[Floats, Floats]]


@dataclass(frozen=True, eq=False)
class Walked:
    """The best sum for each number of relevant free documents, and how to find the set.

    `left` tells where the path of each number leaves the grid. `earn` gives what the lists earn:
    in entry [y, x], packed, what the first list earns between its y-th free document of the grid
    and the next one if x of the first y are relevant, and likewise for the second list. It is
    computed anew when it is needed, because it takes much memory for long lists.
    """

    best: Floats
    left: Ints
    grid: Grid
    earn: Earn

    def chosen(self, number: int) -> Ints:
        """Return the documents of the best set of a size; this walks again, and keeps the steps."""
        place, back = self.grid.place, self.grid.back
        left = int(self.left[number])
        inside = staircase.best_set(place, back, *self.earn(), number, left, tell=tell_sums)
        return np.sort(self.grid.first[inside])


def walk(grid: Grid, earn: Earn) -> Walked:
    """Find the largest sum of what the first list earns less the second, for each set size."""
    best, left = staircase.best_sums(grid.place, grid.back, *earn(), tell_sums)
    return Walked(best, left, grid, earn)
