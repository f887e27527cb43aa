from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]

def draft_teams(
    first_offsets: Ints,
    first: Ints,
    second_offsets: Ints,
    second: Ints,
    coins: Ints,
    codes: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]: ...
