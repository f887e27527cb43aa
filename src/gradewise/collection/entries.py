"""Rows of (topic, document, number), grouped by topic: what qrels and runs have in common."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.batch import Batch, Told
from gradewise.collection.ids import Ids
from gradewise.collection.sources.source import Faults, Part, Parts, Source, whole_part
from gradewise.errors import SHOWN_PROBLEMS, InputError, Problem
from gradewise.kernels import ids, ranking
from gradewise.parallel import stream_map

_BATCH = 1 << 16  # rows of a batch


@dataclass(frozen=True, eq=False, repr=False)
class Entries:
    """Documents of each topic with a number each, in the order in which they were given.

    Rows `offsets[i]:offsets[i + 1]` belong to `topics[i]`.
    """

    topics: tuple[str, ...]
    offsets: Ints
    docs: Ids
    numbers: Floats

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def topic_index(self) -> dict[str, int]:
        """The position of each topic."""
        return {topic: index for index, topic in enumerate(self.topics)}

    @property
    def sizes(self) -> Ints:
        """How many documents each topic has."""
        return np.diff(self.offsets)

    def rows_of(self, topic: str) -> slice:
        """Return the rows of a topic; none if it has none."""
        index = self.topic_index.get(topic)
        return slice(0, 0) if index is None else slice(*self.offsets[index : index + 2].tolist())

    def topic_column(self) -> list[str]:
        """Return the topic of every row."""
        names = np.array(self.topics, dtype=object)
        column: list[str] = names.repeat(self.sizes).tolist()
        return column


class MemorySource(Source):
    """Rows that are in memory already, given as batches."""

    def __init__(self, name: str, batches: Sequence[Batch]):
        self.name, self.batches = name, batches

    def parts(self) -> Parts:
        """Give the rows, batch by batch."""
        for batch in self.batches:
            yield whole_part(batch)

    def place(self, number: int) -> str:
        """Name a row."""
        return f"{self.name}: row {number + 1}"


def entries_source(name: str, entries: Entries) -> Source:
    """Return rows that are grouped already as a source, some topics to a batch."""
    topics = Ids.from_strings(entries.topics)
    cuts = np.searchsorted(entries.offsets, np.arange(0, len(entries), _BATCH))
    batches = []
    for first, last in pairwise(np.unique([*cuts, len(entries.topics)]).tolist()):
        low, high = entries.offsets[[first, last]].tolist()
        batches.append(
            Batch(
                topics=topics.part(first, last),
                edges=entries.offsets[first : last + 1] - low,
                docs=entries.docs.part(low, high),
                numbers=entries.numbers[low:high],
                size=high - low,
                begins=True,
                ends=True,
            )
        )
    return MemorySource(name, batches)


@dataclass(frozen=True, eq=False)
class Piece:
    """The rows of a batch in memory of their own."""

    topics: Ids
    heads: Ints
    docs: Ids
    numbers: Floats
    told: Told

    @staticmethod
    def of(part: Part) -> "Piece":
        """Copy the rows of a part."""
        with part as batch:
            return Piece.copied(batch)

    @staticmethod
    def copied(batch: Batch) -> "Piece":
        """Copy the rows of a batch."""
        return Piece(
            batch.topics.copied(),
            batch.edges[:-1].copy(),
            batch.docs.copied(),
            batch.numbers.copy(),
            batch.told(),
        )


class Rows(NamedTuple):
    """All rows of a source, in its order: stretches of one topic each begin at `heads`.

    `ranked` says that all numbers can be ranks.
    """

    topics: Ids
    heads: Ints
    docs: Ids
    numbers: Floats
    ranked: bool


def gather(source: Source, *, repeats: bool = False) -> tuple[Entries, bool]:
    """Read all rows of a source into memory; tell whether all numbers can be ranks.

    Rows are grouped by topic, in the order of the input. Unless `repeats` allows it, a topic that
    has a document twice is an error that names both places.
    """
    rows = read_rows(source)
    entries, order = group_rows(rows)
    if not repeats:
        refuse_repeats(entries, order, source)
    return entries, rows.ranked


def read_rows(source: Source) -> Rows:
    """Read all rows of a source into memory."""
    faults, pieces = Faults(source), []
    for piece in stream_map(Piece.of, source.parts()):
        faults.add(piece.told)
        if len(piece.numbers):
            pieces.append(piece)
        del piece
    faults.check()
    if not pieces:
        raise source.no_rows()
    return join_pieces(pieces)


def join_pieces(pieces: list[Piece]) -> Rows:
    """Return the rows of pieces, one behind the other; the pieces are let go.

    One column is joined after the other, so that nearly nothing is in memory twice.
    """
    ranked = all(piece.told.ranked for piece in pieces)
    before = np.cumsum([0, *[len(piece.numbers) for piece in pieces]])
    heads = np.concatenate([p.heads + n for p, n in zip(pieces, before[:-1], strict=True)])
    topics = Ids.concatenate([piece.topics for piece in pieces])
    docs, numbers = [piece.docs for piece in pieces], [piece.numbers for piece in pieces]
    pieces.clear()
    all_docs = Ids.concatenate(docs)
    docs.clear()
    return Rows(topics, heads, all_docs, np.concatenate(numbers), ranked)


def group_rows(rows: Rows) -> tuple[Entries, Ints | None]:
    """Group rows by topic; return the row that each row was, too, if they had to be moved."""
    topics, heads, docs, numbers, _ = rows
    numbering = ids.Numbering()
    number = numbering.add(topics.data, topics.offsets)
    lengths = np.diff(heads, append=len(numbers))
    sizes = np.bincount(number, weights=lengths, minlength=len(numbering)).astype(np.int64)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    order = None
    if (np.diff(number) < 0).any():  # a topic comes back after another one
        order = np.argsort(number.repeat(lengths), kind="stable")
        docs, numbers = docs.take(order), numbers[order]
    names = tuple(Ids(*numbering.column()).to_list())
    return Entries(names, offsets, docs, numbers), order


def refuse_repeats(entries: Entries, order: Ints | None, source: Source) -> None:
    """Raise an InputError if a topic has the same document twice, naming both places."""
    pairs = ranking.find_repeats(entries.docs.data, entries.docs.offsets, entries.offsets)
    if pairs:
        raise told_repeats(np.array(pairs, np.int64), entries, order, source)


def told_repeats(
    given: Ints, entries: Entries, order: Ints | None, source: Source, what: str = "topic"
) -> InputError:
    """Return the error for pairs of rows that hold one document, naming both places."""
    rows = given if order is None else order[given]
    shown = np.argsort(rows[:, 1])[:SHOWN_PROBLEMS]
    wanted = np.unique(rows[shown])
    places = dict(zip(wanted.tolist(), source.places(wanted), strict=True))
    problems = []
    for (first, second), row in zip(rows[shown].tolist(), given[shown, 1], strict=True):
        place, text = places[second]
        document = entries.docs.part(row, row + 1).to_list()[0]
        topic = entries.topics[int(np.searchsorted(entries.offsets, row, "right")) - 1]
        before = places[first][0]
        elsewhere = "" if before == place else f", first at {before}"
        reason = f"document {document} appears twice for {what} {topic}{elsewhere}"
        problems.append(Problem(place, reason, text))
    return InputError(problems, len(given))


def check_repeats(entries: Entries, name: str) -> None:
    """Raise an InputError if a topic of rows in memory has the same document twice."""
    refuse_repeats(entries, None, entries_source(name, entries))
