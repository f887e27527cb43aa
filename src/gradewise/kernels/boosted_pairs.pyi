from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.integer[Any]]

SMALLEST_HESSIAN: float

def boost_lists(
    scores: Floats,
    levels: Ints,
    offsets: Ints,
    first: int,
    last: int,
    family: int,
    kernel: Floats,
    gain: Floats,
    weight: Floats,
    sigma: float,
    truncation: int,
    normalize: bool,
    pull: Floats,
    seed: int,
    gradient: Floats,
    hessian: Floats,
) -> None: ...
