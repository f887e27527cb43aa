from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]

class Search:
    chances: Floats
    error: float
    certified: bool
    steps: int

    def __init__(self, linear: Floats, discount: Floats, table: Floats, counts: Floats) -> None: ...
    def mark(self) -> None: ...
    def go_back(self) -> None: ...
    def value(self) -> float: ...
    def seek(self, aim: float, tolerance: float, most: int) -> bool: ...
