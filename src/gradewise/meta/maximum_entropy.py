"""The product distribution of maximum entropy under which a measure has an expected value.

Ranks are independent, and level a stands at rank n with chance p_n(a). Of all such distributions
with the expected value of a measure and the expected number of retrieved documents of each level,
the one of maximum entropy has log-odds θ_n = λ + μ ∇S_n(p), with a multiplier for each constraint
(Yilmaz & Robertson 2010, §3.3; Robertson et al. 2010, §4.1).

Newton's method solves for θ, λ and μ at once, for many lists together. Arrays have ranks first and
lists last: p[n, a, l], with a = 1..c; level 0 is the rest.
"""

from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.meta.forms import Form
from gradewise.meta.semiseparable import solve_linear

TOLERANCE = 1e-9
_MOST_STEPS = 40
_CAP = 6.0  # of a step in θ
_LIMIT = 300.0  # of θ: chances beyond are 0 or 1
_MARGIN = 1e-9  # extreme values are solved for a little inside, where θ is finite
_PARTS = 12  # steps towards the value if Newton's method fails from afar


@dataclass(frozen=True)
class Solution:
    """What was found for each list.

    `certified` lists have a maximum by the second-order condition; `error` is the largest violation
    of a constraint or of stationarity.
    """

    p: Floats
    converged: Bools
    certified: Bools
    steps: Ints
    error: Floats


def solve(form: Form, counts: Floats, target: Floats, inside: Bools) -> Solution:
    """Return the distributions of maximum entropy.

    Parameters
    ----------
    form
        The measure.
    counts
        Expected number of retrieved documents of each level from 1, [a, l].
    target
        The expected value of the measure, [l].
    inside
        Which ranks a list has, [n, l].
    """
    size = inside.sum(axis=0)
    worst, best = (_extreme(form, counts, size, inside, best=b) for b in (False, True))
    low, high = form.value(worst), form.value(best)
    unique = _strict(form, inside) & (high - low > 1e-12)
    at_best, at_worst = unique & (target >= high - 1e-12), unique & (target <= low + 1e-12)
    lists = len(target)
    found = Solution(
        np.where(at_best, best, worst),
        at_best | at_worst,
        at_best | at_worst,
        np.zeros(lists, np.int64),
        np.zeros(lists),
    )
    free = np.flatnonzero(~found.converged)
    if len(free):
        outcome = _approach(
            form.take(free), counts[:, free], target[free], inside[:, free], low[free], high[free]
        )
        found.p[..., free] = outcome.state.chances(inside[:, free])
        found.converged[free], found.certified[free] = outcome.converged, outcome.certified
        found.steps[free], found.error[free] = outcome.steps, outcome.error
    return found


def _approach(
    form: Form, counts: Floats, target: Floats, inside: Bools, low: Floats, high: Floats
) -> "_Outcome":
    """Solve directly, and by continuation where that fails."""
    state = _State.uniform(counts, inside.sum(axis=0), inside)
    start = form.value(state.chances(inside))
    aim = _inside(target, low, high, start)
    outcome = _newton(form, counts, aim, inside, state)
    lost = np.flatnonzero(~outcome.converged)
    if len(lost):
        values = (start[lost], aim[lost], low[lost], high[lost])
        outcome.put(lost, _continue(form.take(lost), counts[:, lost], values, inside[:, lost]))
    return outcome


def _inside(target: Floats, low: Floats, high: Floats, start: Floats) -> Floats:
    """Return values to solve for: a little inside of the extremes; any, if there is one only."""
    margin = _MARGIN * (high - low)
    aim = np.where(target >= high, high - margin, np.where(target <= low, low + margin, target))
    aim = np.where((target > high + 1e-9) | (target < low - 1e-9), target, aim)
    return np.where(np.abs(high - low) <= 1e-12, start, aim)


def _strict(form: Form, inside: Bools) -> Bools:
    """Tell for which lists every rank counts less than the one above: extremes are unique."""
    weight = form.linear.sum(axis=1)
    return np.asarray(((weight[1:] < weight[:-1]) | ~inside[1:]).all(axis=0))


