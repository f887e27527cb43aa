import numpy as np
from numpy.typing import NDArray

OBJECT: int
LIST: int
END: int
KEY: int
STRING: int
NUMBER: int
WORD: int
ESCAPED: int

class Tokens:
    kind: NDArray[np.uint8]
    depth: NDArray[np.int32]
    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    count: int
    fault: int
    depth_behind: int
    def __init__(self) -> None: ...
    def read(self, block: NDArray[np.uint8], containers: bytes, follows: bool) -> None: ...

def last_cut(text: NDArray[np.uint8], level: int, depth: int) -> int: ...
