from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.integer[Any]]

def order_lists(
    scores: Floats,
    levels: Ints,
    offsets: Ints,
    first: int,
    last: int,
    seed: int,
    order: Ints,
) -> None: ...
