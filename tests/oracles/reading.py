"""Slow literal readers of qrels and runs, one line at a time, to hold the quick ones against.

What they take: UTF-8 text with or without byte-order mark; lines that end in LF, CRLF or CR;
columns between ASCII white space; blank lines; comments, whose first column begins with "#".
"""

import math
import re

Rows = list[tuple[str, str, float]]
Table = dict[str, dict[str, float]]

# What a header may call its columns, the first name being the first choice.
TOPICS = ("topic", "qid", "query_id", "query-id", "topic_id", "q_id", "query")
DOCUMENTS = ("doc", "docno", "doc_id", "docid", "document", "corpus-id", "document_id")
GRADES = ("grade", "relevance", "rel", "label", "score")
SCORES = ("score", "rank")

_NUMBER_CHARACTERS = frozenset("0123456789.+-eE")


class Refused(Exception):
    """The content is not qrels, or not a run."""


def literal_qrels(content: bytes) -> Table:
    """Read qrels: four columns (topic, iteration, document, grade), or three without iteration.

    A header names the columns of the lines below it, which have as many.
    """
    lines = _data_lines(content)
    named = _named_columns(lines[0], GRADES)
    wanted = {4: (0, 2, 3), 3: (0, 1, 2)}.get(len(lines[0]))
    if named is not None:
        wanted, lines = named, lines[1:]
    if not lines or wanted is None or len({len(line) for line in [*lines, lines[0]]}) > 1:
        raise Refused
    if named is not None and len(lines[0]) != len(_data_lines(content)[0]):
        raise Refused
    rows = [tuple(line[column] for column in wanted) for line in lines]
    return _table([(topic, document, _grade(grade)) for topic, document, grade in rows])


def literal_run(content: bytes) -> Table:
    """Read a run: six columns or more, or three: topic, document, and a rank or score.

    The lowest rank is the best. Where nothing tells, numbers are ranks unless one has a fraction.
    """
    lines = _data_lines(content)
    named = _named_columns(lines[0], SCORES)
    if named is not None:
        width, number = len(lines[0]), lines[0][named[2]].lower()
        if len(lines) == 1 or any(len(line) != width for line in lines[1:]):
            raise Refused
        sign = -1 if number == "rank" else 1
        rows = [tuple(line[column] for column in named) for line in lines[1:]]
        return _table([(topic, document, sign * decimal(value)) for topic, document, value in rows])
    if len(lines[0]) == 3:
        if any(len(line) != 3 for line in lines):
            raise Refused
        values = [decimal(line[2]) for line in lines]
        sign = 1 if any(value != math.floor(value) for value in values) else -1
        ids = [line[:2] for line in lines]
        return _table([(t, d, sign * v) for (t, d), v in zip(ids, values, strict=True)])
    if any(len(line) < 6 for line in lines):
        raise Refused
    return _table([(line[0], line[2], decimal(line[4])) for line in lines])


def _named_columns(header: list[str], numbers: tuple[str, ...]) -> tuple[int, int, int] | None:
    """Return the columns of topic, document and number if a line names them, else None."""
    names = [name.lower() for name in header]
    if len(set(names)) < len(names):
        return None
    found = [[name for name in known if name in names] for known in (TOPICS, DOCUMENTS, numbers)]
    if not all(found):
        return None
    topic, document, number = (names.index(candidates[0]) for candidates in found)
    return topic, document, number


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
