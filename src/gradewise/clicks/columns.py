"""Which columns of a click log hold what, told by their names, their number or the user."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from gradewise.collection.sources.given import ColumnsLike, Given, parse_columns
from gradewise.collection.sources.json_shapes import looks_like_json
from gradewise.collection.sources.names import KNOWN, TITLES, plain
from gradewise.collection.sources.sniffing import FirstLine
from gradewise.collection.sources.streams import Stream
from gradewise.errors import InputError, OptionError, did_you_mean

Role = Literal["session", "topic", "doc", "rank", "click", "team"]

# What people call columns, the first choice first.
NAMES: Final[dict[Role, tuple[str, ...]]] = {
    "session": ("session", "session_id", "sessionid", "impression", "impression_id", "search_id"),
    "topic": tuple(name for name in KNOWN["topic"] if "user" not in name),
    "doc": KNOWN["doc"],
    "rank": KNOWN["rank"],
    "click": ("click", "clicks", "clicked", "is_click", "is_clicked", "was_clicked"),
    "team": ("team", "ranker"),
}
NEEDED: Final[tuple[Role, ...]] = ("session", "topic", "doc", "click")
_ORDER: Final[tuple[Role, ...]] = ("session", "topic", "doc", "rank", "click")
_HEAD = 1 << 13  # bytes that tell what a text holds


@dataclass(frozen=True)
class LogColumns:
    """Where each role of a log is: names of columns, or roles in their order if they have none."""

    names: Mapping[Role, str]
    places: tuple[str, ...] = ()
    assumed: str = ""

    def has(self, role: Role) -> bool:
        """Tell whether a column has a role."""
        return role in self.names or role in self.places

    def given(self, first: Role, second: Role, number: Role | None) -> Given:
        """Return how a source is told to read two columns of ids and one of numbers."""
        renamed = {first: "topic", second: "doc"}
        if number is not None:
            renamed[number] = "score"
        if self.places:
            places = tuple(renamed.get(role, "") for role in self.places)  # type: ignore[call-overload]
            return Given(places=places, complete=True)
        names = tuple((as_role, self.names[role]) for role, as_role in renamed.items())
        return Given(names=names, complete=True)


def columns_of_names(
    available: Sequence[str], name: str, columns: ColumnsLike | None = None
) -> LogColumns:
    """Return which of the named columns hold what; an InputError names what is missing."""
    if columns is not None:
        return _given_columns(available, name, columns)
    by_plain = {plain(column): column for column in reversed(available)}
    found: dict[Role, str] = {}
    for role, names in NAMES.items():
        column = next((by_plain[each] for each in names if each in by_plain), None)
        if column is not None:
            found[role] = column
    for role in NEEDED:
        if role not in found:
            raise InputError(
                f"{name}: no column contains the {TITLES.get(role, role)}; name it with columns, "
                f"or rename it to {', '.join(NAMES[role][:6])}; found "
                f"{', '.join(available) or 'no columns'}"
            )
    told = ", ".join(f"{TITLES.get(role, role)} from {each!r}" for role, each in found.items())
    plainly = all(role == each for role, each in found.items())
    return LogColumns(found, assumed="" if plainly else f"read {told}")


def columns_of_places(width: int, name: str, columns: ColumnsLike | None = None) -> LogColumns:
    """Return what columns without names hold, by how many there are."""
    if columns is None and width != len(_ORDER):
        raise InputError(
            f"{name}: expected 5 columns ({' '.join(_ORDER)}) or a header, found {width}"
        )
    places = _parsed(columns).places if columns is not None else _ORDER
    if len(places) != width:
        raise InputError(f"{name}: columns {columns} do not fit rows of {width} values")
    assumed = "" if columns is not None else f"read 5 columns as {', '.join(_ORDER)}"
    return LogColumns({}, tuple(places), assumed)


def _parsed(columns: ColumnsLike) -> Given:
    return parse_columns(columns, known=NAMES, needed=NEEDED)


def _given_columns(available: Sequence[str], name: str, columns: ColumnsLike) -> LogColumns:
    given = _parsed(columns)
    if given.places and len(given.places) != len(available):
        raise InputError(
            f"{name}: columns {given} name {len(given.places)} columns, but there are "
            f"{len(available)}: {', '.join(available)}"
        )
    pairs: Any = given.names or tuple(zip(given.places, available, strict=True))
    named = {role: column for role, column in pairs if role}
    for column in named.values():
        if column not in available:
            raise InputError(
                f"{name}: there is no column {column!r}{did_you_mean(column, available)}; found "
                f"{', '.join(available) or 'no columns'}"
            )
    return LogColumns(named)


@dataclass(frozen=True)
class TextHead:
    """What the first lines of a text tell: its columns, and whether JSON has clicks as words."""

    columns: LogColumns
    has_words: bool = False


def columns_of_text(source: Any, columns: ColumnsLike | None = None) -> TextHead:
    """Tell the columns of a text by its first line: JSON, or columns with or without names."""
    stream = Stream(source)
    head = stream.head(_HEAD)
    text = head.tobytes().decode("utf-8", "replace")
    if not text.strip():
        raise InputError(f"{stream.name}: there are no rows")
    if looks_like_json(head):
        return _json_head(text, stream.name, columns)
    line = next(line for line in text.splitlines() if line.strip())
    first = FirstLine(line.split(), text[text.index(line) :], line)
    splits = [first.split(delimiter) for delimiter in (*first.delimiters(), "")]
    best = max(splits, key=lambda names: (_known(names, columns), len(names)))
    if _known(best, columns):
        return TextHead(columns_of_names(best, stream.name, columns))
    if columns is not None and _parsed(columns).names:
        columns_of_names(best, stream.name, columns)  # says which name is missing
    widths = [len(split) for split in splits]
    wanted = len(_ORDER) if columns is None else len(_parsed(columns).places)
    width = wanted if wanted in widths else max(widths)
    return TextHead(columns_of_places(width, stream.name, columns))


def _known(names: Sequence[str], columns: ColumnsLike | None) -> int:
    """Count the roles that names stand for; none if they do not name the clicks."""
    if columns is not None:
        wanted = {name for _, name in _parsed(columns).names}
        if wanted:
            return len(wanted & set(names))
    found = {plain(name) for name in names}
    roles = [role for role, known in NAMES.items() if not found.isdisjoint(known)]
    return len(roles) if "click" in roles else 0


def _json_head(text: str, name: str, columns: ColumnsLike | None) -> TextHead:
    """Tell the columns of JSON by its first row."""
    stripped = text.lstrip()
    start = 1 if stripped.startswith("[") and stripped[1:].lstrip()[:1] in ("{", "[") else 0
    try:
        first, _ = json.JSONDecoder().raw_decode(stripped[start:].lstrip())
    except json.JSONDecodeError:
        raise InputError(f"{name}: cannot be read as JSON; expected a row on each line") from None
    if isinstance(first, list):
        return TextHead(columns_of_places(len(first), name, columns))
    found = columns_of_names([str(key) for key in first], name, columns)
    return TextHead(found, isinstance(first.get(found.names["click"]), bool))


def check_path(source: Any) -> None:
    """Refuse what cannot be a click log."""
    if not isinstance(source, (str, os.PathLike)) and not hasattr(source, "read"):
        raise OptionError(
            "a click log must be a path, an open binary file, a frame, a dictionary of columns, or "
            f"rows as tuples or dictionaries, not {type(source).__name__}"
        )
