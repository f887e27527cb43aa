"""Rows of Python objects: dictionaries, lists, and what other libraries hand out one by one."""

import math
import numbers
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from gradewise.arrays import Bools, Floats
from gradewise.collection.batch import Batch, Fault, Runs
from gradewise.collection.ids import Ids
from gradewise.collection.sources.columns import Columns
from gradewise.collection.sources.source import Parts, Source, whole_part
from gradewise.collection.sources.text import LARGEST_GRADE
from gradewise.errors import SHOWN_PROBLEMS, InputError
from gradewise.kernels import ids

NO_INTENT = "0"  # of topics that have no intents, as in qrels of TREC
IN_ORDER = "read the order of documents as their ranks"
Triple = tuple[Sequence[Any], Sequence[Any], Sequence[Any]]


class RowsSource(Source):
    """Rows given as three columns of Python objects: topics, documents, numbers."""

    def __init__(
        self,
        name: str,
        columns: Triple,
        *,
        grades: bool,
        ranks: bool = False,
        intents: Sequence[Any] | None = None,
        runs: Sequence[Any] | None = None,
    ):
        self.name, self.columns, self.grades, self.ranks = name, columns, grades, ranks
        self.intent_column, self.names_intents = intents, intents is not None
        self.run_column, self.holds_runs = runs, runs is not None

    def chunks(self) -> Iterator[Triple]:
        """Give the columns; all at once, unless a source has a better way."""
        yield self.columns

    def parts(self) -> Parts:
        """Give the rows."""
        for columns in self.chunks():
            if len(columns[0]):
                batch = batch_of(
                    *columns,
                    grades=self.grades,
                    ranks=self.ranks,
                    first=self.first,
                    runs=self.run_column,
                )
                yield whole_part(batch)

    def intents(self) -> "RowsSource | None":
        """Return the same rows with the intent in place of the topic."""
        if self.intent_column is None:
            return None
        other = RowsSource(self.name, (self.intent_column, *self.columns[1:]), grades=self.grades)
        other.first = "intent"
        return other

    def place(self, number: int) -> str:
        """Name a row."""
        return f"{self.name}: row {number + 1}"


class ColumnsSource(RowsSource):
    """Rows of which `listed` gives each column by its name, as Python objects."""

    def __init__(
        self,
        name: str,
        listed: Callable[[str], list[Any]],
        columns: Columns,
        *,
        grades: bool,
    ):
        topic, doc, intent, run = (
            None if place is None else listed(columns.names[place])
            for place in (columns.topic, columns.doc, columns.intent, columns.run)
        )
        assert topic is not None
        assert doc is not None
        if columns.number is None:
            numbers = [-row for row in range(len(topic))]
        else:
            numbers = listed(columns.names[columns.number])
        super().__init__(
            name,
            (topic, doc, numbers),
            grades=grades,
            ranks=columns.ranks,
            intents=intent,
            runs=run,
        )
        self.names_intents, self.by_order = columns.says_intents, columns.kind == "order"
        self.notes = (f"read {columns.told()}",) if columns.assumed else ()


class DictSource(RowsSource):
    """{topic: {document: number}}, {topic: {intent: {document: grade}}} or {topic: [document]}."""

    def __init__(self, name: str, source: Mapping[Any, Any], *, grades: bool):
        topics: list[Any] = []
        docs: list[Any] = []
        values: list[Any] = []
        intents: list[Any] = []
        nested = ordered = False
        for topic, inner in source.items():
            if not grades and isinstance(inner, (list, tuple)):
                listed, scores = _ranked(inner)
                ordered |= scores is None
                topics += [topic] * len(listed)
                docs += listed
                values += scores or range(-1, -len(listed) - 1, -1)
                continue
            if not isinstance(inner, Mapping):
                wanted = "a dictionary" if grades else "a dictionary or a list of documents"
                raise InputError(f"{name}[{topic!r}]: expected {wanted}, not {inner!r}")
            has_intents = grades and isinstance(next(iter(inner.values()), None), Mapping)
            nested |= has_intents
            for intent, judged in inner.items() if has_intents else [(NO_INTENT, inner)]:
                if not isinstance(judged, Mapping):
                    raise InputError(
                        f"{name}[{topic!r}][{intent!r}]: expected a dictionary of documents, as "
                        f"other intents of the topic have, not {judged!r}"
                    )
                topics += [topic] * len(judged)
                intents += [intent] * len(judged)
                docs += judged
                values += judged.values()
        columns = (topics, docs, values)
        super().__init__(name, columns, grades=grades, intents=intents if nested else None)
        self.notes = (IN_ORDER,) if ordered else ()

    def place(self, number: int) -> str:
        """Name an entry by its keys."""
        topics, docs, _ = self.columns
        keys = [topics[number], docs[number]]
        if self.intent_column is not None:
            keys.insert(1, self.intent_column[number])
        return self.name + "".join(f"[{key!r}]" for key in keys)


def _ranked(listed: Sequence[Any]) -> tuple[Sequence[Any], list[Any] | None]:
    """Return the documents of a list, and their scores if it holds pairs."""
    if listed and all(isinstance(item, (list, tuple)) and len(item) == 2 for item in listed):
        return [item[0] for item in listed], [item[1] for item in listed]
    return listed, None


def batch_of(
    topics: Sequence[Any],
    docs: Sequence[Any],
    values: Sequence[Any],
    *,
    grades: bool,
    ranks: bool,
    first: str = "topic",
    runs: Sequence[Any] | None = None,
) -> Batch:
    """Make a batch of columns of Python objects; rows that are wrong are left out and told."""
    size = len(topics)
    faults: list[Fault] = []
    clean = _all_text(topics) and _all_text(docs) and _all_numbers(values, grades=grades)
    if not clean or (runs is not None and not _all_text(runs)):
        reasons = {
            row: reason
            for row in range(size)
            if (reason := wrong_row(first, topics[row], docs[row], values[row], grades=grades))
            or (reason := None if runs is None else _wrong_id("run", runs[row]))
        }
        faults = [Fault(row, reason) for row, reason in reasons.items()]
        good = [row for row in range(size) if row not in reasons]
        topics, docs, values = ([column[row] for row in good] for column in (topics, docs, values))
        runs = None if runs is None else [runs[row] for row in good]
    scores = np.array(values, dtype=np.float64)
    return rows_batch(
        Ids.from_strings(map(str, topics)),
        Ids.from_strings(map(str, docs)),
        -scores if ranks else scores,
        size=size,
        faults=faults,
        runs=None if runs is None else runs_of(Ids.from_strings(map(str, runs))),
    )


def rows_batch(
    topics: Ids,
    docs: Ids,
    values: Floats,
    *,
    size: int,
    faults: Sequence[Fault] = (),
    fault_count: int | None = None,
    runs: Runs | None = None,
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
        fault_count=len(faults) if fault_count is None else fault_count,
        runs=runs,
    )


def runs_of(names: Ids) -> Runs:
    """Return the runs of rows, given the name of each row's."""
    heads = ids.find_changes(names.data, names.offsets)
    return Runs(names.take(heads), np.append(heads, len(names)))


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


def wrong_row(first: str, topic: Any, doc: Any, value: Any, *, grades: bool) -> str | None:
    """Say why a row cannot be read, or nothing."""
    return (
        _wrong_id(first, topic)
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
