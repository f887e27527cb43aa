from typing import Any

import numpy as np
from numpy.typing import NDArray

def order_lists(
    data: NDArray[np.uint8],
    offsets: NDArray[np.integer[Any]],
    scores: NDArray[np.floating[Any]],
    edges: NDArray[np.integer[Any]],
    ties: int,
    seeds: NDArray[np.uint64],
) -> NDArray[np.int64]: ...
def find_repeats(
    data: NDArray[np.uint8], offsets: NDArray[np.integer[Any]], edges: NDArray[np.integer[Any]]
) -> list[tuple[int, int]]: ...