@dataclass
class _State:
    theta: Floats
    level: Floats  # λ
    slope: Floats  # μ

    @staticmethod
    def uniform(counts: Floats, size: Ints, inside: Bools) -> "_State":
        """Return the solution without the measure: all ranks alike."""
        rest = np.maximum(size - counts.sum(axis=0), 1e-6)
        level = np.log(np.maximum(counts, 1e-300) / rest).clip(-_LIMIT, _LIMIT)
        theta = np.broadcast_to(level, (len(inside), *level.shape)).copy()
        return _State(theta, level, np.zeros(len(size)))

    def chances(self, inside: Bools) -> Floats:
        top = np.maximum(self.theta.max(axis=1, keepdims=True), 0.0)
        weight = np.exp(self.theta - top)
        p = weight / (np.exp(-top) + weight.sum(axis=1, keepdims=True))
        return p * inside[:, None]

    def take(self, lists: Ints) -> "_State":
        return _State(self.theta[..., lists], self.level[..., lists], self.slope[lists])

    def put(self, lists: Ints, other: "_State") -> None:
        self.theta[..., lists] = other.theta
        self.level[..., lists] = other.level
        self.slope[lists] = other.slope


@dataclass
class _Outcome:
    state: _State
    converged: Bools
    certified: Bools
    steps: Ints
    error: Floats

    def put(self, lists: Ints, other: "_Outcome") -> None:
        self.state.put(lists, other.state)
        self.converged[lists], self.certified[lists] = other.converged, other.certified
        self.steps[lists] += other.steps
        self.error[lists] = other.error


def _newton(form: Form, counts: Floats, target: Floats, inside: Bools, state: _State) -> _Outcome:
    lists = len(target)
    found = _Outcome(
        state,
        np.zeros(lists, np.bool_),
        np.zeros(lists, np.bool_),
        np.zeros(lists, np.int64),
        np.full(lists, np.inf),
    )
    active = np.arange(lists)
    for _ in range(_MOST_STEPS + 1):
        if not len(active):
            break
        step = _Step.at(
            form.take(active),
            counts[:, active],
            target[active],
            inside[:, active],
            state.take(active),
        )
        good = step.error <= TOLERANCE
        found.error[active], found.certified[active] = step.error, step.certified
        found.converged[active[good]] = True
        state.put(active[~good], step.moved(~good))
        found.steps[active[~good]] += 1
        active = active[~good & np.isfinite(step.size)]
    return found


@dataclass
class _Step:
    """A Newton step from a state: its error, and how far each part moves."""

    state: _State
    p: Floats
    error: Floats
    certified: Bools
    theta: Floats
    multipliers: Floats
    size: Floats

    @staticmethod
    def at(form: Form, counts: Floats, target: Floats, inside: Bools, state: _State) -> "_Step":
        p = state.chances(inside)
        value, gradient = form.value_and_gradient(p)
        residual = (state.theta - state.level - state.slope * gradient) * inside[:, None]
        gap = np.concatenate([counts - p.sum(axis=0), (target - value)[None]])
        levels = len(counts)
        sides = np.empty((*p.shape[:2], levels + 2, p.shape[2]))
        sides[:, :, 0] = -residual
        sides[:, :, 1:-1] = np.eye(levels)[None, :, :, None]
        sides[:, :, -1] = gradient
        moves, thetas, negative = solve_linear(form, p, state.slope, sides)
        effect = np.concatenate(
            [moves.sum(axis=0), (gradient[:, :, None] * moves).sum(axis=(0, 1))[None]]
        )
        schur, wanted = np.moveaxis(effect[:, 1:], 2, 0).copy(), (gap - effect[:, 0]).T.copy()
        for level in range(levels):  # a level that no document has stays at chance 0
            none = counts[level] <= 0
            schur[none, level, :], schur[none, :, level] = 0.0, 0.0
            schur[none, level, level], wanted[none, level] = 1.0, 0.0
        multipliers, positive = _solve_small(schur, wanted)
        theta = thetas[:, :, 0] + (thetas[:, :, 1:] * multipliers).sum(axis=2)
        scale = np.concatenate([np.maximum(counts, 1.0), np.ones((1, len(target)))])
        error = np.maximum(
            (np.abs(gap) / scale).max(axis=0), (np.abs(residual) * p * (1 - p)).max(axis=(0, 1))
        )
        deeper = ((p < 1e-6) & (theta < 0)) | ((p > 1 - 1e-6) & (theta > 0))
        size = np.where(deeper, 0.0, np.abs(theta)).max(axis=(0, 1))
        return _Step(state, p, error, negative + positive == levels + 1, theta, multipliers, size)

    def moved(self, lists: Bools) -> _State:
        """Return the state after the step, which is shortened where it is long."""
        part = np.minimum(1.0, _CAP / np.maximum(self.size, 1e-300))[lists]
        state = self.state.take(np.flatnonzero(lists))
        theta = state.theta + np.nan_to_num(part * self.theta[..., lists])
        changes = np.nan_to_num(part * self.multipliers[:, lists])
        return _State(
            theta.clip(-_LIMIT, _LIMIT), state.level + changes[:-1], state.slope + changes[-1]
        )


