from typing import Any

import numpy as np
from numpy.typing import NDArray

def cover_intents(
    edges: NDArray[np.integer[Any]],
    rows: NDArray[np.integer[Any]],
    offsets: NDArray[np.integer[Any]],
    intent: NDArray[np.integer[Any]],
    weights: NDArray[np.floating[Any]],
    kept: float,
    depth: int,
) -> NDArray[np.int64]: ...
