"""Frames and tables, read from their buffers through Arrow's C stream interface.

Columns that are clean become batches without a Python object for any row. Where a value is missing
or of another type, the rows around it are looked at one by one, to name what is wrong.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np

from gradewise.arrays import AnyArray, Bools, Floats
from gradewise.collection.batch import Batch
from gradewise.collection.ids import Ids
from gradewise.collection.sources.columns import Columns
from gradewise.collection.sources.rows import batch_of, rows_batch, runs_of, whole_grades
from gradewise.collection.sources.source import Parts, Source
from gradewise.kernels import strings

_CHUNK = 1 << 16  # rows of a batch


class ArrowSource(Source):
    """What objects with `__arrow_c_stream__` hold; `tables` gives them, as often as it is called.

    The numbers may be given apart, as an array.
    """

    def __init__(
        self,
        name: str,
        tables: Callable[[], Iterator[Any]],
        columns: Columns,
        *,
        grades: bool,
        numbers: AnyArray | None = None,
    ):
        self.name, self.tables, self.columns, self.grades = name, tables, columns, grades
        self.numbers = numbers
        self.names_intents = columns.says_intents
        self.by_order, self.holds_runs = columns.kind == "order", columns.run is not None
        self.notes = (f"read {columns.told()}",) if columns.assumed else ()

    def intents(self) -> "ArrowSource | None":
        """Return the same rows with the intent in place of the topic."""
        if self.columns.intent is None:
            return None
        columns = self.columns.with_intents()
        other = ArrowSource(self.name, self.tables, columns, grades=True, numbers=self.numbers)
        other.first = "intent"
        return other

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
                    yield _Slice(self, columns, low, high)

    def _columns(self, chunk: Any, before: int) -> "_Read":
        names = [child.name for child in chunk.schema.children]

        def column(place: int) -> _Column:
            index = names.index(self.columns.names[place])
            return _Column(chunk.child(index), chunk.schema.child(index))

        wanted, number = self.columns, self.columns.number
        run = None if wanted.run is None else column(wanted.run)
        if number is None:
            values: _Numbers = _Order(before)
        elif self.numbers is None:
            values = column(number)
        else:
            values = _Array(self.numbers[before : before + chunk.length])
        return _Read(column(wanted.topic), column(wanted.doc), values, run)

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


class _Order:
    """No column: the first row is the best."""

    def __init__(self, before: int):
        self.before = before

    def numbers(self, low: int, high: int) -> Floats | None:
        return -np.arange(self.before + low, self.before + high, dtype=np.float64)

    def objects(self, low: int, high: int) -> list[Any]:
        return [-float(self.before + row) for row in range(low, high)]


class _Read(NamedTuple):
    """The columns of a chunk that are wanted."""

    topic: "_Column"
    doc: "_Column"
    number: _Numbers
    run: "_Column | None"


class _Slice:
    """Some rows of a chunk as a part."""

    def __init__(self, source: ArrowSource, columns: _Read, low: int, high: int):
        self.source, self.columns, self.low, self.high = source, columns, low, high

    def __enter__(self) -> Batch:
        low, high, source = self.low, self.high, self.source
        topic, doc, number, run = self.columns
        topics, docs = topic.ids(low, high), doc.ids(low, high)
        names = None if run is None else run.ids(low, high)
        numbers, ranks = number.numbers(low, high), source.columns.ranks
        is_named = run is None or names is not None
        if (
            topics is None
            or docs is None
            or numbers is None
            or not (is_named and self._fit(numbers))
        ):
            return batch_of(
                *(column.objects(low, high) for column in (topic, doc, number)),
                grades=source.grades,
                ranks=ranks,
                first=source.first,
                runs=None if run is None else run.objects(low, high),
            )
        values = -numbers if ranks else numbers
        runs = None if names is None else runs_of(names)
        return rows_batch(topics, docs, values, size=high - low, runs=runs)

    def __exit__(self, *_: object) -> None:
        pass

    def _fit(self, numbers: Floats) -> bool:
        is_right = whole_grades(numbers) if self.source.grades else np.isfinite(numbers)
        return bool(is_right.all())


class _Column:
    """One column of a chunk: its buffers, and ways to read some of its rows.

    Buffers come from nanoarrow, which knows where they lie; values are read here.
    """

    def __init__(self, array: Any, schema: Any):
        self.array, self.kind, self.start = array, "null", array.offset
        self.labels: _Column | None = None
        if schema.format == "n":  # no type at all: every value is missing
            return
        self.view = array.view()
        self.kind = _KINDS.get(schema.format, schema.format.partition(":")[0])
        self.scale = int(schema.format.split(",")[1]) if self.kind == "d" else 0
        if array.dictionary is not None:
            self.kind = "labels"
            self.labels = _Column(array.dictionary, schema.dictionary)
        if self.kind == "views":
            buffers = [self._buffer(index) for index in range(2, self.view.n_buffers - 1)]
            places = [buffer.__array_interface__["data"][0] for buffer in buffers]
            self.addresses = np.array(places, np.uint64)
            self.sizes = np.array([buffer.nbytes for buffer in buffers], np.int64)

    def _buffer(self, index: int) -> AnyArray:
        return np.asarray(self.view.buffer(index))

    def _values(self, low: int, high: int) -> AnyArray:
        """Return the values of rows with a value of fixed size each."""
        return self._buffer(1)[low + self.start : high + self.start]

    def present(self, low: int, high: int) -> Bools:
        """Tell which rows have a value."""
        if self.kind == "null":
            return np.zeros(high - low, np.bool_)
        if self.view.null_count == 0:
            return np.ones(high - low, np.bool_)
        return self._bits(0, low, high)

    def _bits(self, index: int, low: int, high: int) -> Bools:
        bits = np.unpackbits(self._buffer(index).view(np.uint8), bitorder="little")
        return bits[low + self.start : high + self.start].astype(np.bool_)

    def text(self, low: int, high: int) -> Ids | None:
        """Return rows that are text, or whole numbers, as ids; None if they are something else."""
        first, last = low + self.start, high + self.start
        if self.kind == "labels" and self.labels is not None:
            names = self.labels.text(0, self.labels.array.length)
            present = self.present(low, high)
            rows = np.where(present, self._values(low, high), 0).astype(np.int64)
            return None if names is None or not len(names) else names.take(rows)
        if self.kind == "text":
            offsets = self._buffer(1)[first : last + 1].astype(np.int64, copy=False)
            return Ids(self._buffer(2).view(np.uint8), offsets)
        if self.kind == "views":
            views = self._buffer(1).view(np.uint8)[16 * first : 16 * last]
            return Ids(*strings.from_views(views, self.addresses, self.sizes))
        if self.kind in ("signed", "unsigned"):
            unsigned = self.kind == "unsigned"
            wide = self._values(low, high).astype(np.uint64 if unsigned else np.int64)
            return Ids(*strings.from_integers(wide.view(np.int64), unsigned))
        return None

    def ids(self, low: int, high: int) -> Ids | None:
        """Return rows as ids; None if they have to be looked at one by one."""
        if not self.present(low, high).all():
            return None
        ids = self.text(low, high)
        return None if ids is None or strings.find_blank(ids.data, ids.offsets) >= 0 else ids

    def numbers(self, low: int, high: int) -> Floats | None:
        """Return rows as doubles; None if they have to be looked at one by one."""
        if self.kind not in ("float", "signed", "unsigned", "d"):
            return None
        if not self.present(low, high).all():
            return None
        if self.kind == "d":
            return _decimals(self._values(low, high), self.scale)
        return self._values(low, high).astype(np.float64, copy=False)

    def objects(self, low: int, high: int) -> list[Any]:
        """Return rows as Python objects, None where there is no value."""
        present = self.present(low, high)
        values: list[Any]
        if self.kind in ("float", "signed", "unsigned"):
            values = self._values(low, high).tolist()
        elif self.kind == "d":
            values = _decimals(self._values(low, high), self.scale).tolist()
        elif self.kind == "b":
            values = self._bits(1, low, high).tolist()
        elif (text := self.text(low, high) if present.any() else None) is not None:
            values = text.to_list()
        else:
            values = [_OtherType(self.kind)] * (high - low)
        return [value if there else None for value, there in zip(values, present, strict=True)]


class _OtherType:
    """A value of a type that is neither text nor a number."""

    def __init__(self, kind: str):
        self.kind = kind

    def __repr__(self) -> str:
        return f"(Arrow type {self.kind!r})"


def _decimals(values: AnyArray, scale: int) -> Floats:
    """Return decimal numbers of 128 bits as doubles."""
    words = values.view("<i8").reshape(-1, 2)
    low, high = words[:, 0], words[:, 1]
    if scale <= 22 and ((high == low >> 63) & (np.abs(low) < 2**53)).all():
        return low / 10.0**scale  # both are exact, so the quotient is rounded once
    wide = [(int(h) << 64) + (int(u) & (2**64 - 1)) for u, h in words]
    return np.array([number / 10**scale for number in wide], np.float64)


# Arrow's letters for types; those of other types stand for themselves.
_KINDS = {
    **dict.fromkeys("uU", "text"),
    "vu": "views",
    **dict.fromkeys("gfe", "float"),
    **dict.fromkeys("csil", "signed"),
    **dict.fromkeys("CSIL", "unsigned"),
}
