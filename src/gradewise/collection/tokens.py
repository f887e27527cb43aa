"""Lines of columns: where each wanted column of each line begins and ends.

Why not a CSV reader: TREC files separate columns by any white space, hold comments and stray
columns, and a reader that guesses must never lose or shift a row. A block of text that is regular
(one separator between columns, nothing else) is split by where its lines are alike, any other block
by its tokens.
"""

import numpy as np

from gradewise.arrays import Bools, Bytes, Ints
from gradewise.collection.layout import Fields, Layout
from gradewise.collection.regular import regular_fields
from gradewise.collection.text import Text

BLOCK = 1 << 22
_REACH = 1 << 12  # how much is searched for the end of a line at once
_NEWLINE, _RETURN, _COMMENT = ord("\n"), ord("\r"), ord("#")
IS_SPACE: Bools = np.isin(np.arange(256), list(b" \t\n\r\v\f"))
_IS_CONTROL: Bools = (np.arange(256) < 32) & ~IS_SPACE


def first_line(text: Text, part: int = 0) -> tuple[int, list[str]]:
    """Return the first line of a file that is not blank and not a comment: place and columns."""
    position, reach = text.starts[part], 1024
    last = text.starts[part + 1] if part + 1 < len(text.starts) else text.size
    while position < last:
        end = min(position + reach, last)
        cut = text.data[position:end].tobytes()
        whole = cut if end == last else cut[: cut.rfind(b"\n") + 1]
        for line in whole.splitlines(keepends=True):
            columns = line.split()
            if columns and not columns[0].startswith(b"#"):
                return position, [column.decode("utf-8", "backslashreplace") for column in columns]
            position += len(line)
        reach *= 4  # comments, or a line that is longer than that
    return position, []


def last_line(text: Text) -> list[str]:
    """Return the columns of the last line that is not blank and not a comment."""
    end = text.size
    while end > 0:
        low = max(0, end - 65536)
        start = low if low == 0 else low + text.data[low:end].tobytes().find(b"\n") + 1
        for line in reversed(text.data[start:end].tobytes().splitlines()):
            columns = line.split()
            if columns and not columns[0].startswith(b"#"):
                return [column.decode("utf-8", "backslashreplace") for column in columns]
        end = start if start < end else low
    return []


def split_blocks(text: Text, begin: int, end: int) -> list[tuple[int, int]]:
    """Cut a stretch of text into blocks of about BLOCK bytes that end where a line ends."""
    end = end if text.data[end - 1] == _NEWLINE else end + 1
    blocks, low = [], begin
    while low < end:
        high = min(low + BLOCK, end)
        while high < end:
            reach = min(high + _REACH, end)
            found = text.data[high - 1 : reach].tobytes().find(b"\n")
            high = high + found if found >= 0 else reach
            if found >= 0:
                break
        blocks.append((low, high))
        low = high
    return blocks


def find_fields(text: Text, low: int, high: int, layout: Layout) -> Fields:
    """Find the wanted columns of the lines in `text[low:high]`, which ends with a newline."""
    block = text.data[low:high]
    problem = undecodable(block)
    if problem is not None:
        nothing = np.zeros(0, np.int64)
        none = nothing, nothing
        return Fields(nothing, none, none, none, [(low + problem, "this is not UTF-8 text")])
    fields = regular_fields(text.data, low, high, layout)
    if fields is None or (text.data[fields.topics[0]] == _COMMENT).any():
        return _any_fields(block, low, layout)
    return fields


def undecodable(block: Bytes) -> int | None:
    """Return where a block stops being UTF-8 text, or None."""
    if block.view(np.int8).min() >= 0:
        return None
    try:
        block.tobytes().decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return None


def _any_fields(block: Bytes, low: int, layout: Layout) -> Fields:
    """Find columns in a block of any shape, by the tokens between white space."""
    space = IS_SPACE[block]
    edges = np.flatnonzero(space[1:] != space[:-1]) + 1
    if not space[0]:
        edges = np.concatenate([[0], edges])
    starts, ends = edges[::2], edges[1::2]  # the block ends with a newline, so edges pair up
    newlines = line_ends(block)
    lines = len(newlines)
    line_of_token = np.searchsorted(newlines, starts)
    columns = np.bincount(line_of_token, minlength=lines)
    first = np.cumsum(columns) - columns
    filled = columns > 0
    filled[filled] = block[starts[first[filled]]] != _COMMENT
    fits = columns >= layout.width if layout.open_ended else columns == layout.width
    good = first[filled & fits]
    problems = [
        (low + int(starts[first[line]]), f"expected {layout.shape}, found {columns[line]}")
        for line in np.flatnonzero(filled & ~fits)
    ]
    problems += _control_characters(block, low)
    topics, docs, numbers = (
        (starts[good + column] + low, ends[good + column] + low) for column in layout.wanted
    )
    return Fields(np.arange(len(good)), topics, docs, numbers, sorted(problems))


def line_ends(block: Bytes) -> Ints:
    """Return where lines end: at newlines, and at carriage returns that stand alone."""
    ends = block == _NEWLINE
    returns = block == _RETURN
    if returns.any():
        ends |= returns & ~np.concatenate([ends[1:], [False]])
    return np.flatnonzero(ends)


def _control_characters(block: Bytes, low: int) -> list[tuple[int, str]]:
    found = np.flatnonzero(_IS_CONTROL[block])
    if not len(found):
        return []
    return [(low + int(found[0]), f"control character {int(block[found[0]])}, not text")]
