"""read_clicks: click logs from files, frames and rows."""

import io
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Floats
from gradewise.clicks.assembling import Coded, assemble
from gradewise.clicks.columns import (
    LogColumns,
    Role,
    check_path,
    columns_of_names,
    columns_of_places,
    columns_of_text,
)
from gradewise.clicks.log import ClickLog
from gradewise.collection.entries import Piece
from gradewise.collection.sources.frames import (
    column_names,
    frame_source,
    is_frame,
    is_parquet,
    parquet_files,
)
from gradewise.collection.sources.given import ColumnsLike, Given
from gradewise.collection.sources.iterables import IterableSource
from gradewise.collection.sources.names import TITLES
from gradewise.collection.sources.opening import open_source
from gradewise.collection.sources.source import Faults, Source
from gradewise.collection.sources.streams import Stream
from gradewise.errors import SHOWN_PROBLEMS, InputError, Problem
from gradewise.kernels import ids
from gradewise.libraries import pl
from gradewise.parallel import stream_map

LARGEST_RANK = 1000
ClicksLike = ClickLog | str | os.PathLike[str] | IO[bytes] | Mapping[str, Any] | Iterable[Any] | Any
_CHUNK = 1 << 20
_SOURCE_ROLE = re.compile(r"^the (topic|document|score)\b")


def read_clicks(source: ClicksLike, *, columns: ColumnsLike | None = None) -> ClickLog:
    r"""Read a click log: a row for each document that a user was shown.

    Parameters
    ----------
    source
        A path to CSV, TSV, text, JSON lines or parquet, plain or compressed; "-" for standard
        input; an open binary file; a polars or pandas frame, or any table that speaks Arrow; a
        dictionary of columns; or rows as tuples or dictionaries. The columns are session, topic
        (the query), document, rank (from 1) and click (0 or 1), under any of their usual names;
        without names, in this order. Without a rank, rows are ranked in their order. A column
        `team` names the ranker of each document in interleaved lists.
    columns
        What the columns contain, if their names do not say: "session,topic,doc,rank,click", or
        {"session": "sid", "topic": "q", "doc": "url", "click": "hit"}.

    Examples
    --------
    >>> import io
    >>> import gradewise as gw
    >>> text = b"session,query,url,position,clicked\ns1,q,a,1,0\ns1,q,b,2,1\n"
    >>> gw.clicks.read_clicks(io.BytesIO(text))
    ClickLog(1 session, 1 topic, 2 documents, 2 rows, 1 click)
    """
    if isinstance(source, ClickLog):
        return source
    opener, found = _opened(source, columns)
    rank: Role | None = "rank" if found.has("rank") else None

    def read(first: Role, second: Role, number: Role | None) -> Coded:
        with _called(first, second, number):
            return _read(opener(found.given(first, second, number)))

    shown = read("session", "topic", rank)
    clicked = read("topic", "doc", "click")
    ranks = None if rank is None else shown.numbers
    _check_numbers(shown.source, ranks, clicked.source, clicked.numbers)
    teams = read("session", "team", "click") if found.has("team") else None
    notes = (f"clicks: {found.assumed}",) if found.assumed else ()
    if rank is None:
        notes = (*notes, "clicks: ranks from the order of rows")
    return assemble(shown, clicked, ranks, teams, notes)


def _opened(source: Any, columns: ColumnsLike | None) -> tuple[Any, LogColumns]:
    """Return how rows are opened, given their columns, and the columns."""
    if isinstance(source, Mapping):
        source = pl.DataFrame(dict(source))
    if isinstance(source, (str, os.PathLike)) and str(source) != "-":
        files = parquet_files(source) or ([Path(source)] if is_parquet(source) else [])
        if files:
            return _opened_frame(_scanned(files), str(source), columns)
    if is_frame(source):
        return _opened_frame(source, "clicks", columns)
    is_text = isinstance(source, (str, os.PathLike)) or hasattr(source, "read")
    if not is_text and isinstance(source, Iterable):
        return _opened_rows(list(source), columns)
    check_path(source)
    if not isinstance(source, (str, os.PathLike)) or str(source) == "-":
        source = _in_memory(source)
    head = columns_of_text(_rewound(source), columns)
    if head.has_words:
        return _opened_frame(_json_frame(source), Stream(source).name, columns)

    def opener(given: Given) -> Source:
        return open_source(_rewound(source), grades=False, given=given)

    return opener, head.columns


def _rewound(source: Any) -> Any:
    """Return a source that is read from its start: what is in memory may have been read before."""
    if isinstance(source, io.BytesIO):
        source.seek(0)
    return source


def _opened_rows(rows: list[Any], columns: ColumnsLike | None) -> tuple[Any, LogColumns]:
    if not rows:
        raise InputError("clicks: there are no rows")
    first = rows[0]
    fields = list(first) if isinstance(first, Mapping) else getattr(first, "_fields", None)
    if fields is not None:
        found = columns_of_names(list(map(str, fields)), "clicks", columns)
        rows = [_with_number(row, found.names["click"]) for row in rows]
    elif isinstance(first, (tuple, list)):
        found = columns_of_places(len(first), "clicks", columns)
        place = found.places.index("click")
        rows = [_with_number(row, place) for row in rows]
    else:
        raise InputError(f"clicks: expected rows as tuples or dictionaries, not {first!r}")

    def opener(given: Given) -> Source:
        return IterableSource("clicks", rows, grades=False, given=given)

    return opener, found


