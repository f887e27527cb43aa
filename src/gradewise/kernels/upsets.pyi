from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]

TABLE: Floats

def upset_chances(apart: Floats) -> tuple[Floats, Floats]: ...
