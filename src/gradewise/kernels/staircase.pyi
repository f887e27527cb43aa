from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.floating[Any]]

def best_sums(
    place: Ints,
    back: Ints,
    first: Floats,
    second: Floats,
    tell: Callable[[int], None] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]: ...
def best_set(
    place: Ints,
    back: Ints,
    first: Floats,
    second: Floats,
    size: int,
    left: int,
    room: int = ...,
    tell: Callable[[int], None] | None = None,
) -> NDArray[np.bool_]: ...
