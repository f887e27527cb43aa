"""Documents in the order of majorities: Condorcet-fuse.

A run votes for the document of two that it ranks higher; document a beats b if the runs that vote
for a weigh more than those that vote for b. Majorities may run in circles, so that no order agrees
with all of them. A merge sort gives one in which no document is beaten by the next: when x is taken
from one half and y, from the other half, comes next, then x and y have just been compared.
"""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

import numpy as np

cdef double NOISE = 1e-12  # of the total weight: less is the rounding error of a tie


cdef inline double lead(
    const int32_t* x, const int32_t* y, const double[::1] weights
) noexcept nogil:
    """Return by how much the votes for x outweigh those for y."""
    cdef Py_ssize_t run
    cdef double votes = 0.0
    for run in range(weights.shape[0]):
        if x[run] != y[run]:
            votes += weights[run] if x[run] < y[run] else -weights[run]
    return votes


cdef void sort_list(
    const int32_t[:, ::1] ranks,
    const double[::1] weights,
    double tied,
    int64_t* order,
    int64_t* room,
    int64_t count,
) noexcept nogil:
    """Sort the documents of one topic, bottom up; without a majority, they keep their order."""
    cdef int64_t width = 1, low, middle, high, left, right, i
    while width < count:
        low = 0
        while low < count:
            middle, high = min(low + width, count), min(low + 2 * width, count)
            left, right = low, middle
            for i in range(low, high):
                if left < middle and (
                    right == high
                    or lead(&ranks[order[left], 0], &ranks[order[right], 0], weights) >= -tied
                ):
                    room[i] = order[left]
                    left += 1
                else:
                    room[i] = order[right]
                    right += 1
            low = high
        memcpy(order, room, count * sizeof(int64_t))
        width *= 2


def order_by_majority(
    const int32_t[:, ::1] ranks,
    const double[::1] weights,
    const int64_t[::1] offsets,
    const int64_t[::1] start,
):
    """Return the documents of every topic, best first.

    ranks[d, r] is the rank of document d in run r, or a number greater than all ranks where r does
    not retrieve it; weights[r] is what the vote of r counts. start[offsets[t]:offsets[t + 1]] are the
    documents of topic t in the order that they keep where there is no majority.
    """
    cdef Py_ssize_t topic
    cdef double tied = NOISE * np.sum(weights)
    ordered = np.array(start, np.int64)
    cdef int64_t[::1] order = ordered
    cdef int64_t[::1] room = np.empty(max(1, len(ordered)), np.int64)
    if ranks.shape[0] == 0 or ranks.shape[1] == 0:
        return ordered
    with nogil:
        for topic in range(offsets.shape[0] - 1):
            if offsets[topic + 1] > offsets[topic]:
                sort_list(
                    ranks,
                    weights,
                    tied,
                    &order[offsets[topic]],
                    &room[0],
                    offsets[topic + 1] - offsets[topic],
                )
    return ordered
