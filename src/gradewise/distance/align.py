"""The lists of runs topic by topic, with their documents numbered alike."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradewise.arrays import Ints
from gradewise.collection.ids import Ids, is_long
from gradewise.collection.ordering import Ties
from gradewise.collection.qrels import Qrels
from gradewise.collection.reading import read_qrels, read_run
from gradewise.collection.run import Run
from gradewise.distance.pair import FREE, Pair
from gradewise.errors import InputError, OptionError


@dataclass(frozen=True, eq=False)
class TopicLists:
    """What runs retrieved for a topic: `lists[r]` holds numbers of documents by rank.

    `level[d]` is the level of document d, FREE if nobody has judged it; `counts[l]` counts the
    judged documents of level l, in lists or not. `tails[r]` goes on where lists[r] is cut.
    """

    topic: str
    scale: Ints
    lists: list[Ints]
    tails: list[Ints]
    level: Ints
    counts: Ints
    documents: Ids

    def names(self, numbers: Ints) -> list[str]:
        """Return the ids of documents."""
        return self.documents.take(numbers).to_list()

    def pair(self, first: int, second: int) -> tuple[Pair, Ints]:
        """Return two of the lists as a Pair, and the number of each of its documents."""
        both = [self.lists[first], self.lists[second]]
        numbers = np.unique(np.concatenate(both))
        rank = np.zeros((2, len(numbers)), np.int64)
        for side, listed in enumerate(both):
            rank[side, np.searchsorted(numbers, listed)] = np.arange(1, len(listed) + 1)
        level = self.level[numbers]
        inside = np.bincount(level[level != FREE], minlength=len(self.counts))
        retrieved = np.array([len(listed) for listed in both])
        tail = np.unique(np.concatenate([self.tails[first], self.tails[second]]))
        deeper = np.setdiff1d(tail[self.level[tail] == FREE], numbers)
        outside = self.counts - inside
        return Pair(self.scale, rank, level, retrieved, outside, len(deeper)), numbers


@dataclass(frozen=True, eq=False)
class Aligned:
    """Runs, ranked, and their judgments; topics come one by one."""

    runs: list[Run]
    qrels: Qrels
    scale: Ints
    topics: tuple[str, ...]
    _rows: list[Ints]

    @staticmethod
    def of(
        runs: Sequence[tuple[str, Any]],
        qrels: Any = None,
        *,
        grades: Sequence[int] | None = None,
        ties: Ties = "trec",
        seed: int = 0,
    ) -> "Aligned":
        """Read runs, given as (name, source), and judgments, if there are any."""
        read = [read_run(source, name=name) for name, source in runs]
        table = _nothing_judged(read) if qrels is None else read_qrels(qrels)
        given = np.array([1] if grades is None and not len(table.scale) else grades or [], np.int64)
        if (given < 1).any():
            raise OptionError(f"grades are the positive ones, not {int(given.min())}")
        scale = np.union1d(table.scale, given)
        found = set().union(*(run.topics for run in read))
        order = (table.topics[index] for index in table.topic_order)
        topics = tuple(topic for topic in order if topic in found)
        if not topics:
            raise InputError("the runs and the qrels have no topic in common")
        rows = [run.ranked(ties=ties, seed=seed) for run in read]
        return Aligned(read, table, scale, topics, rows)

    def lists(self, k: int | None = None, depth: int | None = None) -> Iterator[TopicLists]:
        """Give the lists of each topic, cut at k; down to a depth their documents count."""
        for topic in self.topics:
            parts = [
                run.docs.take(rows[run.rows_of(topic)][:k])
                for run, rows in zip(self.runs, self._rows, strict=True)
            ]
            judged = self.qrels.rows_of(topic)
            parts.append(self.qrels.docs.take(np.arange(judged.start, judged.stop)))
            numbers, documents = number_documents(parts)
            grade = self.qrels.grades[judged]
            known = np.where(grade > 0, np.searchsorted(self.scale, grade) + 1, 0)
            level = np.full(len(documents), FREE)
            level[numbers[-1]] = known
            counts = np.bincount(known, minlength=len(self.scale) + 1)
            lists, tails = ([each[part] for each in numbers[:-1]] for part in _parts(depth))
            yield TopicLists(topic, self.scale, lists, tails, level, counts, documents)


def _nothing_judged(runs: Sequence[Run]) -> Qrels:
    """Return qrels that have the topics of runs, and no document."""
    topics = tuple(dict.fromkeys(topic for run in runs for topic in run.topics))
    return Qrels(topics, np.zeros(len(topics) + 1, np.int64), Ids.from_strings([]), np.zeros(0))


def _parts(depth: int | None) -> tuple[slice, slice]:
    """Return the ranks that count, and the others."""
    return (slice(None), slice(0)) if depth is None else (slice(depth), slice(depth, None))


def number_documents(columns: Sequence[Ids]) -> tuple[list[Ints], Ids]:
    """Give the same documents of several columns of ids the same number, and return their ids.

    The ids may lie in different data. Keys tell them apart, and bytes make sure.
    """
    keys = np.concatenate([column.keys for column in columns])
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    lengths = np.concatenate([column.lengths for column in columns])
    if not _same_bytes(columns, lengths, first[inverse]):
        text = [document for column in columns for document in column.to_list()]
        place: dict[str, int] = {}
        inverse = np.array([place.setdefault(document, len(place)) for document in text], np.int64)
        _, first = np.unique(inverse, return_index=True)
    edges = np.cumsum([len(column) for column in columns])
    return np.split(inverse, edges[:-1]), _gather(columns, first, edges)


def _same_bytes(columns: Sequence[Ids], lengths: Ints, like: Ints) -> bool:
    """Tell whether each id has the bytes of the one that it is taken for."""
    if (lengths != lengths[like]).any() or len(is_long(lengths)):
        return False
    words = [column.words() for column in columns]
    for index in range(max(map(len, words))):
        joined = np.concatenate(
            [
                part[index] if index < len(part) else np.zeros(len(column), np.uint64)
                for part, column in zip(words, columns, strict=True)
            ]
        )
        if (joined != joined[like]).any():
            return False
    return True


def _gather(columns: Sequence[Ids], rows: Ints, edges: Ints) -> Ids:
    """Return ids from several columns, by their place in all columns together, as one column."""
    owner = np.searchsorted(edges, rows, "right")
    starts = np.concatenate([[0], edges[:-1]])
    text: list[str] = [""] * len(rows)
    for index in np.unique(owner).tolist():
        mine = np.flatnonzero(owner == index)
        taken = columns[index].take(rows[mine] - starts[index]).to_list()
        for place, document in zip(mine.tolist(), taken, strict=True):
            text[place] = document
    return Ids.from_strings(text)
