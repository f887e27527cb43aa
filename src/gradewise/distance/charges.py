"""What lists earn rank by rank: sums of precisions, and the chance of having been satisfied.

A sum Σ_n d(n) [r_n relevant] c_n, c_n being the number of relevant documents at rank n or above,
equals Σ_t w_t c_t (c_t + 1) / 2 with w_t = d(t) - d(t + 1), and d(N) for the last rank N. Likewise
ERR = Σ_t w_t (1 - Q_t), with d(n) = 1/n and Q_t the chance that nothing down to t has satisfied.
"""

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.distance.pair import Pair
from gradewise.distance.staircase import Charges


def precision_charges(
    pair: Pair, side: int, discount: Floats, levels: Ints, shares: Floats
) -> Charges:
    """Return charges for Σ_j shares[j] Σ_n d(n) c_n, relevant being what has at least levels[j].

    `discount` holds d(1)..d(N) and does not rise. Free documents are relevant at all levels or
    at none.
    """
    w, block, blocks = _blocks(pair, side, discount)
    total = np.zeros((blocks, 3))
    for level, share in zip(levels.tolist(), shares.tolist(), strict=True):
        known = pair.judged_at(side, level).astype(np.float64)
        terms = (known * (known + 1) / 2, known + 0.5, np.full(len(known), 0.5))
        for power, term in enumerate(terms):
            total[:, power] += share * np.bincount(block, w * term, blocks)
    return Charges(total, _powers, _shift_powers)


def satisfaction_charges(pair: Pair, side: int, discount: Floats, satisfied: Floats) -> Charges:
    """Return charges for ERR; free documents are of the highest level or not relevant."""
    w, block, blocks = _blocks(pair, side, discount)
    stay = np.ones(len(w))
    here = (pair.rank[side] > 0) & (pair.rank[side] <= len(w)) & (pair.level > 0)
    stay[pair.rank[side, here] - 1] = 1 - satisfied[pair.level[here]]
    total = np.zeros((blocks, 2))
    total[:, 0] = np.bincount(block, w, blocks)
    total[:, 1] = -np.bincount(block, w * np.cumprod(stay), blocks)
    stays = 1 - satisfied[-1]

    def basis(number: Ints) -> Floats:
        return np.stack([np.ones(len(number)), stays**number])

    def shift(coefficients: Floats, more: Ints) -> Floats:
        return coefficients * basis(more).T

    return Charges(total, basis, shift)


def _blocks(pair: Pair, side: int, discount: Floats) -> tuple[Floats, Ints, int]:
    """Return w_t, the number of free documents of the grid down to t, and of blocks."""
    counted = pair.free & (pair.rank[side] > 0)
    if side:
        counted &= pair.rank[0] > 0
    marks = np.bincount(pair.rank[side, counted], minlength=len(discount) + 1)
    w = -np.diff(discount, append=0.0)
    return w, np.cumsum(marks)[1:], int(counted.sum()) + 1


def _powers(number: Ints) -> Floats:
    x = number.astype(np.float64)
    return np.stack([np.ones(len(x)), x, x * x])


def _shift_powers(coefficients: Floats, more: Ints) -> Floats:
    c0, c1, c2 = coefficients.T
    u = more.astype(np.float64)
    return np.stack([c0 + (c1 + c2 * u) * u, c1 + 2 * c2 * u, c2], axis=1)
