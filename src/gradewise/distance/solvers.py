"""Which algorithm finds the distance of a measure, by what the measure declares."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

import numpy as np

from gradewise.distance.cascade import cascade_lead, is_cascade
from gradewise.distance.closing import can_close, close_sums
from gradewise.distance.graded import between, climbed_lead, ratios_lead, sums_lead
from gradewise.distance.mixed_pivots import bound_mixed_pivots
from gradewise.distance.normalized import is_normalized, normalized_lead
from gradewise.distance.pair import Lead, Pair, lead, nobody
from gradewise.distance.precisions import (
    binary_blend_lead,
    is_binary_blend,
    is_sum_of_precisions,
    precisions_lead,
)
from gradewise.distance.relevant_pivots import bound_over_ideal, bound_over_relevant
from gradewise.distance.static import is_static, static_lead
from gradewise.distance.trials import MOST_TRIALS, best_alone, can_try_all, try_all
from gradewise.errors import MeasureError, counted
from gradewise.measures.measure import Measure
from gradewise.measures.pivot import Pivot

_FEW_TRIALS = 100  # up to here trying is quicker than walking, which settles most mixtures of sums

Limit = int | None  # on relevant documents that neither list holds


@dataclass(frozen=True)
class Solver:
    """What finds a distance: the measures it takes, and what it gives for any number of documents.

    The function is given a measure that is taken, a pair and a limit on relevant documents that
    neither list holds. Where few documents are unjudged, all assignments are tried, and every
    solver is exact. `walks` tells how many walks it makes for a pair, and `climbs` whether it tries
    changes of single documents; estimates follow from both.
    """

    title: str
    takes: Callable[[Measure, Pair], bool]
    function: Callable[[Any, Pair, Limit], Lead]
    gives: Literal["exact", "bounded", "refused"] = "exact"
    walks: Callable[[Pair], int] = lambda pair: 0
    climbs: bool = False


def find_solver(measure: Measure, pair: Pair) -> Solver:
    """Return the first solver that takes a measure."""
    return next(solver for solver in SOLVERS if solver.takes(measure, pair))


def best_lead(measure: Measure, pair: Pair, unretrieved: Limit = None) -> Lead:
    """Return how far the first list of a pair can lead."""
    if (pair.rank[0] == pair.rank[1]).all():
        return lead(pair, 0.0, nobody, 0)
    return find_solver(measure, pair).function(measure, pair, unretrieved)


def _blend_lead(measure: Any, pair: Pair, unretrieved: Limit) -> Lead:
    found = binary_blend_lead(measure, pair, unretrieved)
    if found.exact or unretrieved is None:
        return found
    return _tried(measure, pair, unretrieved, lambda: found)


def _sums_lead(measure: Pivot, pair: Pair, unretrieved: Limit) -> Lead:
    if can_try_all(pair, 0, _FEW_TRIALS):
        return _tried(measure, pair, unretrieved, lambda: sums_lead(measure, pair))
    bounds = sums_lead(measure, pair)
    if bounds.exact:
        return bounds

    def close() -> Lead:
        return close_sums(measure, pair, bounds) if can_close(pair) else bounds

    return _tried(measure, pair, unretrieved, close)


def _ratios_lead(measure: Pivot, pair: Pair, unretrieved: Limit) -> Lead:
    return _tried(measure, pair, unretrieved, lambda: ratios_lead(measure, pair))


def _climbed_lead(measure: Measure, pair: Pair, unretrieved: Limit) -> Lead:
    def climb() -> Lead:
        upper = upper_bound(measure, pair)
        found = climbed_lead(measure, pair, upper)
        if found.exact:
            return found
        return between(found, min(upper, upper_bound(measure, pair, found.value)))

    return _tried(measure, pair, unretrieved, climb)


def _trial_lead(measure: Measure, pair: Pair, unretrieved: Limit) -> Lead:
    def refuse() -> Lead:
        raise MeasureError(
            f"{measure}: no algorithm is known for its distance, and "
            f"{counted(int(pair.free.sum()), 'unjudged document')} are too many to try all "
            f"assignments (at most {MOST_TRIALS:,}); cut the lists with k, or judge more documents"
        )

    return _tried(measure, pair, unretrieved, refuse)


def _tried(measure: Measure, pair: Pair, unretrieved: Limit, bound: Callable[[], Lead]) -> Lead:
    """Try every assignment or, if there are too many, find bounds."""
    matters = measure.elsewhere != "divides"
    elsewhere = (unretrieved or 0) + pair.deeper if matters else 0
    if not can_try_all(pair, elsewhere):
        return bound()
    found = try_all(measure, pair, elsewhere)
    upper = 0.0
    if matters and unretrieved is None:
        upper = _whatever_is_elsewhere(measure, pair, found.value)
    inside = found.value if not elsewhere else None
    return replace(found, upper=max(found.value, upper), inside=inside)


def _whatever_is_elsewhere(measure: Measure, pair: Pair, aim: float) -> float:
    """Return a bound that holds for any number of relevant documents elsewhere.

    It need not be below `aim`.
    """
    if _mixes(measure, "ratios"):
        assert isinstance(measure, Pivot)
        return ratios_lead(measure, pair).upper
    if measure.elsewhere == "lowers":  # so that the best value of a list bounds its lead
        return min(best_alone(measure, pair), upper_bound(measure, pair, aim))
    return upper_bound(measure, pair, aim)


def upper_bound(measure: Measure, pair: Pair, aim: float = np.inf) -> float:
    """Return how far the first list can lead at most, for any number of documents elsewhere.

    Bounds that can be refined are, while they are above `aim`.
    """
    highest = 1.0 if measure.highest is None else measure.highest
    if not isinstance(measure, Pivot):
        return highest
    if measure.mixes == "pivots":
        return min(highest, bound_mixed_pivots(measure, pair))
    added = measure.contributions(pair.scale)
    if added is None or (np.diff(added) < 0).any():
        return highest
    if measure.over_ideal:
        return min(highest, bound_over_ideal(cast(Any, measure), np.diff(added), pair))
    return min(highest, bound_over_relevant(measure, np.diff(added), pair, aim))


def _mixes(measure: Measure, what: str) -> bool:
    return isinstance(measure, Pivot) and measure.mixes == what


SOLVERS = (
    Solver("static", lambda m, _: is_static(m), lambda m, p, _: static_lead(m, p)),
    Solver("normalized", is_normalized, lambda m, p, _: normalized_lead(m, p)),
    Solver(
        "precisions",
        lambda m, _: is_sum_of_precisions(m),
        lambda m, p, _: precisions_lead(m, p),
        walks=lambda pair: 1,
    ),
    Solver("cascade", is_cascade, lambda m, p, _: cascade_lead(m, p), walks=lambda pair: 1),
    Solver("binary blend", is_binary_blend, _blend_lead, walks=lambda pair: len(pair.level)),
    Solver(
        "mixture of sums",
        lambda m, _: _mixes(m, "sums"),
        _sums_lead,
        "bounded",
        walks=lambda pair: 6 * pair.levels,  # of each level alone and from each level on, and sets
        climbs=True,
    ),
    Solver(
        "mixture of ratios",
        lambda m, _: _mixes(m, "ratios"),
        _ratios_lead,
        "bounded",
        walks=lambda pair: 3 * pair.levels,
        climbs=True,
    ),
    Solver(
        "climbing",
        lambda m, _: m.highest is not None,
        _climbed_lead,
        "bounded",
        walks=lambda pair: 3 * pair.levels,
        climbs=True,
    ),
    Solver("trial", lambda m, _: True, _trial_lead, "refused"),
)
