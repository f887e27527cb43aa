"""Maximum entropy for one list: conditions, dense searches, and solutions in closed form."""

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize, root

from gradewise.kernels.entropy import Search

Array = NDArray[np.float64]
Form = tuple[Array, Array, Array]  # linear, discount, table


def _value(form: Form, p: Array) -> float:
    """S = Σ_n lin_n·p_n + Σ_n d_n p_nᵀ K Σ_{m<n} p_m, with p[n, 1..c]."""
    linear, discount, table = form
    total = 0.0
    for n in range(len(p)):
        total += linear[n] @ p[n]
        for m in range(n):
            total += discount[n] * (p[n] @ table @ p[m])
    return float(total)


def _gradient(form: Form, p: Array) -> Array:
    """By differences; exact up to rounding, as S is linear in each chance."""
    result = np.empty_like(p)
    for place in np.ndindex(p.shape):
        up, down = p.copy(), p.copy()
        up[place] += 0.5
        down[place] -= 0.5
        result[place] = _value(form, up) - _value(form, down)
    return result


def _entropy(p: Array) -> float:
    whole = np.column_stack([1 - p.sum(axis=1), p]).clip(1e-300, 1)
    return float(-(whole * np.log(whole)).sum())


def _measure(ranks: int, levels: int, rng: np.random.Generator) -> Form:
    """A measure like GAP: worth that grows with levels, and falls with ranks."""
    steps = rng.dirichlet(np.ones(levels)).cumsum()
    table = np.minimum.outer(steps, steps)
    discount = 1 / np.arange(1, ranks + 1)
    return discount[:, None] * np.diag(table), discount, table


