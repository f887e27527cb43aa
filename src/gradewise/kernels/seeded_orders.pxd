from libc.stdint cimport int64_t, uint64_t

cdef void order_list(
    const double[::1] scores,
    const int64_t[::1] levels,
    Py_ssize_t low,
    Py_ssize_t size,
    uint64_t seed,
    int64_t[::1] order,
    int64_t[::1] spare,
) noexcept nogil
