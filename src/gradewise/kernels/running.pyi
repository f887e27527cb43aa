from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.floating[Any]]

def running_sums(lists: Ints, values: Floats) -> NDArray[np.float64]: ...
