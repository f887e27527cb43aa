"""Slow literal readers of qrels and runs, one line at a time, to hold the quick ones against.

What they take: UTF-8 text with or without byte-order mark; lines that end in LF, CRLF or CR;
columns between ASCII white space; blank lines; comments, whose first column begins with "#".
"""

import math
import re
from collections.abc import Callable

Rows = list[tuple[str, str, float]]
Table = dict[str, dict[str, float]]

# What a header may call its columns, the first name being the first choice; case, and whether a
# hyphen or an underscore is written, do not matter.
TOPICS = (
    *("topic", "topic_id", "topicid", "qid", "q_id", "query_id", "queryid", "query_number"),
    *("query_no", "question_id", "query_text", "query", "search_term", "user_id", "userid", "user"),
)
DOCUMENTS = (
    *("doc", "docno", "doc_id", "docid", "document", "document_id", "documentid", "doc_no"),
    *("corpus_id", "corpusid", "pid", "passage_id", "passageid", "did", "d_id", "document_number"),
    *("item_id", "itemid", "item", "product_id", "url", "_id"),
)
INTENTS = ("intent", "intent_id", "subtopic", "subtopic_id", "aspect", "iteration")
GRADES = (
    *("grade", "relevance", "rel", "label", "rating", "judgment", "judgement", "gain"),
    *("relevance_grade", "relevance_label", "relevance_judgment", "relevance_judgement", "qrel"),
    *("score", "similarity", "sim", "relevance_score", "rsv", "prediction"),
)
RANKS = ("rank", "position", "doc_position", "doc_rank", "pos", "ranking")
SCORES = ("score", "similarity", "sim", "relevance_score", "rsv", "prediction", *RANKS)

_NUMBER_CHARACTERS = frozenset("0123456789.+-eE")


class Refused(Exception):
    """The content is not qrels, or not a run."""


def literal_qrels(content: bytes) -> Table:
    """Read qrels: four columns (topic, iteration, document, grade), or three without iteration.

    A header names the columns of the lines below it, which have as many. A document may be judged
    for several intents, which stand in the place of the iteration; its highest grade counts.
    Between tabs, where white space is part of fields, a grade may be 2.0, and rows without a grade
    are passed over.
    """
    places = {4: (0, 2, 3), 3: (0, 1, 2)}
    lines, tabs, named = _lines_of(content, GRADES, places, _is_grade)
    header = lines[0] if named is not None else None
    wanted = named if named is not None else places.get(len(lines[0]))
    width = len(lines[0])
    lines = lines[1:] if named is not None else lines
    if wanted is None:
        raise Refused
    if tabs:
        lines = [line for line in lines if _is_judged(line, wanted, width)]
    if not lines or any(len(line) != width for line in lines):
        raise Refused
    rows = [tuple(line[column] for column in wanted) for line in lines]
    if any(not cell for topic, document, _ in rows for cell in (topic, document)):
        raise Refused
    judged = [(topic, document, _grade(grade, tabs)) for topic, document, grade in rows]
    intent = 1 if header is None and width == 4 else None
    if header is not None:
        names = [_plain(name) for name in header]
        intent = next((names.index(name) for name in INTENTS if name in names), None)
    if intent is None:
        return _table(judged)
    keys = [(row[0], line[intent], row[1]) for row, line in zip(judged, lines, strict=True)]
    if len(set(keys)) < len(keys):
        raise Refused
    table: Table = {}
    for topic, document, grade in judged:
        inner = table.setdefault(topic, {})
        inner[document] = max(grade, inner.get(document, grade))
    return table


def literal_run(content: bytes) -> Table:
    """Read a run: six columns or more, or three: topic, document, and a rank or score.

    The lowest rank is the best. Where nothing tells, numbers are ranks unless one has a fraction or
    a minus. NTCIR's runs begin with a line that describes the system.
    """
    places = {3: (0, 1, 2)} | dict.fromkeys(range(6, 1000), (0, 2, 4))
    lines, tabs, named = _lines_of(_without_description(content), SCORES, places, _is_decimal)
    first = lines[0]
    wanted = named if named is not None else places.get(len(first))
    if wanted is None:
        raise Refused
    lines = lines[1:] if named is not None else lines
    more = named is None and len(first) >= 6
    least = 6 if more else len(first)
    if tabs:
        lines = [line for line in lines if _is_retrieved(line, wanted, least, more)]
    if not lines or any(len(line) < least or (len(line) > least and not more) for line in lines):
        raise Refused
    rows = [tuple(line[column] for column in wanted) for line in lines]
    if any(not cell for topic, document, _ in rows for cell in (topic, document)):
        raise Refused
    values = [decimal(value) for _, _, value in rows]
    if named is not None:
        ranks = _plain(first[named[2]]) in RANKS
    else:
        ranks = not more and all(value == math.floor(value) and value >= 0 for value in values)
    sign = -1 if ranks else 1
    return _table([(t, d, sign * v) for (t, d, _), v in zip(rows, values, strict=True)])


