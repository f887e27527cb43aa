from libc.stdint cimport int64_t

ctypedef const double[::1] Row
ctypedef const int64_t[::1] Whole

cdef enum:
    PIVOT = 0
    GAIN = 1
    CASCADE = 2
    FIRST = 3

cdef void fill_tables(
    int family,
    Whole levels,
    Py_ssize_t size,
    const double[:, ::1] kernel,
    Row gain,
    Row weight,
    Py_ssize_t low,
    double[:, ::1] above,
    double[:, ::1] below,
    double[::1] factor,
    double[:, ::1] sums,
) noexcept nogil
