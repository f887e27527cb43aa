"""JSON and JSON lines, read block by block: rows, tables {topic: {document: number}}, and lists."""

import copy
import threading
from dataclasses import dataclass
from types import TracebackType

import numpy as np

from gradewise.arrays import Bools, Bytes, Floats, Ints
from gradewise.collection.batch import Batch, Fault
from gradewise.collection.ids import Ids
from gradewise.collection.sources.block_source import (
    BlockSource,
    count_lines,
    line_at,
    no_rows,
    undecodable,
)
from gradewise.collection.sources.blocks import BLOCK, BUFFERS, read_blocks
from gradewise.collection.sources.json_shapes import Shape
from gradewise.collection.sources.rows import rows_batch, runs_of, whole_grades
from gradewise.collection.sources.source import Parts
from gradewise.collection.sources.streams import Stream
from gradewise.errors import SHOWN_PROBLEMS, InputError, counted
from gradewise.kernels import ids, json_values, strings
from gradewise.kernels import json_tokens as jt

_MISSING = -1
# What members are, and the tokens that they begin with.
_MEMBERS = {
    "rows": "a row here",
    "table": "{document: number} for each topic",
    "lists": "a list of documents for each topic",
}
_ALLOWED = {
    "rows": (jt.OBJECT, jt.LIST, jt.END),
    "table": (jt.KEY, jt.OBJECT, jt.END),
    "lists": (jt.KEY, jt.LIST, jt.END),
}


class JsonSource(BlockSource):
    """Members of a JSON text: rows, or topics with their documents."""

    def __init__(self, stream: Stream, shape: Shape, *, grades: bool):
        self.stream, self.name, self.shape, self.grades = stream, stream.name, shape, grades
        self.empty_rows: dict[int, int] = {}  # how many rows of a block have no grade
        columns = shape.columns
        self.topic = 0 if columns is None else columns.topic
        self.holds_runs = columns is not None and columns.run is not None
        self.by_order = shape.kind == "lists" or (columns is not None and columns.kind == "order")
        self.names_intents = columns is not None and columns.says_intents

    def parts(self) -> Parts:
        """Give the rows, a block of text at a time, which ends where a member ends."""
        begin = 0
        depth = self.shape.depth

        def last_end(text: Bytes) -> int:
            return jt.last_cut(text, depth if begin else 0, depth)

        with self.stream.open() as reader:
            for buffer, size, last in read_blocks(
                self.name, reader, last_end, BLOCK // 4, longest=None
            ):
                yield _Members(self, buffer, size, begin, last)
                begin += size

    def intents(self) -> "JsonSource | None":
        """Return the same rows with the intent in place of the topic."""
        columns = self.shape.columns
        if columns is None or columns.intent is None:
            return None
        other = copy.copy(self)
        other.topic, other.first = columns.intent, "intent"
        return other

    @property
    def notes(self) -> tuple[str, ...]:  # type: ignore[override]
        """What was assumed, and what was skipped."""
        parts = [self.shape.note] if self.shape.note else []
        if count := sum(self.empty_rows.values()):
            parts.append(f"skipped {counted(count, 'row')} without a grade")
        return ("; ".join(parts),) if parts else ()

    def no_rows(self) -> InputError:
        """Say that there is nothing in it."""
        return InputError(f"{self.name}: the file has no rows")


class _Spare(threading.local):
    """Tokens that wait to be used again, by the thread that has used them."""

    def __init__(self) -> None:
        self.tokens: list[jt.Tokens] = []


_spare = _Spare()


