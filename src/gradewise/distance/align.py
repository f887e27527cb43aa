"""The lists of runs topic by topic, with documents numbered consistently."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gradewise.arrays import Ints
from gradewise.collection.ids import Ids
from gradewise.collection.levels import to_levels
from gradewise.collection.qrels import Qrels
from gradewise.collection.reading import read_qrels, read_run
from gradewise.collection.run import Run
from gradewise.collection.ties import Ties
from gradewise.distance.pair import FREE, Pair
from gradewise.errors import InputError, OptionError
from gradewise.kernels import ids, pairing
from gradewise.measures.measure import Measure, refuse_preferences, refuse_sample

SINGLE_GRADE = "distances assume a single grade per document"


@dataclass(frozen=True, eq=False)
class TopicLists:
    """What runs retrieved for a topic: `lists[r]` holds document numbers by rank.

    `level[d]` is the level of document d, FREE if it is unjudged; `counts[l]` counts the judged
    documents of level l, in lists or not. `tails[r]` continues where lists[r] is cut. `documents`
    holds the document ids.
    """

    topic: str
    scale: Ints
    lists: list[Ints]
    tails: list[Ints]
    level: Ints
    counts: Ints
    documents: Ids

    def pair(self, first: int, second: int) -> tuple[Pair, Ints]:
        """Return two of the lists as a Pair, and the number of each of its documents."""
        one, other = self.lists[first], self.lists[second]
        numbers, rank = pairing.pair_lists(one, other, self._room)
        tails = self.tails[first], self.tails[second]
        deeper = pairing.count_further(numbers, tails[0], tails[1], self.level, self._room)
        retrieved = np.array([len(one), len(other)])
        level = self.level[numbers]
        return Pair(self.scale, rank, level, retrieved, self.counts, deeper), numbers

    def names(self, numbers: Ints) -> list[str]:
        """Return the ids of documents."""
        return self.documents.take(numbers).to_list()

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
        measure: Measure | None = None,
        grades: Sequence[int] | None = None,
        ties: Ties = "trec",
        seed: int = 0,
    ) -> "Aligned":
        """Read runs, given as (name, source), and judgments, if there are any.

        Judgments must be such that the distance of the measure is defined.
        """
        read = [read_run(source, name=name) for name, source in runs]
        table = _nothing_judged(read) if qrels is None else read_qrels(qrels)
        refuse_preferences(table, SINGLE_GRADE)
        if measure is not None:
            refuse_sample(measure, table, SINGLE_GRADE)
        given = np.array([1] if grades is None and not len(table.scale) else grades or [], np.int64)
        if (given < 1).any():
            raise OptionError(f"grades must be positive, but include {int(given.min())}")
        scale = np.union1d(table.scale, given)
        found = set().union(*(run.topics for run in read))
        order = (table.topics[index] for index in table.topic_order)
        topics = tuple(topic for topic in order if topic in found)
        if not topics:
            raise InputError("the runs and the qrels have no topics in common")
        rows = [run.ranked(ties=ties, seed=seed) for run in read]
        return Aligned(read, table, scale, topics, rows)

    @property
    def longest(self) -> int:
        """How many documents the longest list has."""
        return max(int(run.sizes.max(initial=0)) for run in self.runs)

    def lists(self, k: int | None = None, depth: int | None = None) -> Iterator[TopicLists]:
        """Give the lists of each topic, cut at k; down to a depth their documents count."""
        for topic in self.topics:
            parts = [
                run.docs.take(rows[run.rows_of(topic)][:k])
                for run, rows in zip(self.runs, self._rows, strict=True)
            ]
            judged = self._judged_rows(topic)
            parts.append(self.qrels.docs.take(judged))
            numbers, documents = number_documents(parts)
            known = np.maximum(to_levels(self.qrels.numbers[judged], self.scale), 0)
            level = np.full(len(documents), FREE)
            level[numbers[-1]] = known
            counts = np.bincount(known, minlength=len(self.scale) + 1)
            lists, tails = ([each[part] for each in numbers[:-1]] for part in _parts(depth))
            yield TopicLists(topic, self.scale, lists, tails, level, counts, documents)

    def _judged_rows(self, topic: str) -> Ints:
        """Return the rows of the documents that were judged; of a sampled pool, the drawn ones."""
        own, sample = self.qrels.rows_of(topic), self.qrels.sample
        rows = np.arange(own.start, own.stop)
        if sample is None or sample.stratum is None:
            return rows
        return rows[self.qrels.numbers[rows] >= 0]


def _nothing_judged(runs: Sequence[Run]) -> Qrels:
    """Return qrels that have the topics of runs, and no document."""
    topics = tuple(dict.fromkeys(topic for run in runs for topic in run.topics))
    return Qrels(topics, np.zeros(len(topics) + 1, np.int64), Ids.from_strings([]), np.zeros(0))


def _parts(depth: int | None) -> tuple[slice, slice]:
    """Return the ranks that count, and the others."""
    return (slice(None), slice(0)) if depth is None else (slice(depth), slice(depth, None))


def number_documents(columns: Sequence[Ids]) -> tuple[list[Ints], Ids]:
    """Give the same documents of several columns of ids the same number, and return their ids."""
    numbering = ids.Numbering()
    numbers: list[Ints] = [numbering.add(column.data, column.offsets) for column in columns]
    return numbers, Ids(*numbering.column())
