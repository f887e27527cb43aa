"""Names for the array types that travel between rooms."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Bytes: TypeAlias = NDArray[np.uint8]
Bools: TypeAlias = NDArray[np.bool_]
Ints: TypeAlias = NDArray[np.integer[Any]]
Words: TypeAlias = NDArray[np.uint64]
Floats: TypeAlias = NDArray[np.floating[Any]]
AnyArray: TypeAlias = NDArray[Any]
