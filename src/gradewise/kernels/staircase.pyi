from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.floating[Any]]

def best_sums(place: Ints, back: Ints, first: Floats, second: Floats) -> NDArray[np.float64]: ...
def best_set(
    place: Ints, back: Ints, first: Floats, second: Floats, size: int
) -> NDArray[np.bool_]: ...
