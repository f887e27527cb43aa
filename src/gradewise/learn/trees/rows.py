"""Rows as boosters take them, list after list, from arrays that users give."""

from typing import Any

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import InputError
from gradewise.learn.estimator import warn_of_one_list
from gradewise.learn.features import checked_grades, topics_of
from gradewise.learn.own_gains import is_whole
from gradewise.learn.positions import checked_positions
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
        _numbers("init_score", start, count),
        None if position is None else checked_positions(position, count),
        _weights(weight, count, sizes, order),
    )
    if order is not None:
        x = x[order]
        columns = tuple(None if each is None else each[order] for each in columns)  # type: ignore
    grades, starts, positions, weights = columns
    return Rows(x, grades, sizes, weights, starts, positions, names)


def _labels(given: Any, rows: int) -> Ints | Floats:
    """Return grades, or other finite numbers where not all are whole."""
    numbers = _numbers("y", given, rows)
    assert numbers is not None
    return checked_grades(numbers, rows) if is_whole(numbers) else numbers


def _numbers(name: str, given: Any, rows: int) -> Floats | None:
    if given is None:
        return None
    numbers = np.asarray(given, np.float64)
    if numbers.shape != (rows,):
        raise InputError(
            f"{name} must have one number for each of {rows} rows, but has shape {numbers.shape}"
        )
    if not np.isfinite(numbers).all():
        row = int(np.argmin(np.isfinite(numbers)))
        raise InputError(f"{name} of row {row} is {numbers[row]}, not a finite number")
    return numbers


def _weights(given: Any, rows: int, sizes: Ints, order: Ints | None) -> Floats | None:
    """Return a weight for each row, in the order in which rows were given."""
    if given is None:
        return None
    weights = np.asarray(given, np.float64)
    if weights.shape == sizes.shape != (rows,):  # one for each list, in the order of the lists
        spread = weights.repeat(sizes)
        weights = np.empty(rows)
        weights[slice(None) if order is None else order] = spread
    if weights.shape != (rows,):
        raise InputError(
            f"sample_weight must have one number for each of {rows} rows, or for each of "
            f"{len(sizes)} lists, but has shape {weights.shape}"
        )
    if not (np.isfinite(weights) & (weights >= 0)).all():
        raise InputError("every sample_weight must be a finite number of 0 or more")
    if not weights.any():
        raise InputError("every sample_weight is zero")
    return weights


def check_differs(x: Any) -> None:
    """Raise an InputError if no tree can split the rows."""
    if isinstance(x, np.ndarray):
        differs = bool((x != x[0]).any())
    else:
        differs = bool((x.max(axis=0) != x.min(axis=0)).nnz)
    if not differs:
        raise InputError(
            f"every feature has the same value in all rows (n_samples = {x.shape[0]}), so that "
            "trees have nothing to split"
        )
