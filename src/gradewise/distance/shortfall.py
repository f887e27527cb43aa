"""How far Moffat's greedy heuristic for AP (equation 13) falls short of the distance."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from gradewise.arrays import Ints
from gradewise.collection.accepted import QrelsLike, RunsLike
from gradewise.collection.naming import name_runs
from gradewise.collection.ties import Ties
from gradewise.distance.align import Aligned
from gradewise.distance.greedy import checked_ap, greedy_lead
from gradewise.distance.med import Solver, depth_of, lead_both_ways
from gradewise.distance.pair import FREE, Pair
from gradewise.distance.solvers import best_lead
from gradewise.distance.trials import MOST_TRIALS, try_all
from gradewise.errors import OptionError, check_runs
from gradewise.libraries import pl
from gradewise.measures.average_precision import AP
from gradewise.measures.grammar import MeasureLike
from gradewise.progress import go_through, watched

_SAME = 1e-12  # distances that differ by rounding only
_UNJUDGED, _RELEVANT = 0.5, 0.25  # shares of the documents of random lists
_MOST_ELSEWHERE = 4


@watched("topics")
def greedy_shortfall(
    runs: RunsLike,
    qrels: QrelsLike | None,
    measure: MeasureLike = "AP",
    k: int | None = None,
    *,
    ties: Ties = "trec",
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> "pl.DataFrame":
    """Compare Moffat's greedy heuristic with the exact distance, for all pairs of runs.

    Parameters are those of `med_matrix`; the measure must be AP.

    Returns
    -------
    A frame with columns topic, run_a, run_b, unjudged, med, greedy, shortfall. `unjudged` is the
    number of unjudged documents of the two lists, and `shortfall` what the heuristic misses.

    Examples
    --------
    >>> import gradewise as gw
    >>> runs = {
    ...     "a": {"t": {"1": 5.0, "2": 4.0, "5": 3.0, "3": 2.0, "4": 1.0}},
    ...     "b": {"t": {"4": 5.0, "2": 4.0, "1": 3.0, "5": 2.0, "0": 1.0}},
    ... }
    >>> judged = {"0": 1, "1": 1, "3": 0, "4": 0, "x": 1, "y": 1, "z": 1}
    >>> found = gw.distance.greedy_shortfall(runs, {"t": judged}, "AP(norm='min(k,R)')@5")
    >>> [round(found[column].item() * 300, 9) for column in ("med", "greedy", "shortfall")]
    [17.0, 16.0, 1.0]
    """
    parsed = checked_ap(measure)
    named = name_runs(runs)
    check_runs(len(named), "a distance")
    aligned = Aligned.of(named, qrels, ties=ties, seed=seed)
    rows = []
    for lists in go_through(aligned.lists(k, depth_of(parsed, k)), progress):
        for first, second in combinations(range(len(named)), 2):
            pair, _ = lists.pair(first, second)
            compared = _compare(parsed, pair, best_lead)
            rows.append((lists.topic, named[first][0], named[second][0], *compared))
    return _frame(rows, ["topic", "run_a", "run_b"])


def random_shortfall(
    number: int = 1000, *, length: int = 5, measure: MeasureLike = "AP", seed: int = 0
) -> "pl.DataFrame":
    """Compare Moffat's greedy heuristic with the best of all assignments, on random lists.

    A pair is two random orders of `length` out of `length` + 1 documents. Half of these are
    unjudged, a quarter relevant and a quarter not, by chance; up to 4 further relevant documents
    are in neither list.

    Parameters
    ----------
    number
        Number of pairs.
    length
        Number of documents in a list.
    measure
        AP, with or without a cutoff.
    seed
        Seed of the pairs.

    Returns
    -------
    A frame with columns first, second, relevant, not_relevant, elsewhere, unjudged, med, greedy,
    shortfall. The first four are lists of document numbers, and `elsewhere` is the number of
    further relevant documents; `med` is the largest difference over all assignments.

    Examples
    --------
    >>> import gradewise as gw
    >>> found = gw.distance.random_shortfall(200, length=4)
    >>> (found["shortfall"] >= 0).all(), (found["shortfall"] > 0).mean() < 0.05
    (True, True)
    """
    parsed = checked_ap(measure)
    if length < 1 or 2 ** (length + 1) > MOST_TRIALS:
        most = MOST_TRIALS.bit_length() - 2
        raise OptionError(f"length must be from 1 to {most}, not {length}")
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(number):
        orders = [rng.permutation(length + 1)[:length] for _ in range(2)]
        chance = rng.random(length + 1)
        level = np.where(chance < _RELEVANT, 1, np.where(chance < 1 - _UNJUDGED, 0, FREE))
        elsewhere = int(rng.integers(_MOST_ELSEWHERE + 1))
        pair = _pair(orders, level, elsewhere, parsed)
        judged = [np.flatnonzero(level == grade).tolist() for grade in (1, 0)]
        compared = _compare(parsed, pair, lambda measure, pair: try_all(measure, pair, 0))
        rows.append((orders[0].tolist(), orders[1].tolist(), *judged, elsewhere, *compared))
    return _frame(rows, ["first", "second", "relevant", "not_relevant", "elsewhere"])


def _pair(orders: Sequence[Ints], level: Ints, elsewhere: int, measure: AP) -> Pair:
    """Return two lists of numbered documents as far as the measure counts them."""
    depth = len(orders[0]) if measure.cutoff is None else min(len(orders[0]), int(measure.cutoff))
    rank = np.zeros((2, len(level)), np.int64)
    for side, order in enumerate(orders):
        rank[side, order[:depth]] = np.arange(1, depth + 1)
    there = (rank > 0).any(axis=0)
    counts = np.bincount(level[level != FREE], minlength=2)
    counts[1] += elsewhere
    ranks = np.ascontiguousarray(rank[:, there])
    return Pair(np.array([1]), ranks, level[there], np.full(2, depth), counts)


def _compare(measure: AP, pair: Pair, solve: Solver) -> tuple[int, float, float, float]:
    """Return the number of unjudged documents, the distance, what the heuristic finds, the rest."""
    exact, greedy = (
        max(0.0, *lead_both_ways(measure, pair, each).values) for each in (solve, greedy_lead)
    )
    rest = exact - greedy
    return int(pair.free.sum()), exact, greedy, rest if abs(rest) > _SAME else 0.0


def _frame(rows: list[tuple[Any, ...]], columns: list[str]) -> "pl.DataFrame":
    numbers = {"unjudged": pl.Int64, "med": pl.Float64, "greedy": pl.Float64}
    return pl.DataFrame(
        rows,
        schema=[*columns, *numbers, "shortfall"],
        schema_overrides={**numbers, "shortfall": pl.Float64},
        orient="row",
    )
