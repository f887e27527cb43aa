"""Qrels and runs from rows in memory: dictionaries, frames, parquet and ir_datasets."""

import math
import numbers
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gradewise.collection.entries import (
    LARGEST_GRADE,
    Entries,
    check_duplicates,
    group_by_topic,
)
from gradewise.collection.ids import Ids
from gradewise.errors import SHOWN_PROBLEMS, InputError, MissingDependencyError, Problem

if TYPE_CHECKING:
    import polars as pl

_TOPIC = ("topic", "qid", "query_id", "query-id", "topic_id", "q_id", "query")
_DOC = ("doc", "docno", "doc_id", "docid", "document", "corpus-id", "document_id")
_GRADE = ("grade", "relevance", "rel", "label")
_SCORE = ("score",)
_RANK = ("rank",)


def from_dict(source: Mapping[Any, Any], *, whole: bool, name: str) -> Entries:
    """Make entries of {topic: {document: number}}."""
    topics, docs, values = [], [], []
    for topic, inner in source.items():
        if not isinstance(inner, Mapping):
            raise InputError(f"{name}[{topic!r}]: expected a dictionary, not {inner!r}")
        topics += [topic] * len(inner)
        docs += list(inner)
        values += list(inner.values())
    places = [f"{name}[{topic!r}][{doc!r}]" for topic, doc in zip(topics, docs, strict=True)]
    return from_columns(topics, docs, values, whole=whole, name=name, places=places)


def from_columns(
    topics: Sequence[Any],
    docs: Sequence[Any],
    values: Sequence[Any],
    *,
    whole: bool,
    name: str,
    places: Sequence[str] | None = None,
) -> Entries:
    """Make entries of three columns; `places` names rows in messages."""
    if not len(topics):
        raise InputError(f"{name}: there are no rows")

    def place(row: int) -> str:
        return f"{name}: row {row + 1}" if places is None else places[row]

    problems = []
    clean = _all_text(topics) and _all_text(docs) and _all_numbers(values, whole=whole)
    for row in range(0 if clean else len(topics)):
        reason = _wrong_id("topic", topics[row]) or _wrong_id("document", docs[row])
        reason = reason or _wrong_number(values[row], whole=whole)
        if reason:
            problems.append(Problem(place(row), reason))
    if problems:
        raise InputError(problems[:SHOWN_PROBLEMS], len(problems))
    names = [str(topic) for topic in topics]
    first_rows = np.array(
        [row for row in range(len(names)) if row == 0 or names[row] != names[row - 1]], np.int64
    )
    ids = Ids.from_strings(str(doc) for doc in docs)
    entries = group_by_topic(
        [names[row] for row in first_rows], first_rows, ids, np.array(values, dtype=np.float64)
    )
    check_duplicates(entries, lambda start: (place(int(np.searchsorted(ids.starts, start))), ""))
    return entries


def _all_text(column: Sequence[Any]) -> bool:
    """Tell quickly whether all ids are text that may stand as it is; row by row if not."""
    if set(map(type, column)) != {str} or not all(map(str.strip, column)):
        return False
    try:
        "".join(column).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _all_numbers(column: Sequence[Any], *, whole: bool) -> bool:
    """Tell quickly whether all values are numbers that may stand as they are."""
    if not set(map(type, column)) <= {int, float}:
        return False
    try:
        values = np.array(column, dtype=np.float64)
    except OverflowError:
        return False
    if not whole:
        return bool(np.isfinite(values).all())
    return bool((np.abs(values) <= LARGEST_GRADE).all() and (values == np.floor(values)).all())


def _wrong_id(kind: str, value: Any) -> str | None:
    if isinstance(value, str):
        if any("\ud800" <= char <= "\udfff" for char in value):
            return f"the {kind} id {value!r} is not Unicode text"
        return None if value.strip() else f"the {kind} id is empty"
    if isinstance(value, numbers.Integral) and value is not True and value is not False:
        return None
    return f"the {kind} id {value!r} is not text"


