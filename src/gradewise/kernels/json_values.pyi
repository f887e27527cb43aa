from typing import Any

import numpy as np
from numpy.typing import NDArray

def take_strings(
    block: NDArray[np.uint8],
    begins: NDArray[np.integer[Any]],
    ends: NDArray[np.integer[Any]],
) -> tuple[NDArray[np.uint8], NDArray[np.int64], int]: ...
def take_numbers(
    block: NDArray[np.uint8],
    begins: NDArray[np.integer[Any]],
    ends: NDArray[np.integer[Any]],
) -> NDArray[np.float64]: ...
def are_whole(
    block: NDArray[np.uint8],
    begins: NDArray[np.integer[Any]],
    ends: NDArray[np.integer[Any]],
) -> NDArray[np.bool_]: ...