def _solve_small(schur: Floats, wanted: Floats) -> tuple[Floats, Ints]:
    """Return the changes of the multipliers, and how many eigenvalues are positive."""
    schur, wanted = np.nan_to_num(schur), np.nan_to_num(wanted)
    positive = (np.linalg.eigvalsh((schur + schur.swapaxes(1, 2)) / 2) > 0).sum(axis=1)
    try:
        changes = np.linalg.solve(schur, wanted[..., None])[..., 0]
    except np.linalg.LinAlgError:
        changes = np.einsum("lij,lj->li", np.linalg.pinv(schur), wanted)
    return changes.T, positive


def _continue(
    form: Form,
    counts: Floats,
    values: tuple[Floats, Floats, Floats, Floats],
    inside: Bools,
) -> _Outcome:
    """Approach the value in steps that are even in the logit of its place between the extremes."""
    start, aim, low, high = values
    spread = np.maximum(high - low, 1e-300)

    def logit(value: Floats) -> Floats:
        share = ((value - low) / spread).clip(1e-12, 1 - 1e-12)
        return np.log(share / (1 - share))

    begin, end = logit(start), logit(aim)
    state = _State.uniform(counts, inside.sum(axis=0), inside)
    total = np.zeros(len(aim), np.int64)
    for part in range(1, _PARTS + 1):
        between = low + spread / (1 + np.exp(-(begin + (end - begin) * part / _PARTS)))
        found = _newton(form, counts, aim if part == _PARTS else between, inside, state)
        total += found.steps
        state = found.state
    found.steps = total
    return found


def _extreme(form: Form, counts: Floats, size: Ints, inside: Bools, *, best: bool) -> Floats:
    """Return the chances with the highest levels at the top, or at the bottom.

    Levels that the measure does not tell apart share their ranks, as do those that are worth
    nothing and level 0.
    """
    rank = np.arange(len(inside))[:, None]
    place = rank if best else size - 1 - rank
    kinds, worthless = _kinds(form)
    p = np.zeros((len(inside), *counts.shape))
    taken = np.zeros(len(size))
    for kind in reversed(kinds):
        together = counts[kind].sum(axis=0)
        chosen = (place >= taken) & (place < taken + together) & inside
        share = counts[kind] / np.maximum(together, 1e-300)
        p[:, kind] = chosen[:, None] * share
        taken = taken + together
    left = (place >= taken) & inside
    p[:, worthless] = left[:, None] * counts[worthless] / np.maximum(size - taken, 1e-300)
    return p


def _kinds(form: Form) -> tuple[list[list[int]], list[int]]:
    """Group the levels that a measure treats alike, lowest first; and those worth nothing."""
    kinds: list[list[int]] = []
    worthless = []
    for level in range(form.linear.shape[1]):
        if not form.linear[:, level].any():
            worthless.append(level)
        elif kinds and _alike(form, kinds[-1][0], level):
            kinds[-1].append(level)
        else:
            kinds.append([level])
    return kinds, worthless


def _alike(form: Form, first: int, second: int) -> bool:
    same = np.allclose(form.linear[:, first], form.linear[:, second], rtol=1e-12, atol=0)
    if form.kernel is None or not same:
        return bool(same)
    rows = np.allclose(form.kernel[first], form.kernel[second], rtol=1e-12, atol=0)
    columns = np.allclose(form.kernel[:, first], form.kernel[:, second], rtol=1e-12, atol=0)
    return bool(rows and columns)
