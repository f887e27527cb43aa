"""Qrels and runs as lines of text: TREC's columns, and the short forms that others use."""

import re
import threading
from types import TracebackType
from typing import cast

import numpy as np

from gradewise.arrays import Bytes, Ints
from gradewise.collection.batch import Batch, Fault
from gradewise.collection.ids import Ids
from gradewise.collection.sources.blocks import BUFFERS, read_blocks
from gradewise.collection.sources.layouts import (
    QRELS_LAYOUTS,
    RUN_LAYOUTS,
    Layout,
    header_layout,
    layout_of,
)
from gradewise.collection.sources.source import Parts, Source
from gradewise.collection.sources.streams import Stream
from gradewise.errors import SHOWN_PROBLEMS, InputError, Problem
from gradewise.kernels import lines

LARGEST_GRADE = 2**53 - 1  # beyond, numbers are not exact
_SHOWN_LINE = 1000
_LINE = re.compile(rb"[^\r\n]+")


class _Spare(threading.local):
    """Rows that wait to be used again, by the thread that has used them."""

    def __init__(self) -> None:
        self.rows: list[lines.Rows] = []


_spare = _Spare()


class TextSource(Source):
    """Lines of a text, read block by block."""

    def __init__(self, stream: Stream, *, grades: bool):
        self.stream, self.name, self.grades = stream, stream.name, grades
        self.layout: Layout | None = None
        self.header = (0, 0)  # where a header begins and ends
        self.last_row = (-1, b"")  # where the last block with rows begins, and its last row
        self.lock = threading.Lock()

    def parts(self) -> Parts:
        """Give the rows, a block of text at a time."""
        begin = 0
        with self.stream.open() as reader:
            for buffer, size, last in read_blocks(reader):
                if self.layout is None:
                    self._choose_layout(buffer[:size], begin)
                first, end = (min(max(edge - begin, 0), size) for edge in self.header)
                buffer[first:end] = ord(" ")
                yield _Block(self, buffer, size, begin, last)
                begin += size
        if not begin:
            raise InputError(f"{self.name}: the file is empty")

    def _choose_layout(self, block: Bytes, begin: int) -> None:
        """Tell the layout by the first line that holds data; nothing is chosen if there is none."""
        start, end, columns = _first_line(block.tobytes())
        if not columns:
            return
        header = header_layout(columns, grades=self.grades)
        if header is not None:
            self.layout, self.header = header, (begin + start, begin + end)
            return
        layouts = QRELS_LAYOUTS if self.grades else RUN_LAYOUTS
        layout = layout_of(columns, layouts)
        if layout is None:
            shapes = " or ".join(layout.shape for layout in layouts)
            reason = f"expected {shapes}, found {len(columns)}"
            line = count_lines(block[:start].tobytes())
            raise InputError(Problem(self.place(line), reason, line_at(block, start)))
        self.layout = layout
        if not layout.sure:
            rows = lines.Rows(0)
            rows.read(block, layout.columns, layout.width, layout.more, layout.whole)
            if rows.fractional:
                self.take_as_scores()

    def take_as_scores(self) -> None:
        """Take the number for a score from now on: ranks have no fractions."""
        assert self.layout is not None
        self.layout = self.layout.as_scores()

    @property
    def is_guess(self) -> bool:
        """Whether numbers are taken for ranks because nothing says that they are scores."""
        return self.layout is not None and not self.layout.sure and self.layout.number == "rank"

    @property
    def notes(self) -> tuple[str, ...]:  # type: ignore[override]
        """What the third column of a run was taken for."""
        if self.layout is None or self.layout.sure:
            return ()
        if self.is_guess:
            return ("read the third column as ranks (1 is best)",)
        return ("read the third column as scores, because it has fractions",)

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
                    line, text = cast(_Block, part).place_of(row)
                    found.append((self.place(first_line + line), text))
                first_row, first_line = first_row + len(batch), first_line + batch.size
        return found

    def tag(self) -> str | None:
        """Return the sixth column of the last row that has been read."""
        columns = self.last_row[1].split()
        is_trec = self.layout is RUN_LAYOUTS[0] and len(columns) > 5
        return columns[5].decode("utf-8", "backslashreplace") if is_trec else None

    def no_rows(self) -> InputError:
        """Say that there is nothing but comments and blank lines."""
        return InputError(f"{self.name}: the file has no data lines")


