"""The product distribution of maximum entropy for a measure's value, by Newton's method.

A list has ranks n and levels 0..c; arrays without a level 0 have c columns. Of the chances p[n, 0..c]
with S(p) = aim, for S = Σ_n lin_n·p_n + Σ_n d_n p_nᵀ K Σ_{m<n} p_m, and Σ_n p_n = counts, those of
maximum entropy have the log-odds θ_n = λ + μ ∇S_n(p) (Yilmaz & Robertson 2010, §3.3). Newton's
method solves for θ, λ and μ at once.
"""

cimport cython
from libc.math cimport exp, fabs, isfinite, log

from gradewise.kernels.semiseparable cimport eliminate, solve_border, substitute

import numpy as np

cdef double CAP = 6.0  # of a step in θ
cdef double LIMIT = 300.0  # of θ: chances beyond are 0 or 1


cdef inline double larger(double a, double b) noexcept nogil:
    """Return the larger of two numbers; NaN if one of them is."""
    return b if b > a or b != b else a


cdef inline double within(double x, double low, double high) noexcept nogil:
    return low if x < low else high if x > high else x


cdef void find_chances(const double[:, ::1] theta, double[:, ::1] p) noexcept nogil:
    """Store p_n(a) = exp(θ_n(a)) / (1 + Σ_b exp(θ_n(b))), and the rest as p_n(0)."""
    cdef Py_ssize_t levels = theta.shape[1], n, a
    cdef double top, total
    for n in range(theta.shape[0]):
        top = 0.0
        for a in range(levels):
            top = larger(top, theta[n, a])
        p[n, 0] = exp(-top)
        total = p[n, 0]
        for a in range(levels):
            p[n, a + 1] = exp(theta[n, a] - top)
            total += p[n, a + 1]
        for a in range(levels + 1):
            p[n, a] /= total


cdef double measure(
    const double[:, ::1] linear,
    const double[::1] discount,
    const double[:, ::1] table,
    const double[:, ::1] p,
    double[:, ::1] gradient,
    double[::1] total,
) noexcept nogil:
    """Return S(p) and store its gradient; total[c] is scratch."""
    cdef Py_ssize_t levels = table.shape[0], n, a, b
    cdef double value = 0.0, felt
    total[:] = 0.0
    for n in range(p.shape[0]):  # what each rank feels of those above
        for a in range(levels):
            felt = 0.0
            for b in range(levels):
                felt += table[a, b] * total[b]
            gradient[n, a] = linear[n, a] + discount[n] * felt
            value += gradient[n, a] * p[n, a + 1]
        for a in range(levels):
            total[a] += p[n, a + 1]
    total[:] = 0.0
    for n in range(p.shape[0] - 1, -1, -1):  # and of those below
        for a in range(levels):
            gradient[n, a] += total[a]
            felt = 0.0
            for b in range(levels):
                felt += table[b, a] * p[n, b + 1]
            total[a] += discount[n] * felt
    return value


