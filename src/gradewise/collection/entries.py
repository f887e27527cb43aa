"""Rows of (topic, document, number), grouped by topic: what qrels and runs have in common."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Floats, Ints, Words
from gradewise.collection.ids import Ids, mix
from gradewise.errors import SHOWN_PROBLEMS, InputError, Problem
from gradewise.parallel import thread_map

# Names the place of a row, from where its document id begins in the data.
Locate = Callable[[int], tuple[str, str]]

LARGEST_GRADE = 2**53 - 1  # beyond, numbers are not exact
_BLOCK = 1 << 18
_LOW_HALF = np.uint64((1 << 32) - 1)


@dataclass(frozen=True, eq=False, repr=False)
class Entries:
    """Documents of each topic with a number each, in the order in which they were given.

    Rows `offsets[i]:offsets[i + 1]` belong to `topics[i]`. Several runs may share one object;
    then `owner[i]` tells which of them the i-th list belongs to, and topics come repeatedly.
    """

    topics: tuple[str, ...]
    offsets: Ints
    docs: Ids
    numbers: Floats
    owner: Ints = field(kw_only=True, default_factory=lambda: np.zeros(0, np.int64))

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


def split_at(names: Sequence[str], first_rows: Ints, cuts: Ints) -> tuple[Sequence[str], Ints]:
    """Begin new stretches of rows at cuts, too; a stretch keeps the name of the one it is cut from.

    `names` are the topics of consecutive stretches of rows, which begin at `first_rows`.
    """
    missing = np.setdiff1d(cuts, first_rows)
    if not len(missing):
        return names, first_rows
    rows = np.union1d(first_rows, missing)
    return [names[i] for i in np.searchsorted(first_rows, rows, "right") - 1], rows


def group_by_topic(
    names: Sequence[str],
    first_rows: Ints,
    docs: Ids,
    numbers: Floats,
    owner: Ints | None = None,
) -> Entries:
    """Group rows by owner and topic, keeping their order.

    `names` are the topics of consecutive stretches of rows, which begin at `first_rows` and
    belong to the run `owner`.
    """
    owner = np.zeros(len(names), np.int64) if owner is None else owner
    lengths = np.diff(first_rows, append=len(numbers))
    index: dict[tuple[int, str], int] = {}
    keys = zip(owner.tolist(), names, strict=True)
    list_of = np.array([index.setdefault(key, len(index)) for key in keys], np.int64)
    sizes = np.bincount(list_of, weights=lengths, minlength=len(index)).astype(np.int64)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    if (np.diff(list_of) < 0).any():  # a topic comes back after another one
        order = np.argsort(list_of.repeat(lengths), kind="stable")
        docs, numbers = docs.take(order), numbers[order]
    owners = np.array([run for run, _ in index], np.int64)
    return Entries(tuple(topic for _, topic in index), offsets, docs, numbers, owner=owners)


def topic_salt(topics: NDArray[np.integer]) -> Words:
    """Return what is mixed into the keys of a topic's documents, so that topics stay apart.

    The lower halves alone are different for all topics, too.
    """
    number = topics.astype(np.uint64) + np.uint64(1)
    low = (number * np.uint64(0x9E3779B1)) & _LOW_HALF  # by an odd factor: one to one
    return (mix(number) & ~_LOW_HALF) | low


def check_duplicates(entries: Entries, locate: Locate) -> None:
    """Raise an InputError if a topic has the same document twice, naming both places."""
    found = thread_map(_duplicates_in(entries), topic_blocks(entries))
    pairs = [pair for block in found for pair in block]
    if not pairs:
        return
    problems = []
    by_place = sorted(pairs, key=lambda pair: int(entries.docs.starts[pair[1]]))
    for first, second in by_place[:SHOWN_PROBLEMS]:
        place, text = locate(int(entries.docs.starts[second]))
        earlier, _ = locate(int(entries.docs.starts[first]))
        document = entries.docs.take(np.array([second])).to_list()[0]
        topic = entries.topics[int(np.searchsorted(entries.offsets, second, "right")) - 1]
        reason = f"document {document} appears twice for topic {topic}, first at {earlier}"
        problems.append(Problem(place, reason, text))
    raise InputError(problems, len(pairs))


def topic_blocks(entries: Entries) -> list[tuple[int, int]]:
    """Cut the topics into ranges (first, last + 1) of about _BLOCK rows, to be worked on alone."""
    cuts = np.arange(0, len(entries), _BLOCK)
    edges = np.unique(np.searchsorted(entries.offsets[:-1], cuts))
    edges = np.unique(np.concatenate([[0], edges, [len(entries.topics)]]))
    return list(pairwise(edges.tolist()))


def _duplicates_in(entries: Entries) -> Callable[[tuple[int, int]], list[tuple[int, int]]]:
    def search(block: tuple[int, int]) -> list[tuple[int, int]]:
        first_topic, last_topic = block
        low, high = (int(entries.offsets[topic]) for topic in block)
        sizes = np.diff(entries.offsets[first_topic : last_topic + 1])
        keys = entries.docs.keys[low:high]
        if not _may_repeat(keys, sizes):
            return []
        keys = keys ^ topic_salt(np.arange(first_topic, last_topic)).repeat(sizes)
        _, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
        return _same_documents(entries, np.flatnonzero(counts[inverse] > 1) + low)

    return search


def _may_repeat(keys: Words, sizes: Ints) -> bool:
    """Tell whether a key may occur twice in a list; a False is certain."""
    if sizes.min() == sizes.max():  # half of each key, list by list: quicker to sort
        half = keys.astype(np.uint32).reshape(len(sizes), -1)
        half.sort(axis=1)
        return bool((half[:, 1:] == half[:, :-1]).any())
    ordered = np.sort(keys ^ topic_salt(np.arange(len(sizes))).repeat(sizes))
    return bool((ordered[1:] == ordered[:-1]).any())


def _same_documents(entries: Entries, rows: Ints) -> list[tuple[int, int]]:
    """Return pairs (earlier, later) of rows with the same topic and document."""
    seen: dict[tuple[int, str], int] = {}
    pairs = []
    topics = np.searchsorted(entries.offsets, rows, "right").tolist()
    documents = entries.docs.take(rows).to_list()
    for row, topic, document in zip(rows.tolist(), topics, documents, strict=True):
        first = seen.setdefault((topic, document), row)
        if first != row:
            pairs.append((first, row))
    return pairs
