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


def find_blank(const uint8_t[::1] data, const int64_t[::1] offsets):
    """Return the first id that may be blank: all its bytes are white space or not ASCII; or -1."""
    cdef Py_ssize_t i, at, rows = len(offsets) - 1
    cdef bint blank
    cdef Py_ssize_t found = -1
    with nogil:
        for i in range(rows):
            blank = True
            for at in range(offsets[i], offsets[i + 1]):
                if 32 < data[at] < 128:
                    blank = False
                    break
            if blank:
                found = i
                break
    return found
