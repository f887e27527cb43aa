"""A column of document ids, kept as bytes inside the text they came from.

Millions of ids cost 12 bytes each this way, and are compared eight bytes at a time. A 64-bit key
stands for each id in joins; equal keys are always checked against the bytes, so that a collision
of keys cannot change a result.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Bools, Bytes, Ints, Words
from gradewise.collection.text import text_from_bytes

# What lies behind so many words of an id is compared byte by byte: one very long id must not
# make all others expensive.
MOST_WORDS = 8
_LOW_BYTES = np.array([(1 << (8 * n)) - 1 for n in range(9)], dtype=np.uint64)
_WHOLE_WORD = _LOW_BYTES[8]


def word_count(lengths: NDArray[np.integer]) -> int:
    """Return how many 64-bit words the longest field has, at most MOST_WORDS."""
    return min(max(1, (int(lengths.max(initial=0)) + 7) // 8), MOST_WORDS)


def load_words(data: Bytes, starts: Ints, count: int) -> list[Words]:
    """Return the `count` little-endian words that begin at each position of padded data.

    The bytes of a word lie anywhere, so they are copied as opaque items; NumPy's own unaligned
    64-bit loads take twice as long.
    """
    last = len(data) - 8 * count
    if last < 0:
        data = np.concatenate([data, np.zeros(8 * count, np.uint8)])
        last = len(data) - 8 * count
    items = np.ndarray((last + 1,), f"V{8 * count}", data, strides=(1,))
    beyond = np.flatnonzero(starts > last)
    loaded = items[np.minimum(starts, last) if len(beyond) else starts]
    words = loaded.view(np.dtype("<u8")).reshape(len(starts), count)
    if len(beyond):  # only the last id of a text with one very long id can lie so near its end
        tail = np.concatenate([data, np.zeros(8 * count, np.uint8)])
        words[beyond] = np.stack(load_words(tail, starts[beyond], count), axis=1)
    return [words[:, index] for index in range(count)]


def field_words(data: Bytes, starts: Ints, lengths: NDArray[np.integer]) -> list[Words]:
    """Return the first bytes of each field as words, with zeros behind its end."""
    words = load_words(data, starts, word_count(lengths))
    for word, used in zip(words, _used_bytes(lengths, len(words)), strict=True):
        if used is not _WHOLE_WORD:
            word &= used
    return words


def _used_bytes(lengths: NDArray[np.integer], count: int) -> list[Words | np.uint64]:
    """Return masks of the bytes that each of `count` words has in common with its field."""
    shortest = int(lengths.min()) if len(lengths) else 0
    same_length = bool(len(lengths)) and shortest == int(lengths.max())
    masks: list[Words | np.uint64] = []
    for index in range(count):
        if same_length or shortest >= 8 * (index + 1):
            used = shortest - 8 * index
            masks.append(_LOW_BYTES[used] if used < 8 else _WHOLE_WORD)
        else:
            masks.append(_LOW_BYTES[np.minimum(np.maximum(lengths - 8 * index, 0), 8)])
    return masks


def mix(key: Words) -> Words:
    """Spread what distinguishes keys over all their bits (the finaliser of SplitMix64)."""
    with np.errstate(over="ignore"):
        key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return key ^ (key >> np.uint64(31))


def _multipliers(count: int) -> Words:
    return mix(np.arange(1, count + 1, dtype=np.uint64)) | np.uint64(1)


def is_long(lengths: NDArray[np.integer]) -> Ints:
    """Return which fields have bytes behind their words."""
    return np.flatnonzero(lengths > 8 * MOST_WORDS)


def keys_of(data: Bytes, starts: Ints, lengths: NDArray[np.integer]) -> Words:
    """Return a 64-bit key for each field; equal bytes give equal keys."""
    words = field_words(data, starts, lengths)
    factors = _multipliers(len(words))
    key = words[0] * factors[0]
    for word, factor in zip(words[1:], factors[1:], strict=True):
        key += word * factor
    key ^= key >> np.uint64(29)
    key *= np.uint64(0xBF58476D1CE4E5B9)
    key ^= key >> np.uint64(32)
    for row in is_long(lengths):
        key[row] = _digest(data[starts[row] : starts[row] + lengths[row]].tobytes())
    return key


def _digest(field: bytes) -> int:
    from hashlib import blake2b  # takes a while to import, and few ids are so long

    return int.from_bytes(blake2b(field, digest_size=8).digest(), "little")


@dataclass(frozen=True, eq=False)
class Ids:
    """Ids as byte ranges `data[start : start + length]`, each with its key."""

    data: Bytes
    starts: Ints
    lengths: NDArray[np.int32]
    keys: Words

    def __len__(self) -> int:
        return len(self.starts)

    def take(self, rows: Ints) -> "Ids":
        """Return the ids of some rows."""
        return Ids(self.data, self.starts[rows], self.lengths[rows], self.keys[rows])

    @cached_property
    def packed(self) -> list[Words]:
        """The words of all ids, each column on its own, for ids that are compared often."""
        return [np.ascontiguousarray(word) for word in self.words()]

    def equal(self, rows: Ints, other: "Ids", other_rows: Ints) -> Bools:
        """Compare the ids of some rows with those of rows of another column, by their bytes."""
        lengths = self.lengths[rows]
        same: Bools = lengths == other.lengths[other_rows]
        mine = field_words(self.data, self.starts[rows], lengths)
        for left, right in zip(mine, other.packed, strict=False):  # lengths settle the rest
            same &= left == right[other_rows]
        for row in is_long(lengths):
            same[row] &= self.bytes_at(rows[row]) == other.bytes_at(other_rows[row])
        return same

    def bytes_at(self, row: int | np.integer) -> bytes:
        """Return the bytes of an id."""
        return self.data[self.starts[row] : self.starts[row] + self.lengths[row]].tobytes()

    def words(self) -> list[Words]:
        """Return the first bytes of the ids as words, with zeros behind their ends."""
        return field_words(self.data, self.starts, self.lengths)

    def sort_words(self) -> list[Words]:
        """Return words whose order, first word first, is the order of the ids as bytes."""
        if not len(is_long(self.lengths)):
            return [word.byteswap() for word in self.words()]
        order = sorted(range(len(self)), key=self.bytes_at)
        place = np.empty(len(self), np.uint64)
        place[order] = np.arange(len(self), dtype=np.uint64)
        return [place]

    def to_list(self) -> list[str]:
        """Return the ids as strings."""
        if not len(self):
            return []
        ends = self.starts + self.lengths
        first, last = int(self.starts.min()), int(ends.max())
        region = self.data[first:last].tobytes()
        begin, end = (self.starts - first).tolist(), (ends - first).tolist()
        if region.isascii():
            text = region.decode("ascii")
            return [text[a:b] for a, b in zip(begin, end, strict=True)]
        return [region[a:b].decode("utf-8") for a, b in zip(begin, end, strict=True)]

    @staticmethod
    def of(data: Bytes, starts: Ints, lengths: NDArray[np.int32]) -> "Ids":
        """Make a column of byte ranges, computing the keys."""
        return Ids(data, starts, lengths, keys_of(data, starts, lengths))

    @staticmethod
    def from_strings(strings: Iterable[str]) -> "Ids":
        """Make a column of Python strings."""
        encoded = [string.encode("utf-8") for string in strings]
        lengths = np.fromiter(map(len, encoded), np.int32, len(encoded))
        starts = np.cumsum(lengths, dtype=np.int64) - lengths
        return Ids.of(text_from_bytes("ids", b"".join(encoded)).data, starts, lengths)

    @staticmethod
    def concatenate(parts: Sequence["Ids"]) -> "Ids":
        """Join columns that lie in the same data."""
        if len(parts) == 1:
            return parts[0]
        return Ids(
            parts[0].data,
            np.concatenate([part.starts for part in parts]),
            np.concatenate([part.lengths for part in parts]),
            np.concatenate([part.keys for part in parts]),
        )
