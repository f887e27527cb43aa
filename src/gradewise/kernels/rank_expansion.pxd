cdef struct Expansion:
    double value
    double mean  # derivatives in the mean and the next three cumulants
    double variance
    double third
    double fourth

cdef Expansion expand_discount(
    double mean,
    double variance,
    double third,
    double fourth,
    const double[::1] discount,
    Py_ssize_t low,
    Py_ssize_t size,
) noexcept nogil
