from typing import Any

import numpy as np
from numpy.typing import NDArray

def from_views(
    views: NDArray[np.uint8], addresses: NDArray[np.uint64], sizes: NDArray[np.integer[Any]]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]: ...
def from_integers(
    numbers: NDArray[np.integer[Any]], unsigned: bool
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]: ...
def find_blank(data: NDArray[np.uint8], offsets: NDArray[np.integer[Any]]) -> int: ...
