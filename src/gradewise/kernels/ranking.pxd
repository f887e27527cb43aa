from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from gradewise.kernels.ids cimport Ids

cdef enum:
    TREC = 0  # the greater id first, as trec_eval
    INPUT = 1  # as given
    RANDOM = 2  # by keys drawn for the ids

cdef struct List:  # rows low..high of a column of ids with scores
    Ids ids
    const double* scores
    const uint64_t* keys  # one for each row of the list; read only if ties are RANDOM
    int64_t low
    int64_t high
    int ties

cdef bint order_list(const List* list, int32_t* order, int32_t* spare) noexcept nogil

cdef int64_t find_repeat(
    const List* list,
    int64_t begin,
    uint64_t* hashes,
    uint32_t* slots,
    uint64_t mask,
    uint64_t seed,
    int64_t* first,
) noexcept nogil

cdef void draw_keys(const List* list, uint64_t seed, uint64_t* keys) noexcept nogil
