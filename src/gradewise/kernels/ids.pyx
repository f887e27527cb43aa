"""Columns of ids: numbered in the order of their first appearance, copied, compared.

A column is a pair (data, offsets): id i is data[offsets[i]:offsets[i + 1]], as in Arrow.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

import os

import numpy as np

# Hashes differ from process to process, so that no file can be made whose ids all collide.
HASH_SEED = int.from_bytes(os.urandom(8), "little")


cdef uint8_t[1] NOTHING  # where columns without any byte lie


cdef Ids column(const uint8_t[::1] data, const int64_t[::1] offsets):
    """Return pointers to a column, after a look at its offsets."""
    cdef Ids ids
    cdef Py_ssize_t i
    if not len(offsets) or offsets[0] < 0 or offsets[len(offsets) - 1] > len(data):
        raise ValueError("offsets lie outside the data")
    with nogil:
        for i in range(offsets.shape[0] - 1):
            if offsets[i] > offsets[i + 1]:
                with gil:
                    raise ValueError("offsets descend")
    ids.data = &data[0] if len(data) else NOTHING
    ids.offsets = &offsets[0]
    return ids


def hash_ids(const uint8_t[::1] data, const int64_t[::1] offsets, uint64_t seed):
    """Return the hash of each id."""
    cdef Ids ids = column(data, offsets)
    cdef Py_ssize_t i, count = len(offsets) - 1
    hashes = np.empty(count, np.uint64)
    cdef uint64_t[::1] out = hashes
    with nogil:
        for i in range(count):
            out[i] = mix(text_of(&ids, i), length_of(&ids, i), seed)
    return hashes


def take_ids(const uint8_t[::1] data, const int64_t[::1] offsets, const int64_t[::1] rows):
    """Return the column (data, offsets) of some rows."""
    cdef Ids ids = column(data, offsets)
    cdef Py_ssize_t i, count = len(rows), known = len(offsets) - 1
    cdef int64_t total = 0
    new_offsets = np.empty(count + 1, np.int64)
    cdef int64_t[::1] ends = new_offsets
    ends[0] = 0
    with nogil:
        for i in range(count):
            if not 0 <= rows[i] < known:
                with gil:
                    raise IndexError(f"there is no row {rows[i]}")
            total += length_of(&ids, rows[i])
            ends[i + 1] = total
    new_data = np.empty(total, np.uint8)
    cdef uint8_t[::1] out = new_data
    with nogil:
        for i in range(count):
            if ends[i] < ends[i + 1]:
                memcpy(&out[ends[i]], text_of(&ids, rows[i]), <size_t>(ends[i + 1] - ends[i]))
    return new_data, new_offsets


def find_changes(const uint8_t[::1] data, const int64_t[::1] offsets):
    """Return the rows whose id is not that of the row before; the first row is one of them."""
    cdef Ids ids = column(data, offsets)
    cdef Py_ssize_t i, count = len(offsets) - 1, found = 0
    rows = np.empty(count, np.int64)
    cdef int64_t[::1] out = rows
    with nogil:
        for i in range(count):
            if i == 0 or not same(
                text_of(&ids, i), length_of(&ids, i), text_of(&ids, i - 1), length_of(&ids, i - 1)
            ):
                out[found] = i
                found += 1
    return rows[:found].copy()


cdef class Numbering:
    """Ids with a number each, from 0 on, in the order of their first appearance."""

    cdef readonly object data, offsets
    cdef object hashes, slots
    cdef readonly Py_ssize_t count

    def __init__(self):
        self.data = np.empty(0, np.uint8)
        self.offsets = np.zeros(1, np.int64)
        self.hashes = np.empty(0, np.uint64)
        self.slots = np.zeros(16, np.uint32)
        self.count = 0

    def __len__(self):
        return self.count

    def _make_room(self, Py_ssize_t ids, Py_ssize_t size):
        """Let so many more ids, of so many bytes, find a place."""
        cdef Py_ssize_t i, wanted = self.count + ids, used = self.offsets[self.count]
        cdef uint64_t at, mask
        if used + size > len(self.data):
            self.data = np.resize(self.data, 2 * used + size)
        if wanted > len(self.hashes):
            self.hashes = np.resize(self.hashes, wanted + self.count)
            self.offsets = np.resize(self.offsets, wanted + self.count + 1)
        if 2 * wanted <= len(self.slots):
            return
        self.slots = np.zeros(slot_mask(2 * wanted) + 1, np.uint32)
        cdef uint32_t[::1] slots = self.slots
        cdef const uint64_t[::1] hashes = self.hashes
        mask = <uint64_t>len(slots) - 1
        with nogil:
            for i in range(self.count):
                at = hashes[i] & mask
                while slots[at]:
                    at = (at + 1) & mask
                slots[at] = <uint32_t>(i + 1)

    def add(self, const uint8_t[::1] data, const int64_t[::1] offsets):
        """Return the number of each id; those that are new get the next numbers."""
        cdef Ids given = column(data, offsets)
        cdef Py_ssize_t i, rows = len(offsets) - 1
        cdef uint64_t place = 0, hash, mask, seed = HASH_SEED
        cdef int64_t index, length, count = self.count
        self._make_room(rows, offsets[rows] - offsets[0])
        numbers = np.empty(rows, np.int64)
        cdef int64_t[::1] out = numbers
        cdef uint8_t[::1] kept = self.data
        cdef int64_t[::1] ends = self.offsets
        cdef uint64_t[::1] hashes = self.hashes
        cdef uint32_t[::1] slots = self.slots
        cdef Ids known
        known.data = &kept[0] if len(kept) else NOTHING
        known.offsets = &ends[0]
        mask = <uint64_t>len(slots) - 1
        with nogil:
            for i in range(rows):
                length = length_of(&given, i)
                hash = mix(text_of(&given, i), length, seed)
                index = seek(
                    &slots[0], mask, &known, &hashes[0], 0, text_of(&given, i), length, hash, &place
                )
                if index < 0:
                    index = count
                    if length:
                        memcpy(&kept[ends[index]], text_of(&given, i), <size_t>length)
                    ends[index + 1] = ends[index] + length
                    hashes[index] = hash
                    slots[place] = <uint32_t>(index + 1)
                    count += 1
                out[i] = index
        self.count = count
        return numbers

    def find(self, const uint8_t[::1] data, const int64_t[::1] offsets):
        """Return the number of each id, -1 where it has none."""
        cdef Ids given = column(data, offsets)
        cdef Py_ssize_t i, rows = len(offsets) - 1
        cdef uint64_t place = 0, mask, seed = HASH_SEED
        cdef int64_t length
        numbers = np.full(rows, -1, np.int64)
        if self.count == 0:
            return numbers
        cdef int64_t[::1] out = numbers
        cdef const uint8_t[::1] kept = self.data
        cdef const int64_t[::1] ends = self.offsets
        cdef const uint64_t[::1] hashes = self.hashes
        cdef const uint32_t[::1] slots = self.slots
        cdef Ids known
        known.data = &kept[0] if len(kept) else NOTHING
        known.offsets = &ends[0]
        mask = <uint64_t>len(slots) - 1
        with nogil:
            for i in range(rows):
                length = length_of(&given, i)
                out[i] = seek(
                    &slots[0],
                    mask,
                    &known,
                    &hashes[0],
                    0,
                    text_of(&given, i),
                    length,
                    mix(text_of(&given, i), length, seed),
                    &place,
                )
        return numbers

    def column(self):
        """Return all ids by number, as a column."""
        ends = self.offsets[: self.count + 1]
        return self.data[: ends[self.count]], ends
