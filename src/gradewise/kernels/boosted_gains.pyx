"""Gradients and Hessians of boosted trees where every document has a label of its own.

They are those of Σ w_ij log(1 + exp(-σ (s_i - s_j))) over the pairs of a list with label i above
label j, of which the higher-ranked stands within the truncation. The weight w is 1 (RankNet; Burges
et al., "Learning to rank using gradient descent", 2005), or |h_i - h_j| |D(i) - D(j)|: the change of
a gain-discount measure when the two trade places. Labels need not be whole numbers.
"""

from libc.math cimport exp, fabs, log2
from libc.stdint cimport int64_t, uint64_t

from gradewise.kernels.seeded_orders cimport order_list

import numpy as np

cdef double LEAST = 1e-16  # as in boosted_pairs
cdef double NEAR = 0.01  # LightGBM adds this to the distance of two scores that it divides by


cdef class Room:
    """Arrays that serve one list after the other, by rank."""

    cdef int64_t[::1] order, spare
    cdef double[::1] scores, labels, pull, slope, curve

    def __init__(self, Py_ssize_t longest):
        self.order, self.spare = np.empty((2, longest), np.int64)
        self.scores, self.labels, self.pull, self.slope, self.curve = np.empty((5, longest))


cdef double add_pairs(
    Room room,
    const double[::1] weight,
    Py_ssize_t low,
    Py_ssize_t size,
    double sigma,
    Py_ssize_t truncation,
    bint plain,
    bint scaled,
) noexcept nogil:
    """Add up λ's and second derivatives, without the factors σ and σ².

    Return the sum of |λ| as it is without `pull`.
    """
    cdef Py_ssize_t a, b
    cdef double change, apart, wrong, step, bend, total = 0.0
    cdef bint better
    for a in range(min(size - 1, truncation)):
        for b in range(a + 1, size):
            if room.labels[a] == room.labels[b]:
                continue
            better = room.labels[a] > room.labels[b]
            apart = room.scores[a] - room.scores[b]
            change = 1.0
            if not plain:
                change = fabs(room.labels[a] - room.labels[b])
                change *= fabs(weight[low + a] - weight[low + b])
            if scaled:
                change /= NEAR + apart
            wrong = 1.0 / (1.0 + exp(sigma * apart if better else -sigma * apart))
            step = change * wrong
            total += step
            step *= room.pull[a] if better else room.pull[b]
            bend = step * (1.0 - wrong)
            room.slope[a] -= step if better else -step
            room.slope[b] += step if better else -step
            room.curve[a] += bend
            room.curve[b] += bend
    return total


def boost_gains(
    const double[::1] scores,
    const double[::1] labels,
    const int64_t[::1] marks,
    const double[::1] weight,
    const int64_t[::1] offsets,
    Py_ssize_t first,
    Py_ssize_t last,
    double sigma,
    Py_ssize_t truncation,
    bint normalize,
    bint plain,
    const double[::1] pull,
    uint64_t seed,
    double[::1] gradient,
    double[::1] hessian,
):
    """Fill gradients and Hessians of the rows of lists first..last-1.

    List q has rows offsets[q]:offsets[q + 1]; `labels` are gains, or anything ordered if `plain`;
    `weight` has the discount of each rank, `marks` a whole number for each row by which ties are
    shuffled. `pull` weighs the pairs in which a row has the higher label; it may be empty. If
    `normalize`, changes of the measure are divided by the distance of scores, and the results of a
    list are scaled by log2(1 + Λ) / Λ, as in boosted_pairs.
    """
    cdef Py_ssize_t q, n, row, low, size, longest = 0
    cdef double total, scale
    cdef bint scaled
    for q in range(first, last):
        longest = max(longest, offsets[q + 1] - offsets[q])
    cdef Room room = Room(longest)
    with nogil:
        for q in range(first, last):
            low, size = offsets[q], offsets[q + 1] - offsets[q]
            if size == 0:
                continue
            order_list(scores, marks, low, size, seed, room.order, room.spare)
            for n in range(size):
                row = low + room.order[n]
                room.scores[n], room.labels[n] = scores[row], labels[row]
                room.pull[n] = pull[row] if pull.shape[0] else 1.0
                room.slope[n] = room.curve[n] = 0.0
            scaled = normalize and not plain and room.scores[0] != room.scores[size - 1]
            total = add_pairs(room, weight, low, size, sigma, truncation, plain, scaled)
            scale = 1.0
            if normalize and total > 0.0:
                scale = log2(1.0 + 2.0 * sigma * total) / (2.0 * sigma * total)
            for n in range(size):
                row = low + room.order[n]
                gradient[row] = scale * sigma * room.slope[n]
                hessian[row] = max(scale * sigma * sigma * room.curve[n], LEAST)
