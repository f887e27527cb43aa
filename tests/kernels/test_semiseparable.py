"""A Newton step for maximum entropy, against the dense equations."""

import numpy as np
import pytest
from numpy.typing import NDArray

from gradewise.kernels.semiseparable import solve_step

Array = NDArray[np.float64]
SHAPES = [(3, 1), (3, 2), (5, 2), (9, 1), (12, 3), (40, 2), (11, 5)]  # ranks, levels
SLOPES = [0.0, 0.3, -0.4, 3.0, -20.0]


def _hessian(discount: Array, table: Array) -> Array:
    """The second derivatives of Σ_n d_n p_nᵀ K Σ_{m<n} p_m, [rank and level, rank and level]."""
    ranks, levels = len(discount), len(table)
    h = np.zeros((ranks, levels, ranks, levels))
    for n in range(ranks):
        for m in range(n):
            h[n, :, m, :] = discount[n] * table
            h[m, :, n, :] = discount[n] * table.T
    return h.reshape(ranks * levels, ranks * levels)


def _variance(p: Array) -> Array:
    """diag(p_n) - p_n p_nᵀ for the levels from 1, as one matrix with a block for each rank."""
    ranks, levels = len(p), p.shape[1] - 1
    w = np.zeros((ranks, levels, ranks, levels))
    for n in range(ranks):
        w[n, :, n, :] = np.diag(p[n, 1:]) - np.outer(p[n, 1:], p[n, 1:])
    return w.reshape(ranks * levels, ranks * levels)


def _literal_step(
    p: Array, gradient: Array, residual: Array, hessian: Array, slope: float, gap: Array
) -> tuple[Array, Array]:
    """Solve δ - μ H W δ - J x = -residual and Jᵀ W δ = gap, dense."""
    ranks, levels = gradient.shape
    w, side = _variance(p), _sides(gradient)
    top = np.hstack([np.eye(len(w)) - slope * hessian @ w, -side])
    bottom = np.hstack([side.T @ w, np.zeros((levels + 1, levels + 1))])
    found = np.linalg.solve(np.vstack([top, bottom]), np.concatenate([-residual.ravel(), gap]))
    return found[: len(w)].reshape(ranks, levels), found[len(w) :]


def _sides(gradient: Array) -> Array:
    ranks, levels = gradient.shape
    return np.column_stack([np.tile(np.eye(levels), (ranks, 1)), gradient.ravel()])


def _drawn(
    ranks: int, levels: int, rng: np.random.Generator
) -> tuple[Array, Array, Array, Array, Array, Array]:
    p = rng.dirichlet(np.ones(levels + 1), ranks)
    gradient, residual = rng.normal(size=(2, ranks, levels))
    table = rng.normal(size=(levels, levels))
    return p, gradient, residual, rng.random(ranks), table, rng.normal(size=levels + 1)


@pytest.mark.parametrize(("ranks", "levels"), SHAPES)
@pytest.mark.parametrize("slope", SLOPES)
def test_a_step_solves_the_dense_equations(ranks: int, levels: int, slope: float) -> None:
    rng = np.random.default_rng(ranks)
    for _ in range(5):
        p, gradient, residual, discount, table, gap = _drawn(ranks, levels, rng)
        change, x, _ = solve_step(p, gradient, residual, discount, table, slope, gap)
        hessian = _hessian(discount, table)
        expected, multipliers = _literal_step(p, gradient, residual, hessian, slope, gap)
        size = max(np.abs(expected).max(), np.abs(multipliers).max())
        assert change == pytest.approx(expected, abs=1e-8 * size)
        assert x == pytest.approx(multipliers, abs=1e-8 * size)


@pytest.mark.parametrize(("ranks", "levels"), SHAPES)
@pytest.mark.parametrize("slope", SLOPES)
def test_a_maximum_is_told_by_the_projected_hessian(ranks: int, levels: int, slope: float) -> None:
    rng = np.random.default_rng(ranks)
    for _ in range(6):
        p, gradient, residual, discount, table, gap = _drawn(ranks, levels, rng)
        found = solve_step(p, gradient, residual, discount, table, slope, gap)[2]
        curved = np.linalg.inv(_variance(p)) - slope * _hessian(discount, table)
        free = np.linalg.svd(_sides(gradient).T)[2][levels + 1 :]  # keeps the constraints
        assert found == (np.linalg.eigvalsh(free @ curved @ free.T) > 0).all()


def test_both_kinds_of_points_are_drawn() -> None:
    """The test above would be empty if all were maxima, or none."""
    rng, found = np.random.default_rng(1), set()
    for slope in SLOPES:
        drawn = _drawn(12, 3, rng)
        found.add(solve_step(*drawn[:5], slope, drawn[5])[2])
    assert found == {True, False}


def test_chances_of_zero_and_one_stay() -> None:
    rng = np.random.default_rng(4)
    p, gradient, residual, discount, table, gap = _drawn(20, 2, rng)
    p[3], p[7], p[11] = [1, 0, 0], [0, 1, 0], [0.5, 0, 0.5]
    change, x, _ = solve_step(p, gradient, residual, discount, table, 0.3, gap)
    hessian = _hessian(discount, table)
    expected, multipliers = _literal_step(p, gradient, residual, hessian, 0.3, gap)
    assert change == pytest.approx(expected, abs=1e-9)
    assert x == pytest.approx(multipliers, abs=1e-9)


def test_a_constraint_that_follows_from_others_is_left_out() -> None:
    rng = np.random.default_rng(5)
    p, _, residual, discount, table, gap = _drawn(15, 2, rng)
    gradient = np.tile([0.4, -0.7], (15, 1))  # the value follows from the number of each level
    gap[2] = gap[:2] @ [0.4, -0.7]
    change, x, maximum = solve_step(p, gradient, residual, discount, table, 0.0, gap)
    moved = p[:, 1:] * (change - (p[:, 1:] * change).sum(axis=1, keepdims=True))
    assert moved.sum(axis=0) == pytest.approx(gap[:2], abs=1e-9)
    assert change == pytest.approx(x[:2] - residual, abs=1e-9)
    assert x[2] == 0
    assert maximum


def test_lists_of_one_rank_and_of_none() -> None:
    p, gap = np.array([[0.6, 0.4]]), np.array([0.12, 0.06])
    one = np.array([[0.5]])
    change, x, maximum = solve_step(p, one, np.zeros((1, 1)), np.ones(1), one, 2.0, gap)
    assert change == pytest.approx(np.array([[0.5]]))  # 0.12 / (0.4 * 0.6)
    assert x == pytest.approx([0.5, 0])
    assert maximum
    none = np.empty((0, 1))
    change, x, _ = solve_step(np.empty((0, 2)), none, none, np.empty(0), one, 2.0, gap)
    assert change.shape == (0, 1)
    assert x.tolist() == [0, 0]


def test_shapes_that_do_not_fit_are_refused() -> None:
    p, gradient, residual, discount, table, gap = _drawn(4, 2, np.random.default_rng(6))
    with pytest.raises(ValueError, match="shapes"):
        solve_step(p, gradient[:3], residual, discount, table, 1.0, gap)
    with pytest.raises(ValueError, match="shapes"):
        solve_step(p, gradient, residual, discount, table, 1.0, gap[:2])
