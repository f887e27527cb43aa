"""Lists by falling score, with equal scores in an order that is random and follows from a seed.

A list gets the same order in any process, thread and place among other lists; when the ranking of
its documents changes, equal scores come in another order. Random numbers are those of splitmix64
(Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
"""

from libc.stdint cimport int64_t, uint64_t

import numpy as np

cdef enum:
    RUN = 8  # documents that are sorted by insertion


cdef inline uint64_t mixed(uint64_t state) noexcept nogil:
    """Return the next number of splitmix64."""
    cdef uint64_t word = state + <uint64_t>0x9E3779B97F4A7C15
    word = (word ^ (word >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    word = (word ^ (word >> 27)) * <uint64_t>0x94D049BB133111EB
    return word ^ (word >> 31)


cdef void merge(
    const double[::1] scores,
    Py_ssize_t low,
    Py_ssize_t begin,
    Py_ssize_t middle,
    Py_ssize_t end,
    int64_t[::1] order,
    int64_t[::1] spare,
) noexcept nogil:
    """Merge order[begin:middle] and order[middle:end], each by falling score."""
    cdef Py_ssize_t n, left = begin, right = middle
    if scores[low + order[middle - 1]] >= scores[low + order[middle]]:
        return
    for n in range(begin, middle):
        spare[n] = order[n]
    n = begin
    while left < middle and right < end:
        if scores[low + spare[left]] >= scores[low + order[right]]:
            order[n] = spare[left]
            left += 1
        else:
            order[n] = order[right]
            right += 1
        n += 1
    while left < middle:
        order[n] = spare[left]
        left += 1
        n += 1


cdef void sort_by_score(
    const double[::1] scores,
    Py_ssize_t low,
    Py_ssize_t size,
    int64_t[::1] order,
    int64_t[::1] spare,
) noexcept nogil:
    """Fill `order` with positions in the list by falling score: a merge sort of short runs."""
    cdef Py_ssize_t begin = 0, n, hole, width = RUN
    cdef double score
    for n in range(size):
        if n == begin + RUN:
            begin = n
        score, hole = scores[low + n], n
        while hole > begin and scores[low + order[hole - 1]] < score:
            order[hole] = order[hole - 1]
            hole -= 1
        order[hole] = n
    while width < size:
        begin = 0
        while begin + width < size:
            merge(scores, low, begin, begin + width, min(begin + 2 * width, size), order, spare)
            begin += 2 * width
        width *= 2


cdef uint64_t state_of(
    const double[::1] scores,
    const int64_t[::1] levels,
    Py_ssize_t low,
    Py_ssize_t size,
    uint64_t seed,
    const int64_t[::1] order,
) noexcept nogil:
    """Return a random number that follows from the seed, the ranking with its ties, and levels.

    Scores themselves are left out: their last digits depend on the order of sums.
    """
    cdef uint64_t state = mixed(seed), row
    cdef Py_ssize_t n
    cdef bint tied
    for n in range(size):
        row = order[n]
        tied = n > 0 and scores[low + order[n]] == scores[low + order[n - 1]]
        state = mixed(
            state ^ (4 * row + 2 * <uint64_t>tied + 1) ^ (<uint64_t>levels[low + order[n]] << 32)
        )
    return state


cdef void order_list(
    const double[::1] scores,
    const int64_t[::1] levels,
    Py_ssize_t low,
    Py_ssize_t size,
    uint64_t seed,
    int64_t[::1] order,
    int64_t[::1] spare,
) noexcept nogil:
    """Fill order[:size] with positions in the list of rows low..low+size-1; `spare` is as long."""
    cdef Py_ssize_t n, place, begin = 0, other
    cdef uint64_t state = 0
    cdef int64_t kept
    sort_by_score(scores, low, size, order, spare)
    for n in range(1, size + 1):
        if n < size and scores[low + order[n]] == scores[low + order[begin]]:
            continue
        if n - begin > 1:
            if state == 0:
                state = state_of(scores, levels, low, size, seed, order)
            for place in range(n - 1, begin, -1):
                state = mixed(state)
                other = begin + <Py_ssize_t>(state % <uint64_t>(place - begin + 1))
                kept = order[place]
                order[place] = order[other]
                order[other] = kept
        begin = n


def order_lists(
    const double[::1] scores,
    const int64_t[::1] levels,
    const int64_t[::1] offsets,
    Py_ssize_t first,
    Py_ssize_t last,
    uint64_t seed,
    int64_t[::1] order,
):
    """Fill `order` with the rows of lists first..last-1 by rank.

    List q has rows offsets[q]:offsets[q + 1] of `scores`, `levels` and `order`.
    """
    cdef Py_ssize_t q, n, low, size, longest = 0
    for q in range(first, last):
        longest = max(longest, offsets[q + 1] - offsets[q])
    cdef int64_t[::1] places = np.empty(longest, np.int64)
    cdef int64_t[::1] spare = np.empty(longest, np.int64)
    with nogil:
        for q in range(first, last):
            low, size = offsets[q], offsets[q + 1] - offsets[q]
            order_list(scores, levels, low, size, seed, places, spare)
            for n in range(size):
                order[low + n] = low + places[n]
