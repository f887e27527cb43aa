"""Soft values of pivot measures with discount 1/n, and their gradients.

The value of a list is Σ_n [K(r_n, r_n) + Σ_{m≠n} π_mn K(r_n, r_m)] / (1 + Σ_{m≠n} π_mn), where
π_mn is the chance that m scores above n when each score has normal noise of deviation σ: soft GAP
of Robertson, Kanoulas and Yilmaz ("Extending average precision to graded relevance judgments",
2010), for any table K.
"""

from libc.stdint cimport int64_t

from gradewise.kernels.upsets cimport Upset, upset

import numpy as np

from gradewise.kernels.upsets import TABLE


cdef double add_pivot(
    const double[:, ::1] table,
    const double[::1] scores,
    const int64_t[::1] levels,
    Py_ssize_t low,
    Py_ssize_t high,
    Py_ssize_t pivot,
    const double[::1] shares,
    double inverse,
    double[::1] density,
    double[::1] gradient,
) noexcept nogil:
    """Return the soft precision of one pivot, whose row of K is `shares`; add its gradient."""
    cdef Py_ssize_t m
    cdef double precision = 0.0, rank = 0.0, chance, apart, slope, total = 0.0
    cdef Upset found
    for m in range(low, high):
        apart = (scores[m] - scores[pivot]) * inverse
        found = upset(table, apart)
        chance = found.chance if apart < 0 else 1.0 - found.chance
        density[m - low] = found.density * inverse
        precision += chance * shares[levels[m]]
        rank += chance
    # the pivot met itself, with a chance of 1/2; it stands at its own rank for sure
    precision, rank = precision + 0.5 * shares[levels[pivot]], rank + 0.5
    precision /= rank
    for m in range(low, high):
        slope = (shares[levels[m]] - precision) / rank * density[m - low]
        gradient[m] += slope
        total += slope
    gradient[pivot] -= total
    return precision


cdef bint is_pivot(const double[::1] shares) noexcept nogil:
    """Whether anything above a document with this row of K could count."""
    cdef Py_ssize_t i
    for i in range(shares.shape[0]):
        if shares[i] > 0.0:
            return True
    return False


def soft_pivot_lists(
    const double[::1] scores,
    const int64_t[::1] levels,
    const int64_t[::1] offsets,
    const double[:, :, ::1] kernel,
    double sigma,
    double[::1] values,
    double[::1] gradient,
):
    """Fill the value of each list, and add its gradient in the score of each row.

    List q has rows offsets[q]:offsets[q + 1], and the table kernel[q], or the only one.
    """
    cdef Py_ssize_t q, n, which, longest = 0
    cdef double inverse = 1.0 / (2.0 * sigma)
    cdef const double[:, ::1] table = TABLE
    for q in range(values.shape[0]):
        longest = max(longest, offsets[q + 1] - offsets[q])
    cdef double[::1] density = np.empty(longest)
    with nogil:
        for q in range(values.shape[0]):
            which = q if kernel.shape[0] > 1 else 0
            values[q] = 0.0
            for n in range(offsets[q], offsets[q + 1]):
                if is_pivot(kernel[which, levels[n]]):
                    values[q] += add_pivot(
                        table,
                        scores,
                        levels,
                        offsets[q],
                        offsets[q + 1],
                        n,
                        kernel[which, levels[n]],
                        inverse,
                        density,
                        gradient,
                    )
