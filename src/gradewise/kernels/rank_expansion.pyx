"""The expected discount of one document when noise may change its rank, from four cumulants.

The number of documents above is a sum of independent yes-and-no's. Its distribution is close to
the Edgeworth expansion for lattices, with x = (r - μ)/σ, Hermite polynomials He and the cumulants
μ, σ², κ3 and κ4 (Petrov, "Sums of independent random variables", 1975, chapter VII),

    P(r) ≈ φ(x)/σ · [1 + κ3/(6σ³) He3(x) + κ4/(24σ⁴) He4(x) + κ3²/(72σ⁶) He6(x)],

and E = Σ_r P(r) D(r) is summed over the integers around the mean. Outside of the list, D is that of
its first or last rank. As -d/dx [φ He_m] = φ He_{m+1}, derivatives are such sums, too; and the
expansion solves the heat equation, ∂E/∂σ² = ½ ∂²E/∂μ². The expansion is poor for a small variance
and for a skew distribution: choose another way there.
"""

from libc.math cimport ceil, exp, floor, sqrt

cdef double FAR = 8.5  # deviations from the mean; φ is there below 1e-16
cdef double ROOT = 2.5066282746310002  # √(2π)

cdef enum:
    POWERS = 9


cdef Expansion expand_discount(
    double mean,
    double variance,
    double third,
    double fourth,
    const double[::1] discount,
    Py_ssize_t low,
    Py_ssize_t size,
) noexcept nogil:
    """Return E and its derivatives in the cumulants; `discount[low + r]` is D(r), r < size."""
    cdef double deviation = sqrt(variance), x, term
    cdef double t[POWERS]  # Σ_r D(r) exp(-x²/2) x^m
    cdef Py_ssize_t r, m
    for m in range(POWERS):
        t[m] = 0.0
    for r in range(
        <Py_ssize_t>ceil(mean - FAR * deviation), <Py_ssize_t>floor(mean + FAR * deviation) + 1
    ):
        x = (r - mean) / deviation
        term = exp(-0.5 * x * x) * discount[low + min(max(r, <Py_ssize_t>0), size - 1)]
        for m in range(POWERS):
            t[m] += term
            term *= x
    return from_powers(t, deviation, third, fourth)


cdef inline Expansion from_powers(
    const double* t, double deviation, double third, double fourth
) noexcept nogil:
    """Turn sums of powers into sums of Hermite polynomials, and these into E."""
    cdef double h1 = t[1], h2 = t[2] - t[0], h3 = t[3] - 3 * t[1]
    cdef double h4 = t[4] - 6 * t[2] + 3 * t[0]
    cdef double h5 = t[5] - 10 * t[3] + 15 * t[1]
    cdef double h6 = t[6] - 15 * t[4] + 45 * t[2] - 15 * t[0]
    cdef double h7 = t[7] - 21 * t[5] + 105 * t[3] - 105 * t[1]
    cdef double h8 = t[8] - 28 * t[6] + 210 * t[4] - 420 * t[2] + 105 * t[0]
    cdef double unit = 1.0 / (ROOT * deviation)
    cdef double skew = 1.0 / (6 * deviation**3), tails = 1.0 / (24 * deviation**4)
    cdef double a = skew * third, b = tails * fourth, c = 0.5 * a * a
    return Expansion(
        unit * (t[0] + a * h3 + b * h4 + c * h6),
        unit / deviation * (h1 + a * h4 + b * h5 + c * h7),
        unit / (2 * deviation**2) * (h2 + a * h5 + b * h6 + c * h8),
        unit * skew * (h3 + a * h6),
        unit * tails * h4,
    )


def expand_rank_discount(
    double mean, double variance, double third, double fourth, const double[::1] discount
):
    """Return E and its derivatives in the four cumulants."""
    cdef Expansion found
    with nogil:
        found = expand_discount(
            mean, variance, third, fourth, discount, 0, discount.shape[0]
        )
    return found.value, found.mean, found.variance, found.third, found.fourth
