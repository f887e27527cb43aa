from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.floating[Any]]

def update_cells(
    edges: Ints,
    place: Ints,
    shown: Ints,
    clicked: Ints,
    appeal: Floats,
    seen: Floats,
    prior: float,
    first: int,
    last: int,
    expected: Floats,
) -> None: ...
