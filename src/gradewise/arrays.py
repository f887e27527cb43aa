"""Names for the array types that travel between rooms."""

from collections.abc import Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Bytes: TypeAlias = NDArray[np.uint8]
Bools: TypeAlias = NDArray[np.bool_]
Ints: TypeAlias = NDArray[np.integer[Any]]
Floats: TypeAlias = NDArray[np.floating[Any]]
AnyArray: TypeAlias = NDArray[Any]

Scalar = TypeVar("Scalar", bound=np.generic)


def joined(parts: Sequence[NDArray[Scalar]]) -> NDArray[Scalar]:
    """Concatenate arrays; one alone is not copied."""
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def offsets_of(sizes: Ints) -> Ints:
    """Return where each of several lists begins and the last one ends, given their sizes."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def distinct(values: NDArray[Scalar]) -> NDArray[Scalar]:
    """Return the values that there are, ascending.

    (np.unique imports masked arrays at its first use, which takes longer than to score a run.)
    """
    ordered = np.sort(values)
    is_new = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    return ordered[is_new]


def add_up(table: Floats | Ints, weights: Floats | Ints | None = None) -> Floats:
    """Return Σ_i table[..., i] · weights[..., i], the first term first; weights are 1 by default.

    A matrix product or a sum along an axis may add in an order that depends on how many rows there
    are, so that a value would depend in its last bit on what else is computed with it.
    """
    last = table.shape[-1]
    shape = table.shape if weights is None else np.broadcast_shapes(table.shape, weights.shape)
    total = np.zeros(shape[:-1])
    for index in range(last):
        column = table[..., index]
        total += column if weights is None else column * weights[..., index]
    return total


def rows_of_lists(offsets: Ints, lists: Ints) -> Ints:
    """Return the rows of some lists, one list after the other; list l has offsets[l:l + 2]."""
    sizes = offsets[lists + 1] - offsets[lists]
    shift = offsets[lists] - (np.cumsum(sizes) - sizes)
    return np.arange(int(sizes.sum())) + shift.repeat(sizes)


def quotient(
    value: Floats | Ints | float, by: Floats | Ints, otherwise: float = np.nan
) -> NDArray[np.float64]:
    """Divide, with NaN or another value where the divisor is not positive."""
    shape = np.broadcast_shapes(np.shape(value), np.shape(by))
    return np.divide(value, by, out=np.full(shape, otherwise), where=np.asarray(by) > 0)
