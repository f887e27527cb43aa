"""Columns of regular text: one separator between columns, and as many columns in every line.

Lines of a file are much alike. So each separator is looked for where most lines have it, or the
line before has it, and searched for in the other lines only, which is quicker than to look at
every byte. A count of all bytes that could separate shows that none was overlooked.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from gradewise.arrays import Bools, Bytes, Ints
from gradewise.collection.ids import MOST_WORDS, field_words, load_words
from gradewise.collection.layout import Fields, Layout, Spans

_NEWLINE = ord("\n")
_LAST_SEPARATOR = 32  # white space and control characters are at most this
_SAMPLE = np.arange(1, 8) * 0.618034 % 1  # which lines are looked at; not in step with lists
_ONES = np.uint64(0x0101010101010101)
_HIGHS = np.uint64(0x8080808080808080)


def regular_fields(data: Bytes, low: int, high: int, layout: Layout) -> Fields | None:
    """Find the wanted columns of the lines in `data[low:high]`; None if they are not regular."""
    block = data[low:high]
    lines, rest = divmod(int(np.count_nonzero(block <= _LAST_SEPARATOR)), layout.width)
    if rest or not lines:
        return None
    newlines = _line_ends(block, lines)
    if len(newlines) != lines:
        return None
    newlines += low
    starts = np.empty_like(newlines)
    starts[0], starts[1:] = low, newlines[:-1] + 1
    lengths, separator = _usual_lengths(data, starts, newlines)
    if len(lengths) != layout.width or 0 in lengths:
        return None
    # A guess misleads where a column is so short that the next one ends where it should; 1 never.
    for guess in (lengths, [1] * layout.width):
        fields = _walk(data, (starts, newlines), guess, separator, layout)
        if fields is not None:
            return fields
    return None


def _line_ends(block: Bytes, lines: int) -> Ints:
    """Return where lines end, looking at eight bytes at once unless lines are very short."""
    size = len(block)
    marked: Bools = np.empty(size + -size % 8, np.bool_)
    marked[size:] = False
    np.equal(block, _NEWLINE, out=marked[:size])
    words = marked.view(np.dtype("<u8"))
    places = np.flatnonzero(words != 0)
    if len(places) < lines:
        return np.flatnonzero(marked)
    bits = np.bitwise_count(words[places] - np.uint64(1))
    places <<= 3
    places += bits >> 3
    return places


def _usual_lengths(data: Bytes, starts: Ints, ends: Ints) -> tuple[list[int], int]:
    """Return how long columns are in most of a few lines, and what separates them."""
    sample = (_SAMPLE * len(starts)).astype(np.int64)
    places = zip(starts[sample].tolist(), ends[sample].tolist(), strict=True)
    lines = [data[start:end].tobytes() for start, end in places]
    separator = b"\t" if b"\t" in lines[0] else b" "
    lengths = [[len(column) for column in line.split(separator)] for line in lines]
    usual = [Counter(column).most_common(1)[0][0] for column in zip(*lengths, strict=False)]
    return usual, ord(separator)


def _walk(
    data: Bytes, lines: Spans, lengths: Sequence[int], separator: int, layout: Layout
) -> Fields | None:
    """Go from column to column, given how long each is in most lines; None if one is not found."""
    line_starts, newlines = lines
    _, doc, number = layout.wanted
    leading = _leading_columns(data, line_starts, sum(lengths[:doc]) + doc, doc, separator)
    if leading is None:
        return None
    heads, topics, start = leading
    starts, ends = [start], []
    for length in lengths[doc:-2]:
        found = _column_ends(data, starts[-1], length, separator)
        if found is None:
            return None
        ends.append(found)
        starts.append(found + 1)
    last = newlines - (lengths[-1] + 1)  # often a tag, and as long in all lines
    if (data.take(last, mode="clip") != separator).any():
        again = _column_ends(data, starts[-1], lengths[-2], separator)
        if again is None:
            return None
        last = again
    starts.append(last + 1)
    # If so, all separators found differ, and they are as many as there are.
    if (last <= starts[-2]).any() or (newlines <= starts[-1]).any():
        return None
    ends += [last, newlines]
    return Fields(
        heads, topics, (starts[0], ends[0]), (starts[number - doc], ends[number - doc]), []
    )


def _leading_columns(
    data: Bytes, line_starts: Ints, length: int, count: int, separator: int
) -> tuple[Ints, Spans, Ints] | None:
    """Find the first `count` columns, which many lines have in common with the line before.

    Only lines that differ from the line before in their first `length` bytes are looked at.
    Returns these, the place of the first column in them, and where the next column begins in all.
    """
    changed: Bools = np.zeros(len(line_starts), np.bool_)
    changed[0] = True
    for word in field_words(data, line_starts, np.array([length])):
        changed[1:] |= word[1:] != word[:-1]
    heads = np.flatnonzero(changed)
    start = position = line_starts[heads]
    ends = []
    for _ in range(count):
        distance = _search(data, position, separator)
        if not distance.all():
            return None
        ends.append(position + distance)
        position = ends[-1] + 1
    taken = position - start
    longest = int(taken.max())
    if longest > min(length, 8 * MOST_WORDS):
        if longest > 8 * MOST_WORDS:
            return None
        return _leading_columns(data, line_starts, longest, count, separator)
    if (taken != longest).any():
        following = line_starts + taken.repeat(np.diff(heads, append=len(line_starts)))
    else:
        following = line_starts + longest
    return heads, (start, ends[0]), following


def _column_ends(data: Bytes, starts: Ints, length: int, separator: int) -> Ints | None:
    """Return where a column ends, given how long it is in most lines; None if it is not found."""
    ends = starts + length
    missed = np.flatnonzero(data.take(ends, mode="clip") != separator)
    if len(missed):
        begin = starts[missed]
        distance = _search(data, begin, separator)
        if not distance.all():
            return None
        ends[missed] = begin + distance
    return ends


def _search(data: Bytes, starts: Ints, separator: int) -> Ints:
    """Return how far the first separator is from each position; 0 also where none is near."""
    distance = np.zeros(len(starts), np.int64)
    left = np.arange(len(starts))
    for index in range(MOST_WORDS):
        word = load_words(data, starts[left] + 8 * index, 1)[0] ^ (_ONES * np.uint64(separator))
        marks = (word - _ONES) & ~word & _HIGHS  # the lowest mark is in the first zero byte
        bits = np.bitwise_count((marks - np.uint64(1)) & ~marks)
        distance[left] = 8 * index + (bits >> 3)
        left = left[marks == 0]
        if not len(left):
            return distance
    distance[left] = 0
    return distance
