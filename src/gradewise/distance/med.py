"""Maximized effectiveness distance: how far two rankings could differ, given the judgments."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradewise.arrays import Ints
from gradewise.collection.accepted import QrelsLike, RunLike
from gradewise.collection.naming import name_runs
from gradewise.collection.ties import Ties
from gradewise.distance.align import SINGLE_GRADE, Aligned, TopicLists
from gradewise.distance.estimate import begin_distances
from gradewise.distance.pair import Lead, Pair
from gradewise.distance.result import Med, TopicDistance
from gradewise.distance.scoring import score_pair
from gradewise.distance.solvers import best_lead
from gradewise.distance.static import residual
from gradewise.errors import MeasureError, check_least
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.measures.measure import Measure, refuse_intents
from gradewise.progress import go_through, watched

Solver = Callable[[Measure, Pair], Lead]


@watched("topics")
def med(
    run_a: RunLike,
    run_b: RunLike,
    qrels: QrelsLike | None,
    measure: MeasureLike,
    k: int | None = None,
    *,
    grades: Sequence[int] | None = None,
    unretrieved: int | None = None,
    ties: Ties = "trec",
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Med:
    """Return how far two runs could differ under any completion of the judgments.

    Parameters
    ----------
    run_a, run_b
        The runs: anything that `read_run` takes.
    qrels
        Judgments, or anything that `read_qrels` takes; None if nothing is judged.
    measure
        A measure, or its name, such as "AP@100".
    k
        Depth at which both lists are cut first.
    grades
        Positive grades that unjudged documents may have in addition to those in the qrels; [1] if
        the qrels have none.
    unretrieved
        Maximum number of relevant documents in neither list. It matters for measures in
        which the number of relevant documents does more than divide, such as Q, eGAP and xGAP. By
        default it is unlimited for Q on one grade and for upper bounds, and 0 otherwise.
    ties, seed
        Order of documents with equal scores, as for `evaluate`.
    progress
        Called with 1 after each topic.
    """
    parsed = checked_measure(measure)
    check_least(1, k=k)
    check_least(0, unretrieved=unretrieved)
    named = name_pair(run_a, run_b)
    aligned = Aligned.of(named, qrels, measure=parsed, grades=grades, ties=ties, seed=seed)

    def solve(measure: Measure, pair: Pair) -> Lead:
        return best_lead(measure, pair, unretrieved)

    depth = depth_of(parsed, k)
    begin_distances(parsed, aligned, k, depth)
    topics = go_through(aligned.lists(k, depth), progress)
    found = tuple(distance_of(parsed, lists, 0, 1, solve) for lists in topics)
    return Med(parsed, (named[0][0], named[1][0]), found)


def name_pair(run_a: Any, run_b: Any) -> list[tuple[str, Any]]:
    """Name two runs by their sources, or a and b if both have the same name."""
    first, second = (name_runs([run])[0] for run in (run_a, run_b))
    if first[0] == second[0]:
        return [("a", first[1]), ("b", second[1])]
    return [first, second]


def checked_measure(measure: MeasureLike) -> Measure:
    """Return the measure, or raise a MeasureError if its distance is not defined."""
    parsed = parse_measure(measure)
    if parsed.judged_only or parsed.uses_scores:
        why = "drops unjudged documents" if parsed.judged_only else "uses scores"
        raise MeasureError(f"{parsed} {why}, so its distance is not defined")
    refuse_intents(parsed, SINGLE_GRADE)
    if not parsed.higher_is_better:
        raise MeasureError(f"lower values of {parsed} are better, so its distance is not defined")
    return parsed


def depth_of(measure: Measure, k: int | None) -> int | None:
    """Return the depth to which lists are scored."""
    cut = measure.cutoff if isinstance(measure.cutoff, int) else None
    depths = [depth for depth in (k, cut) if depth is not None]
    return min(depths, default=None)


@dataclass(frozen=True, eq=False)
class Apart:
    """How far either list of a pair can lead, and what ranks beyond its end could add."""

    leads: tuple[Lead, Lead]
    rests: tuple[float, float]

    @property
    def values(self) -> list[float]:
        """How far each list can lead."""
        return [each.value + rest for each, rest in zip(self.leads, self.rests, strict=True)]

    @property
    def side(self) -> int:
        """The list that can lead by more."""
        first, second = self.values
        return int(second > first)

    def upper_of(self, value: float) -> float:
        """Return an upper bound of the distance: the value itself if that is exact."""
        values, side = self.values, self.side
        uppers = [each.upper + rest for each, rest in zip(self.leads, self.rests, strict=True)]
        exact = self.leads[side].exact and uppers[1 - side] <= values[side]
        return value if exact else max(value, *uppers)


def lead_both_ways(measure: Measure, pair: Pair, solve: Solver = best_lead) -> Apart:
    """Return how far either list of a pair can lead the other."""
    sides = pair, pair.swapped()
    return Apart(
        (solve(measure, sides[0]), solve(measure, sides[1])),
        (residual(measure, sides[0]), residual(measure, sides[1])),
    )


def distance_of(
    measure: Measure,
    lists: TopicLists,
    first: int,
    second: int,
    solve: Solver = best_lead,
) -> TopicDistance:
    """Return how far two lists of a topic could differ."""
    pair, numbers = lists.pair(first, second)
    apart = lead_both_ways(measure, pair, solve)
    side, best = apart.side, apart.leads[apart.side]
    scores = score_pair(measure, pair, best.levels[None, :], best.unretrieved[None, :])[:, 0]
    known = score_pair(measure, pair, pair.level[None, :])[:, 0]
    value = max(0.0, float(scores[side] - scores[1 - side]) + apart.rests[side])
    counts = pair.judged_counts + best.unretrieved
    counts = counts + np.bincount(best.levels[pair.free], minlength=len(counts))
    grade = np.concatenate([[0], pair.scale])
    free = _by_best_rank(pair)
    return TopicDistance(
        topic=lists.topic,
        value=value,
        upper=apart.upper_of(value),
        winner=("a", "b")[side] if value > 0 else None,
        scores=(float(scores[0]), float(scores[1])),
        known=float(known[0] - known[1]),
        a_over_b=apart.leads[0].at_most(pair) + apart.rests[0],
        b_over_a=apart.leads[1].at_most(pair) + apart.rests[1],
        residual=apart.rests[side],
        ssp=None if best.scaled is None else max(each.scaled or 0.0 for each in apart.leads),
        judged=float((~pair.free).mean()) if len(pair.level) else 1.0,
        relevant=_by_grade(pair.scale, counts[1:]),
        assignment=dict(
            zip(lists.names(numbers[free]), grade[best.levels[free]].tolist(), strict=True)
        ),
        outside=_by_grade(pair.scale, best.unretrieved[1:], positive=True),
    )


def _by_best_rank(pair: Pair) -> Ints:
    """Return the free documents, ordered by their best rank in either list."""
    deep = np.where(pair.rank > 0, pair.rank, pair.rank.max(initial=0) + 1)
    order = np.lexsort((deep[0], deep.min(axis=0)))
    return order[pair.free[order]]


def _by_grade(scale: Ints, counts: Ints, *, positive: bool = False) -> dict[int, int]:
    pairs = zip(scale.tolist(), counts.tolist(), strict=True)
    return {grade: number for grade, number in pairs if number or not positive}
