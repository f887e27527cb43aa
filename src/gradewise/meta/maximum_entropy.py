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
from gradewise.meta.forms import Form
from gradewise.parallel import thread_map

TOLERANCE = 1e-9
_MOST_STEPS = 40
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
    found, low, high = _at_extremes(form, counts, target, inside)

    def solve_list(index: int) -> None:
        ranks, present = int(size[index]), np.flatnonzero(counts[:, index] > 0)
        own = counts[present, index].astype(np.float64)
        search = entropy.Search(*form.of_list(index, ranks, present), own)
        values = (float(array[index]) for array in (target, low, high))
        found.converged[index] = _approach(search, *values)
        found.certified[index] = search.certified
        found.steps[index], found.error[index] = search.steps, search.error
        found.p[..., index] = 0.0
        found.p[:ranks, present, index] = search.chances[:, 1:]

    thread_map(solve_list, np.flatnonzero(~found.converged).tolist())
    return found


def _at_extremes(
    form: Form, counts: Floats, target: Floats, inside: Bools
) -> tuple[Solution, Floats, Floats]:
    """Return lists that are solved as their value is an extreme, and the extremes of all."""
    size = inside.sum(axis=0)
    worst, best = (_extreme(form, counts, size, inside, best=b) for b in (False, True))
    low, high = form.value(worst), form.value(best)
    unique = _strict(form, inside) & (high - low > 1e-12)
    at_best, at_worst = unique & (target >= high - 1e-12), unique & (target <= low + 1e-12)
    solved, none = at_best | at_worst, np.zeros(len(target))
    p = np.where(at_best, best, worst)
    return Solution(p, solved, solved.copy(), none.astype(np.int64), none), low, high


def _approach(search: entropy.Search, target: float, low: float, high: float) -> bool:
    """Go to the value directly, or in parts where that fails; return whether it was reached."""
    aim = _inside(target, low, high) if abs(high - low) > 1e-12 else search.value()
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


def _strict(form: Form, inside: Bools) -> Bools:
    """Tell for which lists every rank counts less than the one above: extremes are unique."""
    weight = form.linear.sum(axis=1)
    return np.asarray(((weight[1:] < weight[:-1]) | ~inside[1:]).all(axis=0))


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
