"""Qrels and runs as lines of text: TREC's columns, and the short forms that others use."""

import contextlib
import copy
import threading
from dataclasses import replace
from types import TracebackType

import numpy as np

from gradewise.arrays import Bytes, Ints
from gradewise.collection.batch import Batch, Fault, Runs
from gradewise.collection.ids import Ids
from gradewise.collection.sources.block_source import (
    BlockSource,
    count_lines,
    line_at,
    no_rows,
    undecodable,
)
from gradewise.collection.sources.blocks import BLOCK, BUFFERS, last_line_end, read_blocks
from gradewise.collection.sources.given import Given
from gradewise.collection.sources.layouts import (
    QRELS_LAYOUTS,
    RUN_LAYOUTS,
    STRATA,
    Layout,
    layout_of,
)
from gradewise.collection.sources.samples import (
    SAMPLE,
    comments_above,
    first_line,
    read_lines,
    read_sample,
    sampled_layout,
    varies,
)
from gradewise.collection.sources.sniffing import FirstLine, Sniffed, sniff
from gradewise.collection.sources.source import Parts
from gradewise.collection.sources.streams import Stream
from gradewise.errors import SHOWN_PROBLEMS, InputError, Problem, counted
from gradewise.kernels import lines, records

LARGEST_GRADE = 2**53 - 1  # beyond, numbers are not exact
_DESCRIPTION = "<SYSDESC>"  # begins the first line of NTCIR's runs
_SETTLE = "; if it contains scores, set columns to topic,doc,score"


class _Spare(threading.local):
    """Rows that wait to be used again, by the thread that has used them."""

    def __init__(self) -> None:
        self.rows: list[lines.Rows] = []


_spare = _Spare()


