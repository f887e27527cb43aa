from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.integer[Any]]

def boost_gains(
    scores: Floats,
    labels: Floats,
    marks: Ints,
    weight: Floats,
    offsets: Ints,
    first: int,
    last: int,
    sigma: float,
    truncation: int,
    normalize: bool,
    plain: bool,
    pull: Floats,
    seed: int,
    gradient: Floats,
    hessian: Floats,
) -> None: ...
