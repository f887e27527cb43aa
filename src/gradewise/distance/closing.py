"""Close the bounds of GAP on small cases by mixed-integer programming (HiGHS, through SciPy).

For a ratio λ, maximize Σ_j g_j (SP_j(first) - SP_j(second)) - λ Σ_j g_j RB_j over the levels of
free documents. SP_j is a sum over documents and pairs of documents that are both relevant, so that
each pair and level gets a variable for "both". If nothing is above 0, no ratio is above λ.
"""

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.distance.pair import Lead, Pair
from gradewise.distance.scoring import score_pair
from gradewise.measures.measure import ratio
from gradewise.measures.pivot import Pivot

MOST_PAIRS = 600  # pairs of free documents, times levels
_NODES = 5_000  # of the search; a limit in seconds would depend on the machine
_SOLVED = 1e-9


def can_close(pair: Pair) -> bool:
    """Whether there is something to decide and the program is small enough."""
    number = int(_candidates(pair).size)
    return number > 0 and number * number // 2 * pair.levels <= MOST_PAIRS


def close_sums(measure: Pivot, pair: Pair, bounds: Lead) -> Lead:
    """Return the largest lead of the first list, or bounds if the search is given up."""
    g = measure.shares(pair.scale)
    levels = np.flatnonzero(g > 0) + 1
    free = _candidates(pair)
    weights = _pair_weights(pair)
    value, best, upper = max(bounds.value, 0.0), bounds, bounds.upper
    least = _least_denominator(pair, g)
    while True:
        above, chosen = _solve(pair, g, levels, free, weights, value)
        upper = min(upper, value + max(float(above), 0.0) / least)
        if chosen is None or above <= _SOLVED * least:
            break
        found = float(np.subtract(*score_pair(measure, pair, chosen[None, :])[:, 0]))
        if found <= value:
            break
        value = found
        best = Lead.under(chosen, value, upper, bounds.unretrieved)
    if upper <= best.value + _SOLVED:
        upper = best.value
    return Lead(best.value, max(upper, best.value), best.find_levels, best.unretrieved)


def _candidates(pair: Pair) -> Ints:
    """Return the free documents of the first list; others are never relevant at the best."""
    return np.flatnonzero(pair.free & (pair.rank[0] > 0))


def _least_denominator(pair: Pair, g: Floats) -> float:
    """Return the smallest positive number of relevant documents, as GAP counts them."""
    counts = pair.judged_counts[1:]
    judged = float(counts @ np.cumsum(g))
    return judged if judged > 0 else float(g[g > 0][0])


def _pair_weights(pair: Pair) -> Floats:
    """Return what two documents that are both relevant add to the lead; half for one alone."""
    deepest = np.maximum(pair.rank[:, :, None], pair.rank[:, None, :])
    there = (pair.rank[:, :, None] > 0) & (pair.rank[:, None, :] > 0)
    each = ratio(there.astype(np.float64), deepest)
    return each[0] - each[1]


def _solve(
    pair: Pair, g: Floats, levels: Ints, free: Ints, weights: Floats, value: float
) -> tuple[float, Ints | None]:
    """Return a bound of how far the lead exceeds `value` times the denominator, and levels."""
    from scipy.optimize import LinearConstraint, milp
    from scipy.sparse import csr_array

    first, second = np.triu_indices(len(free), 1)
    each, number = weights[free[first], free[second]], len(free)
    size = number + len(first)
    cost, constant = np.zeros(size * len(levels)), 0.0
    rows: list[tuple[int, int, float]] = []
    bounds: list[tuple[float, float]] = []

    def constrain(terms: list[tuple[int, float]], low: float, high: float) -> None:
        rows.extend((len(bounds), column, factor) for column, factor in terms)
        bounds.append((low, high))

    for place, level in enumerate(levels.tolist()):
        offset, share = place * size, g[level - 1]
        known = np.flatnonzero(pair.level >= level)
        inner = weights[np.ix_(known, known)]
        constant += share * (inner.sum() + np.trace(inner)) / 2
        constant -= value * share * pair.judged_counts[level:].sum()
        alone = weights[free, free] + weights[np.ix_(free, known)].sum(axis=1)
        cost[offset : offset + number] = share * (alone - value)
        cost[offset + number : offset + size] = share * each
        for index, (a, b) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
            both = offset + number + index
            if each[index] > 0:
                constrain([(both, 1), (offset + a, -1)], -np.inf, 0)
                constrain([(both, 1), (offset + b, -1)], -np.inf, 0)
            elif each[index] < 0:
                constrain([(both, 1), (offset + a, -1), (offset + b, -1)], -1, np.inf)
        if place:
            for index in range(number):
                constrain([(offset + index, 1), (offset - size + index, -1)], -np.inf, 0)
    whole = np.tile(np.arange(size) < number, len(levels)).astype(np.int64)
    limits = []
    if bounds:
        row, column, factor = (np.array(part) for part in zip(*rows, strict=True))
        matrix = csr_array((factor, (row, column)), shape=(len(bounds), len(cost)))
        limits = [LinearConstraint(matrix, *np.array(bounds).T)]
    solved = milp(
        -cost,
        integrality=whole,
        bounds=(0, 1),
        constraints=limits,
        options={"mip_rel_gap": 0.0, "node_limit": _NODES},
    )
    dual = solved.get("mip_dual_bound")
    above = np.inf if dual is None else constant - dual
    if solved.x is None:
        return above, None
    chosen = np.where(pair.free, 0, pair.level)
    for place, level in enumerate(levels.tolist()):
        taken = solved.x[place * size : place * size + number] > 0.5
        chosen[free[taken]] = level
    return float(above), chosen
