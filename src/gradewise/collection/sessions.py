"""Sessions: lists that consist of several, one for each query that a user asked in turn."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gradewise.arrays import Ints, rows_of_lists

if TYPE_CHECKING:
    from gradewise.collection.judged import Hits

_WIDE = 1 << 40  # more than any rank


@dataclass(frozen=True, eq=False)
class Sessions:
    """Where the queries of each list begin.

    `begins[offsets[l]:offsets[l + 1]]` are those of list l. A query that begins at b has the ranks
    from b + 1 on, down to where the next one begins.
    """

    offsets: Ints
    begins: Ints

    @staticmethod
    def of_sizes(offsets: Ints, sizes: Ints) -> "Sessions":
        """Make sessions of the number of documents that each query has, list after list."""
        before = np.concatenate([[0], np.cumsum(sizes)])
        return Sessions(offsets, before[:-1] - before[offsets[:-1]].repeat(np.diff(offsets)))

    @property
    def _owner(self) -> Ints:
        """The list of each query."""
        return np.arange(len(self.offsets) - 1).repeat(np.diff(self.offsets))

    def locate(self, hits: "Hits") -> tuple[Ints, Ints]:
        """Return the query of each hit, from 1, and its rank among the documents of that query."""
        keys = self._owner * _WIDE + self.begins
        where = np.searchsorted(keys, hits.list * _WIDE + (hits.rank - 1), "right") - 1
        return where - self.offsets[hits.list] + 1, hits.rank - self.begins[where]

    def condensed(self, hits: "Hits") -> "Sessions":
        """Return where queries begin when nothing but some hits is left."""
        keys = hits.list.astype(np.int64) * _WIDE + hits.rank
        above = np.searchsorted(keys, self._owner * _WIDE + self.begins, "right")
        return Sessions(self.offsets, above - np.searchsorted(keys, self._owner * _WIDE))

    def of_lists(self, lists: Ints) -> "Sessions":
        """Return the queries of some lists, in the given order."""
        queries = np.diff(self.offsets)[lists]
        offsets = np.concatenate([[0], np.cumsum(queries)])
        return Sessions(offsets, self.begins[rows_of_lists(self.offsets, lists)])
