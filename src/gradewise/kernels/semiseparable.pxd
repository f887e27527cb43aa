cdef Py_ssize_t eliminate(
    const double[:, ::1] p,
    const double[:, ::1] gradient,
    const double[:, ::1] residual,
    const double[::1] discount,
    const double[:, ::1] table,
    double slope,
    double[:, :, ::1] swept,
    double[:, ::1] joint,
    double[:, ::1] scratch,
) noexcept nogil

cdef Py_ssize_t solve_border(
    const double[:, ::1] joint, double[:, ::1] border, double[::1] x
) noexcept nogil

cdef void substitute(
    const double[:, ::1] p,
    const double[:, :, ::1] swept,
    double[::1] known,
    double[:, ::1] change,
) noexcept nogil
