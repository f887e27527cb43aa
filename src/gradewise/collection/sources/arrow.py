"""Frames and tables, read from their buffers through Arrow's C stream interface.

Columns that are clean become batches without a Python object for any row. Where a value is missing
or of another type, the rows around it are looked at one by one, to name what is wrong.
"""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np

from gradewise.arrays import AnyArray, Floats
from gradewise.collection.batch import Batch
from gradewise.collection.ids import Ids
from gradewise.collection.sources.layouts import (
    DOC_NAMES,
    GRADE_NAMES,
    RANK_NAMES,
    SCORE_NAMES,
    TOPIC_NAMES,
    pick_column,
)
from gradewise.collection.sources.rows import batch_of, rows_batch, whole_grades
from gradewise.collection.sources.source import Parts, Source
from gradewise.kernels.strings import find_blank, from_integers, from_views

_CHUNK = 1 << 16  # rows of a batch
_FLOATS = {"double", "float", "half_float"}
_INTEGERS = {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}


class ColumnNames:
    """Which columns of a frame hold the topic, the document and the number."""

    def __init__(self, available: list[str], name: str, *, grades: bool):
        lower = [column.lower() for column in available]
        self.ranks = not grades and "score" not in lower and "rank" in lower
        self.topic = pick_column(available, TOPIC_NAMES, "topic", name)
        self.doc = pick_column(available, DOC_NAMES, "document", name)
        if grades:
            self.number = pick_column(available, (*GRADE_NAMES, *SCORE_NAMES), "grade", name)
        else:
            known = RANK_NAMES if self.ranks else SCORE_NAMES
            self.number = pick_column(available, known, "score", name)

    def __iter__(self) -> Iterator[str]:
        return iter((self.topic, self.doc, self.number))


class ArrowSource(Source):
    """What objects with `__arrow_c_stream__` hold; `tables` gives them, as often as it is called.

    The numbers may be given apart, as an array.
    """

    def __init__(
        self,
        name: str,
        tables: Callable[[], Iterator[Any]],
        names: ColumnNames,
        *,
        grades: bool,
        numbers: AnyArray | None = None,
    ):
        self.name, self.tables, self.names, self.grades = name, tables, names, grades
        self.numbers = numbers

    def parts(self) -> Parts:
        """Give the rows, some of a chunk at a time."""
        import nanoarrow

        before = 0
        for table in self.tables():
            for chunk in nanoarrow.c_array_stream(table):
                columns = self._columns(chunk, before)
                before += chunk.length
                for low in range(0, chunk.length, _CHUNK):
                    high = min(low + _CHUNK, chunk.length)
                    yield _Slice(columns, low, high, grades=self.grades, ranks=self.names.ranks)

    def _columns(self, chunk: Any, before: int) -> tuple["_Column", "_Column", "_Numbers"]:
        topic, doc = _Column(chunk, self.names.topic), _Column(chunk, self.names.doc)
        if self.numbers is None:
            return topic, doc, _Column(chunk, self.names.number)
        return topic, doc, _Array(self.numbers[before : before + chunk.length])

    def place(self, number: int) -> str:
        """Name a row."""
        return f"{self.name}: row {number + 1}"


class _Numbers(Protocol):
    def numbers(self, low: int, high: int) -> Floats | None: ...
    def objects(self, low: int, high: int) -> list[Any]: ...


class _Array:
    """A column of numbers that is an array."""

    def __init__(self, values: AnyArray):
        self.values = values

    def numbers(self, low: int, high: int) -> Floats | None:
        return self.values[low:high].astype(np.float64, copy=False)

    def objects(self, low: int, high: int) -> list[Any]:
        return list(self.values[low:high].tolist())


class _Slice:
    """Some rows of a chunk as a part."""

    def __init__(
        self,
        columns: tuple["_Column", "_Column", _Numbers],
        low: int,
        high: int,
        *,
        grades: bool,
        ranks: bool,
    ):
        self.columns, self.low, self.high = columns, low, high
        self.grades, self.ranks = grades, ranks

    def __enter__(self) -> Batch:
        topic, doc, number = self.columns
        ids = [column.ids(self.low, self.high) for column in (topic, doc)]
        numbers = number.numbers(self.low, self.high)
        if ids[0] is None or ids[1] is None or numbers is None or not self._fit(numbers):
            objects = [column.objects(self.low, self.high) for column in self.columns]
            return batch_of(*objects, grades=self.grades, ranks=self.ranks)
        values = -numbers if self.ranks else numbers
        return rows_batch(ids[0], ids[1], values, size=self.high - self.low)

    def __exit__(self, *_: object) -> None:
        pass

    def _fit(self, numbers: Floats) -> bool:
        return bool((whole_grades(numbers) if self.grades else np.isfinite(numbers)).all())


