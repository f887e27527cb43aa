"""The linear equations of a Newton step for maximum entropy, in time that grows with the ranks.

A list has ranks n and levels 0..c; p[n, 0..c] are the chances of levels at ranks, and arrays
without a level 0 have c columns. S = Σ_n lin_n·p_n + Σ_n d_n p_nᵀ K Σ_{m<n} p_m has a Hessian H with

    (H u)_n = d_n K Σ_{m<n} u_m + Kᵀ Σ_{m>n} d_m u_m.

Wanted are the changes δ[n, c] of log-odds and x = (x_λ[c], x_μ) of multipliers, with

    δ_n = -residual_n + x_λ + x_μ gradient_n + μ (H u)_n,     u_n = W_n δ_n,
    Σ_n u_n = gap_λ,     Σ_n gradient_n·u_n = gap_μ,

where W_n = diag(p_n) - p_n p_nᵀ. H is semiseparable: of the ranks above, rank n feels only the sum
X_n = Σ_{m<n} u_m. Eliminating ranks from the last up, what it feels of those below stays of the form
Φ (X_n + u_n) + φ (x, 1). So δ_n = E_n (X_n, x, 1), where (I - Φ W_n) E_n = [Φ + μ d_n K, φ + (I,
gradient_n, -residual_n)] has c rows and 2c+2 columns, and with each rank one symmetric matrix of
2c+2 rows, [Φ φ; φᵀ T], grows by the product of that right side, transposed, W_n and E_n. At the
first rank, T holds the equations for x; given x, the δ_n follow from the first rank down.

W_n is the sum of c matrices of rank one (level a against level 0 and those above a), which are taken
in one at a time by the formula of Sherman and Morrison. The numbers that it divides by have the signs
of the eigenvalues of W⁻¹ - μ H (Sylvester's law of inertia).
"""

from libc.math cimport copysign, fabs

import numpy as np

cdef double SMALLEST = 1e-12  # to divide by; what stands there is 1 when μ = 0
cdef double REDUNDANT = 1e-14  # of the diagonal of T: what rounding leaves of 0


cdef Py_ssize_t eliminate(
    const double[:, ::1] p,
    const double[:, ::1] gradient,
    const double[:, ::1] residual,
    const double[::1] discount,
    const double[:, ::1] table,
    double slope,
    double[:, :, ::1] swept,
    double[:, ::1] joint,
    double[:, ::1] scratch,
) noexcept nogil:
    """Store E as swept[n, c, 2c+2], and [Φ φ; φᵀ T] as joint[2c+2, 2c+2], where T lacks its lower
    triangle; return how many eigenvalues of W⁻¹ - μ H are negative.

    Scratch has c+2 rows and 2c+2 columns.
    """
    cdef Py_ssize_t levels = table.shape[0], wide = 2 * levels + 2, negative = 0
    cdef Py_ssize_t n, a, b, j
    cdef double weight, rest, spread, pivot
    joint[:, :] = 0.0
    for n in range(p.shape[0] - 1, -1, -1):
        weight = slope * discount[n]
        for a in range(levels):
            for j in range(wide):
                swept[n, a, j] = joint[a, j]
            for b in range(levels):
                scratch[a, b] = joint[a, b]
                swept[n, a, b] += weight * table[a, b]
            swept[n, a, levels + a] += 1.0
            swept[n, a, wide - 2] += gradient[n, a]
            swept[n, a, wide - 1] -= residual[n, a]
        for a in range(levels):
            rest = p[n, 0]
            for b in range(a + 1, levels):
                rest += p[n, b + 1]
            spread = p[n, a + 1] * rest
            if spread <= 0.0:
                continue
            spread /= p[n, a + 1] + rest
            pivot = bend(p, n, a, rest, spread, swept, joint, scratch)
            negative += pivot < 0.0
    return negative


cdef inline double bend(
    const double[:, ::1] p,
    Py_ssize_t n,
    Py_ssize_t a,
    double rest,
    double spread,
    double[:, :, ::1] swept,
    double[:, ::1] joint,
    double[:, ::1] scratch,
) noexcept nogil:
    """Take spread·m mᵀ into W_n, where m is 1 at level a and -p_b / rest at levels b above it.

    Scratch holds Φ (I - W_n Φ)⁻¹ for the part of W_n so far. Returns what is divided by.
    """
    cdef Py_ssize_t levels = swept.shape[1], wide = swept.shape[2], felt = levels, row = levels + 1
    cdef Py_ssize_t b, i, j
    cdef double share, pivot, factor
    for j in range(wide):
        scratch[row, j] = swept[n, a, j]
    for i in range(levels):
        scratch[felt, i] = scratch[a, i]
    for b in range(a + 1, levels):
        share = p[n, b + 1] / rest
        for j in range(wide):
            scratch[row, j] -= share * swept[n, b, j]
        for i in range(levels):
            scratch[felt, i] -= share * scratch[b, i]
    pivot = scratch[felt, a]
    for b in range(a + 1, levels):
        pivot -= p[n, b + 1] / rest * scratch[felt, b]
    pivot = 1.0 - spread * pivot
    if fabs(pivot) < SMALLEST:
        pivot = copysign(SMALLEST, pivot)
    for i in range(wide):
        factor = spread / pivot * scratch[row, i]
        for j in range(i, wide):
            joint[i, j] += factor * scratch[row, j]
    for i in range(levels):
        for j in range(i):
            joint[i, j] = joint[j, i]
        factor = spread / pivot * scratch[felt, i]
        for j in range(wide):
            swept[n, i, j] += factor * scratch[row, j]
        for j in range(levels):
            scratch[i, j] += factor * scratch[felt, j]
    return pivot


