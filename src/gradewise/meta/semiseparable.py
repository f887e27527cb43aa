"""The linear equations of a Newton step for maximum entropy, in time that grows with the ranks.

The Hessian of a pivot measure is semiseparable: what a rank feels of the ranks above and below is a
sum, so that a sweep up and a sweep down the list solve its equations. Sweeps loop over ranks, and
each of their steps is taken for many lists together, which lie along the last axis.
"""

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.meta.forms import Form


def solve_linear(
    form: Form, p: Floats, slope: Floats, sides: Floats
) -> tuple[Floats, Floats, Ints]:
    """Solve (W⁻¹ - μ H) u = side for many sides, [n, a, side, l], without inverting W.

    Returns u, which is the change of p, the change of θ, and the number of negative pivots.
    """
    variance = -p[:, :, None] * p[:, None, :]
    for level in range(p.shape[1]):
        variance[:, level, level] += p[:, level]
    if form.kernel is None or form.discount is None:
        moves = (variance[:, :, :, None] * sides[:, None]).sum(axis=2)
        return moves, sides, np.zeros(p.shape[2], np.int64)
    return _sweep(form.kernel, form.discount, variance, slope, sides)


def _sweep(
    kernel: Floats, discount: Floats, variance: Floats, slope: Floats, sides: Floats
) -> tuple[Floats, Floats, Ints]:
    """Eliminate from the last rank up, then substitute from the first rank down.

    Below rank n the change of p is felt as P X + q, where X is its sum over the ranks down to n.
    """
    ranks, levels, count, lists = sides.shape
    flipped, one = kernel.swapaxes(0, 1), np.eye(levels)[:, :, None]
    felt, rest = np.zeros((levels, levels, lists)), np.zeros((levels, count, lists))
    fixed, gains = np.empty_like(sides), np.empty_like(variance)
    all_felt, all_rest = np.empty_like(variance), np.empty_like(sides)
    negative = np.zeros(lists, np.int64)
    for n in range(ranks - 1, -1, -1):
        all_felt[n], all_rest[n] = felt, rest
        pivot = one - slope * _product(variance[n], felt)
        negative += _negative(pivot)
        through = _product(_inverse(pivot), variance[n])
        fixed[n] = _product(through, sides[n] + slope * rest)
        gains[n] = _product(through, slope * (discount[n] * kernel + felt))
        up = felt + discount[n] * flipped
        rest = rest + _product(up, fixed[n])
        felt = felt + _product(up, gains[n])
    moves, thetas = np.empty_like(sides), np.empty_like(sides)
    above = np.zeros((levels, count, lists))
    for n in range(ranks):
        moves[n] = fixed[n] + _product(gains[n], above)
        below = above + moves[n]
        thetas[n] = sides[n] + slope * (
            discount[n] * _product(kernel, above) + _product(all_felt[n], below) + all_rest[n]
        )
        above = below
    return moves, thetas, negative


def _product(left: Floats, right: Floats) -> Floats:
    """Multiply left[i, j, l] with right[j, k, l]; a term at a time, which is quicker than a sum."""
    result = left[:, 0, None] * right[0]
    for middle in range(1, len(right)):
        result += left[:, middle, None] * right[middle]
    return result


def _inverse(matrix: Floats) -> Floats:
    if len(matrix) == 1:
        return 1 / matrix
    if len(matrix) == 2:
        swapped = np.array([[matrix[1, 1], -matrix[0, 1]], [-matrix[1, 0], matrix[0, 0]]])
        return swapped / (matrix[0, 0] * matrix[1, 1] - matrix[0, 1] * matrix[1, 0])
    return np.moveaxis(np.linalg.inv(np.moveaxis(matrix, 2, 0)), 0, 2)


def _negative(matrix: Floats) -> Ints:
    """Count the negative eigenvalues of matrices whose eigenvalues are real."""
    if len(matrix) == 1:
        return (matrix[0, 0] < 0).astype(np.int64)
    if len(matrix) == 2:
        product = matrix[0, 0] * matrix[1, 1] - matrix[0, 1] * matrix[1, 0]
        both = (matrix[0, 0] + matrix[1, 1] < 0) & (product > 0)
        return np.where(product < 0, 1, np.where(both, 2, 0))
    return (np.linalg.eigvals(np.moveaxis(matrix, 2, 0)).real < 0).sum(axis=1)
