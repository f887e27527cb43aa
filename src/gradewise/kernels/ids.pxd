"""Columns of ids, the hash of an id, and the one place that decides whether two are the same."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy

from gradewise.kernels.words cimport multiply

ctypedef const uint8_t* Bytes

cdef struct Ids:  # id i is data[offsets[i]:offsets[i + 1]]
    const uint8_t* data
    const int64_t* offsets


cdef Ids column(const uint8_t[::1] data, const int64_t[::1] offsets)


cdef inline Bytes text_of(const Ids* ids, int64_t index) noexcept nogil:
    return ids.data + ids.offsets[index]


cdef inline int64_t length_of(const Ids* ids, int64_t index) noexcept nogil:
    return ids.offsets[index + 1] - ids.offsets[index]


cdef inline uint64_t load(Bytes text, Py_ssize_t length) noexcept nogil:
    """Return up to eight bytes as a word, a different one for different bytes of one length."""
    cdef uint64_t word = 0
    cdef uint32_t first, last
    if length >= 8:
        memcpy(&word, text, 8)
    elif length >= 4:  # two halves that overlap
        memcpy(&first, text, 4)
        memcpy(&last, text + length - 4, 4)
        word = first | <uint64_t>last << 32
    elif length > 0:
        word = text[0] | <uint64_t>text[length >> 1] << 8 | <uint64_t>text[length - 1] << 16
    return word


cdef inline uint64_t fold(uint64_t a, uint64_t b) noexcept nogil:
    """Return both halves of a product, laid over each other."""
    cdef uint64_t low, high = multiply(a, b, &low)
    return high ^ low


cdef inline uint64_t mix(Bytes text, Py_ssize_t length, uint64_t seed) noexcept nogil:
    """Return a hash: equal for equal bytes, and not to be foreseen by who does not know the seed.

    Each 16 bytes go into a product of two words, as in wyhash, and the length into a last one; the
    seed is in all of them.
    """
    cdef uint64_t secret = (seed ^ 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u
    cdef uint64_t state = (seed ^ 0xD6E8FEB86659FD93u) * 0x94D049BB133111EBu
    cdef uint64_t size = <uint64_t>length
    while length > 16:
        state = fold(load(text, 8) ^ secret, load(text + 8, 8) ^ state)
        text += 16
        length -= 16
    if length > 8:
        state = fold(load(text, 8) ^ secret, load(text + 8, length - 8) ^ state)
    else:
        state = fold(load(text, length) ^ secret, state)
    return fold(state ^ 0x9FB21C651E98DF25u, secret ^ size)


cdef inline bint same(Bytes a, int64_t a_length, Bytes b, int64_t b_length) noexcept nogil:
    """Tell whether two ids are the same: byte for byte, most ids in one or two words."""
    if a_length != b_length:
        return False
    if a_length <= 8:
        return load(a, a_length) == load(b, a_length)
    if a_length <= 16:
        return load(a, 8) == load(b, 8) and load(a + 8, a_length - 8) == load(b + 8, a_length - 8)
    return memcmp(a, b, <size_t>a_length) == 0


cdef inline int compare(Bytes a, int64_t a_length, Bytes b, int64_t b_length) noexcept nogil:
    """Compare two ids as bytes; one that begins another is less."""
    cdef int order = memcmp(a, b, <size_t>(a_length if a_length < b_length else b_length))
    return order if order else (a_length > b_length) - (a_length < b_length)


cdef inline uint64_t slot_mask(int64_t count) noexcept nogil:
    """Return the mask of a table of slots for so many ids: a power of 2, less 1."""
    cdef uint64_t mask = 15
    while mask < <uint64_t>(2 * count):
        mask = 2 * mask + 1
    return mask


cdef inline int64_t seek(
    const uint32_t* slots,
    uint64_t mask,
    const Ids* known,
    const uint64_t* hashes,
    int64_t first,
    Bytes text,
    int64_t length,
    uint64_t hash,
    uint64_t* place,
) noexcept nogil:
    """Return which known id a text is; -1, with the free slot where it belongs, if it is none.

    An open-addressing table of mask + 1 slots: 0 is free, else `first - 1` is to be added.
    """
    cdef uint64_t at = hash & mask
    cdef int64_t index
    while slots[at]:
        index = first + slots[at] - 1
        if hashes[index] == hash and same(
            text_of(known, index), length_of(known, index), text, length
        ):
            return index
        at = (at + 1) & mask
    place[0] = at
    return -1
