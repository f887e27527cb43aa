import numpy as np
from numpy.typing import NDArray

def last_record_end(text: NDArray[np.uint8], delimiter: int) -> int: ...
