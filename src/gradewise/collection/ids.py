"""A column of ids, kept as bytes in Arrow's layout."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Bytes, Ints
from gradewise.kernels import ids


@dataclass(frozen=True, eq=False)
class Ids:
    """Id i is `data[offsets[i] : offsets[i + 1]]`, in UTF-8."""

    data: Bytes
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> Ints:
        """How many bytes each id has."""
        return np.diff(self.offsets)

    def take(self, rows: Ints) -> "Ids":
        """Return the ids of some rows."""
        return Ids(*ids.take_ids(self.data, self.offsets, rows.astype(np.int64, copy=False)))

    def part(self, low: int, high: int) -> "Ids":
        """Return the ids of neighboring rows, in the same memory."""
        return Ids(self.data, self.offsets[low : high + 1])

    def copied(self) -> "Ids":
        """Return the ids in memory of their own, which begins with the first of them."""
        first, last = self.offsets[0], self.offsets[-1]
        return Ids(self.data[first:last].copy(), self.offsets - first)

    def to_list(self) -> list[str]:
        """Return the ids as strings."""
        if not len(self):
            return []
        first, last = int(self.offsets[0]), int(self.offsets[-1])
        region, ends = self.data[first:last].tobytes(), (self.offsets - first).tolist()
        if region.isascii():
            text = region.decode("ascii")
            return [text[a:b] for a, b in itertools.pairwise(ends)]
        return [region[a:b].decode("utf-8") for a, b in itertools.pairwise(ends)]

    @staticmethod
    def from_strings(strings: Iterable[str]) -> "Ids":
        """Make a column of Python strings."""
        listed = list(strings)
        text = "".join(listed)
        if text.isascii():
            lengths, data = map(len, listed), text.encode("ascii")
        else:
            encoded = [string.encode("utf-8") for string in listed]
            lengths, data = map(len, encoded), b"".join(encoded)
        offsets = np.zeros(len(listed) + 1, np.int64)
        np.cumsum(np.fromiter(lengths, np.int64, len(listed)), out=offsets[1:])
        return Ids(np.frombuffer(data, np.uint8), offsets)

    @staticmethod
    def concatenate(parts: Sequence["Ids"]) -> "Ids":
        """Join columns."""
        if len(parts) == 1:
            return parts[0]
        sizes = [int(part.offsets[-1] - part.offsets[0]) for part in parts]
        data = np.empty(sum(sizes), np.uint8)
        offsets = np.zeros(sum(map(len, parts)) + 1, np.int64)
        row = place = 0
        for part, size in zip(parts, sizes, strict=True):
            first = int(part.offsets[0])
            data[place : place + size] = part.data[first : first + size]
            np.add(part.offsets[1:], place - first, out=offsets[row + 1 : row + len(part) + 1])
            row, place = row + len(part), place + size
        return Ids(data, offsets)
