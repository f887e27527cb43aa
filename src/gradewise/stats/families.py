"""Which pairs of runs are shown, and which family of pairs their p-values are corrected for.

Without a baseline, all pairs are both. The pairs with a baseline that was named beforehand are a
smaller family. The best run is not named beforehand: the data choose it, and choose the one whose
leads look most significant, so corrected for its own pairs only, it is falsely better than some run
too often (see benchmarks/family_wise.py). What is said about the best run is therefore corrected
for all pairs, whether it is the baseline of a command or the best run of a report.
"""

from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.noise import merge_ties


@dataclass(frozen=True, eq=False)
class Family:
    """Pairs of runs: those that are shown, and those that are tested and corrected for.

    Runs are numbered best first. In a pair that is shown, the better run comes first, or the
    baseline second if there is one.
    """

    shown: tuple[Ints, Ints]
    tested: tuple[Ints, Ints]
    runs: int

    def __len__(self) -> int:
        return len(self.tested[0])

    def select(self, tested: Floats) -> Floats:
        """Return what is known of the pairs tested for the pairs shown."""
        if self.shown is self.tested:
            return tested
        found = np.empty((self.runs, self.runs))
        first, second = self.tested
        found[first, second] = found[second, first] = tested
        return np.asarray(found[self.shown])


def find_family(means: Floats, baseline: int | None, *, joint: bool = False) -> Family:
    """Return the pairs to show and to test, given means, best first, and the baseline's place.

    A joint test takes all runs, whatever is shown.
    """
    everything = np.triu_indices(len(means), 1)
    if baseline is None:
        return Family(everything, everything, len(means))
    others = np.flatnonzero(np.arange(len(means)) != baseline)
    shown = others, np.full(len(others), baseline)
    ranked = merge_ties(means)
    chosen_by_data = ranked[baseline] == ranked[0]
    return Family(shown, everything if joint or chosen_by_data else shown, len(means))
