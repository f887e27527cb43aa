"""LETOR's form of SVMlight text: `grade qid:topic 1:value 2:value ... # comment`.

A feature that a line does not name is 0. NULL, which LETOR writes where a feature has no value, is
read as the lowest value that the feature has for the topic, as in LETOR's own MIN files. The
comment holds the id of the document: behind `docid =`, or as its first word.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Bools, Bytes, Floats, Ints
from gradewise.collection.decimals import parse_decimals
from gradewise.collection.entries import LARGEST_GRADE
from gradewise.collection.features import FeatureSet, numbered
from gradewise.collection.text import Text, read_text, read_texts
from gradewise.collection.tokens import IS_SPACE, line_ends, split_blocks, undecodable
from gradewise.errors import SHOWN_PROBLEMS, InputError
from gradewise.files import open_output
from gradewise.parallel import thread_map

MOST_FEATURES = 100_000
_COMMENT, _COLON = ord("#"), ord(":")
_QID = np.frombuffer(b"qid:", np.uint8)
_DOCID = re.compile(r"\bdocid\s*=\s*(\S+)")


@dataclass(frozen=True)
class _Block:
    """What a block of text holds: topic, grade and comment of each line, cells, problems."""

    topics: list[str]
    grades: Floats
    docs: list[str]
    row: Ints
    column: Ints
    value: Floats
    problems: list[tuple[int, str]]


def read_letor(source: Any, *, width: int | None = None) -> FeatureSet:
    r"""Read documents with features from LETOR or SVMlight text.

    Parameters
    ----------
    source
        A path, plain or compressed (gz, zst, xz, bz2: told by content), "-" for standard input,
        an open file, or several paths, which are read as one.
    width
        How many features there are; the highest number in the text if not given.

    Examples
    --------
    >>> import io
    >>> from gradewise.learn import read_letor
    >>> read_letor(io.StringIO("2 qid:7 1:0.5 3:0.25 #docid = a\n0 qid:7 2:1 #docid = b\n"))
    FeatureSet(1 topic, 2 documents, 3 features, grades 0 2)
    """
    several = isinstance(source, Sequence) and not isinstance(source, str)
    text = read_texts([os.fspath(path) for path in source]) if several else read_text(source)
    ends = [*text.starts[1:], text.size]
    work = [
        block
        for begin, end in zip(text.starts, ends, strict=True)
        for block in split_blocks(text, begin, end)
    ]
    blocks = thread_map(lambda block: _parse_block(text, *block), work)
    problems = [problem for block in blocks for problem in block.problems]
    if problems:
        shown = [text.problem_at(*problem) for problem in problems[:SHOWN_PROBLEMS]]
        raise InputError(shown, len(problems))
    if not any(block.topics for block in blocks):
        raise InputError(f"{text.name}: no line holds data")
    return _assemble(text, blocks, width)


def write_letor(data: FeatureSet, path: str | os.PathLike[str]) -> None:
    """Write documents with features as LETOR text; zeros are left out.

    Features are written so that they read back as the same numbers.
    """
    topics = np.array(data.topics, object).repeat(data.sizes)
    with open_output(path) as file:
        for row, grade, topic, doc in zip(
            data.features, data.grades, topics, data.docs, strict=True
        ):
            cells = " ".join(f"{n + 1}:{row[n]!s}" for n in np.flatnonzero(row))
            file.write(f"{grade} qid:{topic} {cells} #docid = {doc}\n".encode())


def _assemble(text: Text, blocks: list[_Block], width: int | None) -> FeatureSet:
    """Bring the rows of a topic together and make the table of features."""
    index: dict[str, int] = {}
    names = [topic for block in blocks for topic in block.topics]
    owner = np.array([index.setdefault(topic, len(index)) for topic in names], np.int64)
    highest = max(int(block.column.max(initial=-1)) + 1 for block in blocks)
    if width is not None and highest > width:
        raise InputError(
            f"{text.name}: there is a feature {highest}, and only {width} are expected"
        )
    features = np.zeros((len(names), width or max(highest, 1)), np.float32)
    low = 0
    for block in blocks:
        features[block.row + low, block.column] = block.value
        low += len(block.topics)
    order = np.argsort(owner, kind="stable")
    sizes = np.bincount(owner, minlength=len(index))
    grades = np.concatenate([block.grades for block in blocks]).astype(np.int64)
    given = [doc for block in blocks for doc in block.docs]
    docs = tuple(
        given[row] or made for row, made in zip(order, numbered(list(index), sizes), strict=True)
    )
    if (np.diff(owner) < 0).any():  # a topic comes back after another one
        features, grades = features[order], grades[order]
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    _fill_nulls(features, offsets)
    return FeatureSet(features, grades, offsets, tuple(index), docs)


def _fill_nulls(features: NDArray[np.float32], offsets: Ints) -> None:
    """Replace NaN by the lowest value of the feature for the topic, or by 0 if it has none."""
    missing = np.isnan(features)
    if not missing.any():
        return
    lowest = np.minimum.reduceat(np.where(missing, np.inf, features), offsets[:-1], axis=0)
    lowest[np.isinf(lowest)] = 0.0
    row, column = np.nonzero(missing)
    features[row, column] = lowest[np.searchsorted(offsets, row, "right") - 1, column]


def _parse_block(text: Text, low: int, high: int) -> _Block:
    block = text.data[low:high]
    nothing, none = np.zeros(0, np.int64), np.zeros(0)
    wrong = undecodable(block)
    if wrong is not None:
        problem = (low + wrong, "this is not UTF-8 text")
        return _Block([], none, [], nothing, nothing, none, [problem])
    lines = line_ends(block)
    comments = _comment_starts(block, lines)
    starts, ends = _tokens(block, lines, comments)
    line = np.searchsorted(lines, starts)
    count = np.bincount(line, minlength=len(lines))
    filled = np.flatnonzero(count)
    first = (np.cumsum(count) - count)[filled]
    problems: list[tuple[int, str]] = []
    grades = _grades(text, low, starts[first], ends[first], problems)
    topics = _topics(block, low, starts, ends, first, count[filled], problems)
    is_cell = np.ones(len(starts), np.bool_)
    is_cell[first] = False
    is_cell[(first + 1)[count[filled] > 1]] = False
    row = np.searchsorted(filled, line[is_cell])
    column, value = _cells(text, low, starts[is_cell], ends[is_cell], problems)
    if not problems:
        _check_repeats(low, starts[is_cell], row, column, problems)
    docs = [_document(block, int(comments[n]), int(lines[n])) for n in filled]
    return _Block(topics, grades, docs, row, column, value, sorted(problems))


def _comment_starts(block: Bytes, lines: Ints) -> Ints:
    """Return where the comment of each line begins; where the line ends, if there is none."""
    starts = lines.copy()
    marks = np.flatnonzero(block == _COMMENT)
    line, first = np.unique(np.searchsorted(lines, marks), return_index=True)
    starts[line] = marks[first]
    return starts


def _tokens(block: Bytes, lines: Ints, comments: Ints) -> tuple[Ints, Ints]:
    """Return where the words outside comments begin and end."""
    steps = np.zeros(len(block) + 1, np.int8)
    steps[comments] += 1  # a line without a comment: up and down at the same place
    steps[lines] -= 1
    space = IS_SPACE[block] | (np.cumsum(steps[:-1], dtype=np.int8) > 0)
    edges = np.flatnonzero(space[1:] != space[:-1]) + 1
    if not space[0]:
        edges = np.concatenate([[0], edges])
    return edges[::2], edges[1::2]


def _shown(block: Bytes, start: int, end: int) -> str:
    return block[start:end].tobytes().decode("utf-8")


def _grades(
    text: Text, low: int, starts: Ints, ends: Ints, problems: list[tuple[int, str]]
) -> Floats:
    if not len(starts):
        return np.zeros(0)
    parsed = parse_decimals(text.data, starts + low, ends - starts)
    whole = ~parsed.failed & (parsed.values == np.rint(parsed.values))
    whole &= np.abs(parsed.values) <= LARGEST_GRADE
    for place in np.flatnonzero(~whole):
        word = _shown(text.data, low + int(starts[place]), low + int(ends[place]))
        problems.append((low + int(starts[place]), f"the grade {word!r} is not a whole number"))
    return parsed.values


def _topics(
    block: Bytes,
    low: int,
    starts: Ints,
    ends: Ints,
    first: Ints,
    count: Ints,
    problems: list[tuple[int, str]],
) -> list[str]:
    """Return the topic of each line, which its second word names."""
    second = np.minimum(first + 1, len(starts) - 1)
    begin = starts[second]
    fits = (count > 1) & (ends[second] - begin > len(_QID))
    near = np.minimum(begin[:, None] + np.arange(len(_QID)), len(block) - 1)
    fits &= (block[near] == _QID).all(axis=1)
    for place in np.flatnonzero(~fits):
        problems.append((low + int(starts[first[place]]), "expected qid:TOPIC behind the grade"))
    return [_shown(block, begin[n] + len(_QID), ends[second[n]]) for n in range(len(first))]


def _cells(
    text: Text, low: int, starts: Ints, ends: Ints, problems: list[tuple[int, str]]
) -> tuple[Ints, Floats]:
    """Return the column, from 0, and the value of words such as 3:0.25; NULL is NaN."""
    block = text.data[low:]
    colons = np.flatnonzero(block[: int(ends.max(initial=0))] == _COLON)
    colons = np.append(colons, len(block))
    place = np.searchsorted(colons, starts)
    colon = colons[place]
    after = colons[np.minimum(place + 1, len(colons) - 1)]
    shaped = (colon > starts) & (colon < ends - 1) & (after >= ends)
    for n in np.flatnonzero(~shaped):
        word = _shown(block, int(starts[n]), int(ends[n]))
        problems.append((low + int(starts[n]), f"expected NUMBER:VALUE, found {word!r}"))
    starts, ends, colon = starts[shaped], ends[shaped], colon[shaped]
    if not len(starts):
        return np.zeros(0, np.int64), np.zeros(0)
    number = parse_decimals(text.data, starts + low, colon - starts)
    good = ~number.failed & number.whole & (number.values >= 1)
    good &= number.values <= MOST_FEATURES
    for n in np.flatnonzero(~good):
        word = _shown(block, int(starts[n]), int(colon[n]))
        reason = f"the feature {word!r} is not a whole number from 1 to {MOST_FEATURES:,}"
        problems.append((low + int(starts[n]), reason))
    null = _are_null(block, colon + 1, ends)
    value = np.full(len(starts), np.nan)
    given = np.flatnonzero(~null)
    if len(given):
        begin = colon[given] + 1
        parsed = parse_decimals(text.data, begin + low, ends[given] - begin)
        wrong = parsed.failed | (np.abs(parsed.values) > np.finfo(np.float32).max)
        value[given] = np.where(wrong, 0.0, parsed.values)
        for n in given[wrong]:
            word = _shown(block, int(colon[n]) + 1, int(ends[n]))
            problems.append((low + int(starts[n]), f"the value {word!r} is not a finite number"))
    return np.where(good, number.values, 1).astype(np.int64) - 1, value


def _are_null(block: Bytes, starts: Ints, ends: Ints) -> Bools:
    word = block[np.minimum(starts[:, None] + np.arange(4), len(block) - 1)]
    capitals = np.where((word >= ord("a")) & (word <= ord("z")), word - 32, word)
    return (ends - starts == 4) & (capitals == np.frombuffer(b"NULL", np.uint8)).all(axis=1)


def _check_repeats(
    low: int, starts: Ints, row: Ints, column: Ints, problems: list[tuple[int, str]]
) -> None:
    """Name features that a line gives twice; most lines give them in ascending order."""
    if ((np.diff(row) > 0) | (np.diff(column) > 0)).all():
        return
    order = np.lexsort((column, row))
    same = (np.diff(row[order]) == 0) & (np.diff(column[order]) == 0)
    for n in order[1:][same]:
        problems.append((low + int(starts[n]), f"feature {column[n] + 1} is given twice"))


def _document(block: Bytes, start: int, end: int) -> str:
    """Return the document that a comment names, or nothing."""
    if start == end:
        return ""
    comment = _shown(block, start + 1, end)
    found = _DOCID.search(comment)
    if found:
        return found[1]
    words = comment.split()
    return words[0] if words else ""
