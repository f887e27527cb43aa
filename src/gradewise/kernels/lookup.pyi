from typing import Any

import numpy as np
from numpy.typing import NDArray

class Lookup:
    def __init__(
        self,
        data: NDArray[np.uint8],
        offsets: NDArray[np.integer[Any]],
        edges: NDArray[np.integer[Any]],
    ) -> None: ...
    def find(
        self,
        topics: NDArray[np.integer[Any]],
        data: NDArray[np.uint8],
        offsets: NDArray[np.integer[Any]],
    ) -> NDArray[np.int64]: ...
