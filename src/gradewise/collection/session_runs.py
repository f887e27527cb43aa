"""read_sessions: runs that hold a list for every query of a session."""

import copy
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import IO, Any

import numpy as np

from gradewise.arrays import Ints
from gradewise.collection.entries import Entries, gather, group_rows, read_rows, told_repeats
from gradewise.collection.reading import run_name
from gradewise.collection.run import Run
from gradewise.collection.sources.rows import DictSource
from gradewise.collection.sources.streams import Stream
from gradewise.collection.sources.text import TextSource
from gradewise.errors import InputError, counted
from gradewise.kernels import ranking

Lists = Mapping[Any, float]
Queries = Sequence[Lists] | Lists
_SECOND = 1  # the column of a run that numbers the queries
_MOST_QUERIES = 10_000  # of a session; above, it is something else that is numbered


@dataclass(frozen=True, eq=False, repr=False)
class SessionRun(Run):
    """What a system retrieved for the queries of sessions.

    Its topics are queries: `topics[i]` is query `query[i]`, from 1, of session `session[i]`.
    """

    session: tuple[str, ...] = ()
    query: Ints = field(default_factory=lambda: np.zeros(0, np.int64))

    def __repr__(self) -> str:
        sessions = counted(len(set(self.session)), "session")
        queries = "1 query" if len(self.query) == 1 else f"{len(self.query)} queries"
        return f"SessionRun({self.name!r}, {sessions}, {queries}, {len(self)} documents)"


SessionsLike = Run | TextSource | str | os.PathLike[str] | IO[bytes] | Mapping[Any, Queries]


def read_sessions(source: SessionsLike, name: str | None = None) -> SessionRun:
    r"""Read a run with several queries for each topic, for measures of sessions such as nsDCG.

    Parameters
    ----------
    source
        A path to a TREC run whose second column numbers the queries of a topic, from 0 or from 1,
        plain or compressed; "-" for standard input; an open binary file; or a dictionary with the
        lists of each session in order, {session: [{document: score}, ...]}. If the second column is
        the same in all lines, every topic has one query, as in a Run or a dictionary {topic:
        {document: score}}.
    name
        What to call the run; the name of the file if not given.

    Examples
    --------
    >>> import io
    >>> import gradewise as gw
    >>> gw.read_sessions({"s1": [{"a": 2.0, "b": 1.0}, {"c": 1.0}]}, name="mine")
    SessionRun('mine', 1 session, 2 queries, 3 documents)
    >>> gw.read_sessions(io.BytesIO(b"s1 1 a 1 2.5 me\ns1 2 c 1 1.5 me\n"))
    SessionRun('run', 1 session, 2 queries, 2 documents)
    """
    if isinstance(source, SessionRun):
        return source if name is None else replace(source, name=name)
    called = run_name(source) if name is None else name
    if isinstance(source, Run):
        return _of_run(source, called)
    if isinstance(source, Mapping):
        return _of_dictionary(source, called)
    if isinstance(source, TextSource):
        return _of_text(source, called)
    if not isinstance(source, (str, os.PathLike)) and not hasattr(source, "read"):
        raise InputError(
            "sessions are read from a file, a path or a dictionary {session: [{document: score}, "
            f"...]}}, not {type(source).__name__}"
        )
    return _of_text(TextSource(Stream(source), grades=False), called)


def _of_run(run: Run, name: str) -> SessionRun:
    """Take every topic of a run for a session of one query."""
    topics = tuple(_label(topic, 1) for topic in run.topics)
    one = np.ones(len(topics), np.int64)
    return _make(replace(run, topics=topics), name, run.topics, one)


def is_session_run(source: Any) -> bool:
    """Tell a session run {session: [list, ...]} from {name: run}."""
    return isinstance(source, Mapping) and _is_sequence(next(iter(source.values()), None))


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def is_plain_run(source: Mapping[Any, Any]) -> bool:
    """Tell a run {topic: {document: score}} from {name: run}."""
    first = next(iter(source.values()), None)
    inner = next(iter(first.values()), None) if isinstance(first, Mapping) else None
    return isinstance(first, Mapping) and not (isinstance(inner, Mapping) or _is_sequence(inner))


