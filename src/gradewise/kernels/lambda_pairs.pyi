from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.integer[Any]]

def lambda_lists(
    scores: Floats,
    order: Ints,
    levels: Ints,
    offsets: Ints,
    family: int,
    kernel: Floats,
    gain: Floats,
    weight: Floats,
    sigma: float,
    depth: int,
    plain: bool,
    pull: Floats,
    losses: Floats,
    gradient: Floats,
) -> None: ...
