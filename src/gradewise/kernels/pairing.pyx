"""Two lists of one topic: their documents, and where the free ones stand among each other.

A list holds the numbers of documents by rank, none of them twice. The documents of two lists are
those of the first one by rank, then those that only the second one holds, by rank there. Where
a function takes `place`, it is room with an element for each number, 0 before and afterwards.
"""

from libc.stdint cimport int64_t, uint8_t

import numpy as np


cdef Py_ssize_t mark(const int64_t[::1] documents, int64_t[::1] place) noexcept nogil:
    """Store the rank of each document that has none yet; return how many these are."""
    cdef Py_ssize_t i, new = 0
    for i in range(documents.shape[0]):
        if not place[documents[i]]:
            place[documents[i]] = i + 1
            new += 1
    return new


cdef void clear(const int64_t[::1] documents, int64_t[::1] place) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(documents.shape[0]):
        place[documents[i]] = 0


cdef void merge(
    const int64_t[::1] first,
    const int64_t[::1] second,
    const int64_t[::1] place,
    int64_t[::1] documents,
    int64_t[:, ::1] rank,
) noexcept nogil:
    """Store the documents of both lists, and their ranks."""
    cdef Py_ssize_t i, here, number = first.shape[0]
    for i in range(first.shape[0]):
        documents[i] = first[i]
        rank[0, i] = i + 1
    for i in range(second.shape[0]):
        here = place[second[i]]
        if not here:
            number += 1
            here = number
            documents[here - 1] = second[i]
        rank[1, here - 1] = i + 1


cdef Py_ssize_t count_in(const int64_t[::1] documents, const int64_t[::1] place) noexcept nogil:
    cdef Py_ssize_t i, number = 0
    for i in range(documents.shape[0]):
        number += place[documents[i]] > 0
    return number


def pair_lists(const int64_t[::1] first, const int64_t[::1] second, int64_t[::1] place):
    """Return the documents of two lists, and rank[i, d] of the d-th of them in list i, or 0."""
    cdef Py_ssize_t both
    with nogil:
        mark(first, place)
        both = count_in(second, place)
    number = first.shape[0] + second.shape[0] - both
    documents, rank = np.empty(number, np.int64), np.zeros((2, number), np.int64)
    cdef int64_t[::1] all_documents = documents
    cdef int64_t[:, ::1] ranks = rank
    with nogil:
        merge(first, second, place, all_documents, ranks)
        clear(first, place)
    return documents, rank


cdef Py_ssize_t mark_free(
    const int64_t[::1] documents, const int64_t[::1] level, int64_t[::1] place
) noexcept nogil:
    """Mark the free documents that are not marked yet; return how many these are."""
    cdef Py_ssize_t i, d, new = 0
    for i in range(documents.shape[0]):
        d = documents[i]
        if level[d] < 0 and not place[d]:
            place[d] = 1
            new += 1
    return new


def count_further(
    const int64_t[::1] documents,
    const int64_t[::1] first,
    const int64_t[::1] second,
    const int64_t[::1] level,
    int64_t[::1] place,
):
    """Count the free documents of two lists that are not among given ones; their level is below 0."""
    cdef Py_ssize_t number
    with nogil:
        mark(documents, place)
        number = mark_free(first, level, place) + mark_free(second, level, place)
        clear(documents, place)
        clear(first, place)
        clear(second, place)
    return number


cdef Py_ssize_t list_by_rank(
    const int64_t[::1] rank,
    const int64_t[::1] other,
    const int64_t[::1] level,
    bint shared,
    int64_t[::1] at,
    int64_t[::1] listed,
) noexcept nogil:
    """Store the free documents of a list by rank, or those that the other one holds, too."""
    cdef Py_ssize_t d, t, number = 0
    for d in range(rank.shape[0]):
        if rank[d] and level[d] < 0 and (other[d] or not shared):
            at[rank[d] - 1] = d + 1
    for t in range(at.shape[0]):
        if at[t]:
            listed[number] = at[t] - 1
            number += 1
            at[t] = 0
    return number


cdef void find_positions(
    const int64_t[::1] listed, const int64_t[::1] others, int64_t[::1] spot, int64_t[::1] found
) noexcept nogil:
    """Store the position of each document among others, from 1; one more than there are if none."""
    cdef Py_ssize_t i
    for i in range(others.shape[0]):
        spot[others[i]] = i + 1
    for i in range(listed.shape[0]):
        found[i] = spot[listed[i]] if spot[listed[i]] else others.shape[0] + 1
    for i in range(others.shape[0]):
        spot[others[i]] = 0


def place_free(
    const int64_t[::1] rank, const int64_t[::1] other, const int64_t[::1] level
):
    """Return where the free documents of two lists stand; their level is below 0.

    `rank` and `other` are the ranks of documents in the first and the second list. Returned are
    the free documents of the first list by rank; those of them that the second one holds, by rank
    there; the positions of the former among the latter, from 1, or one more than there are; and
    the positions of the latter among the former.
    """
    cdef Py_ssize_t rows, columns, number = rank.shape[0]
    cdef int64_t[::1] room = np.zeros(number, np.int64)
    first, second = np.empty(number, np.int64), np.empty(number, np.int64)
    cdef int64_t[::1] firsts = first, seconds = second
    with nogil:
        rows = list_by_rank(rank, other, level, False, room, firsts)
        columns = list_by_rank(other, rank, level, True, room, seconds)
    place, back = np.empty(rows, np.int64), np.empty(columns, np.int64)
    cdef int64_t[::1] places = place, backs = back
    with nogil:
        find_positions(firsts[:rows], seconds[:columns], room, places)
        find_positions(seconds[:columns], firsts[:rows], room, backs)
    return first[:rows], second[:columns], place, back