def _with_number(row: Any, key: Any) -> Any:
    """Return a row with 0 or 1 for False or True."""
    if isinstance(row, Mapping):
        return {**row, key: int(row[key])} if isinstance(row.get(key), (bool, np.bool_)) else row
    if isinstance(key, int) and isinstance(row, (tuple, list)) and key < len(row):
        value = row[key]
        if isinstance(value, (bool, np.bool_)):
            return [*row[:key], int(value), *row[key + 1 :]]
    return row


def _opened_frame(frame: Any, name: str, columns: ColumnsLike | None) -> tuple[Any, LogColumns]:
    found = columns_of_names(column_names(frame), name, columns)
    number = _as_number(frame, found.names["click"])

    def opener(given: Given) -> Source:
        source = frame_source(number, name, grades=False, given=given)
        source.name = name
        return source

    return opener, found


def _as_number(frame: Any, column: str) -> Any:
    """Return a frame with 0 and 1 for clicks that are False and True."""
    library = type(frame).__module__.partition(".")[0]
    if library == "polars":
        kind = frame.collect_schema()[column]
        return frame.with_columns(pl.col(column).cast(pl.Int8)) if kind == pl.Boolean else frame
    if library == "pandas":
        kind = str(frame[column].dtype)
        return frame.assign(**{column: frame[column].astype("int8")}) if kind == "bool" else frame
    return frame


def _scanned(files: list[Any]) -> Any:
    try:
        frame = pl.scan_parquet(files, glob=False)
        frame.collect_schema()
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{files[0]}: cannot be read as parquet ({reason})") from None
    return frame


def _json_frame(source: Any) -> Any:
    """Return JSON lines as a frame."""
    content = _in_memory(_rewound(source))
    try:
        text = content.getvalue().lstrip()
        return pl.read_json(content) if text.startswith(b"[") else pl.read_ndjson(content)
    except pl.exceptions.PolarsError as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{Stream(source).name}: cannot be read as JSON ({reason})") from None


def _in_memory(source: Any) -> io.BytesIO:
    """Return all that a stream holds, decompressed, so that it can be read several times."""
    if str(source) == "-" and sys.stdin is None:
        raise InputError("standard input is closed")
    stream, parts = Stream(source), []
    with stream.open() as reader:
        while True:
            view = bytearray(_CHUNK)
            count = reader.readinto(memoryview(view))
            if not count:
                break
            parts.append(bytes(view[:count]))
    memory = io.BytesIO(b"".join(parts))
    memory.name = stream.name
    return memory


def _read(source: Source) -> Coded:
    """Read all rows; ids become codes batch by batch, so that their text is not kept."""
    faults, first, second = Faults(source), ids.Numbering(), ids.Numbering()
    firsts: list[NDArray[np.int32]] = []
    seconds: list[NDArray[np.int32]] = []
    numbers: list[Floats] = []
    for piece in stream_map(Piece.of, source.parts()):
        faults.add(piece.told)
        sizes = np.diff(piece.heads, append=len(piece.numbers))
        code = first.add(piece.topics.data, piece.topics.offsets)
        firsts.append(code.astype(np.int32).repeat(sizes))
        seconds.append(second.add(piece.docs.data, piece.docs.offsets).astype(np.int32))
        numbers.append(piece.numbers)
    faults.check()
    if not sum(map(len, numbers)):
        raise source.no_rows()
    columns = (np.concatenate(firsts), np.concatenate(seconds), np.concatenate(numbers))
    return Coded(source, first, columns[0], second, columns[1], columns[2])


@contextmanager
def _called(first: Role, second: Role, number: Role | None) -> Iterator[None]:
    """Call columns by their roles where a source calls them topic, document and score."""
    roles: dict[str, str] = {"topic": first, "document": TITLES.get(second, second)}
    roles["score"] = number or "score"
    try:
        yield
    except InputError as error:
        if not error.problems:
            raise
        told = [
            replace(each, reason=_SOURCE_ROLE.sub(lambda m: f"the {roles[m[1]]}", each.reason))
            for each in error.problems
        ]
        raise InputError(told, error.count) from None


def _check_numbers(shown: Source, ranks: Floats | None, clicked: Source, clicks: Floats) -> None:
    """Refuse ranks that are not whole numbers from 1, and clicks that are not 0 or 1."""
    if ranks is not None:
        wrong = (ranks != np.floor(ranks)) | (ranks < 1) | (ranks > LARGEST_RANK)
        _refuse(shown, ranks, wrong, f"the rank must be a whole number from 1 to {LARGEST_RANK}")
    _refuse(clicked, clicks, (clicks != 0) & (clicks != 1), "the click must be 0 or 1")


def _refuse(source: Source, numbers: Floats, wrong: Any, rule: str) -> None:
    rows = np.flatnonzero(wrong)
    if not len(rows):
        return
    shown = rows[:SHOWN_PROBLEMS]
    problems = [
        Problem(place, f"{rule}, not {number:g}", text)
        for (place, text), number in zip(source.places(shown), numbers[shown], strict=True)
    ]
    raise InputError(problems, len(rows))
