"""Soft values of gain-discount measures, and their gradients.

The value of a list is Σ_j h(r_j) Σ_r p_j(r) D(r), where p_j is the distribution of the number of
documents above j when each score has normal noise of deviation σ. It is taken to be that of a sum
of independent yes-and-no's, one for each other document i with the chance π_ij that i scores above
j (Taylor, Guiver, Robertson and Minka, "SoftRank: optimizing non-smooth rank metrics", 2008).

The expected discount of a document comes from `rank_chain`, exactly, or from `rank_expansion`, in
time that grows with n only. The latter serves lists of more than `exact` documents, except where it
would be poor, or save nothing: where the variance of the number above is below LEAST_VARIANCE, its
squared skewness above MOST_SKEW, or only the next NEAR ranks have a discount.
"""

from libc.stdint cimport int64_t

from gradewise.kernels.rank_chain cimport RankChain, expected_discount
from gradewise.kernels.rank_expansion cimport Expansion, expand_discount
from gradewise.kernels.seeded_orders cimport order_list
from gradewise.kernels.upsets cimport SURE, Upset, upset

import numpy as np

from gradewise.kernels.upsets import TABLE

cdef double LEAST_VARIANCE = 12.0
cdef double MOST_SKEW = 0.04  # no variance of 25 or more has as much
cdef Py_ssize_t NEAR = 32
# Below a variance of 25, at most 115 numbers have a chance of 1e-16 (Bernstein's inequality).
cdef Py_ssize_t WIDEST = 128

cdef struct Cumulants:
    double mean
    double variance
    double third
    double fourth

cdef struct Powers:  # sums of u, u², u³ and u⁴
    double one
    double two
    double three
    double four


cdef class Room:
    """What is known of one list after the other; documents are by falling score."""

    cdef const double[:, ::1] table
    cdef const double[::1] weight
    cdef double inverse
    cdef Py_ssize_t low, size, reach  # the list's first row, its rows, and those with a discount
    cdef bint exact
    cdef int64_t[::1] order, spare
    cdef double[::1] scores, density, gradient
    cdef RankChain chain

    def __init__(
        self, Py_ssize_t longest, Py_ssize_t exact, const double[::1] weight, double sigma
    ):
        self.table, self.weight, self.inverse = TABLE, weight, 1.0 / (2.0 * sigma)
        self.order, self.spare = np.empty((2, longest), np.int64)
        self.scores, self.density, self.gradient = np.empty((3, longest))
        self.chain = RankChain(longest, max(min(longest, exact) + 1, WIDEST))


cdef Powers meet(
    Room room, Py_ssize_t own, bint above, Py_ssize_t begin, Py_ssize_t end
) noexcept nogil:
    """Fill the chances of begin..end-1, which score above or below the document `own`.

    Return sums of powers of u, the chances to change sides with it.
    """
    cdef Powers sums = Powers(0.0, 0.0, 0.0, 0.0)
    cdef const double[:, ::1] table = room.table  # local names, which no store may change
    cdef double[::1] scores = room.scores
    cdef double[::1] chance = room.chain.chance
    cdef double[::1] density = room.density
    cdef double inverse = room.inverse, score = scores[own], u
    cdef Py_ssize_t i
    cdef Upset found
    for i in range(begin, end):
        found = upset(table, (scores[i] - score) * inverse)
        u = found.chance
        chance[i], density[i] = 1.0 - u if above else u, found.density * inverse
        sums.one += u
        sums.two += u * u
        sums.three += u * u * u
        sums.four += (u * u) * (u * u)
    return sums


cdef Cumulants meet_others(
    Room room, Py_ssize_t first, Py_ssize_t own, Py_ssize_t last
) noexcept nogil:
    """Fill the chances of first..last-1 to be above the document `own`; return their cumulants."""
    cdef Powers a = meet(room, own, True, first, own), b = meet(room, own, False, own + 1, last)
    cdef double two = a.two + b.two, three = a.three + b.three, four = a.four + b.four
    room.chain.chance[own] = room.density[own] = 0.0  # a document is not above itself
    return Cumulants(
        (own - first) - a.one + b.one,
        a.one + b.one - two,
        (b.one - a.one) - 3 * (b.two - a.two) + 2 * (b.three - a.three),
        a.one + b.one - 7 * two + 12 * three - 6 * four,
    )


