"""Levels: where grades stand on the scale of positive grades that a collection uses."""

import numpy as np

from gradewise.arrays import Bools, Floats, Ints

NEGATIVE = -1  # the level of documents with a negative grade


def to_levels(grades: Ints | Floats, scale: Ints) -> Ints:
    """Return the level of each grade: its position on the scale, from 1.

    Grade 0 has level 0, grades below it have NEGATIVE. Grades that are not on the scale have the
    level of the next higher one.

    Examples
    --------
    >>> import numpy as np
    >>> to_levels(np.array([3, 1, 0, -2]), scale=np.array([1, 3])).tolist()
    [2, 1, 0, -1]
    """
    levels = np.searchsorted(scale, grades) + 1
    return np.where(grades > 0, levels, np.where(grades < 0, NEGATIVE, 0))


def count_levels(
    topic: Ints, level: Ints, *, topics: int, scale: Ints, counted: Bools | None = None
) -> Ints:
    """Count documents by topic and level, `counts[t, i]`; negative levels count as level 0.

    `topic` and `level` are those of each document; `counted` chooses the documents that count.
    """
    width = len(scale) + 1
    cell = topic * width + np.maximum(level, 0)
    if counted is not None:
        cell = cell[counted]
    return np.bincount(cell, minlength=topics * width).reshape(topics, width)
