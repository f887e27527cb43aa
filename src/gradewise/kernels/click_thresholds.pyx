"""Users who draw the line between relevant and not at different grades: one step of EM.

A list is shown to a user who draws the line at level k with chance g_k. Documents of level k and
above are acceptable to the user, others are not. What is expected of a list under each k is weighed
by the chance of k given the clicks, w_k = g_k L_k / Σ g L.
"""

from libc.math cimport exp, log
from libc.stdint cimport int32_t, int64_t, uint8_t

import numpy as np


cdef double weigh(double* chance, const double[::1] g, Py_ssize_t levels) noexcept nogil:
    """Turn log-likelihoods under each threshold into chances; return that of the list."""
    cdef Py_ssize_t k
    cdef double largest = chance[0], total = 0.0
    for k in range(1, levels):
        largest = max(largest, chance[k])
    for k in range(levels):
        chance[k] = g[k] * exp(chance[k] - largest)
        total += chance[k]
    for k in range(levels):
        chance[k] = chance[k] / total
    return largest + log(total)


def expect_by_position(
    const int64_t[::1] offsets,
    const int32_t[::1] rank,
    const int32_t[::1] level,
    const uint8_t[::1] click,
    const double[::1] weight,
    const double[::1] g,
    const double[::1] seen,
    double others,
    double[::1] thresholds,
    double[::1] rows,
    double[::1] looks,
    double[::1] sums,
):
    """Add what is expected if rank r is examined with chance seen[r], whatever else is clicked.

    An examined document is clicked if it is acceptable, else with chance `others`. Adds to
    thresholds[k - 1] the lists of users with threshold k, to rows[r] and looks[r] how often rank r
    was shown and examined, and to sums[0] and sums[1] the clicks on documents that are not
    acceptable, and how often these were examined. List l counts weight[l] times. Returns the
    log-likelihood.
    """
    cdef Py_ssize_t listed, row, r, k, j, levels = g.shape[0]
    cdef double likelihood = 0.0, times, accepted, unseen
    if len(rank) != len(level) or len(rank) != len(click) or len(thresholds) != levels:
        raise ValueError("columns do not fit")
    if len(offsets) != len(weight) + 1 or offsets[len(weight)] != len(rank):
        raise ValueError("offsets and rows do not fit")
    if len(rank) and (np.min(rank) < 0 or np.max(rank) >= min(len(seen), len(rows), len(looks))):
        raise ValueError("ranks and chances do not fit")
    if len(level) and (np.min(level) < 0 or np.max(level) > levels):
        raise ValueError("levels and thresholds do not fit")
    cdef double[:, ::1] high = np.empty((len(seen), 2)), low = np.empty((len(seen), 2))
    cdef double[::1] chance = np.empty(levels), above = np.empty(levels + 1)
    cdef double[::1] below = np.empty(levels + 1)
    with nogil:
        for r in range(seen.shape[0]):
            high[r, 0], high[r, 1] = log(1.0 - seen[r]), log(seen[r])
            low[r, 0], low[r, 1] = log(1.0 - seen[r] * others), log(seen[r] * others)
        for listed in range(weight.shape[0]):
            times = weight[listed]
            if times == 0.0:
                continue
            for j in range(levels + 1):
                above[j] = below[j] = 0.0
            for row in range(offsets[listed], offsets[listed + 1]):
                above[level[row]] += high[rank[row], click[row]]
                below[level[row]] += low[rank[row], click[row]]
            for k in range(levels):  # threshold k + 1
                chance[k] = 0.0
                for j in range(levels + 1):
                    chance[k] += above[j] if j > k else below[j]
            likelihood += times * weigh(&chance[0], g, levels)
            above[0] = 0.0  # from here on: the chance that a level is acceptable
            for k in range(levels):
                above[k + 1] = above[k] + chance[k]
                thresholds[k] += times * chance[k]
            for row in range(offsets[listed], offsets[listed + 1]):
                r = rank[row]
                accepted = above[level[row]]
                rows[r] += times
                if click[row]:
                    looks[r] += times
                    sums[0] += times * (1.0 - accepted)
                    sums[1] += times * (1.0 - accepted)
                else:
                    unseen = seen[r] * (1.0 - others) / (1.0 - seen[r] * others)
                    looks[r] += times * (1.0 - accepted) * unseen
                    sums[1] += times * (1.0 - accepted) * unseen
    return likelihood


