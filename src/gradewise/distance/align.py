"""The lists of runs topic by topic, with their documents numbered alike."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
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
from gradewise.kernels import pairing


@dataclass(frozen=True, eq=False)
class TopicLists:
    """What runs retrieved for a topic: `lists[r]` holds numbers of documents by rank.

    `level[d]` is the level of document d, FREE if nobody has judged it; `counts[l]` counts the
    judged documents of level l, in lists or not. `tails[r]` goes on where lists[r] is cut.
    `names` gives the ids of documents.
    """

    topic: str
    scale: Ints
    lists: list[Ints]
    tails: list[Ints]
    level: Ints
    counts: Ints
    names: Callable[[Ints], list[str]]

    def pair(self, first: int, second: int) -> tuple[Pair, Ints]:
        """Return two of the lists as a Pair, and the number of each of its documents."""
        one, other = self.lists[first], self.lists[second]
        numbers, rank = pairing.pair_lists(one, other, self._room)
        tails = self.tails[first], self.tails[second]
        deeper = pairing.count_further(numbers, tails[0], tails[1], self.level, self._room)
        retrieved = np.array([len(one), len(other)])
        level = self.level[numbers]
        return Pair(self.scale, rank, level, retrieved, self.counts, deeper), numbers

    @cached_property
    def _room(self) -> Ints:
        """Room for kernels to mark documents in; 0 between calls."""
        return np.zeros(len(self.level), np.int64)


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
        grades = self.qrels.grades
        for topic in self.topics:
            ranked = [
                (run, rows[run.rows_of(topic)][:k])
                for run, rows in zip(self.runs, self._rows, strict=True)
            ]
            found = number_documents(ranked, self.qrels, topic)
            grade = grades[self.qrels.rows_of(topic)]
            known = np.where(grade > 0, np.searchsorted(self.scale, grade) + 1, 0)
            level = np.full(found.number, FREE)
            level[found.judged] = known
            counts = np.bincount(known, minlength=len(self.scale) + 1)
            lists, tails = ([each[part] for each in found.lists] for part in _parts(depth))
            yield TopicLists(topic, self.scale, lists, tails, level, counts, found.names)


def _nothing_judged(runs: Sequence[Run]) -> Qrels:
    """Return qrels that have the topics of runs, and no document."""
    topics = tuple(dict.fromkeys(topic for run in runs for topic in run.topics))
    return Qrels(topics, np.zeros(len(topics) + 1, np.int64), Ids.from_strings([]), np.zeros(0))


def _parts(depth: int | None) -> tuple[slice, slice]:
    """Return the ranks that count, and the others."""
    return (slice(None), slice(0)) if depth is None else (slice(depth), slice(depth, None))


@dataclass(frozen=True, eq=False)
class Numbered:
    """The documents of a topic as numbers 0..number - 1: of each run by rank, and judged ones.

    `names` gives the ids of documents.
    """

    lists: Sequence[Ints]
    judged: Ints
    number: int
    names: Callable[[Ints], list[str]]


def number_documents(runs: Sequence[tuple[Run, Ints]], qrels: Qrels, topic: str) -> Numbered:
    """Give each document of a topic a number: those of ranked rows of runs, and judged ones.

    Keys tell ids apart, and bytes make sure; the ids of each run lie in data of their own.
    """
    judged = qrels.rows_of(topic)
    columns = [run.docs.take(rows) for run, rows in runs]
    columns.append(qrels.docs.take(np.arange(judged.start, judged.stop)))
    keys = np.concatenate([column.keys for column in columns])
    _, first, numbers = np.unique(keys, return_index=True, return_inverse=True)
    if not _same_bytes(columns, first[numbers]):
        text = np.array([text for column in columns for text in column.to_list()], object)
        _, first, numbers = np.unique(text, return_index=True, return_inverse=True)
    edges = np.cumsum([0] + [len(column) for column in columns])

    def names(chosen: Ints) -> list[str]:
        places = first[chosen]
        owner = np.searchsorted(edges, places, "right") - 1
        found = np.empty(len(chosen), object)
        for index in np.unique(owner).tolist():
            mine = owner == index
            found[mine] = columns[index].take(places[mine] - edges[index]).to_list()
        return found.tolist()

    *lists, known = np.split(numbers.astype(np.int64, copy=False), edges[1:-1])
    return Numbered(lists, known, len(first), names)


def _same_bytes(columns: Sequence[Ids], like: Ints) -> bool:
    """Tell whether each id has the bytes of the one that it is taken for."""
    lengths = np.concatenate([column.lengths for column in columns])
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
