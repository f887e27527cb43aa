from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.floating[Any]]

def score_pivots(
    levels: Ints, order: Ints, topic: Ints, table: Floats, discount: Floats
) -> NDArray[np.float64]: ...
def count_levels(levels: Ints, size: int) -> NDArray[np.int64]: ...
