from typing import Any

import numpy as np
from numpy.typing import NDArray

from gradewise.kernels.lookup import Lookup

def join_lists(
    lookup: Lookup,
    data: NDArray[np.uint8],
    offsets: NDArray[np.integer[Any]],
    scores: NDArray[np.floating[Any]],
    edges: NDArray[np.integer[Any]],
    topics: NDArray[np.integer[Any]],
    ties: int,
    seeds: NDArray[np.uint64],
    depth: int,
) -> tuple[
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.float64],
    int,
]: ...
