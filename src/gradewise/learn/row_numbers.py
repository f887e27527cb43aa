"""Numbers that are given for each row, or for each list: checked, and in the order of rows."""

from typing import Any

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import InputError


def row_numbers(name: str, given: Any, rows: int) -> Floats | None:
    """Return a finite number for each row; None if none were given."""
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


def row_weights(given: Any, rows: int, sizes: Ints, order: Ints | None) -> Floats | None:
    """Return a weight for each row, in the order in which rows were given.

    `given` has one for each row, or one for each list; `order` puts rows list after list.
    """
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


def list_weights(weights: Floats, sizes: Ints) -> Floats:
    """Return the mean weight of the rows of each list.

    Examples
    --------
    >>> list_weights(np.array([1.0, 3.0, 0.5]), np.array([2, 1])).tolist()
    [2.0, 0.5]
    """
    return np.add.reduceat(weights, np.cumsum(sizes) - sizes) / sizes
