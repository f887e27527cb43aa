"""The expected discount of one document when others are above it by chance, exactly.

The number of documents above is a sum of independent yes-and-no's with chances π_i. Of its
distribution P, E = Σ_r P(r) D(r) is wanted, and ∂E/∂π_i for each i: the mean of D(r + 1) - D(r)
over the distribution of the number above without i (Taylor, Guiver, Robertson and Minka, "SoftRank:
optimizing non-smooth rank metrics", 2008).

The documents are taken in blocks of 7. With C_b, the distribution of the number above in block b,

    P_{b+1}(r) = Σ_k C_b(k) P_b(r - k)       forward from P_0(0) = 1, kept for all blocks,
    E_b(r) = Σ_k C_b(k) E_{b+1}(r + k)       backward from E(r) = D(r) behind the last block,
    S_b(k) = Σ_r P_b(r) E_{b+1}(r + k),

where S_b(k) is what is expected if k documents of block b are above. Within a block, the same is
done document by document. (Without blocks, it takes twice the time.)

Numbers with a chance below TINY are left out, as are those from which on there is no discount: a
distribution that is narrow, or a measure with a small cutoff, costs little.
"""

import numpy as np

cdef double TINY = 1e-16

cdef enum:
    BLOCK = 7
    PAD = 8  # numbers on either side that may be asked for, and count nothing


cdef class RankChain:
    """Room for `longest` documents of which at most `widest` numbers above have a chance."""

    def __init__(self, Py_ssize_t longest, Py_ssize_t widest):
        cdef Py_ssize_t blocks = (longest + BLOCK - 1) // BLOCK
        self.chance, self.slope = np.zeros((2, longest + BLOCK))
        self.blocks = np.empty((blocks, BLOCK + 1))
        self.before = np.empty((blocks + 1) * (widest + BLOCK + 2 * PAD))
        self.start, self.lowest, self.highest = np.empty((3, blocks + 1), np.intp)
        self.behind = np.empty(2 * (longest + BLOCK + 2 * PAD))


cdef double expected_discount(
    RankChain chain,
    Py_ssize_t first,
    Py_ssize_t count,
    const double[::1] discount,
    Py_ssize_t begin,
    Py_ssize_t end,
) noexcept nogil:
    """Return E for the documents first..first+count-1, and fill their slopes.

    discount[begin + r] is D(r); from `end` on, it is 0. The next BLOCK chances are overwritten.
    """
    cdef Py_ssize_t blocks = (count + BLOCK - 1) // BLOCK, b, r
    cdef Py_ssize_t now = PAD, then = chain.behind.shape[0] // 2 + PAD
    cdef double value = 0.0
    for r in range(first + count, first + BLOCK * blocks):
        chain.chance[r] = 0.0
    if not walk_forward(chain, first, blocks, end - begin):
        for r in range(first, first + count):
            chain.slope[r] = 0.0
        return 0.0
    for r in range(chain.lowest[blocks] - 1, chain.highest[blocks] + 2):
        chain.behind[now + r] = discount[begin + r] if r >= 0 and begin + r < end else 0.0
    for r in range(chain.lowest[blocks], chain.highest[blocks] + 1):
        value += chain.before[chain.start[blocks] + r] * chain.behind[now + r]
    for b in range(blocks - 1, -1, -1):
        clear_around(chain, b, now)
        fill_slopes(chain, first + BLOCK * b, b, now)
        step_back(chain, b, now, then)
        now, then = then, now
    return value


cdef bint walk_forward(
    RankChain chain, Py_ssize_t first, Py_ssize_t blocks, Py_ssize_t reach
) noexcept nogil:
    """Fill the distributions before each block, up to the number `reach`, which has no discount.

    Without one of the documents, there is one less, which may have one. Return False if all
    numbers are higher.
    """
    cdef Py_ssize_t b, r
    chain.start[0], chain.lowest[0], chain.highest[0] = PAD, 0, 0
    for r in range(2 * PAD + 1):
        chain.before[r] = 0.0
    chain.before[PAD] = 1.0
    for b in range(blocks):
        fill_block(chain, first + BLOCK * b, b)
        step_forward(chain, b, reach)
        if chain.lowest[b + 1] > chain.highest[b + 1]:
            return False
    return reach > 0


cdef inline void add_one(double* chances, double p) noexcept nogil:
    """Add a document to a distribution."""
    cdef Py_ssize_t r
    for r in range(BLOCK, 0, -1):
        chances[r] = p * chances[r - 1] + (1.0 - p) * chances[r]
    chances[0] *= 1.0 - p


cdef inline void fill_block(RankChain chain, Py_ssize_t first, Py_ssize_t b) noexcept nogil:
    """Fill the distribution of a block."""
    cdef Py_ssize_t i
    cdef double[BLOCK + 1] chances
    chances[0] = 1.0
    for i in range(1, BLOCK + 1):
        chances[i] = 0.0
    for i in range(BLOCK):
        add_one(chances, chain.chance[first + i])
    for i in range(BLOCK + 1):
        chain.blocks[b, i] = chances[i]