def _wrong_number(value: Any, *, whole: bool) -> str | None:
    is_number = isinstance(value, numbers.Real) and value is not True and value is not False
    number = _as_float(value) if is_number else math.nan
    if whole:
        is_whole = isinstance(value, numbers.Integral) or math.isfinite(number)
        if is_whole and abs(number) > LARGEST_GRADE:
            return f"the grade is beyond {LARGEST_GRADE}"
        if not math.isfinite(number) or number != math.floor(number):
            return f"the grade {_shown(value)} is not a whole number"
    elif not math.isfinite(number):
        return f"the score {_shown(value)} is not a finite number"
    return None


def _shown(value: Any) -> str:
    try:
        return repr(value)
    except ValueError:  # Python does not write whole numbers of thousands of digits
        return "given"


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def from_frame(frame: Any, *, whole: bool, name: str) -> Entries:
    """Make entries of a polars or pandas frame, by the names of its columns."""
    if type(frame).__name__ == "LazyFrame":
        frame = frame.collect()
    available = [str(column) for column in frame.columns]
    lower = [column.lower() for column in available]
    topic = _pick(available, _TOPIC, "topic", name)
    doc = _pick(available, _DOC, "document", name)
    by_rank = not whole and "score" not in lower and "rank" in lower
    if whole:
        value = _pick(available, (*_GRADE, *_SCORE), "grade", name)
    else:
        value = _pick(available, _RANK if by_rank else _SCORE, "score", name)
    columns = [_to_list(frame[column]) for column in (topic, doc, value)]
    entries = from_columns(*columns, whole=whole, name=name)
    return replace(entries, numbers=-entries.numbers) if by_rank else entries


def _to_list(column: Any) -> list[Any]:
    return list(column.to_list() if hasattr(column, "to_list") else column.tolist())


def _pick(available: Iterable[str], known: Sequence[str], what: str, name: str) -> str:
    by_lower = {column.lower(): column for column in available}
    for candidate in known:
        if candidate in by_lower:
            return by_lower[candidate]
    raise InputError(
        f"{name}: no column holds the {what}; it may be called {', '.join(known)}, and there are "
        f"{', '.join(by_lower.values()) or 'no columns'}"
    )


def is_frame(source: Any) -> bool:
    """Tell whether an object is a polars or pandas frame, without importing either."""
    library = type(source).__module__.partition(".")[0]
    return library in ("polars", "pandas") and type(source).__name__ in ("DataFrame", "LazyFrame")


def read_parquet(path: str) -> "pl.DataFrame":
    """Read a parquet file as a frame."""
    import polars as pl

    try:
        with Path(path).open("rb") as file:  # a path may hold what polars takes for a pattern
            return pl.read_parquet(file)
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{path}: cannot be read as parquet ({reason})") from None


def from_ir_datasets(dataset_id: str, *, whole: bool) -> Entries:
    """Read the qrels, or the scored documents, of a dataset of ir_datasets."""
    try:
        import ir_datasets
    except ImportError:
        raise MissingDependencyError("ir_datasets", "plugins", f"irds:{dataset_id}") from None
    try:
        dataset = ir_datasets.load(dataset_id)
    except KeyError:
        raise InputError(f"irds:{dataset_id}: ir_datasets has no such dataset") from None
    if not (dataset.has_qrels() if whole else dataset.has_scoreddocs()):
        kind = "qrels" if whole else "scored documents, which make a run"
        raise InputError(f"irds:{dataset_id}: the dataset has no {kind}")
    rows = list(dataset.qrels_iter() if whole else dataset.scoreddocs_iter())
    return from_columns(
        [row.query_id for row in rows],
        [row.doc_id for row in rows],
        [row.relevance if whole else row.score for row in rows],
        whole=whole,
        name=f"irds:{dataset_id}",
    )
