"""Rows of Python objects: dictionaries, lists, and what other libraries hand out one by one."""

import math
import numbers
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from gradewise.arrays import Bools, Floats
from gradewise.collection.batch import Batch, Fault
from gradewise.collection.ids import Ids
from gradewise.collection.sources.source import Parts, Source, whole_part
from gradewise.collection.sources.text import LARGEST_GRADE
from gradewise.errors import SHOWN_PROBLEMS, InputError
from gradewise.kernels import ids

Columns = tuple[Sequence[Any], Sequence[Any], Sequence[Any]]


class RowsSource(Source):
    """Rows given as three columns of Python objects: topics, documents, numbers."""

    def __init__(self, name: str, columns: Columns, *, grades: bool, ranks: bool = False):
        self.name, self.columns, self.grades, self.ranks = name, columns, grades, ranks

    def chunks(self) -> Iterator[Columns]:
        """Give the columns; all at once, unless a source has a better way."""
        yield self.columns

    def parts(self) -> Parts:
        """Give the rows."""
        for columns in self.chunks():
            if len(columns[0]):
                yield whole_part(batch_of(*columns, grades=self.grades, ranks=self.ranks))

    def place(self, number: int) -> str:
        """Name a row."""
        return f"{self.name}: row {number + 1}"


class DictSource(RowsSource):
    """{topic: {document: number}}."""

    def __init__(self, name: str, source: Mapping[Any, Any], *, grades: bool):
        topics: list[Any] = []
        docs: list[Any] = []
        values: list[Any] = []
        for topic, inner in source.items():
            if not isinstance(inner, Mapping):
                raise InputError(f"{name}[{topic!r}]: expected a dictionary, not {inner!r}")
            topics += [topic] * len(inner)
            docs += inner
            values += inner.values()
        super().__init__(name, (topics, docs, values), grades=grades)

    def place(self, number: int) -> str:
        """Name an entry by its keys."""
        topics, docs, _ = self.columns
        return f"{self.name}[{topics[number]!r}][{docs[number]!r}]"


def batch_of(
    topics: Sequence[Any], docs: Sequence[Any], values: Sequence[Any], *, grades: bool, ranks: bool
) -> Batch:
    """Make a batch of columns of Python objects; rows that are wrong are left out and told."""
    size = len(topics)
    faults: list[Fault] = []
    clean = _all_text(topics) and _all_text(docs) and _all_numbers(values, grades=grades)
    if not clean:
        reasons = {
            row: reason
            for row in range(size)
            if (reason := _wrong_row(topics[row], docs[row], values[row], grades=grades))
        }
        faults = [Fault(row, reason) for row, reason in reasons.items()]
        good = [row for row in range(size) if row not in reasons]
        topics, docs, values = ([column[row] for row in good] for column in (topics, docs, values))
    scores = np.array(values, dtype=np.float64)
    return rows_batch(
        Ids.from_strings(map(str, topics)),
        Ids.from_strings(map(str, docs)),
        -scores if ranks else scores,
        size=size,
        faults=faults,
    )


def rows_batch(
    topics: Ids, docs: Ids, values: Floats, *, size: int, faults: Sequence[Fault] = ()
) -> Batch:
    """Make a batch of columns with a topic for every row."""
    heads = ids.find_changes(topics.data, topics.offsets)
    return Batch(
        topics=topics.take(heads),
        edges=np.append(heads, len(values)),
        docs=docs,
        numbers=values,
        size=size,
        faults=tuple(faults[:SHOWN_PROBLEMS]),
        fault_count=len(faults),
    )


def whole_grades(values: Floats) -> Bools:
    """Tell which numbers can be grades: whole, and not beyond what doubles hold exactly."""
    return (np.abs(values) <= LARGEST_GRADE) & (values == np.floor(values))


def _all_text(column: Sequence[Any]) -> bool:
    """Tell quickly whether all ids are text that may stand as it is; row by row if not."""
    if set(map(type, column)) != {str} or not all(map(str.strip, column)):
        return False
    try:
        "".join(column).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _all_numbers(column: Sequence[Any], *, grades: bool) -> bool:
    """Tell quickly whether all values are numbers that may stand as they are."""
    if not set(map(type, column)) <= {int, float}:
        return False
    try:
        values = np.array(column, dtype=np.float64)
    except OverflowError:
        return False
    return bool((whole_grades(values) if grades else np.isfinite(values)).all())


def _wrong_row(topic: Any, doc: Any, value: Any, *, grades: bool) -> str | None:
    return (
        _wrong_id("topic", topic)
        or _wrong_id("document", doc)
        or (wrong_grade(value) if grades else wrong_score(value))
    )


def _wrong_id(kind: str, value: Any) -> str | None:
    if isinstance(value, str):
        if any("\ud800" <= char <= "\udfff" for char in value):
            return f"the {kind} id {value!r} is not Unicode text"
        return None if value.strip() else f"the {kind} id is empty"
    if isinstance(value, numbers.Integral) and value is not True and value is not False:
        return None
    return f"the {kind} id {value!r} is not text"


def wrong_score(value: Any) -> str | None:
    """Say why a value is no score, or nothing."""
    if math.isfinite(_as_float(value)):
        return None
    return f"the score {_shown(value)} is not a finite number"


def wrong_grade(value: Any) -> str | None:
    """Say why a value is no grade, or nothing."""
    number = _as_float(value)
    exists = isinstance(value, numbers.Integral) or math.isfinite(number)
    if exists and abs(number) > LARGEST_GRADE:
        return f"the grade is beyond {LARGEST_GRADE}"
    if not math.isfinite(number) or number != math.floor(number):
        return f"the grade {_shown(value)} is not a whole number"
    return None


def _shown(value: Any) -> str:
    try:
        return repr(value)
    except ValueError:  # Python does not write whole numbers of thousands of digits
        return "given"


def _as_float(value: Any) -> float:
    """Return a number as a double; NaN if it is none."""
    if not isinstance(value, numbers.Real) or value is True or value is False:
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf
