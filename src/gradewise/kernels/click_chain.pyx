"""Users who go down a list: one step of EM, and chances of clicks.

A user examines the first document, clicks an examined document with the chance a of its appeal, is
satisfied by a click with chance s, and leaves if satisfied; otherwise the user goes on to the next
document with chance `go_on` (Chapelle and Zhang 2009). All documents down to the last click l have
been examined. Below it, T(r) = (1 - a_r) (1 - go_on + go_on T(r + 1)) is the chance of no more clicks
if r is examined, with 1 in place of T below the end of the list.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t

import numpy as np


cdef inline double beyond(double go_on, double tail) noexcept nogil:
    """Return the chance of no more clicks for a user who is not satisfied."""
    return 1.0 - go_on + go_on * tail


def expect_chain(
    const int64_t[::1] offsets,
    const int32_t[::1] pair,
    const uint8_t[::1] click,
    const double[::1] appeal,
    const double[::1] satisfaction,
    double go_on,
    Py_ssize_t first,
    Py_ssize_t last,
    double[::1] seen,
    double[::1] satisfied,
    double[::1] went_on,
):
    """Add what is expected in lists first..last to `seen` and `satisfied`, of pairs, and `went_on`.

    Rows offsets[l]:offsets[l + 1] are list l, from its first rank on. went_on[0] counts how often a
    user who was not satisfied could go on, went_on[1] how often one did.
    """
    cdef Py_ssize_t listed, row, low, high, end, lastly, longest = 0
    cdef double e, s, z, tail, follows
    if not 0 <= first <= last < len(offsets) or offsets[last] > len(pair):
        raise ValueError("offsets and rows do not fit")
    if len(pair) != len(click) or len(appeal) != len(satisfaction):
        raise ValueError("columns do not fit")
    for listed in range(first, last):
        longest = max(longest, offsets[listed + 1] - offsets[listed])
    cdef double[::1] tails = np.ones(longest + 1)
    with nogil:
        for listed in range(first, last):
            low = offsets[listed]
            high = offsets[listed + 1]
            lastly = low - 1
            for row in range(low, high):
                if click[row]:
                    lastly = row
            tails[high - low] = 1.0
            for row in range(high - 1, lastly, -1):
                follows = tails[row - low + 1] if row + 1 < high else 1.0
                z = beyond(go_on, follows) if row + 1 < high else 1.0
                tails[row - low] = (1.0 - appeal[pair[row]]) * z
            for row in range(low, lastly):  # examined, and the user went on
                seen[pair[row]] += 1.0
                went_on[0] += 1.0
                went_on[1] += 1.0
            if high == low:
                continue
            e = 1.0
            if lastly >= low:
                s = satisfaction[pair[lastly]]
                end = lastly + 1
                tail = tails[end - low] if end < high else 1.0
                z = beyond(go_on, tail) if end < high else 1.0
                seen[pair[lastly]] += 1.0
                satisfied[pair[lastly]] += s / (s + (1.0 - s) * z)
                e = (1.0 - s) * go_on * tail / (s + (1.0 - s) * z)
                if end < high:
                    went_on[0] += (1.0 - s) * z / (s + (1.0 - s) * z)
                    went_on[1] += e
            for row in range(lastly + 1, high):
                seen[pair[row]] += e
                if row + 1 < high:
                    tail = tails[row - low + 1]
                    went_on[0] += e
                    e = e * go_on * tail / beyond(go_on, tail)
                    went_on[1] += e


def chain_chances(
    const int64_t[::1] offsets,
    const uint8_t[::1] click,
    const double[::1] appeal,
    const double[::1] satisfaction,
    double go_on,
):
    """Return the chance of a click for each row: of itself, and given the clicks above it."""
    cdef Py_ssize_t listed, row
    cdef double e, f, a
    if len(click) != len(appeal) or len(click) != len(satisfaction):
        raise ValueError("columns do not fit")
    if len(offsets) == 0 or offsets[len(offsets) - 1] != len(click):
        raise ValueError("offsets and rows do not fit")
    alone, given = np.empty(len(click)), np.empty(len(click))
    cdef double[::1] alone_out = alone, given_out = given
    with nogil:
        for listed in range(offsets.shape[0] - 1):
            e = 1.0
            f = 1.0
            for row in range(offsets[listed], offsets[listed + 1]):
                a = appeal[row]
                alone_out[row] = e * a
                given_out[row] = f * a
                e = e * go_on * (1.0 - a * satisfaction[row])
                if click[row]:
                    f = go_on * (1.0 - satisfaction[row])
                elif f * a < 1.0:
                    f = go_on * f * (1.0 - a) / (1.0 - f * a)
                else:
                    f = 0.0
    return alone, given