def _lines_of(
    content: bytes,
    numbers: tuple[str, ...],
    places: dict[int, tuple[int, int, int]],
    is_number: Callable[[str], bool],
) -> tuple[list[list[str]], bool, tuple[int, int, int] | None]:
    """Return the columns of every line, whether tabs keep them apart, and what a header names.

    Tabs do where the header has any, where the first line has white space inside the wanted fields
    between them, and where it is no row otherwise, as one with an empty rank; then only tabs do.
    Between tabs, a line that begins with "#" is a comment if it has other columns than rows, if it
    is above the header, and if it is above the first row and could not be one.
    """

    def could_be_row(row: list[str]) -> bool:
        found = places.get(len(row))
        if found is None or not (len(row) == len(fields) or min(len(row), len(fields)) >= 6):
            return False
        return all(row[place] for place in found) and is_number(row[found[2]])

    words = _data_lines(content)
    text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    raw = [line for line in re.split("\r\n|\n|\r", text) if line.strip(" \t\v\f")]
    first = next(line for line in raw if not line.strip(" \t\v\f").startswith("#"))
    fields = _fields(first)
    if "\t" in first:
        wanted = places.get(len(fields))
        named = _named_columns(fields, numbers)
        last = 0 if wanted is None else max(wanted) + 1
        plain = places.get(len(words[0]))
        is_row = plain is not None and is_number(words[0][plain[2]])
        if named is not None or (
            wanted is not None
            and is_number(fields[wanted[2]])
            and (not is_row or (all(fields) and fields[:last] != words[0][:last]))
        ):
            place, width = raw.index(first), len(fields)
            above = [] if named is not None else [_fields(line) for line in raw[:place]]
            rows = [_fields(line) for line in raw[place:]]
            rows = [row for row in rows if any(row)]
            more = named is None and len(fields) >= 6
            kept = [
                row
                for row in rows
                if not row[0].startswith("#") or len(row) == width or (more and len(row) >= 6)
            ]
            return [row for row in above if could_be_row(row)] + kept, True, named
    return words, False, _named_columns(words[0], numbers)


def _fields(line: str) -> list[str]:
    """Return what stands between tabs, without blanks around it, and quotes that hold all of it."""
    fields = [field.strip(" \v\f") for field in line.split("\t")]
    return [
        field[1:-1].replace('""', '"') if re.fullmatch('"([^"]|"")*"', field) else field
        for field in fields
    ]


def _is_judged(line: list[str], wanted: tuple[int, int, int], width: int) -> bool:
    _, document, grade = wanted
    if len(line) < width:
        return not 1 < len(line) <= min(document, grade)
    return line[grade] != "" or len(line) > width


def _is_retrieved(line: list[str], wanted: tuple[int, int, int], least: int, more: bool) -> bool:
    _, document, number = wanted
    if len(line) < least:
        return not 1 < len(line) <= min(document, number)
    return line[document] != "" or line[number] != "" or (len(line) > least and not more)


def _is_decimal(text: str) -> bool:
    try:
        decimal(text)
    except Refused:
        return False
    return True


def _is_grade(text: str) -> bool:
    whole, dot, rest = text.partition(".")
    if whole.startswith("L"):
        return not dot and _is_digits(whole[1:])
    return _is_digits(whole[1:] if whole[:1] in ("+", "-") else whole) and not rest.strip("0")


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _plain(name: str) -> str:
    return re.sub(r"[\s.\-]+", "_", name.strip().lower())


def _named_columns(header: list[str], numbers: tuple[str, ...]) -> tuple[int, int, int] | None:
    """Return the columns of topic, document and number if a line names them, else None."""
    names = [_plain(name) for name in header]
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


def _grade(text: str, tabs: bool = False) -> int:
    """Return a whole number, or NTCIR's level: L2; between tabs, it may be written 2.0."""
    if tabs and _is_decimal(text) and decimal(text) == math.floor(decimal(text)):
        return _bounded(int(decimal(text)))
    if "." in text or not _is_grade(text):
        raise Refused
    return _bounded(int(text.removeprefix("L")))


def _bounded(grade: int) -> int:
    """Return a grade that is exact as a double; others are refused."""
    if abs(grade) >= 2**53:
        raise Refused
    return grade


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


def _without_description(content: bytes) -> bytes:
    """Drop the first line that is not blank and not a comment if it describes the system."""
    bom = content[:3] if content.startswith(b"\xef\xbb\xbf") else b""
    parts = re.split(rb"(\r\n|\n|\r)", content[len(bom) :])
    for place in range(0, len(parts), 2):
        columns = parts[place].split()
        if columns and not columns[0].startswith(b"#"):
            if columns[0].startswith(b"<SYSDESC>"):
                parts[place] = b""
            break
    return bom + b"".join(parts)


def _table(rows: Rows) -> Table:
    table: Table = {}
    for topic, document, number in rows:
        inner = table.setdefault(topic, {})
        if document in inner:
            raise Refused
        inner[document] = number
    return table
