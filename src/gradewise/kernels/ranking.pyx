"""The order of a list: by falling score, and by a rule where scores are equal; ids that repeat.

Most lists come in order of their scores; then only documents with equal scores are sorted. The
sort is a stable merge sort, so that documents which no rule tells apart keep their order.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from gradewise.kernels.ids cimport Ids, column, compare, length_of, mix, seek, slot_mask, text_of

import numpy as np

from gradewise.kernels.ids import HASH_SEED

cdef enum:
    SHORT = 8  # so many rows are sorted by insertion


cdef inline bint ahead(const List* list, int32_t a, int32_t b) noexcept nogil:
    """Tell whether row a of a list must stand above row b."""
    cdef int64_t x = list.low + a, y = list.low + b
    if list.scores[x] != list.scores[y]:
        return list.scores[x] > list.scores[y]
    if list.ties == INPUT:
        return False
    if list.ties == RANDOM and list.keys[a] != list.keys[b]:
        return list.keys[a] > list.keys[b]
    return compare(
        text_of(&list.ids, x), length_of(&list.ids, x), text_of(&list.ids, y), length_of(&list.ids, y)
    ) > 0


cdef void insert(const List* list, int32_t* rows, int64_t count) noexcept nogil:
    """Sort few rows."""
    cdef int64_t i, j
    cdef int32_t row
    for i in range(1, count):
        row = rows[i]
        j = i
        while j > 0 and ahead(list, row, rows[j - 1]):
            rows[j] = rows[j - 1]
            j -= 1
        rows[j] = row


cdef void merge(
    const List* list, const int32_t* rows, int64_t middle, int64_t count, int32_t* merged
) noexcept nogil:
    """Merge rows[:middle] and rows[middle:count], both sorted."""
    cdef int64_t left = 0, right = middle, i
    for i in range(count):
        if left < middle and (right == count or not ahead(list, rows[right], rows[left])):
            merged[i] = rows[left]
            left += 1
        else:
            merged[i] = rows[right]
            right += 1


cdef void sort(const List* list, int32_t* rows, int64_t count, int32_t* spare) noexcept nogil:
    """Sort rows; `spare` has as much room as they take."""
    cdef int64_t low = 0, width = SHORT
    while low < count:
        insert(list, rows + low, min(width, count - low))
        low += width
    while width < count:
        low = 0
        while low < count:
            merge(
                list, rows + low, min(width, count - low), min(2 * width, count - low), spare + low
            )
            low += 2 * width
        memcpy(rows, spare, <size_t>count * sizeof(int32_t))
        width *= 2


cdef bint order_list(const List* list, int32_t* order, int32_t* spare) noexcept nogil:
    """Store the rows of a list, from 0 on, best first; return False if that is as they come.

    If so, nothing is stored.
    """
    cdef const double* scores = list.scores + list.low
    cdef int64_t i, begin, count = list.high - list.low
    cdef bint falling = True, tied = False
    for i in range(1, count):
        falling &= scores[i] <= scores[i - 1]
        tied |= scores[i] == scores[i - 1]
    if falling and (not tied or list.ties == INPUT):
        return False
    for i in range(count):
        order[i] = <int32_t>i
    if not falling:
        sort(list, order, count, spare)
        return True
    begin = 0
    for i in range(1, count + 1):
        if i == count or scores[i] != scores[begin]:
            if i - begin > 1:
                sort(list, order + begin, i - begin, spare)
            begin = i
    return True


cdef int64_t find_repeat(
    const List* list,
    int64_t begin,
    uint64_t* hashes,
    uint32_t* slots,
    uint64_t mask,
    uint64_t seed,
    int64_t* first,
) noexcept nogil:
    """Return the first row from `begin` on whose id has come before in the list, or -1.

    Stores the hash of every row that it passes, and the row where the id came `first`. A search
    that begins at 0 clears the slots, a later one goes on.
    """
    cdef uint64_t place = 0
    cdef int64_t row, found, length, count = list.high - list.low
    cdef Ids ids
    ids.data = list.ids.data
    ids.offsets = list.ids.offsets + list.low
    if begin == 0:
        memset(slots, 0, (<size_t>mask + 1) * sizeof(uint32_t))
    for row in range(begin, count):
        length = length_of(&ids, row)
        hashes[row] = mix(text_of(&ids, row), length, seed)
        found = seek(
            slots, mask, &ids, hashes, 0, text_of(&ids, row), length, hashes[row], &place
        )
        if found >= 0:
            first[0] = found
            return row
        slots[place] = <uint32_t>(row + 1)
    return -1


cdef void draw_keys(const List* list, uint64_t seed, uint64_t* keys) noexcept nogil:
    """Draw a key for each row of a list, from its id and a seed alone."""
    cdef int64_t row
    for row in range(list.low, list.high):
        keys[row - list.low] = mix(text_of(&list.ids, row), length_of(&list.ids, row), seed)


cdef List lists_of(
    const uint8_t[::1] data, const int64_t[::1] offsets, const int64_t[::1] edges
):
    """Return a list without bounds, after a look at the edges between lists."""
    cdef List list
    cdef Py_ssize_t i
    for i in range(1, len(edges)):
        if edges[i] < edges[i - 1]:
            raise ValueError("edges descend")
    if not len(edges) or edges[0] < 0 or edges[len(edges) - 1] >= len(offsets):
        raise ValueError("edges lie outside the rows")
    list.ids = column(data, offsets)
    list.scores = NULL
    list.keys = NULL
    list.ties = INPUT
    list.low = list.high = 0
    return list


def order_lists(
    const uint8_t[::1] data,
    const int64_t[::1] offsets,
    const double[::1] scores,
    const int64_t[::1] edges,
    int ties,
    const uint64_t[::1] seeds,
):
    """Return the rows of each list edges[l]:edges[l + 1], best first.

    `seeds` has a seed for each list if ties are RANDOM.
    """
    cdef List list = lists_of(data, offsets, edges)
    cdef Py_ssize_t l, i, count, lists = len(edges) - 1
    longest = int(np.max(np.diff(edges), initial=0)) + 1
    if len(scores) < edges[lists] or (ties == RANDOM and len(seeds) < lists):
        raise ValueError("there are too few scores or seeds")
    rows = np.arange(edges[0], edges[lists])
    cdef int64_t[::1] out = rows
    cdef int32_t[::1] order = np.empty(longest, np.int32), spare = np.empty(longest, np.int32)
    cdef uint64_t[::1] keys = np.empty(longest if ties == RANDOM else 1, np.uint64)
    list.scores = &scores[0] if len(scores) else NULL
    list.keys = &keys[0]
    list.ties = ties
    with nogil:
        for l in range(lists):
            list.low, list.high = edges[l], edges[l + 1]
            count = list.high - list.low
            if ties == RANDOM:
                draw_keys(&list, seeds[l], &keys[0])
            if order_list(&list, &order[0], &spare[0]):
                for i in range(count):
                    out[list.low - edges[0] + i] = list.low + order[i]
    return rows


def find_repeats(
    const uint8_t[::1] data, const int64_t[::1] offsets, const int64_t[::1] edges
):
    """Return the rows (earlier, later) of every id that comes again in its list."""
    cdef List list = lists_of(data, offsets, edges)
    cdef Py_ssize_t l, lists = len(edges) - 1
    longest = int(np.max(np.diff(edges), initial=0)) + 1
    cdef uint64_t[::1] hashes = np.empty(longest, np.uint64)
    cdef uint32_t[::1] slots = np.empty(slot_mask(longest) + 1, np.uint32)
    cdef uint64_t mask, seed = HASH_SEED
    cdef int64_t row, first = 0
    pairs = []
    with nogil:
        for l in range(lists):
            list.low, list.high = edges[l], edges[l + 1]
            mask = slot_mask(list.high - list.low)
            row = -1
            while True:
                row = find_repeat(&list, row + 1, &hashes[0], &slots[0], mask, seed, &first)
                if row < 0:
                    break
                with gil:
                    pairs.append((list.low + first, list.low + row))
    return pairs
