"""The largest ratio of a sum of gains to that of the ideal list, by Dinkelbach's method.

λ = Σ_j Δ_j (b_j + W(n_j)) / Σ_j Δ_j S(R_j + n_j)

over numbers n_j of free documents that have at least level j = 1..c. Δ_j is the step of the gain
at level j, b_j the weight of known documents of at least that level, W(n) that of the first n free
documents by falling weight, S(n) the sum of the first n discounts of the ideal list, and R_j the
number of judged documents of at least level j. Given λ, each n_j maximizes W(n) - λ S(R_j + n); the
ratio of what is found is the next λ, until it grows no more.
"""

from libc.stdint cimport int64_t

import numpy as np


cdef double divide(
    const double[::1] steps,
    const double[::1] base,
    const double[::1] gained,
    const double[::1] ideal,
    const int64_t[::1] relevant,
    const int64_t[::1] chosen,
) noexcept nogil:
    """Return the ratio for given numbers, 0 if nothing is ideal."""
    cdef double above = 0, below = 0
    cdef Py_ssize_t j
    for j in range(steps.shape[0]):
        above += steps[j] * (base[j] + gained[chosen[j]])
        below += steps[j] * ideal[relevant[j] + chosen[j]]
    return above / below if below > 0 else 0.0


cdef void choose(
    double bound,
    const double[::1] gained,
    const double[::1] ideal,
    const int64_t[::1] relevant,
    int64_t[::1] chosen,
) noexcept nogil:
    """Store the best numbers, given a ratio; the smallest of several."""
    cdef double value, best
    cdef Py_ssize_t j, n
    for j in range(chosen.shape[0]):
        chosen[j] = 0
        best = gained[0] - bound * ideal[relevant[j]]
        for n in range(1, gained.shape[0]):
            value = gained[n] - bound * ideal[relevant[j] + n]
            if value > best:
                best = value
                chosen[j] = n


cdef void add_weights(
    const double[::1] weight,
    const int64_t[::1] level,
    const int64_t[::1] order,
    double[::1] base,
    double[::1] gained,
) noexcept nogil:
    """Add up the weights of known documents by level, and those of free ones by number."""
    cdef Py_ssize_t d, j, n
    for d in range(weight.shape[0]):
        for j in range(level[d]):
            base[j] += weight[d]
    for n in range(order.shape[0]):
        gained[n + 1] = gained[n] + weight[order[n]]


def maximize_ratio(
    const double[::1] weight,
    const int64_t[::1] level,
    const int64_t[::1] order,
    const int64_t[::1] relevant,
    const double[::1] steps,
    const double[::1] ideal,
):
    """Return the ratio with no free document, the largest one, and the numbers that attain it.

    Parameters
    ----------
    weight, level
        The weight of each document, and its level; 0 or less if it is free or not relevant.
    order
        The free documents by falling weight.
    relevant, steps
        R_j and Δ_j for j = 1..c.
    ideal
        S(0), S(1), ..., up to the largest R_j and all free documents at least.
    """
    cdef double known, bound, found
    cdef double[::1] base = np.zeros(steps.shape[0])
    cdef double[::1] gained = np.zeros(order.shape[0] + 1)
    chosen, better = np.zeros((2, steps.shape[0]), np.int64)
    cdef int64_t[::1] best = chosen, trial = better
    with nogil:
        add_weights(weight, level, order, base, gained)
        known = bound = divide(steps, base, gained, ideal, relevant, best)
        while True:
            choose(bound, gained, ideal, relevant, trial)
            found = divide(steps, base, gained, ideal, relevant, trial)
            if not found > bound:
                break
            bound = found
            best[:] = trial
    return known, bound, chosen
