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

Numbers of a row n, for x = 0..n, are packed behind those of the rows above. The steps of all paths
would take n³ bits, so the path of a long list is found by halves: the walk to its end tells where
it crosses the middle row, and then each half is a walk of its own, down to parts whose steps fit.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.math cimport INFINITY

import numpy as np

cdef Py_ssize_t BLOCK = 1 << 26  # sums that are made before anybody is told


cdef inline Py_ssize_t row_of(Py_ssize_t n) noexcept nogil:
    """Return where the numbers of row n begin."""
    return n * (n + 1) // 2


cdef inline Py_ssize_t sums_of(Py_ssize_t z) noexcept nogil:
    """Return where V(y, z, 0) is kept; before it stands minus infinity, for sets of size -1."""
    return z * (z + 3) // 2 + 1


cdef void enter_row(
    Py_ssize_t y, const int64_t[::1] place, int64_t[::1] beyond
) noexcept nogil:
    """Go from row y - 1 to row y: beyond[z] counts the documents within y and beyond z."""
    cdef Py_ssize_t z
    for z in range(min(place[y - 1], <int64_t>beyond.shape[0])):
        beyond[z] += 1


cdef inline void fill_cell(
    Py_ssize_t size,
    const double* first,
    const double* second,
    const double* across_from,
    double* here,
) noexcept nogil:
    """Store V(y, z, m) for m below a size; here[m] holds V(y - 1, z, m) before."""
    cdef Py_ssize_t m
    cdef double down, across
    for m in range(size):
        down = here[m] + first[m]
        across = across_from[m] - second[m]
        here[m] = down if down > across else across