cdef inline double stencil(
    const double[::1] array, Py_ssize_t at, const double* c
) noexcept nogil:
    """Return Σ_k c[k] array[at + k]."""
    return (
        (c[0] * array[at] + c[1] * array[at + 1])
        + (c[2] * array[at + 2] + c[3] * array[at + 3])
        + (c[4] * array[at + 4] + c[5] * array[at + 5])
        + (c[6] * array[at + 6] + c[7] * array[at + 7])
    )


cdef inline void step_forward(RankChain chain, Py_ssize_t b, Py_ssize_t reach) noexcept nogil:
    """Fill P_{b+1} from P_b; leave out what has no chance."""
    cdef Py_ssize_t low = chain.lowest[b], high = min(chain.highest[b] + BLOCK, reach)
    cdef Py_ssize_t here = chain.start[b], there = here + chain.highest[b] - low + 1 + 2 * PAD, r, k
    cdef double[BLOCK + 1] c
    for k in range(BLOCK + 1):
        c[k] = chain.blocks[b, BLOCK - k]
    for r in range(low, high + 1):
        chain.before[there + r] = stencil(chain.before, here + r - BLOCK, c)
    while low <= high and chain.before[there + low] < TINY:
        low += 1
    while low <= high and chain.before[there + high] < TINY:
        high -= 1
    for k in range(1, PAD + 1):
        chain.before[there + low - k] = chain.before[there + high + k] = 0.0
    chain.start[b + 1], chain.lowest[b + 1], chain.highest[b + 1] = there, low, high


cdef inline void clear_around(RankChain chain, Py_ssize_t b, Py_ssize_t now) noexcept nogil:
    """Write 0 where E_{b+1} may be asked for, but counts nothing.

    It is known for the numbers that have a chance, and for one more on either side: there may be
    one more or less when a document is left out.
    """
    cdef Py_ssize_t r
    for r in range(chain.lowest[b] - 1, chain.lowest[b + 1] - 1):
        chain.behind[now + r] = 0.0
    for r in range(chain.highest[b + 1] + 2, chain.highest[b] + BLOCK + 2):
        chain.behind[now + r] = 0.0


cdef inline void step_back(
    RankChain chain, Py_ssize_t b, Py_ssize_t now, Py_ssize_t then
) noexcept nogil:
    """Fill E_b from E_{b+1}."""
    cdef Py_ssize_t r, k
    cdef double[BLOCK + 1] c
    for k in range(BLOCK + 1):
        c[k] = chain.blocks[b, k]
    for r in range(chain.lowest[b] - 1, chain.highest[b] + 2):
        chain.behind[then + r] = stencil(chain.behind, now + r, c)


cdef inline double product(
    const double[::1] one, Py_ssize_t a, const double[::1] other, Py_ssize_t b, Py_ssize_t count
) noexcept nogil:
    """Return Σ_k one[a + k] other[b + k].

    Four sums go on side by side, as the compiler may not change the order of one.
    """
    cdef Py_ssize_t k = 0
    cdef double s = 0.0, t = 0.0, u = 0.0, v = 0.0
    while k + 3 < count:
        s += one[a + k] * other[b + k]
        t += one[a + k + 1] * other[b + k + 1]
        u += one[a + k + 2] * other[b + k + 2]
        v += one[a + k + 3] * other[b + k + 3]
        k += 4
    while k < count:
        s += one[a + k] * other[b + k]
        k += 1
    return (s + t) + (u + v)


cdef inline void fill_slopes(
    RankChain chain, Py_ssize_t first, Py_ssize_t b, Py_ssize_t now
) noexcept nogil:
    """Fill S_b from P_b and E_{b+1}, and the slopes of the block's documents from S_b."""
    cdef Py_ssize_t i, r, low = chain.lowest[b], count = chain.highest[b] - low + 1
    cdef double[BLOCK + 1][BLOCK + 1] rest  # [i][r]: what is expected if r of the first i are above
    cdef double[BLOCK + 1] chances
    cdef double p, total
    for r in range(BLOCK + 1):
        rest[BLOCK][r] = product(
            chain.before, chain.start[b] + low, chain.behind, now + low + r, count
        )
        chances[r] = 0.0
    for i in range(BLOCK - 1, 0, -1):
        p = chain.chance[first + i]
        for r in range(BLOCK):
            rest[i][r] = (1.0 - p) * rest[i + 1][r] + p * rest[i + 1][r + 1]
        rest[i][BLOCK] = 0.0
    chances[0] = 1.0
    for i in range(BLOCK):
        total = 0.0
        for r in range(i + 1):
            total += chances[r] * (rest[i + 1][r + 1] - rest[i + 1][r])
        chain.slope[first + i] = total
        add_one(chances, chain.chance[first + i])


def expected_rank_discount(const double[::1] chance, const double[::1] discount):
    """Return E and ∂E/∂π for documents that are above by `chance`; discounts end with the array."""
    cdef Py_ssize_t count = chance.shape[0]
    cdef RankChain chain = RankChain(count, count + 1)
    cdef double value
    chain.chance[:count] = chance
    with nogil:
        value = expected_discount(chain, 0, count, discount, 0, discount.shape[0])
    return value, np.array(chain.slope[:count])