cdef Py_ssize_t solve_border(
    const double[:, ::1] joint, double[:, ::1] border, double[::1] x
) noexcept nogil:
    """Solve T x = gap - effect, by elimination; x[c+1] holds the gap before.

    The effect is that of the residual alone, the last column of joint. A multiplier whose
    constraint follows from the others stays. Returns how many eigenvalues of T are not negative.
    """
    cdef Py_ssize_t size = x.shape[0], low = size - 1, positive = 0
    cdef Py_ssize_t i, j, k
    cdef double factor
    for i in range(size):
        x[i] -= joint[low + i, 2 * size - 1]
        for j in range(i, size):
            border[i, j] = joint[low + i, low + j]
    for k in range(size):
        if fabs(border[k, k]) <= REDUNDANT * fabs(joint[low + k, low + k]):
            border[k, k] = 0.0
            positive += 1
            continue
        positive += border[k, k] > 0.0
        for i in range(k + 1, size):
            factor = border[k, i] / border[k, k]
            x[i] -= factor * x[k]
            for j in range(i, size):
                border[i, j] -= factor * border[k, j]
    for k in range(size - 1, -1, -1):
        if border[k, k] == 0.0:
            x[k] = 0.0
            continue
        for j in range(k + 1, size):
            x[k] -= border[k, j] * x[j]
        x[k] /= border[k, k]
    return positive


cdef void substitute(
    const double[:, ::1] p,
    const double[:, :, ::1] swept,
    double[::1] known,
    double[:, ::1] change,
) noexcept nogil:
    """Store δ as change[n, c], given known = (0, x, 1); its first c places become X at the end."""
    cdef Py_ssize_t levels = swept.shape[1], wide = swept.shape[2]
    cdef Py_ssize_t n, a, j
    cdef double each, mean
    for n in range(p.shape[0]):
        mean = 0.0
        for a in range(levels):
            each = 0.0
            for j in range(wide):
                each += swept[n, a, j] * known[j]
            change[n, a] = each
            mean += p[n, a + 1] * each
        for a in range(levels):
            known[a] += p[n, a + 1] * (change[n, a] - mean)


def solve_step(
    const double[:, ::1] p,
    const double[:, ::1] gradient,
    const double[:, ::1] residual,
    const double[::1] discount,
    const double[:, ::1] table,
    double slope,
    const double[::1] gap,
):
    """Return δ[n, c], x[c+1], and whether the second-order condition of a maximum holds.

    It does if as many eigenvalues of W⁻¹ - μ H are negative as of T (Gould, "On practical conditions
    for the existence and uniqueness of solutions to the general equality quadratic programming
    problem", 1985): the entropy then falls in all directions that keep the constraints.
    """
    cdef Py_ssize_t levels = table.shape[0], wide = 2 * levels + 2, negative, positive
    cdef Py_ssize_t ranks = p.shape[0]
    each = (ranks, levels)
    if not (
        levels == table.shape[1] == p.shape[1] - 1 == len(gap) - 1
        and (len(gradient), gradient.shape[1]) == (len(residual), residual.shape[1]) == each
        and len(discount) == ranks
    ):
        raise ValueError("the shapes of p, gradient, residual, discount, table and gap do not fit")
    change, known = np.empty(each), np.zeros(wide)
    known[levels:wide - 1], known[wide - 1] = gap, 1.0
    cdef double[:, :, ::1] swept = np.empty((*each, wide))
    cdef double[:, ::1] joint = np.empty((wide, wide)), scratch = np.empty((levels + 2, wide))
    cdef double[:, ::1] border = np.empty((levels + 1, levels + 1)), changes = change
    cdef double[::1] vector = known
    with nogil:
        negative = eliminate(
            p, gradient, residual, discount, table, slope, swept, joint, scratch
        )
        positive = solve_border(joint, border, vector[levels:wide - 1])
        substitute(p, swept, vector, changes)
    return change, known[levels:wide - 1], negative + positive == levels + 1
