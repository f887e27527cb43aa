"""Whole lists in every partition of Dask's data, found without gathering ids on the client.

Workers look at their partitions; the client learns where partitions begin and end in lists, and
which topics, if any, are in two places.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gradewise.arrays import Ints
from gradewise.collection.ids import Ids
from gradewise.errors import InputError, MissingDependencyError, OptionError, counted
from gradewise.kernels import ids
from gradewise.learn.features import FeatureSet, checked_grades, count_left_out
from gradewise.learn.trees.booster import Rows

try:
    import dask
    import dask.array
except ImportError:
    raise MissingDependencyError("dask[distributed]", "scale", "DaskTreeRanker") from None

library: Any = dask  # most of it is not annotated
da: Any = dask.array
_BUCKETS = 16  # into which topics are divided to find those that come twice


@dataclass(frozen=True, eq=False)
class WholeLists:
    """Dask arrays in partitions of whole lists, and the sizes of lists of each partition.

    `sizes` has an array, or a delayed one, for each partition; `counts` says how many lists it has.
    """

    x: Any
    grades: Any
    weight: Any
    sizes: list[Any]

    @property
    def parts(self) -> list[Any]:
        """The rows of each partition, delayed."""
        weights = [None] * len(self.sizes) if self.weight is None else _blocks(self.weight)
        columns = zip(_blocks(self.x), _blocks(self.grades), self.sizes, weights, strict=True)
        return [library.delayed(make_rows)(*column) for column in columns]


def make_rows(x: Any, grades: Any, sizes: Any, weight: Any) -> Rows:
    """Return the rows of a partition, checked."""
    return Rows(x, checked_grades(np.asarray(grades), len(x)), np.asarray(sizes), weight)


def join_rows(parts: Sequence[Rows]) -> Rows:
    """Return the rows of several partitions as one."""
    first = parts[0]
    if hasattr(first.x, "tocsr"):
        from scipy.sparse import vstack

        x: Any = vstack([part.x for part in parts], format="csr")
    else:
        x = np.concatenate([np.asarray(part.x) for part in parts])
    weight = None
    if first.weight is not None:
        weight = np.concatenate([np.asarray(part.weight) for part in parts])
    return Rows(
        x,
        np.concatenate([part.grades for part in parts]),
        np.concatenate([part.sizes for part in parts]),
        weight,
    )


class PartFacts(NamedTuple):
    """What the client learns of a partition's rows."""

    lists: int
    grades: Ints
    left_out: Ints


def facts_of(rows: Rows) -> PartFacts:
    """Return the number of lists, the distinct grades, and the topics that teach nothing."""
    return PartFacts(
        len(rows.sizes), np.unique(rows.grades), count_left_out(rows.grades, rows.sizes)
    )


def whole_lists(x: Any, y: Any, qid: Any, group: Any, weight: Any, workers: int) -> WholeLists:
    """Return rows in partitions that hold whole lists; bring them about where they do not."""
    if isinstance(x, FeatureSet):
        x, y, group = x.features, x.grades, x.sizes
    if y is None:
        raise OptionError("give the grades y along with the features, or a FeatureSet")
    if (group is None) == (qid is None):
        raise OptionError(
            "give either group (the number of rows of each topic) or qid (the topic of each row)"
        )
    x, y, weight = (_as_array(each) for each in (x, y, weight))
    if len({len(each) for each in (x, y, weight) if each is not None}) > 1:
        raise InputError(f"there are {len(x)} rows of features but {len(y)} grades")
    if qid is not None:
        topics = _as_array(qid).rechunk({0: x.chunks[0]})
        chunks = _chunks_of_topics(topics, workers)
        sizes = [library.delayed(_run_lengths)(block) for block in _blocks(_cut(topics, chunks))]
    elif isinstance(group, da.Array):
        chunks, sizes = x.chunks[0], _sizes_in_parts(group, x.chunks[0])
    else:
        chunks, sizes = _chunks_of_sizes(np.asarray(group, np.int64), x.chunks[0], workers)
    return WholeLists(
        _cut(x, chunks).rechunk({1: -1}),
        _cut(y, chunks),
        None if weight is None else _cut(weight, chunks),
        sizes,
    )


def _cut(array: Any, chunks: Sequence[int]) -> Any:
    return array.rechunk({0: tuple(chunks)})


def _blocks(array: Any) -> list[Any]:
    found: list[Any] = array.to_delayed().ravel().tolist()
    return found


def _as_array(given: Any) -> Any:
    """Return a Dask array with known sizes of its partitions."""
    if given is None:
        return None
    if hasattr(given, "to_dask_array"):
        return given.to_dask_array(lengths=True)
    if not isinstance(given, da.Array):
        return da.from_array(given if hasattr(given, "tocsr") else np.asarray(given), chunks=-1)
    return given.compute_chunk_sizes() if np.isnan(sum(given.chunks[0])) else given


class _Ends(NamedTuple):
    """How a partition begins and ends: its topics there, the rows of the first list, and cuts."""

    rows: int
    first: Any
    last: Any
    head: int
    cuts: list[int]


