"""Rows one by one: tuples, named tuples, dictionaries, and datasets of Hugging Face."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count, islice
from operator import itemgetter
from typing import Any

from gradewise.collection.batch import Batch
from gradewise.collection.sources.arrow import ArrowSource
from gradewise.collection.sources.columns import Columns, find_columns, place_columns
from gradewise.collection.sources.given import Given
from gradewise.collection.sources.rows import batch_of
from gradewise.collection.sources.source import Parts, Source, whole_part
from gradewise.errors import InputError

_CHUNK = 1 << 16  # rows of a batch


def is_row(item: Any) -> bool:
    """Tell whether an object is a row: a tuple of scalars, or a dictionary of them."""
    if isinstance(item, Mapping):
        values: Iterable[Any] = item.values()
    elif isinstance(item, (tuple, list)):
        values = item
    else:
        return False
    return len(item) > 2 and not any(isinstance(each, (Mapping, list, tuple)) for each in values)


def is_dataset(source: Any) -> bool:
    """Tell whether an object is a dataset of Hugging Face, without importing the library."""
    library = type(source).__module__.partition(".")[0]
    return library == "datasets" and hasattr(source, "with_format")


def dataset_source(dataset: Any, name: str, *, grades: bool, given: Given | None) -> Source:
    """Return the rows of a dataset of Hugging Face, which gives them as tables of Arrow."""
    if isinstance(dataset, Mapping):  # by split
        splits = list(dataset)
        if len(splits) > 1 and "test" not in splits:
            raise InputError(f"{name}: choose one of the splits {', '.join(splits)}")
        dataset = dataset["test" if "test" in splits else splits[0]]
    tables = dataset.with_format("arrow")
    available = dataset.column_names
    if available is None:  # a stream, which does not know before it is read
        available = next(iter(tables.iter(batch_size=1))).column_names
    columns = find_columns(available, name, grades=grades, given=given)
    return ArrowSource(name, lambda: tables.iter(batch_size=_CHUNK), columns, grades=grades)


class IterableSource(Source):
    """Rows as Python objects, of which only some are there at a time.

    What can be iterated once is kept as batches, so that it can be read again.
    """

    def __init__(self, name: str, rows: Iterable[Any], *, grades: bool, given: Given | None):
        self.name, self.grades = name, grades
        self.again = rows if isinstance(rows, Sequence) else None
        iterator = iter(rows)
        first = next(iterator, None)
        if first is None:
            raise InputError(f"{name}: there are no rows")
        if not isinstance(first, (Mapping, tuple, list)):
            raise InputError(
                f"{name}: expected a path, an open binary file, a dictionary or a frame, or rows "
                f"as tuples or dictionaries, not {type(rows).__name__}"
            )
        self.columns = _columns_of(first, name, grades=grades, given=given)
        self.is_map = isinstance(first, Mapping)
        if self.again is None and self.columns.intent is not None:
            self.again = [first, *iterator]  # intents take a second look at the rows
        self.rows = chain([first], iterator)
        self.kept: list[Batch] = []
        self.names_intents = self.columns.says_intents
        self.by_order, self.holds_runs = self.columns.kind == "order", self.columns.run is not None
        self.notes = (f"read {self.columns.told()}",) if self.columns.assumed else ()

    def parts(self) -> Parts:
        """Give the rows, some at a time."""
        if self.again is not None:
            before, rows = 0, iter(self.again)
            while chunk := list(islice(rows, _CHUNK)):
                yield whole_part(self._batch(chunk, before))
                before += len(chunk)
            return
        for number in count():
            if number == len(self.kept):
                chunk = list(islice(self.rows, _CHUNK))
                if not chunk:
                    return
                self.kept.append(self._batch(chunk, number * _CHUNK))
            yield whole_part(self.kept[number])

    def intents(self) -> "IterableSource | None":
        """Return the same rows with the intent in place of the topic."""
        if self.columns.intent is None or self.again is None:
            return None
        other = IterableSource(self.name, self.again, grades=self.grades, given=None)
        other.columns, other.first = self.columns.with_intents(), "intent"
        return other

    def _batch(self, chunk: list[Any], before: int) -> Batch:
        columns = self.columns

        def listed(place: int) -> list[Any]:
            if self.is_map:
                key = columns.names[place]
                return [row.get(key) if isinstance(row, Mapping) else None for row in chunk]
            width = len(columns.names)
            if all(isinstance(row, (tuple, list)) and len(row) == width for row in chunk):
                return list(map(itemgetter(place), chunk))
            return [row[place] if self._fits(row) else None for row in chunk]

        if columns.number is None:
            numbers: list[Any] = [-float(before + row) for row in range(len(chunk))]
        else:
            numbers = listed(columns.number)
        return batch_of(
            listed(columns.topic),
            listed(columns.doc),
            numbers,
            grades=self.grades,
            ranks=columns.ranks,
            first=self.first,
            runs=None if columns.run is None else listed(columns.run),
        )

    def _fits(self, row: Any) -> bool:
        return isinstance(row, (tuple, list)) and len(row) == len(self.columns.names)

    def place(self, number: int) -> str:
        """Name a row."""
        return f"{self.name}: row {number + 1}"


def _columns_of(first: Any, name: str, *, grades: bool, given: Given | None) -> Columns:
    """Return which part of a row holds what, by its names or by its length."""
    if isinstance(first, Mapping):
        return find_columns(list(map(str, first)), name, grades=grades, given=given)
    fields = getattr(first, "_fields", None)
    if fields is not None and (given is None or given.names):
        return find_columns(list(fields), name, grades=grades, given=given)
    return place_columns(len(first), name, grades=grades, given=given)