@cython.final
cdef class Search:
    """Newton's method for one list: what is given, where it stands, and memory for a step.

    Given are linear[n, c], discount[n], table[c, c] and counts[c]. `chances` is p where the search
    stands, `error` the largest violation of a constraint or of stationarity there; `certified` tells
    whether the second-order condition of a maximum holds, and `steps` how many steps were taken.
    """

    cdef const double[:, ::1] linear, table
    cdef const double[::1] discount, counts
    cdef double[:, ::1] theta, p, gradient, residual, change, joint, border, scratch
    cdef double[:, ::1] marked_theta
    cdef double[:, :, ::1] swept
    cdef double[::1] multipliers, marked_multipliers, total, known
    cdef readonly object chances
    cdef readonly double error
    cdef readonly bint certified
    cdef readonly Py_ssize_t steps

    def __init__(
        self,
        const double[:, ::1] linear,
        const double[::1] discount,
        const double[:, ::1] table,
        const double[::1] counts,
    ):
        cdef Py_ssize_t ranks = linear.shape[0], levels = linear.shape[1], wide = 2 * levels + 2
        if not (ranks == len(discount) and levels == len(table) == table.shape[1] == len(counts)):
            raise ValueError("the shapes of linear, discount, table and counts do not fit")
        self.linear, self.discount, self.table, self.counts = linear, discount, table, counts
        self.chances = np.empty((ranks, levels + 1))
        self.p = self.chances
        self.theta, self.gradient = np.empty((ranks, levels)), np.empty((ranks, levels))
        self.residual, self.change = np.empty((ranks, levels)), np.empty((ranks, levels))
        self.swept = np.empty((ranks, levels, wide))
        self.joint, self.scratch = np.empty((wide, wide)), np.empty((levels + 2, wide))
        self.border = np.empty((levels + 1, levels + 1))
        self.multipliers = np.empty(levels + 1)  # λ and μ
        self.total, self.known = np.empty(levels), np.empty(wide)
        self.marked_theta, self.marked_multipliers = np.empty((ranks, levels)), np.empty(levels + 1)
        self.steps = 0
        self.spread_evenly()
        self.mark()

    cdef void spread_evenly(self) noexcept nogil:
        """Stand where all ranks are alike, which solves the problem without the measure."""
        cdef Py_ssize_t levels = self.counts.shape[0], n, a
        cdef double rest = self.theta.shape[0], odds
        for a in range(levels):
            rest -= self.counts[a]
        for a in range(levels):
            odds = larger(self.counts[a], 1e-300) / larger(rest, 1e-6)
            self.multipliers[a] = within(log(odds), -LIMIT, LIMIT)
            for n in range(self.theta.shape[0]):
                self.theta[n, a] = self.multipliers[a]
        self.multipliers[levels] = 0.0

    def mark(self):
        """Remember where the search stands."""
        self.marked_theta[:, :] = self.theta
        self.marked_multipliers[:] = self.multipliers

    def go_back(self):
        """Stand where the last mark is; the first one is where all ranks are alike."""
        self.theta[:, :] = self.marked_theta
        self.multipliers[:] = self.marked_multipliers

    def value(self):
        """Return S where the search stands."""
        cdef double value
        with nogil:
            value = self.evaluate()
        return value

    def seek(self, double aim, double tolerance, Py_ssize_t most):
        """Go to where S = aim, in so many steps at most; return whether the error is small enough."""
        cdef Py_ssize_t step
        cdef double length
        with nogil:
            self.linearize(aim)
            for step in range(most):
                if self.error <= tolerance:
                    break
                length = self.find_step()
                if not isfinite(length):
                    break
                self.move(CAP / length if length > CAP else 1.0)
                self.linearize(aim)
        return self.error <= tolerance

    cdef double evaluate(self) noexcept nogil:
        find_chances(self.theta, self.p)
        return measure(self.linear, self.discount, self.table, self.p, self.gradient, self.total)

    cdef void linearize(self, double aim) noexcept nogil:
        """Find the error where the search stands, and the multipliers' part of the next step."""
        cdef Py_ssize_t levels = self.counts.shape[0], n, a, negative, positive
        cdef double slope = self.multipliers[levels], error = 0.0, p
        cdef double[::1] gap = self.known[levels:2 * levels + 1]
        gap[levels] = aim - self.evaluate()
        for a in range(levels):
            gap[a] = self.counts[a]
        for n in range(self.theta.shape[0]):
            for a in range(levels):
                p = self.p[n, a + 1]
                gap[a] -= p
                self.residual[n, a] = (
                    self.theta[n, a] - self.multipliers[a] - slope * self.gradient[n, a]
                )
                error = larger(error, fabs(self.residual[n, a]) * p * (1.0 - p))
        for a in range(levels):
            error = larger(error, fabs(gap[a]) / larger(self.counts[a], 1.0))
        self.error = larger(error, fabs(gap[levels]))
        negative = eliminate(
            self.p,
            self.gradient,
            self.residual,
            self.discount,
            self.table,
            slope,
            self.swept,
            self.joint,
            self.scratch,
        )
        positive = solve_border(self.joint, self.border, gap)
        self.certified = negative + positive == levels + 1

    cdef double find_step(self) noexcept nogil:
        """Find the step in θ; return its length, without chances that near 0 or 1 further."""
        cdef Py_ssize_t levels = self.counts.shape[0], n, a
        cdef double length = 0.0, step, p
        self.known[:levels] = 0.0
        self.known[2 * levels + 1] = 1.0
        substitute(self.p, self.swept, self.known, self.change)
        for n in range(self.theta.shape[0]):
            for a in range(levels):
                step, p = self.change[n, a], self.p[n, a + 1]
                if not ((p < 1e-6 and step < 0.0) or (p > 1.0 - 1e-6 and step > 0.0)):
                    length = larger(length, fabs(step))
        return length

    cdef void move(self, double part) noexcept nogil:
        """Go a part of the step."""
        cdef Py_ssize_t levels = self.counts.shape[0], n, a
        cdef double theta
        for a in range(levels + 1):
            self.multipliers[a] += part * self.known[levels + a]
        for n in range(self.theta.shape[0]):
            for a in range(levels):
                theta = self.theta[n, a] + part * self.change[n, a]
                self.theta[n, a] = within(theta, -LIMIT, LIMIT)
        self.steps += 1
