"""What the first lines of a text tell beyond the names of its columns."""

import re
from dataclasses import replace

import numpy as np

from gradewise.arrays import Bytes
from gradewise.collection.sources.layouts import PROBABILITIES, STRATA, Layout
from gradewise.kernels import lines

SAMPLE = 1 << 16  # bytes by which it is told whether a column varies
_LINE = re.compile(rb"[^\r\n]+")


def sampled_layout(block: Bytes) -> Layout:
    """Tell the two layouts of sampled pools apart by the second column.

    It is 0 in every line where strata are given, and names a document where probabilities are:
    a topic has a document once, so that a file taken for the other layout has documents twice or
    fractions for grades.
    """
    rows = read_sample(block, replace(STRATA, columns=(0, 1, 3), number="score"))
    second = rows.docs[: rows.doc_offsets[rows.count]]
    is_zero = len(second) == rows.count and bool((second == ord("0")).all())
    return STRATA if is_zero else PROBABILITIES


def varies(text: Bytes, layout: Layout) -> bool:
    """Tell whether the column that may hold an intent does more than repeat itself."""
    if layout.intent is None:
        return False
    return read_sample(text[:SAMPLE], layout.with_first("intent", layout.intent)).topic_count > 1


def read_sample(text: Bytes, layout: Layout) -> lines.Rows:
    """Read the whole lines of a text."""
    rows = lines.Rows(0)
    ends = np.flatnonzero((text == ord("\n")) | (text == ord("\r")))
    whole = text[: ends[-1] + 1] if len(ends) else np.frombuffer(b"\n", np.uint8)
    read_lines(rows, whole, layout)
    return rows


def read_lines(rows: lines.Rows, text: Bytes, layout: Layout) -> None:
    """Read the rows of a text."""
    delimiter = ord(layout.delimiter) if layout.delimiter else 0
    shape = (layout.columns, layout.width, layout.more, layout.whole, delimiter, layout.complete)
    rows.read(text, *shape)


def first_line(text: bytes, begin: int = 0) -> tuple[int, int, list[str]]:
    """Return the first line that is not blank and not a comment: start, end and columns."""
    for line in _LINE.finditer(text, begin):
        columns = line.group().split()
        if columns and not columns[0].startswith(b"#"):
            return (
                *line.span(),
                [column.decode("utf-8", "backslashreplace") for column in columns],
            )
    return len(text), len(text), []


def comments_above(text: Bytes, layout: Layout, *, header: bool) -> list[tuple[int, int]]:
    """Return where comments begin and end above a header, or above the first row.

    Between delimiters, a topic may begin with "#". A line that does is a row if it could be one,
    and no header is below it. Those with other columns than rows need not be told.
    """
    if header:
        return [(0, len(text))]
    rows, delimiter, found = lines.Rows(0), layout.delimiter.encode(), []
    blanks = b" \t\v\f".replace(delimiter, b"")
    for line in _LINE.finditer(text.tobytes()):
        held = line.group()
        if held.count(delimiter) < layout.width - 1 and held.lstrip(blanks).startswith(b"#"):
            continue
        read_lines(rows, np.frombuffer(held + b"\n", np.uint8), layout)
        if not rows.count:
            found.append(line.span())
    return found
