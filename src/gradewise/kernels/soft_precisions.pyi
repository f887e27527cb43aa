from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.integer[Any]]

def soft_pivot_lists(
    scores: Floats,
    levels: Ints,
    offsets: Ints,
    kernel: Floats,
    sigma: float,
    values: Floats,
    gradient: Floats,
) -> None: ...
