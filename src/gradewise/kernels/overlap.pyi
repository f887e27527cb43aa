from typing import Any

import numpy as np
from numpy.typing import NDArray

def overlap_from(
    documents: NDArray[np.integer[Any]],
    ranks: NDArray[np.integer[Any]],
    edges: NDArray[np.integer[Any]],
    one: int,
    tables: NDArray[np.floating[Any]],
    number: int,
) -> NDArray[np.float64]: ...
