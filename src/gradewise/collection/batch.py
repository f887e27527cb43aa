"""Batches of rows: what every source yields, and what the join eats."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.ids import Ids


class Fault(NamedTuple):
    """What is wrong with one row: where it stands in its batch, why, and the text that shows it."""

    place: int
    reason: str
    text: str = ""


class Told(NamedTuple):
    """What is to be told of a batch when its rows are gone; see Batch."""

    rows: int
    size: int
    faults: tuple[Fault, ...]
    fault_count: int
    ranked: bool


class Runs(NamedTuple):
    """The run of each row: rows `edges[i]:edges[i + 1]` belong to `names[i]`."""

    names: Ids
    edges: Ints


@dataclass(frozen=True, eq=False)
class Batch:
    """Rows of (topic, document, number) in Arrow's layout, in the order of their source.

    Rows `edges[i]:edges[i + 1]` belong to `topics[i]`; neighbors differ. `faults` are the first of
    `fault_count` rows that cannot be read, which are not among the rows. Their places count what
    the source counts, lines or rows; the batch has `size` of them. `ranked` says that all numbers
    can be ranks: whole ones, not below 0. `begins` says that no earlier batch has rows of the first
    list, `ends` that no later one has rows of the last; both are False where that is not known.
    `runs` tells the run of each row where a source holds several.
    """

    topics: Ids
    edges: Ints
    docs: Ids
    numbers: Floats
    size: int
    faults: tuple[Fault, ...] = ()
    fault_count: int = 0
    ranked: bool = False
    begins: bool = False
    ends: bool = False
    runs: Runs | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    def told(self) -> "Told":
        """Return what is to be told of the batch when its rows are gone."""
        return Told(len(self), self.size, self.faults, self.fault_count, self.ranked)

    def stretch(self, index: int) -> "Stretch":
        """Return the rows of one topic, in memory of their own."""
        low, high = self.edges[index : index + 2].tolist()
        return Stretch(
            self.topics.part(index, index + 1).copied().data.tobytes(),
            self.docs.part(low, high).copied(),
            self.numbers[low:high].copy(),
        )


@dataclass(frozen=True, eq=False)
class Stretch:
    """Neighboring rows of one topic."""

    topic: bytes
    docs: Ids
    numbers: Floats


def join_stretches(parts: list[Stretch]) -> Batch:
    """Return stretches of the same topic as one batch."""
    numbers = np.concatenate([part.numbers for part in parts])
    topic = np.frombuffer(parts[0].topic, np.uint8)
    return Batch(
        topics=Ids(topic, np.array([0, len(topic)], np.int64)),
        edges=np.array([0, len(numbers)], np.int64),
        docs=Ids.concatenate([part.docs for part in parts]),
        numbers=numbers,
        size=len(numbers),
    )
