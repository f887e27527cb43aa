from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.integer[Any]]

def soft_gain_lists(
    scores: Floats,
    levels: Ints,
    offsets: Ints,
    gain: Floats,
    weight: Floats,
    sigma: float,
    exact: int,
    values: Floats,
    gradient: Floats,
) -> None: ...