cdef double walk(
    const int32_t* level,
    const uint8_t* click,
    Py_ssize_t size,
    Py_ssize_t lastly,
    Py_ssize_t k,
    const double* users,
    double* tails,
) noexcept nogil:
    """Return the log-likelihood of a list under threshold k; tails[n] is T(n) below the last click.

    users: chances to click what is acceptable, and what is not, to stop after a click on what is
    acceptable, and to go on.
    """
    cdef Py_ssize_t n
    cdef double found = 0.0, p, z
    tails[size] = 1.0
    for n in range(size - 1, lastly, -1):
        p = users[0] if level[n] >= k else users[1]
        z = 1.0 - users[3] + users[3] * tails[n + 1] if n + 1 < size else 1.0
        tails[n] = (1.0 - p) * z
    for n in range(lastly + 1):
        p = users[0] if level[n] >= k else users[1]
        found += log(p) if click[n] else log(1.0 - p)
        if n < lastly:
            found += log(users[3])
            if click[n] and level[n] >= k:
                found += log(1.0 - users[2])
    if lastly < 0:
        return log(tails[0])
    z = 1.0 - users[3] + users[3] * tails[lastly + 1] if lastly + 1 < size else 1.0
    if level[lastly] >= k:
        z = users[2] + (1.0 - users[2]) * z
    return found + log(z)


cdef void count(
    const int32_t* level,
    const uint8_t* click,
    Py_ssize_t size,
    Py_ssize_t lastly,
    Py_ssize_t k,
    const double* users,
    const double* tails,
    double times,
    double* sums,
) noexcept nogil:
    """Add what is expected under threshold k: successes and trials of each of the users' chances."""
    cdef Py_ssize_t n, kind
    cdef double e = 1.0, z, whole
    for n in range(size):
        kind = 0 if level[n] >= k else 1
        sums[2 * kind] += times * click[n]
        sums[2 * kind + 1] += times * e
        if n < lastly:
            sums[6] += times
            sums[7] += times
            if click[n] and kind == 0:
                sums[5] += times
            continue
        z = 1.0 - users[3] + users[3] * tails[n + 1] if n + 1 < size else 1.0
        whole = z
        if n == lastly and kind == 0:
            whole = users[2] + (1.0 - users[2]) * z
            sums[4] += times * users[2] / whole
            sums[5] += times
            z = (1.0 - users[2]) * z  # the user goes on to choose
        if n + 1 < size:
            sums[7] += times * e * z / whole
            if n == lastly and kind == 0:
                e = e * (1.0 - users[2]) * users[3] * tails[n + 1] / whole
            else:
                e = e * users[3] * tails[n + 1] / whole
            sums[6] += times * e


def expect_by_cascade(
    const int64_t[::1] offsets,
    const int32_t[::1] level,
    const uint8_t[::1] click,
    const double[::1] weight,
    const double[::1] g,
    const double[::1] users,
    double[::1] thresholds,
    double[::1] sums,
):
    """Add what is expected of users who go down the list and may stop after a click.

    users: the chances to click what is acceptable, to click what is not, to stop after a click on
    what is acceptable, and otherwise to go on to the next document. sums[2i] and sums[2i + 1] count
    successes and trials of chance i. List l counts weight[l] times, from its first rank on. Returns
    the log-likelihood.
    """
    cdef Py_ssize_t listed, n, k, low, size, lastly, longest = 0, levels = g.shape[0]
    cdef double likelihood = 0.0
    if len(level) != len(click) or len(thresholds) != levels:
        raise ValueError("columns do not fit")
    if len(offsets) != len(weight) + 1 or offsets[len(weight)] != len(level):
        raise ValueError("offsets and rows do not fit")
    if len(users) != 4 or len(sums) != 8:
        raise ValueError("users and sums do not fit")
    for listed in range(len(weight)):
        longest = max(longest, offsets[listed + 1] - offsets[listed])
    cdef double[:, ::1] tails = np.empty((levels, longest + 1))
    cdef double[::1] chance = np.empty(levels)
    with nogil:
        for listed in range(weight.shape[0]):
            low = offsets[listed]
            size = offsets[listed + 1] - low
            if weight[listed] == 0.0 or size == 0:
                continue
            lastly = -1
            for n in range(size):
                if click[low + n]:
                    lastly = n
            for k in range(levels):
                chance[k] = walk(
                    &level[low], &click[low], size, lastly, k + 1, &users[0], &tails[k, 0]
                )
            likelihood += weight[listed] * weigh(&chance[0], g, levels)
            for k in range(levels):
                thresholds[k] += weight[listed] * chance[k]
                count(
                    &level[low],
                    &click[low],
                    size,
                    lastly,
                    k + 1,
                    &users[0],
                    &tails[k, 0],
                    weight[listed] * chance[k],
                    &sums[0],
                )
    return likelihood