class TextSource(BlockSource):
    """Lines of a text, read block by block; `given` is what a user says of its columns."""

    def __init__(self, stream: Stream, *, grades: bool, given: Given | None = None):
        self.stream, self.name, self.grades, self.given = stream, stream.name, grades, given
        self.block = BLOCK  # bytes that are read at a time
        self.layout: Layout | None = None
        self.skipped: list[tuple[int, int]] = []  # where parts begin and end that hold no row
        self.described = False  # whether a line describes the system
        self.last_row = (-1, b"")  # where the last block with rows begins, and its last row
        self.empty_rows: dict[int, int] = {}  # how many rows of a block have no grade
        self.lock = threading.Lock()
        self.names_intents = False  # whether the column for them varies in the first lines

    def parts(self) -> Parts:
        """Give the rows, a block of text at a time."""
        begin, block = 0, max(1, self.block // 4) if self.holds_runs else self.block
        with self.stream.open() as reader:
            for buffer, size, last in read_blocks(self.name, reader, self._last_end, block):
                if self.layout is None:
                    self._choose_layout(buffer[:size], begin)
                self._blank_skipped(buffer[:size], begin)
                yield _Block(self, buffer, size, begin, last)
                begin += size
        if not begin:
            raise InputError(f"{self.name}: the file is empty")

    def _blank_skipped(self, text: Bytes, begin: int) -> None:
        """Put blanks where no row is to be seen; lines still end where they do."""
        for skipped in self.skipped:
            if begin < skipped[1]:
                first, end = (min(max(edge - begin, 0), len(text)) for edge in skipped)
                part = text[first:end]
                part[(part != ord("\n")) & (part != ord("\r"))] = ord(" ")

    def _last_end(self, text: Bytes) -> int:
        """Return where the row behind the last whole one begins; 0 if none is whole."""
        delimiter = "" if self.layout is None else self.layout.delimiter
        if delimiter in ("", "\t"):
            return last_line_end(text)
        return records.last_record_end(text, ord(delimiter))

    def peek(self, head: Bytes) -> None:
        """Choose the layout by the first lines, if they tell it; what is wrong is said later."""
        with contextlib.suppress(InputError):
            self._choose_layout(head, 0)

    def _choose_layout(self, block: Bytes, begin: int) -> None:
        """Tell the layout by the first line that holds data; nothing is chosen if there is none."""
        text = block.tobytes()
        behind = max((end - begin for _, end in self.skipped), default=0)
        start, end, columns = first_line(text, max(0, behind))
        may_be_described = not (self.grades or self.described)
        described = bool(columns) and columns[0].startswith(_DESCRIPTION) and may_be_described
        skipped = [(begin + start, begin + end)] if described else []
        if described:
            start, end, columns = first_line(text, end)
        sniffed = self._sniff(block, start, end, columns) if columns else None
        self.described |= described
        self.skipped += skipped
        if sniffed is None:
            return
        self.layout = sniffed.layout
        if self.given is not None and self.given.complete:
            self.layout = replace(self.layout, complete=True)
        if sniffed.header:
            self.skipped.append((begin + start, begin + end))
        if self.layout.delimiter:
            above = comments_above(block[:start], self.layout, header=sniffed.header)
            self.skipped += [(begin + first, begin + last) for first, last in above]
        body = block[end if sniffed.header else start :]
        self.names_intents = varies(body, self.layout)
        if not self.layout.sure and read_sample(body, self.layout).unranked:
            self.take_as_scores()

    def _sniff(self, block: Bytes, start: int, end: int, columns: list[str]) -> Sniffed:
        """Tell the layout of a line, or say that it has none."""
        may_be_sampled = self.grades and len(columns) == STRATA.width
        sampled = sampled_layout(block[start:]) if may_be_sampled else None
        behind = max(end, start + SAMPLE)
        text = block[start:behind].tobytes().decode("utf-8", "backslashreplace")
        line = block[start:end].tobytes().decode("utf-8", "backslashreplace")
        first = FirstLine(columns, text, line)
        sniffed = sniff(first, self.name, grades=self.grades, given=self.given, sampled=sampled)
        if sniffed is not None:
            return sniffed
        layouts = QRELS_LAYOUTS if self.grades else RUN_LAYOUTS
        more = ("5 columns (sampled pool)",) if self.grades else ()
        shapes = " or ".join((*[layout.shape for layout in layouts], *more))
        hint = _hint(columns, self.grades) or first.hint()
        reason = f"expected {shapes}, found {len(columns)}{hint}"
        place = self.place(count_lines(block[:start].tobytes()))
        raise InputError(Problem(place, reason, line_at(block, start)))

    def take_as_scores(self) -> None:
        """Take the number for a score from now on: a rank has no fraction and no minus."""
        assert self.layout is not None
        self.layout = self.layout.as_scores()

    def intents(self) -> "TextSource | None":
        """Return the same lines with the intent in place of the topic."""
        if self.layout is None or self.layout.intent is None:
            return None
        other = copy.copy(self)
        other.layout = self.layout.with_first("intent", self.layout.intent)
        return other

    def column_source(self, number: str, column: int) -> "TextSource":
        """Return the same rows with the number of another column; this source has been read."""
        assert self.layout is not None
        other = TextSource(self.stream, grades=self.grades)
        other.layout, other.skipped = self.layout.with_number(number, column), self.skipped
        return other

    @property
    def is_guess(self) -> bool:
        """Whether numbers are taken for ranks because nothing says that they are scores."""
        return self.layout is not None and not self.layout.sure and self.layout.number == "rank"

    @property
    def by_order(self) -> bool:  # type: ignore[override]
        """Whether the order of rows tells the ranks."""
        return self.layout is not None and self.layout.number == "order"

    @property
    def holds_runs(self) -> bool:  # type: ignore[override]
        """Whether a column names the run of each row."""
        return self.layout is not None and self.layout.run is not None

    @property
    def notes(self) -> tuple[str, ...]:  # type: ignore[override]
        """What was skipped, and what was assumed about the columns."""
        described = (f"skipped the {_DESCRIPTION} line",) if self.described else ()
        if self.layout is None:
            return described
        parts = [self.layout.assumed] if self.layout.assumed else []
        if self.is_guess:
            parts.append(f"read the third column as ranks (1 is best){_SETTLE}")
        elif not self.layout.sure:
            parts.append(
                "read the third column as scores, because it has numbers that cannot be ranks"
            )
        if count := sum(self.empty_rows.values()):
            what = "grade" if self.grades else "document"
            parts.append(f"skipped {counted(count, 'row')} without a {what}")
        return (*described, "; ".join(parts)) if parts else described

    def tag(self) -> str | None:
        """Return the sixth column of the last row that has been read."""
        return self._tag_of(self.last_row[1])

    def first_tag(self) -> str | None:
        """Return the sixth column of the first row."""
        if self.layout is not RUN_LAYOUTS[0]:
            return None
        with self.stream.open() as reader:
            for buffer, size, _ in read_blocks(self.name, reader):
                text = buffer[:size].tobytes()
                start, end, columns = first_line(text)
                if columns and columns[0].startswith(_DESCRIPTION):
                    start, end, columns = first_line(text, end)
                if columns:
                    return self._tag_of(text[start:end])
        return None

    def _tag_of(self, line: bytes) -> str | None:
        columns = line.split()
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
            return no_rows(count_lines(self.text.tobytes()), faults)
        layout = self.layout
        read_lines(rows, self.text, layout)
        if rows.count:
            self._remember_last()
        if rows.skipped:
            self.source.empty_rows[self.begin] = rows.skipped
        numbers = rows.numbers[: rows.count]
        if layout.number == "rank":  # the best rank is the lowest, the best score the highest
            np.negative(numbers, out=numbers)
        elif layout.number == "order":
            numbers -= self.begin
        runs, unnamed = self._runs(layout)
        return Batch(
            topics=Ids(rows.topics, rows.topic_offsets[: rows.topic_count + 1]),
            edges=np.append(rows.heads[: rows.topic_count], rows.count),
            docs=Ids(rows.docs, rows.doc_offsets[: rows.count + 1]),
            numbers=numbers,
            size=rows.lines,
            faults=self._faults(unnamed),
            fault_count=rows.faults + len(unnamed),
            ranked=not rows.unranked,
            begins=self.begin == 0,
            ends=self.last,
            runs=runs,
        )

    def _faults(self, unnamed: Ints) -> tuple[Fault, ...]:
        """Return the first lines with something wrong, those without a run among them."""
        told = [self._described(index) for index in range(min(self.rows.faults, SHOWN_PROBLEMS))]
        told += [self._fault(int(at), "the run is empty") for at in unnamed[:SHOWN_PROBLEMS]]
        return tuple(sorted(told, key=lambda fault: fault.place)[:SHOWN_PROBLEMS])

    def _runs(self, layout: Layout) -> tuple[Runs | None, Ints]:
        """Return the run of each row, if a column names it, and where rows without one begin."""
        if layout.run is None:
            return None, np.empty(0, np.int64)
        named = lines.Rows(0)
        read_lines(named, self.text, layout.with_first("run", layout.run))
        names = Ids(named.topics, named.topic_offsets[: named.topic_count + 1])
        edges = np.append(named.heads[: named.topic_count], named.count)
        starts, own = named.starts[: named.count], self.rows.starts[: self.rows.count]
        if np.array_equal(starts, own):
            return Runs(names, edges), own[:0]
        # The file will be refused: a row has no topic, or no run. All rows go to the first run.
        names = names if len(names) else Ids.from_strings([""])
        edges = np.append(0, np.full(len(names), len(own)))
        return Runs(names, edges), own[np.isin(own, starts, invert=True)]

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
        missing = f"the {number} is empty" if shown == "''" else ""
        is_short = self.source.grades and self.layout.width == 3  # so may runs be
        swapped = " (are qrels and runs swapped?)" if is_short else ""
        reasons = {
            lines.COLUMNS: f"expected {self.layout.shape}, found {detail}",
            lines.NOT_A_NUMBER: missing or f"the {number} {shown} is not a {kind} number",
            lines.NOT_WHOLE: f"the {number} {shown} is not a whole number{swapped}",
            lines.TOO_LARGE: f"the grade is beyond {LARGEST_GRADE}",
            lines.CONTROL: f"control character {detail}, not text",
            lines.QUOTE: "a quote is opened here and not closed before the next field",
            lines.NO_TOPIC: f"the {self.layout.first} is empty",
            lines.NO_DOC: "the document id is empty",
        }
        return self._fault(at, reasons[int(rows.fault_kind[index])])

    def _fault(self, at: int, reason: str) -> Fault:
        return Fault(count_lines(self.text[:at].tobytes()), reason, line_at(self.text, at))


def _hint(columns: list[str], grades: bool) -> str:
    """Return a guess where the other kind of file has lines like this one."""
    if layout_of(columns, RUN_LAYOUTS[:1] if grades else QRELS_LAYOUTS[:1]) is None:
        return ""
    return f", as a {'run' if grades else 'qrels file'} has; are qrels and runs swapped?"
