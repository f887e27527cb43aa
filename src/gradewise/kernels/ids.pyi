from typing import Any

import numpy as np
from numpy.typing import NDArray

HASH_SEED: int

def hash_ids(
    data: NDArray[np.uint8], offsets: NDArray[np.integer[Any]], seed: int
) -> NDArray[np.uint64]: ...
def take_ids(
    data: NDArray[np.uint8], offsets: NDArray[np.integer[Any]], rows: NDArray[np.integer[Any]]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]: ...
def find_changes(
    data: NDArray[np.uint8], offsets: NDArray[np.integer[Any]]
) -> NDArray[np.int64]: ...

class Numbering:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def add(
        self, data: NDArray[np.uint8], offsets: NDArray[np.integer[Any]]
    ) -> NDArray[np.int64]: ...
    def find(
        self, data: NDArray[np.uint8], offsets: NDArray[np.integer[Any]]
    ) -> NDArray[np.int64]: ...
    def column(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]: ...
