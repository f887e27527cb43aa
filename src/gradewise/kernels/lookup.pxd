from libc.stdint cimport int64_t, uint32_t, uint64_t

from gradewise.kernels.ids cimport Bytes, Ids, seek

cdef struct Table:  # the judged documents of topics, each topic with slots of its own
    Ids ids
    const uint64_t* hashes
    const uint32_t* slots
    const int64_t* first_rows
    const int64_t* first_slots


cdef inline int64_t find_document(
    const Table* table, int64_t topic, Bytes text, int64_t length, uint64_t hash
) noexcept nogil:
    """Return the row of a topic's document; -1 if it has no such document."""
    cdef int64_t begin = table.first_slots[topic]
    cdef uint64_t place, mask = <uint64_t>(table.first_slots[topic + 1] - begin) - 1
    return seek(
        table.slots + begin,
        mask,
        &table.ids,
        table.hashes,
        table.first_rows[topic],
        text,
        length,
        hash,
        &place,
    )


cdef class Lookup:
    cdef Table table
    cdef readonly object data, offsets, edges, hashes, slots, first_slots
    cdef readonly uint64_t seed
    cdef readonly Py_ssize_t topics
