"""Team-draft interleaving: two rankers take turns, as captains pick teams.

The ranker with the smaller team picks its first document that is not in the list yet; if the teams
are equal, a coin decides. It ends at the depth, or when a ranker has nothing left to pick
(Radlinski, Kurup and Joachims 2008).
"""

from libc.stdint cimport int64_t, uint8_t

import numpy as np


def draft_teams(
    const int64_t[::1] first_offsets,
    const int64_t[::1] first,
    const int64_t[::1] second_offsets,
    const int64_t[::1] second,
    const uint8_t[:, ::1] coins,
    int64_t codes,
):
    """Return the sizes of the drafted lists, and their documents and teams, list after list.

    List l is drafted from first[first_offsets[l]:first_offsets[l + 1]] and the same of `second`:
    codes below `codes`, best first. coins[l, n] is 1 if the first ranker picks when both teams
    have n documents. Team 0 is the first ranker's, team 1 the second's.
    """
    cdef Py_ssize_t listed, lists = coins.shape[0], depth = coins.shape[1], size, total = 0
    cdef int64_t i, j, end_i, end_j, mine, other, doc
    cdef uint8_t team
    if len(first_offsets) != lists + 1 or len(second_offsets) != lists + 1:
        raise ValueError("offsets and coins do not fit")
    if first_offsets[lists] > len(first) or second_offsets[lists] > len(second):
        raise ValueError("offsets and documents do not fit")
    if len(first) and (np.min(first) < 0 or np.max(first) >= codes):
        raise ValueError("documents and codes do not fit")
    if len(second) and (np.min(second) < 0 or np.max(second) >= codes):
        raise ValueError("documents and codes do not fit")
    sizes = np.zeros(lists, np.int64)
    docs, teams = np.empty(lists * depth, np.int64), np.empty(lists * depth, np.uint8)
    cdef int64_t[::1] sizes_out = sizes, docs_out = docs
    cdef uint8_t[::1] teams_out = teams
    cdef int64_t[::1] taken = np.full(codes, -1, np.int64)
    with nogil:
        for listed in range(lists):
            i, end_i = first_offsets[listed], first_offsets[listed + 1]
            j, end_j = second_offsets[listed], second_offsets[listed + 1]
            mine = other = 0
            for size in range(depth):
                while i < end_i and taken[first[i]] == listed:
                    i += 1
                while j < end_j and taken[second[j]] == listed:
                    j += 1
                if i == end_i or j == end_j:
                    break
                if mine < other or (mine == other and coins[listed, mine]):
                    doc, team = first[i], 0
                    mine += 1
                else:
                    doc, team = second[j], 1
                    other += 1
                taken[doc] = listed
                docs_out[total] = doc
                teams_out[total] = team
                total += 1
            sizes_out[listed] = mine + other
    return sizes, docs[:total], teams[:total]
