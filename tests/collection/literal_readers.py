"""Slow literal readers of qrels and runs, one line at a time, to hold the quick ones against.

What they take: UTF-8 text with or without byte-order mark; lines that end in LF, CRLF or CR;
columns between ASCII white space; blank lines; comments, whose first column begins with "#".
"""

import math
import re

Rows = list[tuple[str, str, float]]
Table = dict[str, dict[str, float]]

_HEADERS = ({"query-id", "corpus-id", "score"}, {"query_id", "doc_id", "relevance"})
_NUMBER_CHARACTERS = frozenset("0123456789.+-eE")


class Refused(Exception):
    """The content is not qrels, or not a run."""


def literal_qrels(content: bytes) -> Table:
    """Read qrels: four columns (topic, iteration, document, grade), or three without iteration."""
    lines = _data_lines(content)
    if set(lines[0]) in _HEADERS:
        lines = lines[1:]
    if not lines:
        raise Refused
    wanted = {4: (0, 2, 3), 3: (0, 1, 2)}.get(len(lines[0]))
    if wanted is None or any(len(line) != len(lines[0]) for line in lines):
        raise Refused
    rows = [tuple(line[column] for column in wanted) for line in lines]
    return _table([(topic, document, _grade(grade)) for topic, document, grade in rows])


def literal_run(content: bytes) -> Table:
    """Read a run: six columns or more, or three (topic, document, rank: the lowest is best)."""
    lines = _data_lines(content)
    if len(lines[0]) == 3:
        if any(len(line) != 3 for line in lines):
            raise Refused
        return _table([(topic, document, -decimal(rank)) for topic, document, rank in lines])
    if any(len(line) < 6 for line in lines):
        raise Refused
    return _table([(line[0], line[2], decimal(line[4])) for line in lines])


def decimal(text: str) -> float:
    """Return a finite decimal number; no names, no hexadecimal digits, no underscores."""
    if not set(text) <= _NUMBER_CHARACTERS:
        raise Refused
    try:
        value = float(text)
    except ValueError:
        raise Refused from None
    if not math.isfinite(value):
        raise Refused
    return value


def _grade(text: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        raise Refused
    return int(text)


def _data_lines(content: bytes) -> list[list[str]]:
    """Return the columns of every line that holds data."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise Refused
    content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused from None
    if re.search(rb"[\x00-\x08\x0e-\x1f]", content):
        raise Refused
    lines = []
    for line in re.split(rb"\r\n|\n|\r", content):
        columns = [column for column in re.split(rb"[ \t\v\f]+", line) if column]
        if columns and not columns[0].startswith(b"#"):
            lines.append([column.decode("utf-8") for column in columns])
    if not lines:
        raise Refused
    return lines


def _table(rows: Rows) -> Table:
    table: Table = {}
    for topic, document, number in rows:
        inner = table.setdefault(topic, {})
        if document in inner:
            raise Refused
        inner[document] = number
    return table