class _Members:
    """Some members of a JSON text as a part."""

    def __init__(self, source: JsonSource, buffer: Bytes, size: int, begin: int, last: bool):
        self.source, self.buffer, self.begin, self.last = source, buffer, begin, last
        self.text = buffer[:size]
        self.starts: Ints = np.empty(0, np.int64)  # where each row begins

    def __enter__(self) -> Batch:
        spare = _spare.tokens
        self.tokens = tokens = spare.pop() if spare else jt.Tokens()
        wrong = undecodable(self.text)
        if wrong is not None:
            return self._refused(wrong, "this is not UTF-8 text")
        shape = self.source.shape
        tokens.read(self.text, shape.containers if self.begin else b"", self.begin > 0)
        expected = 0 if self.last else shape.depth
        if tokens.fault >= 0:
            return self._refused(tokens.fault, "this is not JSON")
        if tokens.depth_behind != expected:
            return self._refused(len(self.text) - 1, "the text ends in the middle of a value")
        self.kind = tokens.kind[: tokens.count] & ~np.uint8(jt.ESCAPED)
        self.depth = tokens.depth[: tokens.count]
        self.begins, self.ends = tokens.begin[: tokens.count], tokens.end[: tokens.count]
        stray = self._stray()
        if stray is not None:
            return self._refused(int(self.begins[stray]), f"expected {_MEMBERS[shape.kind]}")
        found = self._find_rows() if shape.kind == "rows" else self._find_lists()
        return found.batch()

    def _stray(self) -> int | None:
        """Return the first token that stands where a row, or what a topic has, should."""
        shape = self.source.shape
        allowed = _ALLOWED[shape.kind]
        wrong = (self.depth == shape.depth) & ~np.isin(self.kind, allowed)
        return int(np.argmax(wrong)) if wrong.any() else None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        BUFFERS.put(self.buffer)
        _spare.tokens = [self.tokens]

    def place_of(self, row: int) -> tuple[int, str]:
        """Return the line of a row, from the start of the block, and its text."""
        start = int(self.starts[row])
        return count_lines(self.text[:start].tobytes()), line_at(self.text, start)

    def _refused(self, at: int, reason: str) -> Batch:
        return no_rows(count_lines(self.text.tobytes()), (self.fault(at, reason),))

    def fault(self, at: int, reason: str) -> Fault:
        """Say what is wrong at a position."""
        return Fault(count_lines(self.text[:at].tobytes()), reason, line_at(self.text, at))

    def strings(self, tokens: Ints) -> Ids:
        """Return what tokens stand for, as ids."""
        begin, end = self.begins[tokens], self.ends[tokens]
        data, offsets, _ = json_values.take_strings(self.text, begin, end)
        return Ids(data, offsets)

    def _find_rows(self) -> "_Found":
        """Return the tokens of rows: of objects by their keys, of lists by their places."""
        columns = self.source.shape.columns
        assert columns is not None
        depth = self.source.shape.depth
        heads = np.flatnonzero((self.depth == depth) & (self.kind <= jt.LIST))
        within = np.flatnonzero((self.depth == depth + 1) & (self.kind != jt.END))
        if columns.named:
            keys = within[self.kind[within] == jt.KEY]
            names = self.strings(keys)
            number = _numbering(columns.names).find(names.data, names.offsets)
            row, value = np.searchsorted(heads, keys, "right") - 1, keys + 1
        else:
            row, value = np.searchsorted(heads, within, "right") - 1, within
            number = np.arange(len(within)) - np.searchsorted(within, heads)[row]

        def column(place: int) -> Ints:
            tokens = np.full(len(heads), _MISSING)
            chosen = number == place
            tokens[row[chosen]] = value[chosen]
            return tokens

        run = None if columns.run is None else column(columns.run)
        values = None if columns.number is None else column(columns.number)
        return _Found(self, column(self.source.topic), column(columns.doc), values, heads, run)

    def _find_lists(self) -> "_Found":
        """Return the tokens of topics and of what belongs to each."""
        heads = np.flatnonzero((self.depth == 1) & (self.kind == jt.KEY))
        if self.source.shape.kind == "table":
            docs = np.flatnonzero((self.depth == 2) & (self.kind == jt.KEY))
            values: Ints | None = docs + 1
        else:
            docs = np.flatnonzero((self.depth == 2) & (self.kind != jt.END))
            values = None
        topics = heads[np.searchsorted(heads, docs, "right") - 1]
        return _Found(self, topics, docs, values, docs)


def _numbering(names: tuple[str, ...]) -> ids.Numbering:
    column, numbering = Ids.from_strings(names), ids.Numbering()
    numbering.add(column.data, column.offsets)
    return numbering


