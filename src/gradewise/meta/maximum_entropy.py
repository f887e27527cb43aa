"""The product distribution of maximum entropy under which a measure has an expected value.

Ranks are independent, and rank n has level a with probability p_n(a). Of all such distributions
with the expected value of a measure and the expected number of retrieved documents of each level,
the one of maximum entropy has log-odds θ_n = λ + μ ∇S_n(p), with a multiplier for each constraint
(Yilmaz & Robertson 2010, §3.3; Robertson et al. 2010, §4.1).

Newton's method, which is a kernel, solves for θ, λ and μ at once, list by list. Arrays have ranks
first and lists last: p[n, a, l], with a = 1..c; level 0 is the rest.
"""

from dataclasses import dataclass
from math import exp, log

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.kernels import entropy
from gradewise.meta.extremes import ROUNDING, Extremes, find_extremes
from gradewise.meta.forms import Form, without_last_level
from gradewise.meta.linear_entropy import Dual, solve_dual
from gradewise.parallel import thread_map

TOLERANCE = 1e-9
_MOST_STEPS = 40
_FEW_STEPS = 12  # before another method is tried
_MARGIN = 1e-9  # extreme values are solved for a little inside, where θ is finite
_PARTS = 12  # steps towards the value if Newton's method fails from afar
_MOST_PARTS = 40  # with those that fail
_SHORTEST = 1e-3  # of a part, as a share of the first


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
    ends = find_extremes(form, counts, inside)
    found = _without_search(ends, counts, target, size)

    def solve_list(index: int) -> None:
        ranks, present = int(size[index]), np.flatnonzero(counts[:, index] > 0)
        own = counts[present, index].astype(np.float64)
        parts, constant = form.of_list(index, ranks, present), 0.0
        full = own.sum() >= ranks  # no document of level 0, so another level is the rest
        if full:
            parts, constant = without_last_level(*parts)
            own = own[:-1]
        values = (float(array[index]) - constant for array in (target, ends.low, ends.high))
        search = (_search if form.kernel is not None else _search_linear)(parts, own, *values)
        found.converged[index], found.certified[index] = search.converged, search.certified
        found.steps[index], found.error[index] = search.steps, search.error
        found.p[..., index] = 0.0
        chances = np.roll(search.p, -1, axis=1) if full else search.p[:, 1:]
        found.p[:ranks, present, index] = chances

    thread_map(solve_list, np.flatnonzero(~found.converged).tolist())
    return found


@dataclass(frozen=True)
class _Searched:
    """What was found for one list: p[n, a] from level 0."""

    p: Floats
    converged: bool
    certified: bool
    steps: int
    error: float


Parts = tuple[Floats, Floats, Floats]


def _search(parts: Parts, counts: Floats, target: float, low: float, high: float) -> _Searched:
    search = entropy.Search(*parts, counts)
    reached = _approach(search, target, low, high)
    return _Searched(search.chances, reached, search.certified, search.steps, search.error)


def _search_linear(
    parts: Parts, counts: Floats, target: float, low: float, high: float
) -> _Searched:
    """Search where a stationary point is the maximum, whatever the second-order condition says."""
    search = entropy.Search(*parts, counts)
    if search.seek(target, TOLERANCE, _FEW_STEPS):
        return _Searched(search.chances, True, True, search.steps, search.error)
    linear = np.insert(parts[0], 0, 0.0, axis=1)
    problem = Dual(linear, np.insert(counts, 0, len(linear) - counts.sum()), target)
    p, steps, error = solve_dual(problem, TOLERANCE)
    reached = error <= TOLERANCE
    return _Searched(p, reached, reached, search.steps + steps, error)


def _without_search(ends: Extremes, counts: Floats, target: Floats, size: Ints) -> Solution:
    """Return what needs no search: lists whose value is an extreme, or the only one possible."""
    at_best = ends.one_best & (np.abs(target - ends.high) <= ROUNDING)
    at_worst = ends.one_worst & (np.abs(target - ends.low) <= ROUNDING)
    constant = (ends.high - ends.low <= ROUNDING) & (np.abs(target - ends.high) <= TOLERANCE)
    alike = np.where(np.arange(len(ends.best))[:, None] < size, 1.0, 0.0)[:, None] * counts / size
    p = np.where(constant, alike, np.where(at_best, ends.best, ends.worst))
    solved, none = at_best | at_worst | constant, np.zeros(len(target))
    return Solution(p, solved, solved.copy(), none.astype(np.int64), none)


def _approach(search: entropy.Search, target: float, low: float, high: float) -> bool:
    """Go to the value directly, or in parts where that fails; return whether it was reached."""
    aim = _inside(target, low, high)
    if search.seek(aim, TOLERANCE, _MOST_STEPS):
        return True
    search.go_back()
    return _approach_in_parts(search, aim, low, high)


def _approach_in_parts(search: entropy.Search, aim: float, low: float, high: float) -> bool:
    """Go in parts that are even in the logit of the value's place between the extremes.

    A part that fails is tried again from where it began, and shorter.
    """
    spread = max(high - low, 1e-300)
    place, end = (_logit((value - low) / spread) for value in (search.value(), aim))
    stride = longest = (end - place) / _PARTS
    for _ in range(_MOST_PARTS):
        last = abs(end - place) <= abs(stride) * (1 + 1e-9)
        there = end if last else place + stride
        value = aim if last else low + spread / (1 + exp(-there))
        if not search.seek(value, TOLERANCE, _MOST_STEPS):
            search.go_back()
            stride /= 4
            if abs(stride) <= _SHORTEST * abs(longest):
                break
        elif last:
            return True
        else:
            search.mark()
            place, stride = there, min(2 * stride, longest, key=abs)
    return search.seek(aim, TOLERANCE, 0)


def _inside(target: float, low: float, high: float) -> float:
    """Return the value to solve for: one at an extreme is moved inside a little.

    One that is beyond the extremes by more than rounding stays, and will not be reached.
    """
    margin = _MARGIN * (high - low)
    if high <= target <= high + 1e-9:
        return high - margin
    return low + margin if low - 1e-9 <= target <= low else target


def _logit(share: float) -> float:
    share = min(max(share, 1e-12), 1 - 1e-12)
    return log(share / (1 - share))
