"""Gradients and Hessians of LambdaMART, for boosted trees.

They are those of Σ |Δ_ij| log(1 + exp(-σ (s_i - s_j))) over the pairs of a list with level i above
level j, of which the higher-ranked stands within the truncation; Δ_ij, the change of the measure
when the two trade places, is held fixed (Burges, "From RankNet to LambdaRank to LambdaMART", 2010).

Pairs of documents of the same level have no gradient, so the documents of a list are brought
together by level; the innermost loop then runs over neighbors in memory, without a branch.
"""

from libc.math cimport exp, fabs, log2
from libc.stdint cimport int64_t, uint64_t

from gradewise.kernels.seeded_orders cimport order_list
from gradewise.kernels.swaps cimport fill_tables

import numpy as np

SMALLEST_HESSIAN = 1e-16  # as XGBoost's; a Hessian of 0 would let leaves divide by it
cdef double LEAST = SMALLEST_HESSIAN
cdef double NEAR = 0.01  # LightGBM adds this to the distance of two scores that it divides by
cdef double FAR = 300.0  # where exp(score) and its square are still numbers


cdef class Room:
    """Arrays that serve one list after the other: by rank, and by level."""

    cdef int64_t[::1] order, spare, by_rank, place, start, now
    cdef double[:, ::1] above, below, sums, moved
    cdef double[::1] factor, rank_scores, scores, powers, slope, curve, rank_pull, pull

    def __init__(self, Py_ssize_t longest, Py_ssize_t width):
        self.order, self.spare, self.by_rank, self.place = np.empty((4, longest), np.int64)
        self.start, self.now = np.empty((2, width + 1), np.int64)
        self.above, self.below = np.empty((2, longest, width))
        self.sums, self.moved = np.empty((2, width)), np.empty((width, longest))
        self.factor, self.rank_scores, self.scores = np.empty((3, longest))
        self.powers, self.slope, self.curve = np.empty((3, longest))
        self.rank_pull, self.pull = np.empty((2, longest))


cdef struct Pull:
    double slope
    double curve
    double plain


cdef inline Pull pull_apart(
    bint better,
    double score,
    double own,
    double change,
    double factor,
    double least,
    double distance,
    Py_ssize_t begin,
    Py_ssize_t end,
    Py_ssize_t x,
    const double[:, ::1] moved,
    const double[::1] scores,
    const double[::1] powers,
    bint pulled,
    double strength,
    const double[::1] pull,
    double[::1] slopes,
    double[::1] curves,
) noexcept nogil:
    """Add the λ's of one document and the lower-ranked ones of one other level, begin..end-1.

    With powers e^(σ s), the chance of a pair to be the wrong way round is a ratio of sums of them.
    If `pulled`, a pair is weighed by the better document's `pull`; `strength` is the document's own.
    Return the sums of |λ| and of second derivatives, which belong to the document itself, and that
    of |λ| as it is without `pull`.
    """
    cdef Py_ssize_t k
    cdef double apart, inverse, force, step, bend
    cdef double fixed = 0.0 if better else own, moving = 1.0 if better else 0.0
    cdef double sign = 1.0 if better else -1.0
    cdef Pull total = Pull(0.0, 0.0, 0.0)
    for k in range(begin, end):
        apart = least + distance * (score - scores[k])
        inverse = 1.0 / ((own + powers[k]) * apart)
        force = fabs(change + factor * moved[x, k]) * inverse
        if pulled:
            total.plain += force * (fixed + moving * powers[k])
            force *= strength if better else pull[k]
        step = force * (fixed + moving * powers[k])
        bend = force * inverse * apart * (own * powers[k])
        total.slope += step
        total.curve += bend
        slopes[k] += sign * step
        curves[k] += bend
    if not pulled:
        total.plain = total.slope
    return total


cdef bint group_by_level(Room room, Py_ssize_t size, double sigma) noexcept nogil:
    """Bring the documents of a list together by level, in the order of ranks within each.

    `start` receives where each level begins, `place` where the document of each rank went, and
    `moved[x]` what it is worth to each that a document of level x takes its place. Return whether
    scores are too far apart for their powers, which are then left to be taken pair by pair.
    """
    cdef Py_ssize_t width = room.moved.shape[0], n, k, x, y
    cdef double middle = 0.5 * (room.rank_scores[0] + room.rank_scores[size - 1])
    cdef bint wide = sigma * (room.rank_scores[0] - middle) > FAR
    for y in range(width + 1):
        room.start[y] = 0
    for n in range(size):
        room.start[room.by_rank[n] + 1] += 1
    for y in range(width):
        room.start[y + 1] += room.start[y]
        room.now[y] = room.start[y]
    for n in range(size):
        y = room.by_rank[n]
        k = room.now[y]
        room.now[y] += 1
        room.place[n] = k
        room.scores[k], room.pull[k] = room.rank_scores[n], room.rank_pull[n]
        room.powers[k] = 0.0 if wide else exp(sigma * (room.rank_scores[n] - middle))
        for x in range(width):
            room.moved[x, k] = room.below[n, y] - room.below[n, x]
    return wide


