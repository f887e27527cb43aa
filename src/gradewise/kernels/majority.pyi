from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]

def order_by_majority(
    ranks: Ints, weights: NDArray[np.floating[Any]], offsets: Ints, start: Ints
) -> NDArray[np.int64]: ...
