"""Qrels and runs from text: TREC's columns, and the short forms that others use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Bools, Bytes, Floats, Ints, joined
from gradewise.collection.decimals import parse_decimals
from gradewise.collection.entries import (
    LARGEST_GRADE,
    Entries,
    check_duplicates,
    group_by_topic,
    split_at,
)
from gradewise.collection.ids import Ids, field_words, is_long, keys_of
from gradewise.collection.layout import Layout
from gradewise.collection.text import Text
from gradewise.collection.tokens import find_fields, first_line, last_line, split_blocks
from gradewise.errors import SHOWN_PROBLEMS, InputError
from gradewise.parallel import thread_map

_QRELS_LAYOUTS = {
    4: Layout(4, (0, 2, 3), False, "grade", "4 columns (topic 0 document grade)"),
    3: Layout(3, (0, 1, 2), False, "grade", "3 columns (topic document grade)"),
}
_RUN_LAYOUTS = {
    6: Layout(6, (0, 2, 4), True, "score", "6 columns (topic Q0 document rank score tag)"),
    3: Layout(3, (0, 1, 2), False, "rank", "3 columns (topic document rank)"),
}
_HEADERS = ({"query-id", "corpus-id", "score"}, {"query_id", "doc_id", "relevance"})


@dataclass(frozen=True)
class _Block:
    """What one block of text holds: rows, where topics change, and what is wrong."""

    topics: list[str]
    first_rows: Ints
    docs: Ids
    numbers: Floats
    problems: list[tuple[int, str]]


def parse_qrels(text: Text) -> Entries:
    """Parse qrels: 4 columns (topic 0 document grade) or 3 (topic document grade)."""
    start, columns = first_line(text)
    if set(columns) in _HEADERS:
        text = _without_line(text, start)
    return _parse(text, _QRELS_LAYOUTS)


def parse_run(text: Text) -> tuple[Entries, str | None]:
    """Parse a run: 6 columns (topic Q0 document rank score tag) or 3 (topic document rank).

    Returns the rows and the tag in the sixth column of the last line.
    """
    entries = parse_runs(text)
    columns = last_line(text)
    return entries, columns[5] if len(columns) > 5 else None


def parse_runs(text: Text) -> Entries:
    """Parse a text of one or more runs; lists of different files stay apart."""
    return _parse(text, _RUN_LAYOUTS)


def _without_line(text: Text, start: int) -> Text:
    """Blank a line."""
    data = text.data.copy()
    length = len(data[start:].tobytes().splitlines()[0])
    data[start : start + length] = ord(" ")
    return replace(text, data=data)


def _choose_layout(text: Text, part: int, layouts: Mapping[int, Layout]) -> Layout:
    """Tell the layout of a file by its first line."""
    start, columns = first_line(text, part)
    if not columns:
        raise InputError(f"{text.names[part]}: no line holds data")
    count = len(columns)
    for width, layout in layouts.items():
        if count == width or (count > width and layout.open_ended):
            return layout
    shapes = " or ".join(layout.shape for layout in layouts.values())
    raise InputError(text.problem_at(start, f"expected {shapes}, found {count}"))


def _parse(text: Text, layouts: Mapping[int, Layout]) -> Entries:
    chosen = [_choose_layout(text, part, layouts) for part in range(len(text.names))]
    work = [
        (low, high, layout)
        for layout, begin, end in _stretches(text, chosen)
        for low, high in split_blocks(text, begin, end)
    ]
    blocks = thread_map(lambda block: _parse_block(text, *block), work)
    problems = [problem for block in blocks for problem in block.problems]
    if problems:
        shown = [text.problem_at(*problem) for problem in problems[:SHOWN_PROBLEMS]]
        raise InputError(shown, len(problems))
    sizes = np.array([len(block.numbers) for block in blocks], np.int64)
    before = np.cumsum(sizes) - sizes
    docs = Ids.concatenate([block.docs for block in blocks])
    names, first_rows = split_at(
        [topic for block in blocks for topic in block.topics],
        np.concatenate([b.first_rows + n for b, n in zip(blocks, before, strict=True)]),
        np.searchsorted(docs.starts, text.starts),
    )
    owner = np.searchsorted(text.starts, docs.starts[first_rows], "right") - 1
    numbers = joined([block.numbers for block in blocks])
    entries = group_by_topic(names, first_rows, docs, numbers, owner)
    check_duplicates(entries, text.place_of)
    return entries


def _stretches(text: Text, layouts: Sequence[Layout]) -> list[tuple[Layout, int, int]]:
    """Join neighbouring files with the same layout: (layout, begin, end)."""
    stretches: list[tuple[Layout, int, int]] = []
    ends = [*text.starts[1:], text.size]
    for layout, begin, end in zip(layouts, text.starts, ends, strict=True):
        if stretches and stretches[-1][0] is layout:
            begin = stretches.pop()[1]
        stretches.append((layout, begin, end))
    return stretches


def _parse_block(text: Text, low: int, high: int, layout: Layout) -> _Block:
    fields = find_fields(text, low, high, layout)
    problems = list(fields.problems)
    doc_starts, doc_ends = fields.docs
    number_starts, number_ends = fields.numbers
    numbers = parse_decimals(text.data, number_starts, number_ends - number_starts)
    wrong, kind = numbers.failed, "a finite number"
    if layout.number == "grade":
        wrong, kind = wrong | ~numbers.whole, "a whole number"
        for row in np.flatnonzero(~wrong & (np.abs(numbers.values) > LARGEST_GRADE)):
            problems.append((int(number_starts[row]), f"the grade is beyond {LARGEST_GRADE}"))
    for row in np.flatnonzero(wrong):
        start, end = int(number_starts[row]), int(number_ends[row])
        shown = text.data[start:end].tobytes().decode("utf-8")
        problems.append((start, f"the {layout.number} {shown!r} is not {kind}"))
    doc_lengths = (doc_ends - doc_starts).astype(np.int32)
    starts, ends = fields.topics
    changes = _topic_changes(text.data, starts, ends - starts)
    topics = [
        text.data[start:end].tobytes().decode("utf-8")
        for start, end in zip(starts[changes].tolist(), ends[changes].tolist(), strict=True)
    ]
    docs = Ids(text.data, doc_starts, doc_lengths, keys_of(text.data, doc_starts, doc_lengths))
    # The best rank is the lowest, the best score the highest.
    values = -numbers.values if layout.number == "rank" else numbers.values
    return _Block(topics, fields.heads[changes], docs, values, sorted(problems))


def _topic_changes(data: Bytes, starts: Ints, lengths: NDArray[np.integer]) -> Ints:
    """Return the rows whose topic is not that of the row before."""
    changed: Bools = np.ones(len(starts), np.bool_)
    changed[1:] = lengths[1:] != lengths[:-1]
    for word in field_words(data, starts, lengths):
        changed[1:] |= word[1:] != word[:-1]
    for row in is_long(np.where(changed, 0, lengths)):
        here, before = (data[starts[r] : starts[r] + lengths[r]].tobytes() for r in (row, row - 1))
        changed[row] = here != before
    return np.flatnonzero(changed)
