"""Columns of ids for tests of kernels: strings in, (data, offsets) out, and back."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import strategies as st

Column = tuple[Any, Any]

IDS = st.one_of(
    st.text("ab", max_size=4),
    st.text("ab", max_size=3).map(lambda text: "12345678" + text),
    st.text("ab", max_size=3).map(lambda text: "x" * 40 + text),
    st.text("zéß日\U0001f600", min_size=1, max_size=3),
)


def column(strings: Sequence[str]) -> Column:
    encoded = [string.encode() for string in strings]
    offsets = np.cumsum([0, *map(len, encoded)]).astype(np.int64)
    return np.frombuffer(b"".join(encoded), np.uint8), offsets


def strings_of(data: Any, offsets: Any) -> list[str]:
    text = bytes(data)
    return [text[a:b].decode() for a, b in pairwise(offsets)]