def _list(ranks: int, levels: int, rng: np.random.Generator) -> Array:
    """A list as chances of 0 and 1, with some documents of each level."""
    grades = np.zeros(ranks, int)
    chosen = rng.permutation(ranks)[: max(levels + 1, ranks // 3)]
    grades[chosen] = 1 + np.arange(len(chosen)) % levels
    return (grades[:, None] == np.arange(1, levels + 1)).astype(float)


def _solved(form: Form, counts: Array, aim: float) -> Search:
    search = Search(*form, counts)
    assert search.seek(aim, 1e-10, 60)
    assert search.error <= 1e-10
    return search


@pytest.mark.parametrize(("ranks", "levels"), [(6, 1), (8, 2), (15, 3), (30, 2), (24, 5)])
def test_the_conditions_of_a_maximum_hold(ranks: int, levels: int) -> None:
    rng = np.random.default_rng(ranks)
    for _ in range(4):
        form, real = _measure(ranks, levels, rng), _list(ranks, levels, rng)
        aim, counts = _value(form, real), real.sum(axis=0)
        search = _solved(form, counts, aim)
        p = search.chances[:, 1:]
        assert search.chances.sum(axis=1) == pytest.approx(1, abs=1e-14)
        assert p.sum(axis=0) == pytest.approx(counts, abs=1e-9)
        assert _value(form, p) == pytest.approx(aim, abs=1e-10)
        odds = np.log(p / search.chances[:, :1])  # θ_n = λ + μ ∇S_n
        sides = np.column_stack([np.tile(np.eye(levels), (ranks, 1)), _gradient(form, p).ravel()])
        fit = sides @ np.linalg.lstsq(sides, odds.ravel(), rcond=None)[0]
        assert odds.ravel() == pytest.approx(fit, abs=1e-6)
        assert search.certified
        assert search.value() == pytest.approx(aim, abs=1e-10)


def test_the_value_is_the_mean_over_all_lists() -> None:
    rng = np.random.default_rng(2)
    ranks, levels = 5, 2
    form = (rng.random((ranks, levels)), rng.random(ranks), rng.random((levels, levels)))
    search = Search(*form, np.array([1.0, 1.0]))
    search.seek(search.value() + 0.1, 1e-9, 1)  # away from ranks that are all alike
    chance, unit = search.chances, np.eye(levels + 1)[:, 1:]
    mean = sum(
        np.prod(chance[range(ranks), list(grades)]) * _value(form, unit[list(grades)])
        for grades in product(range(levels + 1), repeat=ranks)
    )
    assert search.value() == pytest.approx(mean, abs=1e-12)


@pytest.mark.parametrize(("count", "aim"), [(1.0, 0.5), (1.0, 0.8), (2.0, 1.4), (1.5, 0.9)])
def test_no_point_on_the_line_of_solutions_has_more_entropy(count: float, aim: float) -> None:
    """Sum of precisions of three ranks: the constraints leave one line, which is gone through."""
    discount = np.array([1.0, 1 / 2, 1 / 3])
    form = (discount[:, None].copy(), discount, np.ones((1, 1)))
    found = _entropy(_solved(form, np.array([count]), aim).chances[:, 1:])
    best = -np.inf
    for first in np.linspace(0, 1, 2001):
        s = count - first  # which the others share, as s - z and z
        factors = [-1 / 3, (1 + first + s) / 3 - (1 + first) / 2, first + s * (1 + first) / 2 - aim]
        for z in np.roots(factors):
            p = np.array([[first], [s - z.real], [z.real]])
            if abs(z.imag) < 1e-12 and (p >= 0).all() and (p <= 1).all():
                assert _value(form, p) == pytest.approx(aim, abs=1e-9)
                best = max(best, _entropy(p))
    assert best <= found + 1e-10
    assert best == pytest.approx(found, abs=1e-5)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("levels", [1, 2, 3])
def test_solutions_are_those_of_slsqp(levels: int) -> None:
    rng, ranks = np.random.default_rng(levels), 6
    form, real = _measure(ranks, levels, rng), _list(ranks, levels, rng)
    aim, counts = _value(form, real), real.sum(axis=0)

    def wrong(x: Array) -> Array:
        p = x.reshape(ranks, levels)
        return np.array([*(p.sum(axis=0) - counts), _value(form, p) - aim])

    best = -np.inf
    for _ in range(3):
        done = minimize(
            lambda x: -_entropy(x.reshape(ranks, levels)),
            rng.dirichlet(np.ones(levels + 1), ranks)[:, 1:].ravel(),
            constraints=[
                {"type": "eq", "fun": wrong},
                {"type": "ineq", "fun": lambda x: 1 - x.reshape(ranks, levels).sum(axis=1)},
            ],
            bounds=[(1e-12, 1)] * (ranks * levels),
            method="SLSQP",
            options={"maxiter": 2000, "ftol": 1e-15},
        )
        if np.abs(wrong(done.x)).max() < 1e-9:
            best = max(best, -done.fun)
    found = _entropy(_solved(form, counts, aim).chances[:, 1:])
    assert found == pytest.approx(best, abs=1e-6)
    assert found >= best - 1e-8


def test_linear_measures_have_multipliers_only() -> None:
    """θ_n = λ + μ lin_n, for which scipy finds c + 1 roots."""
    rng, ranks, levels = np.random.default_rng(8), 40, 3
    linear = np.outer(1 / np.log2(np.arange(2, ranks + 2)), [1.0, 2.0, 3.0])
    real = _list(ranks, levels, rng)
    form, counts = (linear, np.zeros(ranks), np.zeros((levels, levels))), real.sum(axis=0)
    aim = float((linear * real).sum())

    def chances(multipliers: Array) -> Array:
        odds = np.exp(multipliers[:-1] + multipliers[-1] * linear)
        return odds / (1 + odds.sum(axis=1, keepdims=True))

    def wrong(multipliers: Array) -> Array:
        p = chances(multipliers)
        return np.array([*(p.sum(axis=0) - counts), (linear * p).sum() - aim])

    literal = root(wrong, np.array([*np.log(counts / (ranks - counts.sum())), 0.0]), tol=1e-13)
    assert literal.success
    search = _solved(form, counts, aim)
    assert search.chances[:, 1:] == pytest.approx(chances(literal.x), abs=1e-8)
    assert search.certified


def test_ranks_that_count_alike_have_the_same_chances() -> None:
    linear = np.repeat([[1.0], [0.0]], 5, axis=0)  # the first five of ten
    search = _solved((linear, np.zeros(10), np.zeros((1, 1))), np.array([4.0]), 3.0)
    expected = np.repeat([0.6, 0.2], 5)
    assert search.chances[:, 1] == pytest.approx(expected, abs=1e-9)
    assert search.chances[:, 0] == pytest.approx(1 - expected, abs=1e-9)


@pytest.mark.parametrize("share", [1e-9, 1e-4, 0.999])
def test_values_near_the_extremes(share: float) -> None:
    form = _measure(50, 2, np.random.default_rng(3))
    best = np.zeros((50, 2))
    best[:3, 1], best[3:8, 0] = 1, 1
    low, high = _value(form, best[::-1]), _value(form, best)
    search, counts = Search(*form, best.sum(axis=0)), best.sum(axis=0)
    aim = low + share * (high - low)
    for place in np.linspace(0.05, 1, 20) * np.log(share / (1 - share)):  # from nearby
        reached = search.seek(low + (high - low) / (1 + np.exp(-place)), 1e-10, 60)
    assert reached
    p = search.chances[:, 1:]
    assert _value(form, p) == pytest.approx(aim, abs=1e-9)
    assert p.sum(axis=0) == pytest.approx(counts, abs=1e-8)
    assert search.certified


@pytest.mark.parametrize("aim", [5.0, -1.0, np.nan, np.inf])
def test_what_cannot_be_reached_is_told(aim: float) -> None:
    form = _measure(12, 2, np.random.default_rng(5))
    search = Search(*form, np.array([3.0, 2.0]))
    assert not search.seek(aim, 1e-9, 40)
    assert not search.error <= 1e-9
    assert search.steps <= 40
    assert np.isfinite(search.chances).all()


def test_a_search_goes_back_to_its_mark() -> None:
    form = _measure(20, 2, np.random.default_rng(6))
    search = Search(*form, np.array([4.0, 3.0]))
    uniform = search.value()
    assert search.chances == pytest.approx(np.tile([13 / 20, 4 / 20, 3 / 20], (20, 1)))
    assert search.seek(uniform, 1e-9, 0)  # there already
    assert search.steps == 0
    assert search.seek(uniform * 1.2, 1e-9, 40)
    found, steps = search.chances.copy(), search.steps
    search.go_back()
    assert search.value() == uniform
    assert search.seek(uniform * 1.2, 1e-9, 40)
    assert (search.chances == found).all()
    assert search.steps == 2 * steps > 0
    search.mark()
    assert search.seek(uniform * 0.8, 1e-9, 40)
    search.go_back()
    assert search.seek(uniform * 1.2, 1e-9, 0)
    assert (search.chances == found).all()


def test_too_few_steps_are_told() -> None:
    form = _measure(20, 2, np.random.default_rng(6))
    search = Search(*form, np.array([4.0, 3.0]))
    aim = search.value() * 1.2
    assert search.seek(aim, 1e-9, 40)
    needed = search.steps
    search.go_back()
    assert not search.seek(aim, 1e-9, needed - 1)
    assert search.seek(aim, 1e-9, 1)


def test_one_rank_no_rank_and_no_level() -> None:
    one = np.ones((1, 1))
    search = Search(one, np.ones(1), one, np.array([0.25]))
    assert search.seek(0.25, 1e-9, 40)
    assert search.chances == pytest.approx(np.array([[0.75, 0.25]]))
    search = Search(np.empty((0, 1)), np.empty(0), one, np.zeros(1))
    assert search.seek(0.0, 1e-9, 40)
    assert search.chances.shape == (0, 2)
    search = Search(np.empty((3, 0)), np.ones(3), np.empty((0, 0)), np.empty(0))
    assert search.seek(0.0, 1e-9, 40)
    assert (search.chances == 1).all()
    assert search.certified


def test_shapes_that_do_not_fit_are_refused() -> None:
    linear, discount, table = _measure(6, 2, np.random.default_rng(7))
    with pytest.raises(ValueError, match="shapes"):
        Search(linear, discount[:5], table, np.ones(2))
    with pytest.raises(ValueError, match="shapes"):
        Search(linear, discount, table, np.ones(3))