class _Column:
    """One column of a chunk: its buffers, and ways to read some of its rows."""

    def __init__(self, chunk: Any, name: str):
        index = next(i for i, child in enumerate(chunk.schema.children) if child.name == name)
        self.array = chunk.child(index)
        self.labels: Ids | None = None
        self.kind, self.whole, self.plain = "null", False, False
        schema = chunk.schema.child(index)
        if schema.format == "n":  # no type at all: every value is missing
            return
        self.view = self.array.view()
        self.start = self.array.offset
        self.kind = self.view.storage_type
        self.whole = self.view.null_count == 0
        self.plain = schema.format == _FORMATS.get(self.kind) and self.array.dictionary is None
        self.labels = self._read_labels()
        if self.kind == "string_view" and self.plain:
            self._find_buffers()

    def _read_labels(self) -> Ids | None:
        """Return the strings that a dictionary-encoded column points at."""
        labels = self.array.dictionary
        if labels is None or self.kind not in _INTEGERS or labels.null_count:
            return None
        column = object.__new__(_Column)
        column.array, column.view, column.start = labels, labels.view(), labels.offset
        column.kind, column.whole, column.plain, column.labels = (
            column.view.storage_type,
            True,
            True,
            None,
        )
        if column.kind == "string_view":
            column._find_buffers()
        return column.ids(0, labels.length)

    def _find_buffers(self) -> None:
        """Find where the buffers of string views lie."""
        buffers = [np.asarray(self.view.buffer(i)) for i in range(2, self.view.n_buffers - 1)]
        places = [buffer.__array_interface__["data"][0] for buffer in buffers]
        self.addresses = np.array(places, np.uint64)
        self.sizes = np.array([buffer.nbytes for buffer in buffers], np.int64)

    def ids(self, low: int, high: int) -> Ids | None:
        """Return rows as ids; None if they have to be looked at one by one."""
        if not self.whole:
            return None
        low, high = low + self.start, high + self.start
        if self.labels is not None:
            return self.labels.take(np.asarray(self.view.buffer(1))[low:high].astype(np.int64))
        if not self.plain:
            return None
        if self.kind in ("string", "large_string"):
            offsets = np.asarray(self.view.buffer(1))[low : high + 1].astype(np.int64, copy=False)
            data = np.asarray(self.view.buffer(2)).view(np.uint8)
            ids = Ids(data, offsets)
        elif self.kind == "string_view":
            views = np.asarray(self.view.buffer(1)).view(np.uint8)[16 * low : 16 * high]
            ids = Ids(*from_views(views, self.addresses, self.sizes))
        elif self.kind in _INTEGERS:
            numbers = np.asarray(self.view.buffer(1))[low:high]
            wide = numbers.astype(np.uint64 if self.kind == "uint64" else np.int64)
            return Ids(*from_integers(wide.view(np.int64), self.kind == "uint64"))
        else:
            return None
        return ids if find_blank(ids.data, ids.offsets) < 0 else None

    def numbers(self, low: int, high: int) -> Floats | None:
        """Return rows as doubles; None if they have to be looked at one by one."""
        if not self.whole or not self.plain or self.kind not in _FLOATS | _INTEGERS:
            return None
        values = np.asarray(self.view.buffer(1))[low + self.start : high + self.start]
        return values.astype(np.float64, copy=False)

    def objects(self, low: int, high: int) -> list[Any]:
        """Return rows as Python objects."""
        if self.kind == "null":
            return [None] * (high - low)
        import nanoarrow

        rows = nanoarrow.Array(self.array[low:high]).to_pylist()
        return [float(row) if type(row).__name__ == "Decimal" else row for row in rows]


_FORMATS = {
    "string": "u",
    "large_string": "U",
    "string_view": "vu",
    "double": "g",
    "float": "f",
    "half_float": "e",
    "int8": "c",
    "uint8": "C",
    "int16": "s",
    "uint16": "S",
    "int32": "i",
    "uint32": "I",
    "int64": "l",
    "uint64": "L",
}
