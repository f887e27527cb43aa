"""The walk along staircases that finds the best set of relevant documents, for each size of it.

Two lists hold free documents, which are relevant or not. With x of its first y free documents
relevant, the first list earns first[y, x] between its y-th free document and the next one; the
second list likewise earns second[z, x]. Found are the largest sums of what the first list earns
less what the second one earns, over all staircases: sets such that if a document is in the set,
so is any other that ranks no lower in the first list and no higher in the second.

A staircase is the set between a path and an edge of the grid of (y, z). At (y, z), the documents
that are in the first y of the one list and beyond the first z of the other are relevant, those
beyond y and within z are not, and m of those within both are:

V(y, z, m) = max(V(y - 1, z, m) + first[y, u + m], V(y, z - 1, m - b) - second[z, m])

with u the number of documents within y and beyond z, and b = 1 if the z-th document of the second
list is within y, else 0. Free documents that only the second list holds are not in the grid; those
that only the first one holds lie beyond all z, so that a path may leave the grid at any y, from
where on no further document is relevant.
"""

from libc.stdint cimport int64_t, uint8_t

import numpy as np


cdef void enter_row(
    Py_ssize_t y, const int64_t[::1] place, int64_t[::1] beyond
) noexcept nogil:
    """Go from row y - 1 to row y: beyond[z] counts the documents within y and beyond z."""
    cdef Py_ssize_t z
    for z in range(min(place[y - 1], <int64_t>beyond.shape[0])):
        beyond[z] += 1


cdef void fill_cell(
    Py_ssize_t y,
    Py_ssize_t z,
    Py_ssize_t u,
    Py_ssize_t size,
    bint into,
    const double[:, ::1] first,
    const double[:, ::1] second,
    double[:, ::1] sums,
) noexcept nogil:
    """Store V(y, z, m) for m below a size; sums[z, m + 1] holds V(y - 1, z, m) before."""
    cdef Py_ssize_t m
    cdef double down, across
    for m in range(size):
        down = sums[z, m + 1] + first[y, u + m]
        across = sums[z - 1, m + 1 - into] - second[z, m]
        sums[z, m + 1] = down if down > across else across


