"""Position bias as LightGBM learns it, one row and one position after the other.

LightGBM 4, rank_objective.hpp, UpdatePositionBiasFactors: a Newton step on the utility, whose
derivatives are the negative gradients and Hessians, with an L2 penalty for every row.
"""

from collections.abc import Sequence


def step(
    bias: dict[int, float],
    position: Sequence[int],
    gradient: Sequence[float],
    hessian: Sequence[float],
    rate: float,
    regularization: float,
) -> dict[int, float]:
    """The biases after one iteration."""
    after = {}
    for place, value in bias.items():
        first = second = 0.0
        rows = 0
        for row, where in enumerate(position):
            if where == place:
                first -= gradient[row]
                second -= hessian[row]
                rows += 1
        first -= value * regularization * rows
        second -= regularization * rows
        after[place] = value + rate * first / (abs(second) + 0.001)
    return after
