"""What a list earns between one free document and the next, given how many are relevant.

Ranks t = 1..N of a list fall into blocks: t is in block y if y documents of a grid stand at t or
above. With discounts d(t) that do not rise, and w_t = d(t) - d(t + 1), w_N = d(N):

precisions    Σ_n d(n) [r_n relevant] c_n = Σ_t w_t c_t (c_t + 1) / 2, where c_t counts the relevant
              documents at rank t or above. If x of the first y documents of the grid are relevant,
              block y earns Σ_t w_t (k_t + x) (k_t + x + 1) / 2, where k_t counts the known ones.
satisfaction  ERR = Σ_t w_t (1 - Q_t), where Q_t is the chance that nothing down to t has satisfied.
              If x are of the highest level, block y earns Σ_t w_t (1 - q_t s^x): q_t is the chance
              that no known document has satisfied, 1 - s that one of the highest level does.

Returned is earned[y, x] for x <= y, packed: row y begins at y (y + 1) / 2.
"""

from libc.stdint cimport int64_t

import numpy as np


cdef double weight(const double[::1] discount, Py_ssize_t t) noexcept nogil:
    """Return w_(t + 1)."""
    return discount[t] - (discount[t + 1] if t + 1 < discount.shape[0] else 0.0)


cdef void count_known(
    const int64_t[::1] rank, const int64_t[::1] level, int64_t least, int64_t[::1] known
) noexcept nogil:
    """Store how many documents of at least a level stand at each rank or above."""
    cdef Py_ssize_t d, t
    for t in range(known.shape[0]):
        known[t] = 0
    for d in range(rank.shape[0]):
        if rank[d] and level[d] >= least:
            known[rank[d] - 1] += 1
    for t in range(1, known.shape[0]):
        known[t] += known[t - 1]


cdef void add_precisions(
    const int64_t[::1] grid,
    const double[::1] discount,
    double share,
    const int64_t[::1] known,
    double[:, ::1] terms,
) noexcept nogil:
    """Add the terms of 1, x and x² to those of each block."""
    cdef Py_ssize_t t, y = 0
    cdef double w, k
    for t in range(discount.shape[0]):
        if y < grid.shape[0] and grid[y] == t + 1:
            y += 1
        w, k = share * weight(discount, t), known[t]
        terms[y, 0] += w * (k * (k + 1) / 2)
        terms[y, 1] += w * (k + 0.5)
        terms[y, 2] += w * 0.5


def earn_precisions(
    const int64_t[::1] rank,
    const int64_t[::1] level,
    const int64_t[::1] grid,
    const double[::1] discount,
    const int64_t[::1] levels,
    const double[::1] shares,
):
    """Return what blocks earn by precisions, summed over levels from which on a document counts.

    Parameters
    ----------
    rank, level
        The rank of each document in the list, from 1, or 0; and its level, below 0 if it is free.
    grid
        The ranks of the documents of the grid, ascending.
    discount
        d(1)..d(N).
    levels, shares
        Documents of at least levels[j] count with weight shares[j]. Documents of the grid count at
        all of these levels or at none.
    """
    cdef Py_ssize_t j, x, y, blocks = grid.shape[0] + 1
    cdef int64_t[::1] known = np.empty(discount.shape[0], np.int64)
    cdef double[:, ::1] terms = np.zeros((blocks, 3))
    earned = np.empty(blocks * (blocks + 1) // 2)
    cdef double[::1] table = earned
    with nogil:
        for j in range(levels.shape[0]):
            count_known(rank, level, levels[j], known)
            add_precisions(grid, discount, shares[j], known, terms)
        for y in range(blocks):
            for x in range(y + 1):
                table[y * (y + 1) // 2 + x] = terms[y, 0] + (terms[y, 1] + terms[y, 2] * x) * x
    return earned


def earn_satisfaction(
    const int64_t[::1] rank,
    const int64_t[::1] level,
    const int64_t[::1] grid,
    const double[::1] discount,
    const double[::1] satisfied,
):
    """Return what blocks earn by having satisfied; documents of level i do so with satisfied[i].

    `satisfied` begins with level 0, which has 0; see `earn_precisions` for the other parameters.
    """
    cdef Py_ssize_t d, t, x, y, blocks = grid.shape[0] + 1
    cdef double unsatisfied = 1.0, stays = 1.0 - satisfied[satisfied.shape[0] - 1], power
    cdef double[::1] stay = np.ones(discount.shape[0])
    cdef double[:, ::1] terms = np.zeros((blocks, 2))
    earned = np.empty(blocks * (blocks + 1) // 2)
    cdef double[::1] table = earned
    with nogil:
        for d in range(rank.shape[0]):
            if rank[d] and level[d] > 0:
                stay[rank[d] - 1] = 1.0 - satisfied[level[d]]
        y = 0
        for t in range(discount.shape[0]):
            if y < grid.shape[0] and grid[y] == t + 1:
                y += 1
            unsatisfied *= stay[t]
            terms[y, 0] += weight(discount, t)
            terms[y, 1] += weight(discount, t) * unsatisfied
        for y in range(blocks):
            power = 1.0
            for x in range(y + 1):
                table[y * (y + 1) // 2 + x] = terms[y, 0] - terms[y, 1] * power
                power *= stays
    return earned
