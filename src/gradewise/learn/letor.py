"""LETOR's form of SVMlight text: `grade qid:topic 1:value 2:value ... # comment`.

A feature that is missing from a line is 0. NULL, which LETOR writes for a missing value, is read as
the lowest value of the feature for the topic, as in LETOR's own MIN files. The comment holds the
document id: after `docid =`, or as its first word.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Bytes, Floats, Ints, offsets_of
from gradewise.collection.ids import Ids
from gradewise.collection.sources.block_source import count_lines, line_at, undecodable
from gradewise.collection.sources.blocks import read_blocks
from gradewise.collection.sources.streams import Stream
from gradewise.errors import SHOWN_PROBLEMS, InputError, Problem
from gradewise.files import open_output
from gradewise.kernels import ids, letor
from gradewise.learn.features import FeatureSet, numbered
from gradewise.parallel import stream_map


@dataclass(frozen=True, eq=False)
class _Block:
    """What a block of text holds: rows with their features, and what is wrong with lines."""

    topics: Ids
    docs: Ids
    grades: Floats
    features: NDArray[np.float32]
    lines: int
    faults: list[tuple[int, str, str]]  # line, reason, text
    fault_count: int


def read_letor(source: Any, *, width: int | None = None) -> FeatureSet:
    r"""Read documents with features from LETOR or SVMlight text.

    Parameters
    ----------
    source
        A path, plain or compressed (gz, zst, xz, bz2, recognized by content), "-" for standard
        input, an open file, or several paths, which are read as one.
    width
        The number of features. By default, the highest number in the text.

    Examples
    --------
    >>> import io
    >>> from gradewise.learn import read_letor
    >>> read_letor(io.StringIO("2 qid:7 1:0.5 3:0.25 #docid = a\n0 qid:7 2:1 #docid = b\n"))
    FeatureSet(1 topic, 2 documents, 3 features, grades 0 2)
    """
    several = isinstance(source, Sequence) and not isinstance(source, str)
    streams = [Stream(path) for path in (source if several else [source])]
    blocks, problems, count = [], [], 0
    line, current = 0, None
    for stream, block in stream_map(_read_block, _blocks(streams)):
        line = line if stream is current else 0
        current = stream
        for number, reason, text in block.faults:
            problems.append(Problem(f"{stream.name}:{line + number + 1}", reason, text))
        count += block.fault_count
        line += block.lines
        blocks.append(block)
    name = ", ".join(stream.name for stream in streams)
    if count:
        raise InputError(problems[:SHOWN_PROBLEMS], count)
    if not any(len(block.grades) for block in blocks):
        raise InputError(f"{name}: the file has no data lines")
    return _assemble(name, blocks, width)


def write_letor(data: FeatureSet, path: str | os.PathLike[str]) -> None:
    """Write documents with features as LETOR text; zeros are left out.

    Features read back as exactly the same numbers.
    """
    topics = np.array(data.topics, object).repeat(data.sizes)
    with open_output(path) as file:
        for row, grade, topic, doc in zip(
            data.features, data.grades, topics, data.docs, strict=True
        ):
            cells = " ".join(f"{n + 1}:{row[n]!s}" for n in np.flatnonzero(row))
            file.write(f"{grade} qid:{topic} {cells} #docid = {doc}\n".encode())


def _blocks(streams: Sequence[Stream]) -> Iterator[tuple[Stream, Bytes]]:
    for stream in streams:
        empty = True
        with stream.open() as reader:
            for buffer, size, _ in read_blocks(stream.name, reader):
                empty = False
                yield stream, buffer[:size]
        if empty:
            raise InputError(f"{stream.name}: the file is empty")


def _read_block(item: tuple[Stream, Bytes]) -> tuple[Stream, _Block]:
    """Read the lines of a block into a table."""
    stream, text = item
    wrong = undecodable(text)
    cells = letor.Cells(text if wrong is None else text[:0], SHOWN_PROBLEMS)
    faults = [(wrong, "this is not UTF-8 text")] if wrong is not None else _faults(cells, text)
    used = slice(0, cells.cells)
    row, column, value = (np.asarray(part)[used] for part in (cells.row, cells.column, cells.value))
    features = np.zeros((cells.count, int(column.max(initial=-1)) + 1), np.float32)
    features[row, column] = value
    return stream, _Block(
        _ids(cells.topics, cells.topic_offsets, cells.count),
        _ids(cells.docs, cells.doc_offsets, cells.count),
        np.asarray(cells.grades)[: cells.count].copy(),
        features,
        cells.lines,
        [(count_lines(text[:at].tobytes()), reason, line_at(text, at)) for at, reason in faults],
        cells.faults if wrong is None else 1,
    )


def _ids(data: memoryview, offsets: memoryview, count: int) -> Ids:
    return Ids(np.asarray(data), np.asarray(offsets)[: count + 1]).copied()


def _faults(cells: letor.Cells, text: Bytes) -> list[tuple[int, str]]:
    """Say what is wrong with lines: where, and why."""
    told, most = [], letor.MOST_FEATURES
    for index in range(min(cells.faults, SHOWN_PROBLEMS)):
        at, length = int(cells.fault_at[index]), int(cells.fault_detail[index])
        word = text[at : at + length].tobytes().decode("utf-8", "ignore")
        reasons = {
            letor.GRADE: f"the grade {word!r} is not a whole number",
            letor.TOPIC: "expected qid:TOPIC after the grade",
            letor.CELL: f"expected NUMBER:VALUE, found {word!r}",
            letor.FEATURE: f"the feature {word!r} is not a whole number from 1 to {most:,}",
            letor.VALUE: f"the value {word!r} is not a finite number",
            letor.REPEATED: f"feature {word.lstrip('+0')} is given twice",
        }
        told.append((at, reasons[int(cells.fault_kind[index])]))
    return told


def _assemble(name: str, blocks: list[_Block], width: int | None) -> FeatureSet:
    """Bring the rows of a topic together and make the table of features."""
    highest = max(block.features.shape[1] for block in blocks)
    if width is not None and highest > width:
        raise InputError(f"{name}: found feature {highest}, but expected only {width} features")
    topics = Ids.concatenate([block.topics for block in blocks])
    numbering = ids.Numbering()
    owner = numbering.add(topics.data, topics.offsets)
    names = Ids(*numbering.column()).to_list()
    grades = np.concatenate([block.grades for block in blocks]).astype(np.int64)
    given = [doc for block in blocks for doc in block.docs.to_list()]
    features = np.zeros((len(owner), width or max(highest, 1)), np.float32)
    low = 0
    for block in blocks:
        rows, columns = block.features.shape
        features[low : low + rows, :columns] = block.features
        low += rows
    order = np.argsort(owner, kind="stable")
    sizes = np.bincount(owner, minlength=len(names))
    docs = tuple(given[r] or made for r, made in zip(order, numbered(names, sizes), strict=True))
    if (np.diff(owner) < 0).any():  # a topic comes back after another one
        features, grades = features[order], grades[order]
    offsets = offsets_of(sizes)
    _fill_nulls(features, offsets)
    return FeatureSet(features, grades, offsets, tuple(names), docs)


def _fill_nulls(features: NDArray[np.float32], offsets: Ints) -> None:
    """Replace NaN by the lowest value of the feature for the topic, or by 0 if it has none."""
    missing = np.isnan(features)
    if not missing.any():
        return
    lowest = np.minimum.reduceat(np.where(missing, np.inf, features), offsets[:-1], axis=0)
    lowest[np.isinf(lowest)] = 0.0
    row, column = np.nonzero(missing)
    features[row, column] = lowest[np.searchsorted(offsets, row, "right") - 1, column]
