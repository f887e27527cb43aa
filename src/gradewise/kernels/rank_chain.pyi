from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]

class RankChain:
    def __init__(self, longest: int, widest: int) -> None: ...

def expected_rank_discount(chance: Floats, discount: Floats) -> tuple[float, Floats]: ...
