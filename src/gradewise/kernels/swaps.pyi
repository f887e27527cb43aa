from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.integer[Any]]

def swap_tables(
    family: int, levels: Ints, kernel: Floats, gain: Floats, weight: Floats
) -> tuple[Floats, Floats, Floats]: ...