cdef double add_pairs(
    Room room,
    Py_ssize_t size,
    double sigma,
    Py_ssize_t truncation,
    bint normalize,
    bint pulled,
) noexcept nogil:
    """Add up λ's and second derivatives, without the factors σ and σ².

    Return the sum of |λ| as it is without `pull`, so that scaling by it does not undo the weights.
    """
    cdef Py_ssize_t width = room.moved.shape[0], a, k, x, y
    cdef bint wide = group_by_level(room, size, sigma)
    cdef bint scaled = normalize and room.rank_scores[0] != room.rank_scores[size - 1]
    cdef double least = NEAR if scaled else 1.0, distance = 1.0 if scaled else 0.0
    cdef double own, score, total = 0.0
    cdef Pull pull
    for y in range(width):
        room.now[y] = room.start[y]
    for k in range(size):
        room.slope[k] = room.curve[k] = 0.0
    for a in range(min(size - 1, truncation)):
        x, score, own = room.by_rank[a], room.rank_scores[a], room.powers[room.place[a]]
        room.now[x] += 1
        if wide:
            own = 1.0
            for k in range(size):
                room.powers[k] = exp(min(sigma * (room.scores[k] - score), 0.0))
        for y in range(width):
            if y == x or room.now[y] == room.start[y + 1]:
                continue
            pull = pull_apart(
                x > y,
                score,
                own,
                room.above[a, y] - room.above[a, x],
                room.factor[a],
                least,
                distance,
                room.now[y],
                room.start[y + 1],
                x,
                room.moved,
                room.scores,
                room.powers,
                pulled,
                room.rank_pull[a],
                room.pull,
                room.slope,
                room.curve,
            )
            total += pull.plain
            room.slope[room.place[a]] -= pull.slope if x > y else -pull.slope
            room.curve[room.place[a]] += pull.curve
    return total


def boost_lists(
    const double[::1] scores,
    const int64_t[::1] levels,
    const int64_t[::1] offsets,
    Py_ssize_t first,
    Py_ssize_t last,
    int family,
    const double[:, :, ::1] kernel,
    const double[::1] gain,
    const double[::1] weight,
    double sigma,
    Py_ssize_t truncation,
    bint normalize,
    const double[::1] pull,
    uint64_t seed,
    double[::1] gradient,
    double[::1] hessian,
):
    """Fill gradients and Hessians of the rows of lists first..last-1.

    List q has rows offsets[q]:offsets[q + 1]; `kernel`, `gain` and `weight` are those of `swaps`,
    with a kernel for each list, or one for all. `pull` weighs the pairs in which a row has the higher
    level; it may be empty. If `normalize`, Δ is divided by the distance of
    the scores, and both results are scaled by log2(1 + Λ) / Λ, where Λ is the sum of |λ| over both
    ends of all pairs of the list, as in LightGBM.
    """
    cdef Py_ssize_t q, n, row, low, size, longest = 0
    cdef double total, scale
    cdef bint pulled = pull.shape[0] > 0
    for q in range(first, last):
        longest = max(longest, offsets[q + 1] - offsets[q])
    cdef Room room = Room(longest, gain.shape[0])
    with nogil:
        for q in range(first, last):
            low, size = offsets[q], offsets[q + 1] - offsets[q]
            if size == 0:
                continue
            order_list(scores, levels, low, size, seed, room.order, room.spare)
            for n in range(size):
                room.by_rank[n] = levels[low + room.order[n]]
                room.rank_scores[n] = scores[low + room.order[n]]
                room.rank_pull[n] = pull[low + room.order[n]] if pulled else 1.0
            fill_tables(
                family,
                room.by_rank,
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
            total = add_pairs(room, size, sigma, truncation, normalize, pulled)
            scale = 1.0
            if normalize and total > 0.0:
                scale = log2(1.0 + 2.0 * sigma * total) / (2.0 * sigma * total)
            for n in range(size):
                row = low + room.order[n]
                gradient[row] = scale * sigma * room.slope[room.place[n]]
                hessian[row] = max(scale * sigma * sigma * room.curve[room.place[n]], LEAST)
