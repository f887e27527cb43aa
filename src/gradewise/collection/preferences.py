"""Preferences: which of two documents is better, judged in place of grades."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from gradewise.arrays import Bools, Ints

Pairs: TypeAlias = tuple[Ints, Ints]


@dataclass(frozen=True, eq=False)
class Preferences:
    """Pairs of judged documents of the same topic: row `better[i]` is preferred to `worse[i]`."""

    better: Ints
    worse: Ints

    def __len__(self) -> int:
        return len(self.better)

    def where(self, kept: Bools) -> "Preferences":
        """Return the pairs of which both documents are kept."""
        both = kept[self.better] & kept[self.worse]
        row = np.cumsum(kept) - 1
        return Preferences(row[self.better[both]], row[self.worse[both]])

    def of_rows(self, rows: Ints) -> "Preferences":
        """Return the pairs of which both documents are among some rows, numbered as these are."""
        highest = max(int(self.better.max(initial=-1)), int(self.worse.max(initial=-1)), -1)
        number = np.full(max(highest, int(rows.max(initial=-1))) + 1, -1)
        number[rows] = np.arange(len(rows))
        better, worse = number[self.better], number[self.worse]
        both = (better >= 0) & (worse >= 0)
        return Preferences(better[both], worse[both])


def close_preferences(strict: Pairs, duplicates: Pairs, bad: Ints, topic: Ints) -> Preferences:
    """Return all preferences that follow from those judged, which are taken as transitive.

    Parameters
    ----------
    strict
        Rows of documents, and of those that they are preferred to.
    duplicates
        Rows of documents that are equally good.
    bad
        Rows of documents judged bad: every document of the topic that is preferred to another is
        preferred to them, and one that is preferred itself is not bad.
    topic
        The topic of each row.
    """
    rows = len(topic)
    equal = _matrix(np.concatenate(duplicates), np.concatenate(duplicates[::-1]), rows)
    reached = _closed(equal + _matrix(*strict, rows))
    better, worse = _pairs(reached - reached.multiply(_closed(equal)))
    preferred = np.unique(better)
    bad = np.setdiff1d(bad, np.concatenate([preferred, *duplicates]))
    pairs = _pairs(_matrix(preferred, topic[preferred], rows) @ _matrix(topic[bad], bad, rows))
    both = np.unique(np.concatenate([better * rows + worse, pairs[0] * rows + pairs[1]]))
    return Preferences(both // rows, both % rows)


def _matrix(row: Ints, column: Ints, size: int) -> Any:
    from scipy.sparse import csr_matrix

    found = csr_matrix((np.ones(len(row), np.bool_), (row, column)), shape=(size, size))
    found.sum_duplicates()
    return found.astype(np.int64).sign()


def _closed(steps: Any) -> Any:
    """Return what can be reached in any number of steps; paths double in length each time."""
    reached = steps.sign()
    while True:
        further = (reached + reached @ reached).sign()
        if further.nnz == reached.nnz:
            return reached
        reached = further


def _pairs(matrix: Any) -> Pairs:
    """Return the rows and columns of what is in a matrix, off its diagonal."""
    found = matrix.tocoo()
    chosen = (found.data > 0) & (found.row != found.col)
    return found.row[chosen].astype(np.int64), found.col[chosen].astype(np.int64)