def _chunks_of_topics(topics: Any, workers: int) -> list[int]:
    """Return the sizes of partitions that begin with a list each."""
    blocks = _blocks(topics)
    pieces = -(-workers // max(len(blocks), 1))
    ends = library.compute(*[library.delayed(_look_at_ends)(block, pieces) for block in blocks])
    continues = _continuing(ends)
    _refuse_scattered(blocks, continues)
    borders, begin = {0}, 0
    for part, goes_on in zip(ends, continues, strict=True):
        head = part.head if goes_on else 0
        if part.rows > head:
            borders |= {begin + head, *[begin + cut for cut in part.cuts if cut > head]}
        begin += part.rows
    return np.diff([*sorted(borders), begin]).tolist() if begin else [0]


def _look_at_ends(topics: Any, pieces: int) -> _Ends:
    """Look at a partition; `cuts` are where lists begin that divide it into so many pieces."""
    topics = np.asarray(topics)
    if not len(topics):
        return _Ends(0, None, None, 0, [])
    starts = _starts(topics)
    head = int(starts[1]) if len(starts) > 1 else len(topics)
    wanted = np.arange(1, pieces) * len(topics) // pieces
    places = np.minimum(np.searchsorted(starts, wanted), len(starts) - 1)
    cuts = np.unique(starts[places]).tolist() if pieces > 1 else []
    return _Ends(len(topics), topics[0], topics[-1], head, [cut for cut in cuts if cut])


def _continuing(ends: Sequence[_Ends]) -> list[bool]:
    """Tell which partitions begin with more rows of the list before."""
    found, before = [], None
    for part in ends:
        found.append(bool(part.rows) and before is not None and bool(part.first == before))
        before = part.last if part.rows else before
    return found


def _starts(topics: Any) -> Ints:
    return np.flatnonzero(np.concatenate([[True], topics[1:] != topics[:-1]]))


def _run_lengths(topics: Any) -> Ints:
    """Return the sizes of lists, from the topic of each row."""
    topics = np.asarray(topics)
    return np.diff(np.append(_starts(topics), len(topics))) if len(topics) else np.zeros(0, int)


def _refuse_scattered(blocks: Sequence[Any], continues: Sequence[bool]) -> None:
    """Raise an InputError if a topic is in two places; only hashes travel, between workers."""
    delayed = library.delayed
    hashed = [
        delayed(_hash_lists, nout=_BUCKETS)(block, goes_on)
        for block, goes_on in zip(blocks, continues, strict=True)
    ]
    twice = library.compute(
        *[delayed(_find_twice)([part[bucket] for part in hashed]) for bucket in range(_BUCKETS)]
    )
    for found in twice:
        for first, second, value in found:
            names = library.compute(
                *[delayed(_name_of)(blocks[place], value) for place in (first, second)]
            )
            if names[0] == names[1]:  # else two topics have the same hash
                raise _scattered(names[0], first, second)


def _scattered(topic: Any, first: int, second: int) -> InputError:
    places = (
        f"partitions {first} and {second}"
        if first != second
        else f"two places of partition {first}"
    )
    return InputError(
        f"topic {topic} is in {places}, with other topics in between; sort the rows by topic "
        "(a topic that merely continues in the next partition is joined automatically)"
    )


def _hashes(topics: Any) -> Any:
    column = Ids.from_strings(map(str, topics.tolist()))
    return ids.hash_ids(column.data, column.offsets, ids.HASH_SEED)


def _hash_lists(topics: Any, goes_on: bool) -> list[Any]:
    """Return the hashes of the topics that begin in a partition, in buckets."""
    topics = np.asarray(topics)
    if not len(topics):
        return [np.zeros(0, np.uint64)] * _BUCKETS
    hashes = _hashes(topics[_starts(topics)[int(goes_on) :]])
    return [hashes[hashes % _BUCKETS == bucket] for bucket in range(_BUCKETS)]


def _find_twice(parts: Sequence[Any]) -> list[tuple[int, int, int]]:
    """Return the first hash that comes twice, and in which partitions."""
    hashes = np.concatenate(list(parts))
    place = np.arange(len(parts)).repeat([len(part) for part in parts])
    order = np.argsort(hashes, kind="stable")
    again = np.flatnonzero(hashes[order[1:]] == hashes[order[:-1]])[:1]
    return [(int(place[order[k]]), int(place[order[k + 1]]), int(hashes[order[k]])) for k in again]


def _name_of(topics: Any, value: int) -> Any:
    topics = np.asarray(topics)
    names = topics[_starts(topics)]
    return names[np.flatnonzero(_hashes(names) == value)[0]].item()


def _chunks_of_sizes(sizes: Ints, chunks: Sequence[int], workers: int) -> tuple[list[int], Any]:
    """Return the sizes of partitions that begin with a list each, and of their lists."""
    if int(sizes.sum()) != sum(chunks) or (sizes < 1).any():
        raise InputError(
            f"the sizes in group sum to {int(sizes.sum())}, but there are {sum(chunks)} rows"
        )
    borders, ends = np.concatenate([[0], np.cumsum(sizes)]), np.cumsum(chunks)
    if len(chunks) < workers:  # whatever is in memory is spread over all workers
        ends = (np.arange(1, workers + 1) * sum(chunks)) // workers
    chosen = np.unique(borders[np.searchsorted(borders, ends)])
    found = [int(size) for size in np.diff(np.concatenate([[0], chosen])) if size]
    return found, np.split(sizes, np.searchsorted(borders, np.cumsum(found)[:-1]))


def _sizes_in_parts(group: Any, chunks: Sequence[int]) -> list[Any]:
    """Return the sizes of lists of each partition, which must fill it."""
    blocks = _blocks(_as_array(group))
    sums = library.compute(*[library.delayed(_sum)(block) for block in blocks])
    for place, rows in enumerate(chunks):
        held = sums[place] if place < len(sums) else 0
        if held != rows:
            raise InputError(
                f"partition {place} has {counted(int(rows), 'row')}, but its sizes in group sum to "
                f"{held}: a topic is split, and group does not say which; give qid (the topic of "
                "each row), or all of group as a NumPy array"
            )
    return blocks


def _sum(sizes: Any) -> int:
    return int(np.asarray(sizes).sum())
