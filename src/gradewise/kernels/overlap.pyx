"""Rank-biased overlap of one list with others, with ties and uneven lengths.

RBO = Σ_d w_d A_d with w_d = (1-p) p^(d-1) and A_d = 2 X_d / (|S_:d| + |L_:d|): X_d counts the
documents that the prefixes of both lists share at depth d (Webber, Moffat & Zobel 2010; with ties
as completed by Corsi & Urbano 2024). S is the shorter list, of s documents, and L the longer one,
of l. A list that has ended goes on with one document at each rank.

minimum       X_d stays as it is at l: ranks beyond l add X_l (1-p)/p Σ_{d>l} p^d / d
extrapolated  beyond s the documents that S lacks agree as often as those at s do, and beyond l
              all ranks agree as much as at l
maximum       each list goes on with what only the other one holds, by its rank there; beyond
              s + l - X_l both hold everything, and all ranks agree
"""

from libc.stdint cimport int64_t, uint8_t

import numpy as np


cdef Py_ssize_t match(
    const int64_t[::1] documents,
    const int64_t[::1] ranks,
    Py_ssize_t first,
    Py_ssize_t second,
    const Py_ssize_t* sizes,
    const int64_t[::1] place,
    uint8_t[::1] held,
    int64_t[:, ::1] entering,
) noexcept nogil:
    """Count the documents that enter both prefixes at each depth; return how many both lists hold.

    The lists begin at `first` and `second`; `place[d]` is the position of document d in the first
    one, from 1, or 0. entering[0] counts what both lists hold, entering[1] what the shorter one
    takes over from the longer one when it goes on as in the maximum.
    """
    cdef Py_ssize_t i, here, both = 0, taken = 0
    cdef bint first_is_longer = sizes[0] > sizes[1]
    cdef Py_ssize_t begin = first if first_is_longer else second
    cdef Py_ssize_t shorter = min(sizes[0], sizes[1]), longer = max(sizes[0], sizes[1])
    for i in range(longer):
        held[i] = 0
    for i in range(sizes[1]):
        here = place[documents[second + i]]
        if here:
            both += 1
            entering[0, max(ranks[first + here - 1], ranks[second + i])] += 1
            held[here - 1 if first_is_longer else i] = 1
    for i in range(longer):
        if not held[i]:
            taken += 1
            entering[1, max(ranks[begin + i], shorter + taken)] += 1
    return both


cdef void add_up(
    const int64_t[::1] ranks,
    Py_ssize_t first,
    Py_ssize_t second,
    const Py_ssize_t* sizes,
    Py_ssize_t both,
    const double[:, ::1] tables,
    int64_t[:, ::1] entering,
    double[:, ::1] found,
    Py_ssize_t column,
) noexcept nogil:
    """Store the three overlaps of two lists, and set the counts of depths back to 0.

    Weights sum to 1, so an overlap above one half is 1 less the disagreement: lists that agree at
    all depths have exactly 1.
    """
    cdef Py_ssize_t shorter = min(sizes[0], sizes[1]), longer = max(sizes[0], sizes[1])
    cdef Py_ssize_t union = shorter + longer - both
    cdef Py_ssize_t d, first_seen = 0, second_seen = 0
    cdef int64_t common = 0, more = 0
    cdef double counted, guessed = 0, agreed = 0, minimum = 0, extrapolated = 0, maximum = 0
    cdef double agreement, lacking = 0, lacking_most = 0
    for d in range(1, union + 1):
        common += entering[0, d]
        more += entering[1, d]
        entering[0, d] = entering[1, d] = 0
        if longer < d <= longer + shorter - both:
            more += 1  # the longer list takes over what only the shorter one holds
        while first_seen < sizes[0] and ranks[first + first_seen] <= d:
            first_seen += 1
        while second_seen < sizes[1] and ranks[second + second_seen] <= d:
            second_seen += 1
        counted = (first_seen if d <= sizes[0] else d) + (second_seen if d <= sizes[1] else d)
        agreement = 2 * (common + more) / counted
        maximum += tables[0, d] * agreement
        lacking_most += tables[0, d] * (1 - agreement)
        if d <= longer:
            guessed = common
            if d == shorter:
                agreed = 2 * guessed / counted
            elif d > shorter:
                guessed += (d - shorter) * agreed
            minimum += tables[0, d] * (2 * common / counted)
            agreement = 2 * guessed / counted
            extrapolated += tables[0, d] * agreement
            lacking += tables[0, d] * (1 - agreement)
    agreement = guessed / max(longer, 1)
    extrapolated += agreement * tables[1, longer]
    lacking += (1 - agreement) * tables[1, longer]
    maximum += tables[1, union]
    found[0, column] = 1 - lacking if lacking < 0.5 else extrapolated
    found[1, column] = minimum + common * tables[2, longer]
    found[2, column] = 1 - lacking_most if lacking_most < 0.5 else maximum


cdef void compare(
    const int64_t[::1] documents,
    const int64_t[::1] ranks,
    const int64_t[::1] edges,
    Py_ssize_t one,
    const double[:, ::1] tables,
    int64_t[::1] place,
    uint8_t[::1] held,
    int64_t[:, ::1] entering,
    double[:, ::1] found,
) noexcept nogil:
    """Store the overlaps of a list with itself and each later one."""
    cdef Py_ssize_t i, other, second, both, first = edges[one]
    cdef Py_ssize_t[2] sizes
    sizes[0] = edges[one + 1] - first
    for i in range(sizes[0]):
        place[documents[first + i]] = i + 1
    for other in range(one, edges.shape[0] - 1):
        second = edges[other]
        sizes[1] = edges[other + 1] - second
        both = match(documents, ranks, first, second, sizes, place, held, entering)
        add_up(ranks, first, second, sizes, both, tables, entering, found, other - one)


def overlap_from(
    const int64_t[::1] documents,
    const int64_t[::1] ranks,
    const int64_t[::1] edges,
    Py_ssize_t one,
    const double[:, ::1] tables,
    Py_ssize_t number,
):
    """Return the overlaps of a list with itself and each later one.

    Rows are the extrapolated overlap, the minimum and the maximum.

    Parameters
    ----------
    documents
        The documents of all lists by rank, as numbers below `number`, none twice in a list.
    ranks
        The rank of each, from 1; tied documents all have the first of their ranks.
    edges
        List i is documents[edges[i]:edges[i + 1]].
    one
        The list that is compared with itself and those after it.
    tables
        For depths d from 0 to twice the length of the longest list, by row: w_d (that of 0 is not
        used), p^d, and (1-p)/p Σ_{e>d} p^e / e.
    """
    longest = int(np.diff(edges).max(initial=0))
    found = np.empty((3, edges.shape[0] - 1 - one))
    cdef int64_t[::1] place = np.zeros(number, np.int64)
    cdef uint8_t[::1] held = np.empty(longest, np.uint8)
    cdef int64_t[:, ::1] entering = np.zeros((2, 2 * longest + 1), np.int64)
    cdef double[:, ::1] values = found
    with nogil:
        compare(documents, ranks, edges, one, tables, place, held, entering, values)
    return found
