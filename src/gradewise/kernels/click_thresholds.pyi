from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.floating[Any]]

def expect_by_position(
    offsets: Ints,
    rank: Ints,
    level: Ints,
    click: Ints,
    weight: Floats,
    g: Floats,
    seen: Floats,
    others: float,
    thresholds: Floats,
    rows: Floats,
    looks: Floats,
    sums: Floats,
) -> float: ...
def expect_by_cascade(
    offsets: Ints,
    level: Ints,
    click: Ints,
    weight: Floats,
    g: Floats,
    users: Floats,
    thresholds: Floats,
    sums: Floats,
) -> float: ...
