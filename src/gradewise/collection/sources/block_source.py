"""Sources of text that is read block by block: places are lines."""

from abc import abstractmethod
from typing import Protocol, cast

import numpy as np

from gradewise.arrays import Bytes, Ints
from gradewise.collection.batch import Batch, Fault
from gradewise.collection.ids import Ids
from gradewise.collection.sources.source import Parts, Source
from gradewise.collection.sources.streams import Stream
from gradewise.kernels import lines

_SHOWN_LINE = 1000


class BlockPart(Protocol):
    """A block of text as a part."""

    def place_of(self, row: int) -> tuple[int, str]:
        """Return the line of a row, from the start of the block, and its text."""


class BlockSource(Source):
    """Text, whose rows are found again by reading once more."""

    stream: Stream

    @abstractmethod
    def parts(self) -> Parts:
        """Give the rows, a block of text at a time."""

    def place(self, number: int) -> str:
        """Name a line."""
        return f"{self.name}:{number + 1}"

    def places(self, rows: Ints) -> list[tuple[str, str]]:
        """Return `path:line` of some rows, which ascend, and their text, by reading once more."""
        found, first_row, first_line = [], 0, 0
        for part in self.parts():
            with part as batch:
                inside = rows[(rows >= first_row) & (rows < first_row + len(batch))]
                for row in (inside - first_row).tolist():
                    line, text = cast(BlockPart, part).place_of(row)
                    found.append((self.place(first_line + line), text))
                first_row, first_line = first_row + len(batch), first_line + batch.size
        return found


def no_rows(size: int, faults: tuple[Fault, ...]) -> Batch:
    """Return a batch without rows."""
    nothing = Ids(np.empty(0, np.uint8), np.zeros(1, np.int64))
    edges = np.zeros(1, np.int64)
    return Batch(nothing, edges, nothing, np.empty(0), size, faults, len(faults), ranked=True)


def undecodable(text: Bytes) -> int | None:
    """Return where a block stops being UTF-8 text, or None."""
    if lines.is_ascii(text):
        return None
    try:
        text.tobytes().decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return None


def count_lines(text: bytes) -> int:
    """Count line ends: LF, CRLF, CR."""
    return text.count(b"\n") + text.count(b"\r") - text.count(b"\r\n")


def line_at(text: Bytes, at: int) -> str:
    """Return the line that a position lies in, or as much of it as is worth showing."""
    before = text[max(0, at - _SHOWN_LINE) : at].tobytes()
    start = at - len(before) + max(before.rfind(b"\n"), before.rfind(b"\r")) + 1
    line = text[start : start + _SHOWN_LINE].tobytes().replace(b"\r", b"\n").split(b"\n")[0]
    return line.decode("utf-8", errors="backslashreplace").strip()
