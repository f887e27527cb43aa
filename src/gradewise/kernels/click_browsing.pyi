from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.floating[Any]]

def last_clicks(offsets: Ints, rank: Ints, click: Ints) -> NDArray[np.int32]: ...
def browsing_chances(
    offsets: Ints, rank: Ints, appeal: Floats, seen: Floats
) -> NDArray[np.float64]: ...
