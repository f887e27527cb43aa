"""Chances of clicks of users whose examination depends on the last click above.

P(click at rank r | last click at rank l) = a · e(r, l), with l = 0 if there is none (Dupret and
Piwowarski 2008). The chance of a click by itself sums over where the last click may have been:
Q(l) is the chance that it was at l; a row at rank r multiplies every Q(l) by 1 - a e(r, l), and Q(r)
becomes the chance of a click at r.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t

import numpy as np


def last_clicks(
    const int64_t[::1] offsets, const int32_t[::1] rank, const uint8_t[::1] click
):
    """Return, for each row, the rank of the last click above it in its list; 0 if there is none."""
    cdef Py_ssize_t listed, row
    cdef int32_t before
    if len(rank) != len(click) or len(offsets) == 0 or offsets[len(offsets) - 1] != len(rank):
        raise ValueError("offsets and rows do not fit")
    result = np.zeros(len(rank), np.int32)
    cdef int32_t[::1] out = result
    with nogil:
        for listed in range(offsets.shape[0] - 1):
            before = 0
            for row in range(offsets[listed], offsets[listed + 1]):
                out[row] = before
                if click[row]:
                    before = rank[row]
    return result


def browsing_chances(
    const int64_t[::1] offsets,
    const int32_t[::1] rank,
    const double[::1] appeal,
    const double[:, ::1] seen,
):
    """Return the chance of a click for each row by itself; seen[r, l] is e(r, l)."""
    cdef Py_ssize_t listed, row, before, low
    cdef double chance, one
    if len(rank) != len(appeal) or len(offsets) == 0 or offsets[len(offsets) - 1] != len(rank):
        raise ValueError("offsets and rows do not fit")
    if len(rank) and (np.min(rank) < 1 or np.max(rank) >= min(seen.shape[0], seen.shape[1])):
        raise ValueError("ranks and seen do not fit")
    result = np.empty(len(rank))
    cdef double[::1] out = result
    cdef double[::1] last = np.zeros(seen.shape[1])
    with nogil:
        for listed in range(offsets.shape[0] - 1):
            low = offsets[listed]
            last[0] = 1.0
            for row in range(low, offsets[listed + 1]):
                last[rank[row]] = 0.0
            for row in range(low, offsets[listed + 1]):
                one = appeal[row] * seen[rank[row], 0]
                chance = last[0] * one
                last[0] = last[0] * (1.0 - one)
                for before in range(low, row):
                    one = appeal[row] * seen[rank[row], rank[before]]
                    chance = chance + last[rank[before]] * one
                    last[rank[before]] = last[rank[before]] * (1.0 - one)
                last[rank[row]] = chance
                out[row] = chance
    return result