cdef void fill_cell_and_keep(
    Py_ssize_t y,
    Py_ssize_t z,
    Py_ssize_t u,
    Py_ssize_t size,
    bint into,
    const double[:, ::1] first,
    const double[:, ::1] second,
    double[:, ::1] sums,
    uint8_t[::1] went_down,
    uint8_t[:, :, ::1] steps,
) noexcept nogil:
    """As `fill_cell`; bit m of steps[y - 1, z - 1] tells that the path came from (y - 1, z)."""
    cdef Py_ssize_t m, byte
    cdef double down, across
    for m in range(size):
        down = sums[z, m + 1] + first[y, u + m]
        across = sums[z - 1, m + 1 - into] - second[z, m]
        sums[z, m + 1] = down if down > across else across
        went_down[m] = down > across
    for byte in range((size + 7) // 8):
        m = 8 * byte
        steps[y - 1, z - 1, byte] = (
            went_down[m] | went_down[m + 1] << 1 | went_down[m + 2] << 2 | went_down[m + 3] << 3
            | went_down[m + 4] << 4 | went_down[m + 5] << 5 | went_down[m + 6] << 6
            | went_down[m + 7] << 7
        )


cdef void leave_row(
    Py_ssize_t y,
    Py_ssize_t u,
    const double[:, ::1] first,
    const double[:, ::1] sums,
    double[::1] best,
    int64_t[::1] left,
) noexcept nogil:
    """Go on without relevant documents for who left the grid above y, and leave it at y."""
    cdef Py_ssize_t x, last = sums.shape[0] - 1
    for x in range(min(y, best.shape[0])):
        best[x] += first[y, x]
    for x in range(u, min(y + 1, best.shape[0])):
        if sums[last, x - u + 1] > best[x]:
            best[x] = sums[last, x - u + 1]
            left[x] = y


cdef void fill(
    const int64_t[::1] place,
    const int64_t[::1] back,
    const double[:, ::1] first,
    const double[:, ::1] second,
    int64_t[::1] beyond,
    double[:, ::1] sums,
    uint8_t[::1] went_down,
    uint8_t[:, :, ::1] steps,
    double[::1] best,
    int64_t[::1] left,
) noexcept nogil:
    """Walk to all points of the grid, row by row."""
    cdef Py_ssize_t columns = back.shape[0], most = best.shape[0] - 1
    cdef Py_ssize_t y, z, u, size
    cdef bint into, keep = steps.shape[0] > 0
    sums[0, 1] = first[0, 0] - second[0, 0]
    for z in range(1, columns + 1):
        sums[z, 1] = sums[z - 1, 1] - second[z, 0]
    leave_row(0, 0, first, sums, best, left)
    for y in range(1, place.shape[0] + 1):
        enter_row(y, place, beyond)
        sums[0, 1] += first[y, y]
        for z in range(1, columns + 1):
            u = beyond[z]
            size = min(y, most) - u + 1
            into = back[z - 1] <= y
            if keep:
                fill_cell_and_keep(y, z, u, size, into, first, second, sums, went_down, steps)
            else:
                fill_cell(y, z, u, size, into, first, second, sums)
        leave_row(y, beyond[columns], first, sums, best, left)


cdef void trace(
    const int64_t[::1] place,
    const int64_t[::1] back,
    const uint8_t[:, :, ::1] steps,
    Py_ssize_t y,
    Py_ssize_t size,
    uint8_t[::1] chosen,
) noexcept nogil:
    """Mark the documents of the best set of a size, whose path left the grid at y."""
    cdef Py_ssize_t i, z = back.shape[0], m = size
    for i in range(y):
        if place[i] > z:
            chosen[i] = 1
            m -= 1
    while z > 0:
        if y > 0 and steps[y - 1, z - 1, m >> 3] >> (m & 7) & 1:
            y -= 1
            continue
        if back[z - 1] <= y:
            chosen[back[z - 1] - 1] = 1
            m -= 1
        z -= 1


cdef walk(
    const int64_t[::1] place,
    const int64_t[::1] back,
    const double[:, ::1] first,
    const double[:, ::1] second,
    Py_ssize_t most,
    bint keep,
):
    """Return the best sum for each size up to `most`, where its path leaves the grid, and steps."""
    cdef Py_ssize_t rows = place.shape[0], columns = back.shape[0]
    cdef Py_ssize_t width = (min(columns, most) + 8) // 8
    cdef int64_t[::1] beyond = np.zeros(columns + 1, np.int64)
    cdef double[:, ::1] sums = np.full((columns + 1, columns + 2), -np.inf)
    cdef uint8_t[::1] went_down = np.zeros(8 * width, np.uint8)
    cdef uint8_t[:, :, ::1] steps = np.zeros((rows if keep else 0, columns, width), np.uint8)
    cdef double[::1] best = np.full(most + 1, -np.inf)
    cdef int64_t[::1] left = np.zeros(most + 1, np.int64)
    with nogil:
        fill(place, back, first, second, beyond, sums, went_down, steps, best, left)
    return best, left, steps


def best_sums(
    const int64_t[::1] place,
    const int64_t[::1] back,
    const double[:, ::1] first,
    const double[:, ::1] second,
):
    """Return the largest sum for each number 0, 1, ..., len(place) of relevant documents.

    Parameters
    ----------
    place
        For each free document of the first list by rank, its position among those of the grid in
        the second list, from 1; len(back) + 1 if it is not there.
    back
        For each document of the grid by rank in the second list, its position among the free
        documents of the first list, from 1.
    first, second
        What the lists earn, of shapes (len(place) + 1,) * 2 and (len(back) + 1,) * 2; what is
        above the diagonal is not used.
    """
    best, _, _ = walk(place, back, first, second, place.shape[0], False)
    return np.asarray(best)


def best_set(
    const int64_t[::1] place,
    const int64_t[::1] back,
    const double[:, ::1] first,
    const double[:, ::1] second,
    Py_ssize_t size,
):
    """Return which of the first list's free documents are in the best set of a size."""
    _, left, kept = walk(place, back, first, second, size, True)
    cdef const uint8_t[:, :, ::1] steps = kept
    cdef Py_ssize_t y = left[size]
    chosen = np.zeros(place.shape[0], np.uint8)
    cdef uint8_t[::1] marks = chosen
    with nogil:
        trace(place, back, steps, y, size, marks)
    return chosen.view(np.bool_)
