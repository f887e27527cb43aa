from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]

def solve_step(
    p: Floats,
    gradient: Floats,
    residual: Floats,
    discount: Floats,
    table: Floats,
    slope: float,
    gap: Floats,
) -> tuple[Floats, Floats, bool]: ...
