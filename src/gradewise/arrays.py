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


def distinct(values: NDArray[Scalar]) -> NDArray[Scalar]:
    """Return the values that there are, ascending.

    (np.unique imports masked arrays at its first use, which takes longer than to score a run.)
    """
    ordered = np.sort(values)
    is_new = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    return ordered[is_new]


def rows_of_lists(offsets: Ints, lists: Ints) -> Ints:
    """Return the rows of some lists, one list after the other; list l has offsets[l:l + 2]."""
    sizes = offsets[lists + 1] - offsets[lists]
    shift = offsets[lists] - (np.cumsum(sizes) - sizes)
    return np.arange(int(sizes.sum())) + shift.repeat(sizes)
