from libc.math cimport fabs

cdef enum:
    STEPS = 32  # nodes of the table in a unit
    SURE = 6  # erfc(6) / 2 is below the last bit of 1
    TERMS = 8

cdef struct Upset:
    double chance
    double density


cdef inline Upset upset(const double[:, ::1] table, double apart) noexcept nogil:
    """Return the chance erfc(x)/2 and the density exp(-x²)/√π at x = |apart|; 0 from SURE on.

    Both are sums of powers of the distance from the nearest node, so that the density is the slope
    of the chance. What is not a number counts as far apart.
    """
    cdef double x = fabs(apart), d
    cdef Py_ssize_t node, m
    cdef Upset found
    x = x if x < SURE else SURE
    node = <Py_ssize_t>(STEPS * x + 0.5)
    d = x - node * (1.0 / STEPS)
    found.chance, found.density = table[node, TERMS - 1], 0.0
    for m in range(TERMS - 2, -1, -1):
        found.density = found.density * d - found.chance
        found.chance = found.chance * d + table[node, m]
    return found
