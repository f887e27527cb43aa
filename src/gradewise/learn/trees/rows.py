"""Rows as boosters take them, list after list, from arrays that users give."""

from typing import Any

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import InputError
from gradewise.learn.estimator import warn_of_one_list
from gradewise.learn.features import checked_grades, topics_of
from gradewise.learn.own_gains import is_whole
from gradewise.learn.positions import checked_positions
from gradewise.learn.row_numbers import row_numbers, row_weights
from gradewise.learn.trees.booster import Rows


def listed_rows(
    x: Any,
    labels: Any,
    *,
    qid: Any,
    group: Any,
    weight: Any = None,
    start: Any = None,
    position: Any = None,
    names: tuple[str, ...] | None = None,
    training: bool = False,
) -> Rows:
    """Return checked rows, list after list; labels must be grades unless `training`."""
    count = len(labels)
    grades = _labels(labels, count) if training else checked_grades(labels, count)
    if group is None and qid is None:
        warn_of_one_list(count)
        group = [count]
    _, sizes, order = topics_of(group, qid, count)
    columns = (
        grades,
        row_numbers("init_score", start, count),
        None if position is None else checked_positions(position, count),
        row_weights(weight, count, sizes, order),
    )
    if order is not None:
        x = x[order]
        columns = tuple(None if each is None else each[order] for each in columns)  # type: ignore
    grades, starts, positions, weights = columns
    return Rows(x, grades, sizes, weights, starts, positions, names)


def _labels(given: Any, rows: int) -> Ints | Floats:
    """Return grades, or other finite numbers where not all are whole."""
    numbers = row_numbers("y", given, rows)
    assert numbers is not None
    return checked_grades(numbers, rows) if is_whole(numbers) else numbers


def check_differs(x: Any) -> None:
    """Raise an InputError if no tree can split the rows."""
    if isinstance(x, np.ndarray):
        differs = bool((x != x[0]).any())
    else:
        differs = bool((x.max(axis=0) != x.min(axis=0)).nnz)
    if not differs:
        raise InputError(
            f"every feature has the same value in all rows (n_samples = {x.shape[0]}), so trees "
            "have nothing to split"
        )