cdef inline void fill_cell_and_keep(
    Py_ssize_t size,
    const double* first,
    const double* second,
    const double* across_from,
    double* here,
    uint8_t* went_down,
    uint8_t* steps,
) noexcept nogil:
    """As `fill_cell`; bit m of the steps tells that the path came from (y - 1, z)."""
    cdef Py_ssize_t m, byte
    cdef double down, across
    for m in range(size):
        down = here[m] + first[m]
        across = across_from[m] - second[m]
        here[m] = down if down > across else across
        went_down[m] = down > across
    for byte in range((size + 7) // 8):
        m = 8 * byte
        steps[byte] = (
            went_down[m] | went_down[m + 1] << 1 | went_down[m + 2] << 2 | went_down[m + 3] << 3
            | went_down[m + 4] << 4 | went_down[m + 5] << 5 | went_down[m + 6] << 6
            | went_down[m + 7] << 7
        )


cdef inline void fill_cell_and_origin(
    Py_ssize_t size,
    const double* first,
    const double* second,
    const double* across_from,
    double* here,
    const uint32_t* origin_across,
    uint32_t* origin,
) noexcept nogil:
    """As `fill_cell`; the origin is that of the cell from which the path came."""
    cdef Py_ssize_t m
    cdef double down, across
    for m in range(size):
        down = here[m] + first[m]
        across = across_from[m] - second[m]
        here[m] = down if down > across else across
        origin[m] = origin[m] if down > across else origin_across[m]


cdef void leave_row(
    Py_ssize_t y,
    Py_ssize_t u,
    const double* first,
    const double* sums,
    double[::1] best,
    int64_t[::1] left,
) noexcept nogil:
    """Go on without relevant documents for who left the grid above y, and leave it at y."""
    cdef Py_ssize_t x
    for x in range(min(y, best.shape[0])):
        best[x] += first[x]
    for x in range(u, min(y + 1, best.shape[0])):
        if sums[x - u] > best[x]:
            best[x] = sums[x - u]
            left[x] = y


cdef int64_t fill_row(
    Py_ssize_t y,
    const int64_t[::1] place,
    const int64_t[::1] back,
    const double[::1] first,
    const double[::1] second,
    int64_t[::1] beyond,
    double[::1] sums,
    double[::1] best,
    int64_t[::1] left,
) noexcept nogil:
    """Walk to all points of a row, and return how many sums that made."""
    cdef Py_ssize_t columns = back.shape[0], z, u, size
    cdef int64_t made = 0
    cdef const double* earned = &first[row_of(y)]
    if y == 0:
        sums[sums_of(0)] = first[0] - second[0]
        for z in range(1, columns + 1):
            sums[sums_of(z)] = sums[sums_of(z - 1)] - second[row_of(z)]
    else:
        enter_row(y, place, beyond)
        sums[sums_of(0)] += earned[y]
        for z in range(1, columns + 1):
            u = beyond[z]
            size = y - u + 1
            fill_cell(
                size,
                earned + u,
                &second[row_of(z)],
                &sums[sums_of(z - 1)] - (back[z - 1] <= y),
                &sums[sums_of(z)],
            )
            made += size
    leave_row(y, beyond[columns], earned, &sums[sums_of(columns)], best, left)
    return made


def best_sums(
    const int64_t[::1] place,
    const int64_t[::1] back,
    const double[::1] first,
    const double[::1] second,
    tell=None,
):
    """Return the largest sum for each number 0, 1, ..., len(place) of relevant documents.

    Returned with it is the row in which the path of each number leaves the grid.

    Parameters
    ----------
    place
        For each free document of the first list by rank, its position among those of the grid in
        the second list, from 1; len(back) + 1 if it is not there.
    back
        For each document of the grid by rank in the second list, its position among the free
        documents of the first list, from 1.
    first, second
        What the lists earn, len(place) + 1 and len(back) + 1 rows, packed.
    tell
        Called with numbers of sums that have been made, if it is not None.
    """
    cdef Py_ssize_t rows = place.shape[0], columns = back.shape[0], y = 0
    cdef int64_t made
    cdef int64_t[::1] beyond = np.zeros(columns + 1, np.int64)
    cdef double[::1] sums = np.full(sums_of(columns + 1), -np.inf)
    cdef double[::1] best = np.full(rows + 1, -np.inf)
    cdef int64_t[::1] left = np.zeros(rows + 1, np.int64)
    while y <= rows:
        made = 0
        with nogil:
            while y <= rows and made < BLOCK:
                made += fill_row(y, place, back, first, second, beyond, sums, best, left)
                y += 1
        if tell is not None:
            tell(made)
    return np.asarray(best), np.asarray(left)


cdef struct Point:  # of a path: m of the documents within y and z are relevant
    Py_ssize_t y
    Py_ssize_t z
    Py_ssize_t m


cdef void begin_part(
    Point start,
    Point end,
    const int64_t[::1] place,
    const int64_t[::1] back,
    const double[::1] first,
    const double[::1] second,
    int64_t[::1] beyond,
    double[::1] sums,
) noexcept nogil:
    """Walk along the first row of a part of the grid, from its start."""
    cdef Py_ssize_t y, z, m, i, into
    for z in range(beyond.shape[0]):
        beyond[z] = 0
    for y in range(1, start.y + 1):
        enter_row(y, place, beyond)
    for i in range(sums_of(start.z) - 1, sums_of(end.z + 1) - 1):
        sums[i] = -INFINITY
    m = start.m
    # What was earned before it makes no difference, but the grid begins as in `best_sums`.
    sums[sums_of(start.z) + m] = 0.0 if start.y or start.z else first[0] - second[0]
    for z in range(start.z + 1, end.z + 1):
        into = back[z - 1] <= start.y
        m += into
        if m > end.m:
            break
        sums[sums_of(z) + m] = sums[sums_of(z - 1) + m - into] - second[row_of(z) + m]


cdef int64_t fill_part(
    Py_ssize_t y,
    Point start,
    Point end,
    Py_ssize_t most,
    Py_ssize_t middle,
    const int64_t[::1] place,
    const int64_t[::1] back,
    const double[::1] first,
    const double[::1] second,
    int64_t[::1] beyond,
    double[::1] sums,
    uint32_t[::1] origins,
    uint8_t[::1] went_down,
    uint8_t[:, :, ::1] steps,
) noexcept nogil:
    """Walk to the points of a row that are in a part; keep origins below the middle, or steps."""
    cdef Py_ssize_t z, u, size, into, at
    cdef int64_t made = 0
    cdef const double* earned = &first[row_of(y)]
    enter_row(y, place, beyond)
    at = sums_of(start.z) + start.m
    sums[at] += earned[beyond[start.z] + start.m]
    for z in range(start.z + 1, end.z + 1):
        u = beyond[z]
        size = min(min(y, most) - u, end.m) - start.m + 1
        if size <= 0:
            continue
        into = back[z - 1] <= y
        at = sums_of(z) + start.m
        if middle < 0:
            fill_cell_and_keep(
                size,
                earned + u + start.m,
                &second[row_of(z) + start.m],
                &sums[sums_of(z - 1)] + start.m - into,
                &sums[at],
                &went_down[0],
                &steps[y - start.y - 1, z - start.z - 1, 0],
            )
        elif y <= middle:
            fill_cell(
                size,
                earned + u + start.m,
                &second[row_of(z) + start.m],
                &sums[sums_of(z - 1)] + start.m - into,
                &sums[at],
            )
        else:
            fill_cell_and_origin(
                size,
                earned + u + start.m,
                &second[row_of(z) + start.m],
                &sums[sums_of(z - 1)] + start.m - into,
                &sums[at],
                &origins[sums_of(z - 1)] + start.m - into,
                &origins[at],
            )
        made += size
    return made


cdef void trace(
    Point start,
    Point end,
    const int64_t[::1] back,
    const uint8_t[:, :, ::1] steps,
    uint8_t[::1] chosen,
) noexcept nogil:
    """Mark the documents that a path takes in within a part."""
    cdef Py_ssize_t y = end.y, z = end.z, m = end.m, bit
    while z > start.z:
        bit = m - start.m
        if y > start.y and steps[y - start.y - 1, z - start.z - 1, bit >> 3] >> (bit & 7) & 1:
            y -= 1
            continue
        if back[z - 1] <= y:
            chosen[back[z - 1] - 1] = 1
            m -= 1
        z -= 1


cdef class Path:
    """The search for the best set of a size."""

    cdef const int64_t[::1] place, back
    cdef const double[::1] first, second
    cdef Py_ssize_t most, room
    cdef int64_t[::1] beyond
    cdef double[::1] sums
    cdef uint32_t[::1] origins
    cdef uint8_t[::1] chosen
    cdef object tell

    cdef find(self, Point start, Point end):
        """Mark what the best path from a point to another takes in."""
        cdef Py_ssize_t middle = -1, width = (end.m - start.m + 8) // 8
        cdef Py_ssize_t rows = end.y - start.y, columns = end.z - start.z
        cdef Point crossing
        if columns == 0:
            return
        if rows > 1 and rows * columns * width > self.room:
            middle = (start.y + end.y) // 2
            width = 0
        cdef uint8_t[::1] went_down = np.zeros(8 * width, np.uint8)
        shape = (0 if middle >= 0 else rows, columns, width)
        cdef uint8_t[:, :, ::1] steps = np.zeros(shape, np.uint8)
        self.walk(start, end, middle, went_down, steps)
        if middle < 0:
            with nogil:
                trace(start, end, self.back, steps, self.chosen)
            return
        crossing = self.point_of(middle, self.origins[sums_of(end.z) + end.m])
        self.find(start, crossing)
        self.find(crossing, end)

    cdef walk(
        self,
        Point start,
        Point end,
        Py_ssize_t middle,
        uint8_t[::1] went_down,
        uint8_t[:, :, ::1] steps,
    ):
        cdef Py_ssize_t y = start.y + 1, i
        cdef int64_t made
        with nogil:
            begin_part(
                start, end, self.place, self.back, self.first, self.second, self.beyond, self.sums
            )
        while y <= end.y:
            made = 0
            with nogil:
                while y <= end.y and made < BLOCK:
                    made += fill_part(
                        y,
                        start,
                        end,
                        self.most,
                        middle,
                        self.place,
                        self.back,
                        self.first,
                        self.second,
                        self.beyond,
                        self.sums,
                        self.origins,
                        went_down,
                        steps,
                    )
                    if y == middle:
                        for i in range(sums_of(start.z) - 1, sums_of(end.z + 1) - 1):
                            self.origins[i] = <uint32_t>i
                    y += 1
            if self.tell is not None:
                self.tell(made)

    cdef Point point_of(self, Py_ssize_t y, Py_ssize_t at):
        """Return the point of a row whose sum is kept at a place."""
        cdef Point found
        found.y, found.z = y, 0
        while sums_of(found.z + 1) <= at:
            found.z += 1
        found.m = at - sums_of(found.z)
        return found


def best_set(
    const int64_t[::1] place,
    const int64_t[::1] back,
    const double[::1] first,
    const double[::1] second,
    Py_ssize_t size,
    Py_ssize_t left,
    Py_ssize_t room=1 << 28,
    tell=None,
):
    """Return which of the first list's free documents are in the best set of a size.

    Parameters
    ----------
    place, back, first, second, tell
        As for `best_sums`.
    size, left
        How many documents the set has, and where its path leaves the grid.
    room
        How many bytes the steps of a part of the path may take.
    """
    cdef Py_ssize_t columns = back.shape[0], y
    if sums_of(columns + 1) >= 1 << 32:
        raise MemoryError
    cdef Path path = Path()
    path.place, path.back, path.first, path.second = place, back, first, second
    path.most, path.room, path.tell = size, room, tell
    path.beyond = np.zeros(columns + 1, np.int64)
    path.sums = np.empty(sums_of(columns + 1))
    halves = left * columns * ((size + 8) // 8) > room
    path.origins = np.zeros(sums_of(columns + 1) if halves else 0, np.uint32)
    chosen = np.zeros(place.shape[0], np.uint8)
    path.chosen = chosen
    cdef Point start, end
    start.y = start.z = start.m = 0
    end.y, end.z, end.m = left, columns, size
    for y in range(left):
        if place[y] > columns:
            path.chosen[y] = 1
            end.m -= 1
    path.find(start, end)
    return chosen.view(np.bool_)
