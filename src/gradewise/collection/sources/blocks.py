"""Blocks of text, cut where lines end, in buffers that are used again."""

import threading
from collections.abc import Callable, Iterator

import numpy as np

from gradewise.arrays import Bytes
from gradewise.collection.sources.compression import Reader
from gradewise.errors import InputError

BLOCK = 1 << 22
LONGEST_ROW = 1 << 26  # a line that is longer holds no row of qrels or of a run
_KEPT = 4
_NEWLINE, _RETURN = b"\n", b"\r"


class Buffers(threading.local):
    """Buffers that wait to be used again, by the thread that has used them.

    The next block or the next file may be read into them, as new memory costs time. They go when
    their thread ends.
    """

    def __init__(self) -> None:
        self.waiting: list[Bytes] = []

    def get(self, size: int) -> Bytes:
        """Return a buffer of at least a size."""
        if self.waiting:
            buffer = self.waiting.pop()
            if len(buffer) >= size:
                return buffer
        return np.empty(size, np.uint8)

    def put(self, buffer: Bytes) -> None:
        """Give a buffer back; one for a very long line is not kept, nor are very many."""
        if len(buffer) <= 2 * BLOCK and len(self.waiting) < _KEPT:
            self.waiting.append(buffer)


BUFFERS = Buffers()


def last_line_end(text: Bytes) -> int:
    """Return where the line behind the last whole line begins; 0 if no line is whole.

    A carriage return ends a line only if no newline follows, so the last byte does not tell.
    """
    size, reach = len(text), 1 << 12
    while True:
        low = max(0, size - reach)
        tail = text[low:].tobytes()
        found = max(tail.rfind(_NEWLINE), tail.rfind(_RETURN, 0, len(tail) - 1))
        if found >= 0:
            return low + found + 1
        if low == 0:
            return 0
        reach *= 16


def read_blocks(
    name: str,
    reader: Reader,
    last_end: Callable[[Bytes], int] = last_line_end,
    block: int = BLOCK,
    *,
    longest: int | None = LONGEST_ROW,
) -> Iterator[tuple[Bytes, int, bool]]:
    """Give the text as (buffer, size, last): `size` bytes, which end where a row ends.

    `last` says that nothing follows, if that is known. Who takes a buffer puts it back. A row that
    is longer than a block is read whole, unless it is longer than `longest`, which is an
    InputError. `last_end` tells where the row behind the last whole one begins.
    """
    buffer, filled = BUFFERS.get(block + 1), 0
    while True:
        count = reader.readinto(buffer.data[filled : len(buffer) - 1])
        filled += count or 0
        if not count:
            break
        if filled < len(buffer) - 1:
            continue
        cut = last_end(buffer[:filled])
        if longest is not None and filled - cut > longest:
            raise InputError(
                f"{name}: a line is longer than {longest >> 20} MB; this is not a file of qrels, "
                "runs or features"
            )
        following = BUFFERS.get(max(block, 2 * (filled - cut)) + 1)
        following[: filled - cut] = buffer[cut:filled]
        if cut:
            yield buffer, cut, False
        buffer, filled = following, filled - cut
    if filled:
        if buffer[filled - 1 : filled].tobytes() not in (_NEWLINE, _RETURN):
            buffer[filled] = ord(_NEWLINE)
            filled += 1
        yield buffer, filled, True