class _Block:
    """A block of text as a part."""

    def __init__(self, source: TextSource, buffer: Bytes, size: int, begin: int, last: bool):
        self.source, self.buffer, self.begin, self.layout = source, buffer, begin, source.layout
        self.text, self.last = buffer[:size], last

    def __enter__(self) -> Batch:
        spare = _spare.rows
        self.rows = rows = spare.pop() if spare else lines.Rows(SHOWN_PROBLEMS)
        wrong = undecodable(self.text)
        if wrong is not None or self.layout is None:
            faults = () if wrong is None else (self._fault(wrong, "this is not UTF-8 text"),)
            return _no_rows(count_lines(self.text.tobytes()), faults)
        layout = self.layout
        rows.read(self.text, layout.columns, layout.width, layout.more, layout.whole)
        if rows.count:
            self._remember_last()
        numbers = rows.numbers[: rows.count]
        if layout.number == "rank":  # the best rank is the lowest, the best score the highest
            np.negative(numbers, out=numbers)
        return Batch(
            topics=Ids(rows.topics, rows.topic_offsets[: rows.topic_count + 1]),
            edges=np.append(rows.heads[: rows.topic_count], rows.count),
            docs=Ids(rows.docs, rows.doc_offsets[: rows.count + 1]),
            numbers=numbers,
            size=rows.lines,
            faults=tuple(map(self._described, range(min(rows.faults, SHOWN_PROBLEMS)))),
            fault_count=rows.faults,
            whole=not rows.fractional,
            begins=self.begin == 0,
            ends=self.last,
        )

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        BUFFERS.put(self.buffer)
        _spare.rows = [self.rows]

    def _remember_last(self) -> None:
        start = int(self.rows.starts[self.rows.count - 1])
        line = self.text[start:].tobytes().splitlines()[0]
        with self.source.lock:
            self.source.last_row = max(self.source.last_row, (self.begin, line))

    def place_of(self, row: int) -> tuple[int, str]:
        """Return the line of a row, from the start of the block, and its text."""
        start = int(self.rows.starts[row])
        return count_lines(self.text[:start].tobytes()), line_at(self.text, start)

    def _described(self, index: int) -> Fault:
        """Say what is wrong with a line."""
        assert self.layout is not None
        rows, number = self.rows, self.layout.number
        at, detail = int(rows.fault_at[index]), int(rows.fault_detail[index])
        shown = repr(self.text[at : at + detail].tobytes().decode("utf-8", "ignore"))
        kind = "whole" if self.layout.whole else "finite"
        reasons = {
            lines.COLUMNS: f"expected {self.layout.shape}, found {detail}",
            lines.NOT_A_NUMBER: f"the {number} {shown} is not a {kind} number",
            lines.NOT_WHOLE: f"the {number} {shown} is not a whole number",
            lines.TOO_LARGE: f"the grade is beyond {LARGEST_GRADE}",
            lines.CONTROL: f"control character {detail}, not text",
        }
        return self._fault(at, reasons[int(rows.fault_kind[index])])

    def _fault(self, at: int, reason: str) -> Fault:
        return Fault(count_lines(self.text[:at].tobytes()), reason, line_at(self.text, at))


def _no_rows(size: int, faults: tuple[Fault, ...]) -> Batch:
    nothing = Ids(np.empty(0, np.uint8), np.zeros(1, np.int64))
    edges = np.zeros(1, np.int64)
    return Batch(nothing, edges, nothing, np.empty(0), size, faults, len(faults), whole=True)


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


def _first_line(text: bytes) -> tuple[int, int, list[str]]:
    """Return the first line that is not blank and not a comment: start, end and columns."""
    for line in _LINE.finditer(text):
        columns = line.group().split()
        if columns and not columns[0].startswith(b"#"):
            return (
                *line.span(),
                [column.decode("utf-8", "backslashreplace") for column in columns],
            )
    return len(text), len(text), []
