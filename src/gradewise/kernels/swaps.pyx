"""What a measure gains when two documents of a ranked list trade places.

When the documents at ranks a < b, of levels x and y, trade places, the value changes by

    above[a, y] - above[a, x] + factor[a] (below[b, y] - below[b, x]),

so that tables of one row for each rank and one column for each level hold all n² changes. They
follow from the levels of the list in rank order, the weight of each rank, and either a table K of
pairs of levels or a gain for each level:

    PIVOT    Σ_n d(n) Σ_{m<=n} K(r_n, r_m)                  weight d, kernel K
    GAIN     Σ_n h(r_n) D(n)                                weight D, gain h
    CASCADE  Σ_n w(n) p(r_n) Π_{m<n} (1 - p(r_m))           weight w, gain p, below 1
    FIRST    w(n) of the first n with h(r_n) = 1            weight w, gain h of 0 or 1
"""

import numpy as np


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
) noexcept nogil:
    """Fill the tables for the ranks of a list, whose weights begin at `low`.

    `sums`, of two rows and a column for each level, is room to work in.
    """
    if family == PIVOT:
        pivot_tables(levels, size, kernel, weight, low, above, below, factor, sums)
    elif family == GAIN:
        gain_tables(size, gain, weight, low, above, below, factor)
    elif family == CASCADE:
        cascade_tables(levels, size, gain, weight, low, above, below, factor)
    else:
        first_tables(levels, size, gain, weight, low, above, below, factor)


cdef void pivot_tables(
    Whole levels,
    Py_ssize_t size,
    const double[:, ::1] kernel,
    Row weight,
    Py_ssize_t low,
    double[:, ::1] above,
    double[:, ::1] below,
    double[::1] factor,
    double[:, ::1] sums,
) noexcept nogil:
    """Regroup the change of a pivot measure by rank.

    sums[0, i] is P_n(i) = Σ_{m<=n} K(i, r_m), and sums[1, i] is Σ_{m<=n} d(m) K(r_m, i).
    """
    cdef Py_ssize_t n, i, width = kernel.shape[0]
    cdef int64_t own
    cdef double d, with_own
    for i in range(width):
        sums[0, i] = sums[1, i] = 0.0
    for n in range(size):
        d, own = weight[low + n], levels[n]
        factor[n] = 1.0
        for i in range(width):
            with_own = sums[0, i] + kernel[i, own]
            below[n, i] = sums[1, i] - d * with_own
            sums[1, i] += d * kernel[own, i]
            above[n, i] = d * (sums[0, i] + kernel[i, i]) - sums[1, i]
            sums[0, i] = with_own


cdef void gain_tables(
    Py_ssize_t size,
    Row gain,
    Row weight,
    Py_ssize_t low,
    double[:, ::1] above,
    double[:, ::1] below,
    double[::1] factor,
) noexcept nogil:
    """A document brings its gain to the weight of the rank that it takes."""
    cdef Py_ssize_t n, i
    for n in range(size):
        factor[n] = 1.0
        for i in range(gain.shape[0]):
            above[n, i] = gain[i] * weight[low + n]
            below[n, i] = -gain[i] * weight[low + n]


cdef void cascade_tables(
    Whole levels,
    Py_ssize_t size,
    Row gain,
    Row weight,
    Py_ssize_t low,
    double[:, ::1] above,
    double[:, ::1] below,
    double[::1] factor,
) noexcept nogil:
    """Regroup ERR: gain[i] is the chance that level i satisfies, and ends the search."""
    cdef Py_ssize_t n, i
    cdef double reached = 1.0, total = 0.0, satisfied, before, own
    for n in range(size):
        satisfied = gain[levels[n]]
        before = -(total + weight[low + n] * reached)
        total += weight[low + n] * satisfied * reached
        factor[n] = 1.0 / (1.0 - satisfied)
        own = weight[low + n] * reached + total * factor[n]
        for i in range(gain.shape[0]):
            above[n, i] = gain[i] * own
            below[n, i] = gain[i] * before
        reached *= 1.0 - satisfied


cdef void first_tables(
    Whole levels,
    Py_ssize_t size,
    Row gain,
    Row weight,
    Py_ssize_t low,
    double[:, ::1] above,
    double[:, ::1] below,
    double[::1] factor,
) noexcept nogil:
    """Regroup RR: only what moves into, or out of, the first relevant rank matters."""
    cdef Py_ssize_t n, i, first = size, second = size
    cdef double value, up, down
    for n in range(size):
        if gain[levels[n]] > 0:
            if first == size:
                first = n
            elif second == size:
                second = n
    value = weight[low + first] if first < size else 0.0
    for n in range(size):
        factor[n] = 1.0 if n == first else 0.0
        up = weight[low + n] - value if n < first else (value if n == first else 0.0)
        down = -weight[low + (n if n < second else second)]
        for i in range(gain.shape[0]):
            above[n, i] = gain[i] * up
            below[n, i] = gain[i] * down


def swap_tables(int family, Whole levels, const double[:, ::1] kernel, Row gain, Row weight):
    """Return the tables `above`, `below` and `factor` of one list, whose levels are by rank."""
    cdef Py_ssize_t size = levels.shape[0], width = gain.shape[0]
    found = np.empty((size, width)), np.empty((size, width)), np.empty(size)
    cdef double[:, ::1] above = found[0]
    cdef double[:, ::1] below = found[1]
    cdef double[::1] factor = found[2]
    cdef double[:, ::1] sums = np.empty((2, width))
    with nogil:
        fill_tables(family, levels, size, kernel, gain, weight, 0, above, below, factor, sums)
    return found
