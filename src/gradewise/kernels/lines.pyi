from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

COLUMNS: int
NOT_A_NUMBER: int
NOT_WHOLE: int
TOO_LARGE: int
CONTROL: int
QUOTE: int
NO_TOPIC: int
NO_DOC: int

class Rows:
    docs: NDArray[np.uint8]
    doc_offsets: NDArray[np.int64]
    numbers: NDArray[np.float64]
    starts: NDArray[np.int64]
    heads: NDArray[np.int64]
    topics: NDArray[np.uint8]
    topic_offsets: NDArray[np.int64]
    fault_at: NDArray[np.int64]
    fault_kind: NDArray[np.int32]
    fault_detail: NDArray[np.int32]
    count: int
    topic_count: int
    lines: int
    faults: int
    skipped: int
    unranked: bool
    def __init__(self, kept_faults: int) -> None: ...
    def read(
        self,
        block: NDArray[np.uint8],
        columns: Sequence[int],
        width: int,
        more: bool,
        whole: bool,
        delimiter: int = 0,
        complete: bool = False,
    ) -> None: ...

def is_ascii(block: NDArray[np.uint8]) -> bool: ...
