from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.floating[Any]]

def maximize_ratio(
    weight: Floats, level: Ints, order: Ints, relevant: Ints, steps: Floats, ideal: Floats
) -> tuple[float, float, NDArray[np.int64]]: ...
