cdef class RankChain:
    cdef double[::1] chance  # [document]: π
    cdef double[::1] slope  # [document]: ∂E/∂π
    cdef double[:, ::1] blocks  # [block, number above]: C
    cdef double[::1] before  # P of the blocks before each, one row behind the other
    cdef Py_ssize_t[::1] start  # [block]: where the number 0 is, or would be, in `before`
    cdef Py_ssize_t[::1] lowest  # [block]: the numbers that have a chance
    cdef Py_ssize_t[::1] highest
    cdef double[::1] behind  # E of what is behind, in two rows that take turns

cdef double expected_discount(
    RankChain chain,
    Py_ssize_t first,
    Py_ssize_t count,
    const double[::1] discount,
    Py_ssize_t begin,
    Py_ssize_t end,
) noexcept nogil
