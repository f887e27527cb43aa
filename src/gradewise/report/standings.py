"""Where runs stand by a measure: means, intervals, and which of them differ."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.measures.scores import Scores
from gradewise.measures.summaries import summarize
from gradewise.noise import merge_ties, order_best_first
from gradewise.stats.compare import compare
from gradewise.stats.intervals import t_interval
from gradewise.stats.tiers import RULE

ALPHA: Final = 0.05
LEVEL: Final = 0.95


@dataclass(frozen=True, eq=False)
class Standings:
    """Runs by one measure, in the order of the scores; which differ is what `compare` finds.

    Means are over the topics of each run, and equal where they differ only by noise; intervals are
    over `topics` topics that all runs have.
    """

    order: Ints  # best first
    mean: Floats
    low: Floats
    high: Floats
    differs: Bools
    topics: int
    letters: tuple[str, ...] | None = None
    tiers: tuple[int, ...] | None = None
    meaning: str = ""  # of letters or tiers


def find_all_standings(scores: Scores) -> list[Standings]:
    """Compare all runs by each measure."""
    return [find_standings(scores, index) for index in range(len(scores.measures))]


def find_standings(scores: Scores, index: int) -> Standings:
    """Compare all runs by one measure; with one run or one topic, none differs."""
    measure, values = scores.measures[index], scores.values[:, :, index]
    mean, runs = merge_ties(summarize(measure, values, scores.counted)), len(scores.runs)
    best_first = order_best_first(mean, higher_is_better=measure.higher_is_better)
    same = np.zeros((runs, runs), np.bool_)
    common = (scores.counted & ~np.isnan(values)).all(axis=0)
    topics = int(common.sum())
    if topics < 2:
        return Standings(best_first, mean, mean, mean, same, 1)
    if runs == 1:
        return Standings(
            best_first, mean, *t_interval(values[:, common], level=LEVEL), same, topics
        )
    alone = Scores(scores.runs, scores.topics, (measure,), values[:, :, None], scores.counted)
    found = compare(alone, alpha=ALPHA, level=LEVEL)
    (part,) = found.parts
    place = {run: place for place, run in enumerate(part.runs)}
    order = np.array([place[run] for run in scores.runs])
    letters = None if part.shows_tiers else part.letters
    return Standings(
        best_first,
        mean,
        part.low[order],
        part.high[order],
        part.differs[np.ix_(order, order)],
        topics,
        None if letters is None else tuple(letters[place] for place in order),
        None if part.tiers is None else tuple(part.tiers[order].tolist()),
        f"{RULE}. {found.limits_of_tiers()}" + ("" if letters is None else f" {found.meaning()}."),
    )
