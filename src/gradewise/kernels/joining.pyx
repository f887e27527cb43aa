"""Lists joined with judgments: which of their documents were judged, and at which rank."""

from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from gradewise.kernels.ids cimport column, length_of, slot_mask, text_of
from gradewise.kernels.lookup cimport Lookup, find_document
from gradewise.kernels.ranking cimport RANDOM, List, draw_keys, find_repeat, order_list

import numpy as np


def join_lists(
    Lookup lookup,
    const uint8_t[::1] data,
    const int64_t[::1] offsets,
    const double[::1] scores,
    const int64_t[::1] edges,
    const int64_t[::1] topics,
    int ties,
    const uint64_t[::1] seeds,
    int64_t depth,
):
    """Join the lists edges[l]:edges[l + 1] of a column of ids with scores.

    List l belongs to topic topics[l] of the lookup, or to none if that is negative. Returns

    - counts[l], how many judged documents list l has among its first `depth`;
    - rank, judged, row: of each of them, by list and rank, its rank from 1, its row in the lookup
      and its row in the column;
    - absolute[l], the sum of |score| over the first `depth` documents of list l;
    - repeated, the first list that has an id twice; -1 if there is none. Lists behind it are not
      looked at.
    """
    cdef Py_ssize_t lists = len(edges) - 1, rows = len(offsets) - 1
    if lists != len(topics) or edges[lists] > rows or len(scores) < rows:
        raise ValueError("lists, topics and scores do not fit")
    if edges[0] < 0:
        raise ValueError("lists and topics do not fit")
    sizes = np.diff(edges)
    if lists and ((sizes < 0).any() or np.max(topics) >= lookup.topics):
        raise ValueError("lists and topics do not fit")
    if ties == RANDOM and len(seeds) < lists:
        raise ValueError("there are too few seeds")
    longest = int(np.max(sizes, initial=0)) + 1
    room = max(edges[lists] - edges[0], 1)
    counts, absolute = np.zeros(lists, np.int64), np.zeros(lists)
    rank, judged, row = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int32)
    cdef int64_t[::1] count_of = counts
    cdef double[::1] absolute_of = absolute
    cdef int32_t[::1] ranks = rank, found = judged, places = row
    cdef int32_t[::1] order = np.empty(longest, np.int32), spare = np.empty(longest, np.int32)
    cdef uint64_t[::1] hashes = np.empty(longest, np.uint64)
    cdef uint64_t[::1] keys = np.empty(longest if ties == RANDOM else 1, np.uint64)
    cdef uint32_t[::1] slots = np.empty(slot_mask(longest) + 1, np.uint32)
    cdef uint64_t mask
    cdef int64_t l, r, here, document, first = 0, hits = 0, repeated = -1
    cdef bint moved
    cdef List list
    list.ids = column(data, offsets)
    list.scores = &scores[0] if len(scores) else NULL
    list.keys = &keys[0]
    list.ties = ties
    with nogil:
        for l in range(lists):
            list.low, list.high = edges[l], edges[l + 1]
            mask = slot_mask(list.high - list.low)
            if find_repeat(&list, 0, &hashes[0], &slots[0], mask, lookup.seed, &first) >= 0:
                repeated = l
                break
            if topics[l] < 0:
                continue
            if ties == RANDOM:
                draw_keys(&list, seeds[l], &keys[0])
            moved = order_list(&list, &order[0], &spare[0])
            for r in range(min(depth, list.high - list.low)):
                here = order[r] if moved else r
                absolute_of[l] += fabs(list.scores[list.low + here])
                document = find_document(
                    &lookup.table,
                    topics[l],
                    text_of(&list.ids, list.low + here),
                    length_of(&list.ids, list.low + here),
                    hashes[here],
                )
                if document >= 0:
                    ranks[hits] = <int32_t>(r + 1)
                    found[hits] = <int32_t>document
                    places[hits] = <int32_t>(list.low + here)
                    count_of[l] += 1
                    hits += 1
    return counts, rank[:hits].copy(), judged[:hits].copy(), row[:hits].copy(), absolute, repeated
