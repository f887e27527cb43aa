"""The judged documents of each topic, to be looked up by topic and id.

Every topic has a small open-addressing table of its own, so that the documents of a list are
looked up in few lines of cache. A document is found only if its bytes are the same.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from gradewise.kernels.ids cimport Ids, column, length_of, text_of

import numpy as np

from gradewise.kernels.ids import HASH_SEED, hash_ids


cdef class Lookup:
    """Rows edges[t]:edges[t + 1] of a column of ids are the documents of topic t."""

    def __init__(self, data, offsets, const int64_t[::1] edges):
        cdef const uint8_t[::1] bytes_ = data
        cdef const int64_t[::1] ends = offsets
        cdef Py_ssize_t topic, row
        cdef uint64_t mask, at
        self.seed = HASH_SEED
        self.hashes = hash_ids(bytes_, ends, self.seed)
        self.topics = len(edges) - 1
        sizes = np.diff(edges)
        if len(edges) < 1 or edges[0] != 0 or edges[self.topics] != len(ends) - 1 or (sizes < 0).any():
            raise ValueError("edges do not cover the rows")
        room = 1 << np.ceil(np.log2(np.maximum(2 * sizes, 8))).astype(np.int64)
        first_slots = np.concatenate([[0], np.cumsum(room)])
        self.data, self.offsets, self.edges = data, offsets, np.asarray(edges)
        self.slots = np.zeros(first_slots[self.topics], np.uint32)
        self.first_slots = first_slots
        cdef const int64_t[::1] begins = first_slots
        cdef const uint64_t[::1] hashes = self.hashes
        cdef uint32_t[::1] slots = self.slots
        with nogil:
            for topic in range(edges.shape[0] - 1):
                mask = <uint64_t>(begins[topic + 1] - begins[topic]) - 1
                for row in range(edges[topic], edges[topic + 1]):
                    at = hashes[row] & mask
                    while slots[begins[topic] + <int64_t>at]:
                        at = (at + 1) & mask
                    slots[begins[topic] + <int64_t>at] = <uint32_t>(row - edges[topic] + 1)
        self.table.ids = column(bytes_, ends)
        self.table.hashes = &hashes[0] if len(hashes) else NULL
        self.table.slots = &slots[0] if len(slots) else NULL
        self.table.first_rows = &edges[0]
        self.table.first_slots = &begins[0]

    def find(self, const int64_t[::1] topics, const uint8_t[::1] data, const int64_t[::1] offsets):
        """Return the row of each document of a topic, -1 where it has no such document."""
        cdef Py_ssize_t i, count = len(topics)
        cdef Ids asked = column(data, offsets)
        cdef const uint64_t[::1] hashes = hash_ids(data, offsets, self.seed)
        rows = np.empty(count, np.int64)
        cdef int64_t[::1] out = rows
        if len(hashes) != count or (np.asarray(topics) >= self.topics).any():
            raise ValueError("topics and documents do not fit")
        with nogil:
            for i in range(count):
                out[i] = -1
                if topics[i] >= 0:
                    out[i] = find_document(
                        &self.table,
                        topics[i],
                        text_of(&asked, i),
                        length_of(&asked, i),
                        hashes[i],
                    )
        return rows