def _of_dictionary(source: Mapping[Any, Any], name: str) -> SessionRun:
    flat: dict[str, Any] = {}
    session: list[str] = []
    query: list[int] = []
    for topic, lists in source.items():
        for number, retrieved in enumerate(_in_order(topic, lists), 1):
            if not isinstance(retrieved, Mapping):
                raise InputError(
                    f"run[{topic!r}]: expected {{document: score}} for query {number}, not "
                    f"{retrieved!r}"
                )
            if retrieved:
                flat[_label(topic, number)] = retrieved
                session.append(str(topic))
                query.append(number)
    entries, _ = gather(DictSource("run", flat, grades=False))
    return _make(entries, name, session, np.array(query, np.int64))


def _in_order(topic: Any, lists: Any) -> Sequence[Any]:
    """Return the lists of a session, or its only one."""
    if not isinstance(lists, Mapping) and not _is_sequence(lists):
        raise InputError(f"run[{topic!r}]: expected a list of dictionaries, not {lists!r}")
    return [lists] if isinstance(lists, Mapping) else lists


def _label(session: Any, query: int) -> str:
    """Return what a query is called among topics; ids hold no spaces."""
    return f"{session} {query}"


def _make(entries: Entries, name: str, session: Sequence[str], query: Ints) -> SessionRun:
    parts = entries.topics, entries.offsets, entries.docs, entries.numbers
    return SessionRun(*parts, name, session=tuple(session), query=query)


def _of_text(source: TextSource, name: str) -> SessionRun:
    entries, order = group_rows(read_rows(source))
    if source.layout is None or source.layout.width < 6:
        raise InputError(
            f"{source.name}: sessions need 6 columns (topic query document rank score tag)"
        )
    number = _query_numbers(source)
    number = number if order is None else number[order]
    owner = np.arange(len(entries.topics)).repeat(entries.sizes)
    rows = np.lexsort((number, owner))
    begins = np.flatnonzero(np.diff(owner[rows], prepend=-1) | np.diff(number[rows], prepend=-1))
    session = [entries.topics[index] for index in owner[rows][begins].tolist()]
    query = number[rows][begins]
    topics = tuple(_label(*pair) for pair in zip(session, query.tolist(), strict=True))
    offsets = np.append(begins, len(rows))
    grouped = Entries(topics, offsets, entries.docs.take(rows), entries.numbers[rows])
    pairs = ranking.find_repeats(grouped.docs.data, grouped.docs.offsets, offsets)
    if pairs:
        read = rows if order is None else order[rows]
        raise told_repeats(np.array(pairs, np.int64), grouped, read, source, "query")
    return replace(_make(grouped, name, session, query), tag=source.tag(), notes=source.notes)


def _query_numbers(source: TextSource) -> Ints:
    """Return the number of the query of each line, from 1, as the second column tells it."""
    assert source.layout is not None
    other = copy.copy(source)
    other.layout = replace(source.layout, columns=(_SECOND, *source.layout.columns[1:]))
    rows = read_rows(other)
    names = rows.topics.to_list()
    lengths = np.diff(rows.heads, append=len(rows.numbers))
    if len(set(names)) == 1:
        return np.ones(len(rows.numbers), np.int64)
    wrong = [name for name in names if not (name.isascii() and name.isdigit())]
    if wrong:
        raise InputError(
            f"{source.name}: the second column must number the queries of a session; found "
            f"{wrong[0]!r}"
        )
    numbers = np.array([min(int(name), _MOST_QUERIES + 1) for name in names], np.int64)
    if numbers.max() > _MOST_QUERIES:
        largest = names[int(numbers.argmax())]
        raise InputError(
            f"{source.name}: the second column must number the queries of a session from 0 or 1; "
            f"found {largest}"
        )
    return (numbers + (numbers.min() == 0)).repeat(lengths)
