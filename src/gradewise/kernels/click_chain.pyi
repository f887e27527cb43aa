from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.floating[Any]]

def expect_chain(
    offsets: Ints,
    pair: Ints,
    click: Ints,
    appeal: Floats,
    satisfaction: Floats,
    go_on: float,
    first: int,
    last: int,
    seen: Floats,
    satisfied: Floats,
    went_on: Floats,
) -> None: ...
def chain_chances(
    offsets: Ints, click: Ints, appeal: Floats, satisfaction: Floats, go_on: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
