"""Other forms of a column of ids: Arrow's string views, and whole numbers.

A string view has 16 bytes: the length (4 bytes), then up to 12 bytes of text, or, if it is longer,
its first 4 bytes, the number of a buffer and a position in it (4 bytes each).
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

import numpy as np

cdef enum:
    VIEW = 16
    INLINE = 12
    MOST_DIGITS = 20


def from_views(
    const uint8_t[::1] views, const uint64_t[::1] addresses, const int64_t[::1] sizes
):
    """Return the column (data, offsets) of string views.

    `addresses[b]` says where buffer b of `sizes[b]` bytes lies in memory.
    """
    cdef Py_ssize_t i, rows = len(views) // VIEW, buffers = len(addresses)
    cdef int32_t[4] view
    cdef int64_t total = 0
    cdef const uint8_t* text
    if len(sizes) != buffers:
        raise ValueError("addresses and sizes do not fit")
    offsets = np.zeros(rows + 1, np.int64)
    cdef int64_t[::1] ends = offsets
    with nogil:
        for i in range(rows):
            memcpy(view, &views[VIEW * i], VIEW)
            if view[0] < 0 or (
                view[0] > INLINE
                and not (
                    0 <= view[2] < buffers
                    and view[3] >= 0
                    and <int64_t>view[3] + view[0] <= sizes[view[2]]
                )
            ):
                with gil:
                    raise ValueError(f"string {i} lies outside its buffer")
            total += view[0]
            ends[i + 1] = total
    data = np.empty(total, np.uint8)
    cdef uint8_t[::1] out = data
    with nogil:
        for i in range(rows):
            memcpy(view, &views[VIEW * i], VIEW)
            if view[0] == 0:
                continue
            if view[0] <= INLINE:
                text = &views[VIEW * i + 4]
            else:
                text = <const uint8_t*><size_t>addresses[view[2]] + view[3]
            memcpy(&out[ends[i]], text, <size_t>view[0])
    return data, offsets


def from_integers(const int64_t[::1] numbers, bint unsigned):
    """Return the column (data, offsets) of whole numbers as text."""
    cdef Py_ssize_t i, rows = len(numbers)
    cdef uint64_t rest
    cdef int64_t at
    cdef int digits
    cdef uint8_t[MOST_DIGITS + 1] text
    data, offsets = np.empty(rows * (MOST_DIGITS + 1), np.uint8), np.zeros(rows + 1, np.int64)
    cdef uint8_t[::1] out = data
    cdef int64_t[::1] ends = offsets
    with nogil:
        for i in range(rows):
            rest = <uint64_t>numbers[i]
            if numbers[i] < 0 and not unsigned:
                rest = 0 - rest
            digits = 0
            while rest or not digits:
                text[MOST_DIGITS - digits] = <uint8_t>(c'0' + rest % 10)
                rest //= 10
                digits += 1
            if numbers[i] < 0 and not unsigned:
                text[MOST_DIGITS - digits] = c'-'
                digits += 1
            at = ends[i]
            memcpy(&out[at], &text[MOST_DIGITS + 1 - digits], <size_t>digits)
            ends[i + 1] = at + digits
    return data[: offsets[rows]], offsets


cdef int space_at(const uint8_t[::1] data, int64_t at, int64_t end) noexcept nogil:
    """Return how many bytes a white space character has that begins at a position; 0 if none does.

    These are the characters that Unicode calls white space, in UTF-8.
    """
    cdef uint8_t first = data[at], second, third
    if first < 128:
        return 1 if first == 32 or 9 <= first <= 13 or 28 <= first <= 31 else 0
    second = data[at + 1] if at + 1 < end else 0
    if first == 0xC2:  # U+0085, U+00A0
        return 2 if second == 0x85 or second == 0xA0 else 0
    third = data[at + 2] if at + 2 < end else 0
    if first == 0xE2 and second == 0x80:  # U+2000 to U+200A, U+2028, U+2029, U+202F
        return 3 if 0x80 <= third <= 0x8A or 0xA8 <= third <= 0xA9 or third == 0xAF else 0
    if (
        (first == 0xE1 and second == 0x9A and third == 0x80)  # U+1680
        or (first == 0xE2 and second == 0x81 and third == 0x9F)  # U+205F
        or (first == 0xE3 and second == 0x80 and third == 0x80)  # U+3000
    ):
        return 3
    return 0


def find_blank(const uint8_t[::1] data, const int64_t[::1] offsets):
    """Return the first id that holds nothing but white space; -1 if there is none."""
    cdef Py_ssize_t i, rows = len(offsets) - 1, found = -1
    cdef int64_t at
    cdef int width
    if rows and (offsets[0] < 0 or offsets[rows] > len(data)):
        raise ValueError("offsets lie outside the data")
    with nogil:
        for i in range(rows):
            at = offsets[i]
            while at < offsets[i + 1]:
                width = space_at(data, at, offsets[i + 1])
                if width == 0:
                    break
                at += width
            else:
                found = i
                break
    return found
