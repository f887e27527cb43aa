"""The lists of several runs side by side, with a number for every document of a topic."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.ids import Ids
from gradewise.collection.run import Run
from gradewise.collection.ties import Ties
from gradewise.kernels import ids

_BLOCK = 4_000_000  # rows that are worked on at once


@dataclass(frozen=True, eq=False)
class Lists:
    """What runs retrieved for some topics: a row for each document of a list.

    Rows are in the order of runs, topics and ranks; row n has `value[n]` and `rank[n]`, and stands
    for document `document[n]`. Documents are numbered by topic: those of topic t are
    `offsets[t]:offsets[t + 1]`, and `docs` holds their ids. `retrieved[r, t]` counts the documents
    that run r retrieved.

    Complete lists have a row for every document of a topic in every run, in order of documents;
    those that a run did not retrieve have rank 0.
    """

    retrieved: Ints
    value: Floats
    rank: Ints
    document: Ints
    offsets: Ints
    docs: Ids
    is_complete: bool = False

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return len(self.retrieved)

    @property
    def candidates(self) -> Ints:
        """How many documents each topic has in all runs together."""
        return np.diff(self.offsets)

    @cached_property
    def place(self) -> Ints:
        """The list of every row: run · topics + topic."""
        sizes = np.tile(self.candidates, self.runs) if self.is_complete else self.retrieved.ravel()
        return np.arange(self.retrieved.size).repeat(sizes)

    @property
    def run(self) -> Ints:
        """The run of every row."""
        return self.place // self.retrieved.shape[1]

    @property
    def topic(self) -> Ints:
        """The topic of every row."""
        return self.place % self.retrieved.shape[1]

    def add_up(self, values: Floats) -> Floats:
        """Add the values of the rows of each document.

        The smallest come first, so that the sum does not depend on the order of runs: documents
        with the same values have equal scores, to the last bit.
        """
        order = np.argsort(values)
        return np.asarray(
            np.bincount(self.document[order], values[order], len(self.docs)), np.float64
        )

    @cached_property
    def found_by(self) -> Ints:
        """How many runs have a row for each document."""
        return np.bincount(self.document, minlength=len(self.docs))

    def by_run(self) -> Ints:
        """Return the rank of each document in each run, 0 where it is not retrieved."""
        ranks = np.zeros((len(self.docs), self.runs), np.int32)
        ranks[self.document, self.run] = self.rank
        return ranks

    def completed(self) -> "Lists":
        """Return complete lists; documents that are not retrieved have value 0."""
        found = self.by_run().T
        values = np.zeros(found.shape)
        values[self.run, self.document] = self.value
        return replace(
            self,
            value=values.ravel(),
            rank=np.ascontiguousarray(found).ravel(),
            document=np.tile(np.arange(len(self.docs)), self.runs),
            is_complete=True,
        )


class Stack:
    """Several runs, whose lists for some topics, or all, are given in blocks of whole topics."""

    def __init__(
        self,
        runs: Sequence[Run],
        topics: Iterable[str] | None = None,
        *,
        depth: int | None = None,
        ties: Ties = "trec",
        seed: int = 0,
    ):
        self.runs = runs
        wanted = None if topics is None else set(topics)
        found = dict.fromkeys(topic for run in runs for topic in run.topics)
        self.topics = tuple(topic for topic in found if wanted is None or topic in wanted)
        self._ranked = [run.ranked(ties=ties, seed=seed) for run in runs]
        self._place = np.array(
            [[run.topic_index.get(topic, -1) for topic in self.topics] for run in runs], np.int64
        )
        sizes = np.array(
            [
                np.append(run.sizes, 0)[place]  # -1 finds the 0 at the end
                for run, place in zip(runs, self._place, strict=True)
            ]
        )
        self.sizes = sizes if depth is None else np.minimum(sizes, depth)

    def blocks(self, *, by_pair: bool = False) -> Iterator[Lists]:
        """Give the lists, as many topics at once as memory should hold.

        By pair, room is needed for every document in every run.
        """
        rows = self.sizes.sum(axis=0) * (len(self.runs) if by_pair else 1)
        block = np.cumsum(rows) // _BLOCK
        heads = np.flatnonzero(np.diff(block, prepend=-1)).tolist()
        for low, high in pairwise([*heads, len(rows)]):
            yield self._lists(low, high)

    def _lists(self, low: int, high: int) -> Lists:
        """Return the lists of the topics from low to high."""
        sizes = self.sizes[:, low:high]
        rows = [self._rows(run, low, high) for run in range(len(self.runs))]
        docs = [run.docs.take(each) for run, each in zip(self.runs, rows, strict=True)]
        topic = np.tile(np.arange(high - low), len(self.runs)).repeat(sizes.ravel())
        document, offsets, ids = _number_documents(docs, topic, high - low)
        lists = sizes.ravel()
        begins = np.cumsum(lists) - lists
        return Lists(
            retrieved=sizes,
            value=np.concatenate(
                [run.scores[each] for run, each in zip(self.runs, rows, strict=True)]
            ),
            rank=np.arange(1, len(topic) + 1) - begins.repeat(lists),
            document=document,
            offsets=offsets,
            docs=ids,
        )

    def _rows(self, index: int, low: int, high: int) -> Ints:
        """Return the rows of a run for some topics, best first, down to the depth."""
        place, sizes = self._place[index, low:high], self.sizes[index, low:high]
        begins = self.runs[index].offsets[place] * (place >= 0)
        shift = begins - (np.cumsum(sizes) - sizes)
        return self._ranked[index][np.arange(int(sizes.sum())) + shift.repeat(sizes)]


def _number_documents(parts: Sequence[Ids], topic: Ints, topics: int) -> tuple[Ints, Ints, Ids]:
    """Give documents of each topic numbers; return these, where topics begin, and the ids."""
    numbering = ids.Numbering()
    number = np.concatenate([numbering.add(part.data, part.offsets) for part in parts])
    width = max(1, len(numbering))
    pairs, document = np.unique(topic * width + number, return_inverse=True)
    offsets = np.searchsorted(pairs, np.arange(topics + 1) * width)
    return document, offsets, Ids(*numbering.column()).take(pairs % width)
