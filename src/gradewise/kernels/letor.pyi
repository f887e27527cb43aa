import numpy as np
from numpy.typing import NDArray

MOST_FEATURES: int
GRADE: int
TOPIC: int
CELL: int
FEATURE: int
VALUE: int
REPEATED: int

class Cells:
    grades: memoryview
    value: memoryview
    topics: memoryview
    docs: memoryview
    topic_offsets: memoryview
    doc_offsets: memoryview
    row: memoryview
    column: memoryview
    fault_at: memoryview
    fault_kind: memoryview
    fault_detail: memoryview
    count: int
    cells: int
    lines: int
    faults: int
    def __init__(self, text: NDArray[np.uint8], kept_faults: int) -> None: ...
