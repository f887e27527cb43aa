from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]

def expand_rank_discount(
    mean: float, variance: float, third: float, fourth: float, discount: Floats
) -> tuple[float, float, float, float, float]: ...
