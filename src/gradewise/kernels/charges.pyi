from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.floating[Any]]

def earn_precisions(
    rank: Ints, level: Ints, grid: Ints, discount: Floats, levels: Ints, shares: Floats
) -> NDArray[np.float64]: ...
def earn_satisfaction(
    rank: Ints, level: Ints, grid: Ints, discount: Floats, satisfied: Floats
) -> NDArray[np.float64]: ...