@dataclass(frozen=True, eq=False)
class _Found:
    """The tokens of rows in a block; what is missing or wrong is told when they become a batch."""

    block: _Members
    topics: Ints
    docs: Ints
    values: Ints | None
    heads: Ints  # where rows begin
    runs: Ints | None = None

    def batch(self) -> Batch:
        """Make a batch; rows that are wrong are left out and told."""
        block = self.block
        source, columns = block.source, block.source.shape.columns
        starts = block.begins[self.heads]
        keep = self._judged()
        if not keep.all():
            source.empty_rows[block.begin] = int((~keep).sum())
        wrong = self._wrong_id(self.topics) | self._wrong_id(self.docs)
        if self.runs is not None:
            wrong |= self._wrong_id(self.runs)
        numbers = self._numbers(starts)
        wrong |= ~(whole_grades(numbers) if source.grades else np.isfinite(numbers))
        wrong &= keep
        faults = [self._told(row) for row in np.flatnonzero(wrong)[:SHOWN_PROBLEMS].tolist()]
        good = np.flatnonzero(keep & ~wrong)
        block.starts = starts[good]
        is_rank = columns is not None and columns.ranks
        return rows_batch(
            block.strings(self.topics[good]),
            block.strings(self.docs[good]),
            -numbers[good] if is_rank else numbers[good],
            size=count_lines(block.text.tobytes()),
            faults=faults,
            fault_count=int(wrong.sum()),
            runs=None if self.runs is None else runs_of(block.strings(self.runs[good])),
        )

    def _judged(self) -> Bools:
        """Tell which rows are judged: null is no grade, nor is an empty text."""
        if not self.block.source.grades or self.values is None:
            return np.ones(len(self.docs), np.bool_)
        tokens, block = self.values, self.block
        begin, end = block.begins[tokens], block.ends[tokens]
        is_null = (block.kind[tokens] == jt.WORD) & (block.text[begin] == ord("n"))
        is_empty = (block.kind[tokens] == jt.STRING) & (begin == end)
        return (tokens == _MISSING) | ~(is_null | is_empty)

    def _wrong_id(self, tokens: Ints) -> Bools:
        """Tell which tokens are no ids: neither text that is not blank nor whole numbers."""
        block, kind = self.block, self.block.kind[tokens]
        is_text = (kind == jt.STRING) | (kind == jt.KEY)
        is_wrong = (tokens == _MISSING) | ~(is_text | (kind == jt.NUMBER))
        names = block.strings(np.where(is_wrong, 0, tokens))
        is_wrong |= names.lengths == 0
        if strings.find_blank(names.data, names.offsets) >= 0:
            is_wrong |= np.array([not name.strip() for name in names.to_list()], np.bool_)
        rows = np.flatnonzero((kind == jt.NUMBER) & ~is_wrong)
        begin, end = block.begins[tokens[rows]], block.ends[tokens[rows]]
        is_wrong[rows] |= ~json_values.are_whole(block.text, begin, end)
        return is_wrong

    def _numbers(self, starts: Ints) -> Floats:
        block = self.block
        if self.values is None:  # where a row stands tells its rank
            return -(starts + block.begin).astype(np.float64)
        tokens = self.values
        numbers = json_values.take_numbers(block.text, block.begins[tokens], block.ends[tokens])
        kind = block.kind[tokens]
        is_number = (tokens != _MISSING) & ((kind == jt.NUMBER) | (kind == jt.STRING))
        return np.where(is_number, numbers, np.nan)

    def _told(self, row: int) -> Fault:
        """Say what is wrong with a row."""
        block, source = self.block, self.block.source
        at = int(block.begins[self.heads[row]])
        for role, tokens in ((source.first, self.topics), ("document", self.docs)):
            if self._wrong_id(tokens[row : row + 1])[0]:
                return block.fault(at, self._reason(f"the {role} id", tokens[row], "text"))
        if self.runs is not None and self._wrong_id(self.runs[row : row + 1])[0]:
            return block.fault(at, self._reason("the run", self.runs[row], "text"))
        columns = source.shape.columns
        kind = columns.kind if columns is not None else "grade" if source.grades else "score"
        wanted = "a whole number" if source.grades else "a finite number"
        assert self.values is not None
        return block.fault(at, self._reason(f"the {kind}", self.values[row], wanted))

    def _reason(self, what: str, token: int, wanted: str) -> str:
        if token == _MISSING:
            return f"{what} is missing"
        begin, end = self.block.begins[token], self.block.ends[token]
        text = self.block.text[begin:end].tobytes().decode("utf-8", "replace")
        if not text:
            return f"{what} is empty"
        shown = repr(text) if self.block.kind[token] == jt.STRING else text
        return f"{what} {shown} is not {wanted}"
