"""A pivot measure of one list under many assignments of levels to its documents.

M = Σ_n d(n) Σ_{m<=n} K(r_n, r_m) = Σ_{i,j} A(i, j) K(i, j)

with A(i, j) = Σ d(n) c_j(n) over the ranks n that hold a document of level i = 1..c, and c_j(n) the
number of documents of level j = 1..c at rank n or above. K and d are those of the topic that an
assignment makes.
"""

from libc.stdint cimport int64_t

import numpy as np


cdef void fill_matrix(
    const int64_t[:, ::1] levels,
    Py_ssize_t a,
    const int64_t[::1] order,
    const double[:, ::1] discount,
    Py_ssize_t topic,
    int64_t[::1] above,
    double[:, ::1] matrix,
) noexcept nogil:
    """Store A for an assignment."""
    cdef Py_ssize_t n, i, j, c = above.shape[0]
    for j in range(c):
        above[j] = 0
        for i in range(c):
            matrix[i, j] = 0.0
    for n in range(order.shape[0]):
        i = levels[a, order[n]] - 1
        if i >= 0:
            above[i] += 1
            for j in range(c):
                matrix[i, j] += discount[topic, n] * above[j]


def score_pivots(
    const int64_t[:, ::1] levels,
    const int64_t[::1] order,
    const int64_t[::1] topic,
    const double[:, :, ::1] table,
    const double[:, ::1] discount,
):
    """Return the value of a list under each assignment.

    Parameters
    ----------
    levels
        levels[a, d] is the level of document d under assignment a; those of 0 and less add nothing.
    order
        The documents of the list by rank.
    topic
        The topic that each assignment makes.
    table, discount
        table[t, i, j] is K(i + 1, j + 1) and discount[t, n] is d(n + 1) for topic t.
    """
    cdef Py_ssize_t a, i, j, c = table.shape[1]
    cdef int64_t[::1] above = np.empty(c, np.int64)
    cdef double[:, ::1] matrix = np.empty((c, c))
    values = np.zeros(levels.shape[0])
    cdef double[::1] sums = values
    with nogil:
        for a in range(levels.shape[0]):
            fill_matrix(levels, a, order, discount, topic[a], above, matrix)
            for i in range(c):
                for j in range(c):
                    sums[a] += matrix[i, j] * table[topic[a], i, j]
    return values


def count_levels(const int64_t[:, ::1] levels, Py_ssize_t size):
    """Return how many documents have each level below a size under each assignment."""
    cdef Py_ssize_t a, d
    counts = np.zeros((levels.shape[0], size), np.int64)
    cdef int64_t[:, ::1] found = counts
    with nogil:
        for a in range(levels.shape[0]):
            for d in range(levels.shape[1]):
                if levels[a, d] >= 0:
                    found[a, levels[a, d]] += 1
    return counts
