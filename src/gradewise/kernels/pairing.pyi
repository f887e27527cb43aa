from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]

def pair_lists(first: Ints, second: Ints, place: Ints) -> tuple[Ints, Ints]: ...
def count_further(documents: Ints, first: Ints, second: Ints, level: Ints, place: Ints) -> int: ...
def place_free(rank: Ints, other: Ints, level: Ints) -> tuple[Ints, Ints, Ints, Ints]: ...
