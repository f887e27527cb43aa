"""Losses of LambdaRank and RankNet with their gradients, for nets.

The loss of a list is Σ |Δ_ij| log(1 + exp(-σ (s_i - s_j))) over pairs with level i above level j,
where Δ_ij is the change of the measure when the two trade places, or 1 (RankNet). Δ is held fixed
in the gradient, which so is LambdaRank's (Burges, Ragno and Le, "Learning to rank with nonsmooth
cost functions", 2006).
"""

from libc.math cimport exp, fabs, log1p
from libc.stdint cimport int64_t

from gradewise.kernels.swaps cimport fill_tables

import numpy as np

cdef double FAR = 600.0  # where e^-far is still a number of full precision


cdef class Room:
    """Arrays that serve one list after the other, by rank."""

    cdef int64_t[::1] levels
    cdef double[:, ::1] above, below, sums
    cdef double[::1] factor, scores, powers, slope, pull

    def __init__(self, Py_ssize_t longest, Py_ssize_t width):
        self.levels, self.sums = np.empty(longest, np.int64), np.empty((2, width))
        self.above, self.below = np.empty((2, longest, width))
        self.factor, self.scores, self.powers, self.slope, self.pull = np.empty((5, longest))


cdef bint take_powers(Room room, Py_ssize_t size, double sigma) noexcept nogil:
    """Fill e^(σ s) up to a common factor; return False if scores are too far apart for that."""
    cdef Py_ssize_t n
    if size == 0 or sigma * (room.scores[0] - room.scores[size - 1]) > FAR:
        return False
    for n in range(size):
        room.powers[n] = exp(sigma * (room.scores[n] - room.scores[0]))
    return True


cdef double add_pairs(
    Room room, Py_ssize_t size, double sigma, Py_ssize_t depth, bint plain
) noexcept nogil:
    """Return the loss of a list, and add its gradient to `slope`."""
    cdef Py_ssize_t a, b
    cdef int64_t x, y
    cdef double change, small, step, loss = 0.0
    cdef bint near = take_powers(room, size, sigma)
    cdef int64_t[::1] levels = room.levels
    cdef double[:, ::1] above = room.above
    cdef double[:, ::1] below = room.below
    cdef double[::1] powers = room.powers
    cdef double[::1] slope = room.slope
    for a in range(min(size, depth)):
        x = levels[a]
        for b in range(a + 1, size):
            y = levels[b]
            if x == y:
                continue
            change = 1.0
            if not plain:
                change = above[a, y] - above[a, x]
                change = fabs(change + room.factor[a] * (below[b, y] - below[b, x]))
                if change == 0.0:
                    continue
            change *= room.pull[a] if x > y else room.pull[b]
            if near:
                small = powers[b] / powers[a]
            else:
                small = exp(sigma * (room.scores[b] - room.scores[a]))
            loss += change * log1p(small)
            step = sigma * change / (1.0 + small)
            if x > y:
                step *= -small
            else:
                loss += change * sigma * (room.scores[a] - room.scores[b])
            slope[a] += step
            slope[b] -= step
    return loss


def lambda_lists(
    const double[::1] scores,
    const int64_t[::1] order,
    const int64_t[::1] levels,
    const int64_t[::1] offsets,
    int family,
    const double[:, :, ::1] kernel,
    const double[::1] gain,
    const double[::1] weight,
    double sigma,
    Py_ssize_t depth,
    bint plain,
    const double[::1] pull,
    double[::1] losses,
    double[::1] gradient,
):
    """Fill the loss of each list, and its gradient in the score of each row.

    List q has rows offsets[q]:offsets[q + 1], which `order` holds by rank; `kernel`, `gain` and
    `weight` are those of `swaps`, with a kernel for each list, or one for all. Pairs of which
    neither document stands at rank `depth` or above are left out; `plain` takes 1 for |Δ|.
    `pull` weighs the pairs in which a row has the higher level; it may be empty.
    """
    cdef Py_ssize_t q, n, low, size, longest = 0
    for q in range(losses.shape[0]):
        longest = max(longest, offsets[q + 1] - offsets[q])
    cdef Room room = Room(longest, gain.shape[0])
    with nogil:
        for q in range(losses.shape[0]):
            low, size = offsets[q], offsets[q + 1] - offsets[q]
            for n in range(size):
                room.levels[n], room.scores[n] = levels[order[low + n]], scores[order[low + n]]
                room.slope[n] = 0.0
                room.pull[n] = pull[order[low + n]] if pull.shape[0] else 1.0
            if not plain:
                fill_tables(
                    family,
                    room.levels,
                    size,
                    kernel[q if kernel.shape[0] > 1 else 0],
                    gain,
                    weight,
                    low,
                    room.above,
                    room.below,
                    room.factor,
                    room.sums,
                )
            losses[q] = add_pairs(room, size, sigma, depth, plain)
            for n in range(size):
                gradient[order[low + n]] = room.slope[n]