cdef void expand_slopes(
    Room room, Expansion found, Py_ssize_t first, Py_ssize_t last
) noexcept nogil:
    """Fill derivatives in chances from those in cumulants."""
    cdef double[::1] chance = room.chain.chance
    cdef double[::1] slope = room.chain.slope
    cdef double p, q
    cdef Py_ssize_t i
    for i in range(first, last):
        p = chance[i]
        q = p * (1.0 - p)
        slope[i] = (found.mean + found.third * (1.0 - 6.0 * q)) + (1.0 - 2.0 * p) * (
            found.variance + found.fourth * (1.0 - 12.0 * q)
        )


cdef void add_slopes(
    Room room, double worth, Py_ssize_t first, Py_ssize_t own, Py_ssize_t last
) noexcept nogil:
    """Add derivatives in scores: a score that rises changes π as the own one does that falls."""
    cdef double[::1] slope = room.chain.slope
    cdef double[::1] density = room.density
    cdef double[::1] gradient = room.gradient
    cdef double step, total = 0.0
    cdef Py_ssize_t i
    for i in range(first, last):
        step = worth * slope[i] * density[i]
        gradient[i] += step
        total += step
    gradient[own] -= total


cdef double add_document(
    Room room, double worth, Py_ssize_t first, Py_ssize_t own, Py_ssize_t last
) noexcept nogil:
    """Return what a document adds to the value; add what it adds to the gradient.

    Documents before `first` are surely above it, and those from `last` on surely below.
    """
    cdef Cumulants sums = meet_others(room, first, own, last)
    cdef Expansion found
    cdef double value
    if (
        room.exact
        or sums.variance < LEAST_VARIANCE
        or sums.third * sums.third > MOST_SKEW * sums.variance**3
        or room.reach - first <= NEAR
    ):
        value = expected_discount(
            room.chain, first, last - first, room.weight, room.low + first, room.low + room.reach
        )
    else:
        found = expand_discount(
            first + sums.mean,
            sums.variance,
            sums.third,
            sums.fourth,
            room.weight,
            room.low,
            room.size,
        )
        value = found.value
        expand_slopes(room, found, first, last)
    add_slopes(room, worth, first, own, last)
    return worth * value


cdef double add_list(
    Room room, const int64_t[::1] levels, const double[::1] gain
) noexcept nogil:
    """Return the value of a list, and add to the gradient."""
    cdef Py_ssize_t first = 0, own, last = 0
    cdef double value = 0.0, worth
    for own in range(room.size):
        while (room.scores[first] - room.scores[own]) * room.inverse >= SURE:
            first += 1
        last = max(last, own + 1)
        while last < room.size and (room.scores[own] - room.scores[last]) * room.inverse < SURE:
            last += 1
        if first >= room.reach:
            break
        worth = gain[levels[room.low + room.order[own]]]
        if worth != 0.0:
            value += add_document(room, worth, first, own, last)
    return value


def soft_gain_lists(
    const double[::1] scores,
    const int64_t[::1] levels,
    const int64_t[::1] offsets,
    const double[::1] gain,
    const double[::1] weight,
    double sigma,
    Py_ssize_t exact,
    double[::1] values,
    double[::1] gradient,
):
    """Fill the value of each list, and its gradient in the score of each row.

    List q has rows offsets[q]:offsets[q + 1], gain[level] is h, and weight[row] the discount of
    each rank in turn. Lists of up to `exact` documents are computed exactly.
    """
    cdef Py_ssize_t q, n, longest = 0
    for q in range(values.shape[0]):
        longest = max(longest, offsets[q + 1] - offsets[q])
    cdef Room room = Room(longest, exact, weight, sigma)
    with nogil:
        for q in range(values.shape[0]):
            room.low, room.size = offsets[q], offsets[q + 1] - offsets[q]
            room.exact, room.reach = room.size <= exact, room.size
            while room.reach > 0 and weight[room.low + room.reach - 1] == 0.0:
                room.reach -= 1
            order_list(scores, levels, room.low, room.size, 0, room.order, room.spare)
            for n in range(room.size):
                room.scores[n], room.gradient[n] = scores[room.low + room.order[n]], 0.0
            values[q] = add_list(room, levels, gain)
            for n in range(room.size):
                gradient[room.low + room.order[n]] = room.gradient[n]
