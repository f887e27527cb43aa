"""Where runs stand by a measure: means, intervals, and which of them differ."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from gradewise.arrays import Bools, Floats
from gradewise.measures.scores import Scores, summarize
from gradewise.stats.compare import compare
from gradewise.stats.intervals import t_interval

ALPHA: Final = 0.05
LEVEL: Final = 0.95
MOST_LETTERED: Final = 40  # runs; the letters of more are too many to read, and to find


@dataclass(frozen=True, eq=False)
class Standings:
    """Runs by one measure, in the order of the scores; which differ is what `compare` finds.

    Means are over the topics of each run, and intervals over `topics` topics that all runs have.
    """

    mean: Floats
    low: Floats
    high: Floats
    differs: Bools
    topics: int
    letters: tuple[str, ...] | None = None


def find_standings(scores: Scores, index: int) -> Standings:
    """Compare all runs by one measure; with one run or one topic, none differs."""
    measure, values = scores.measures[index], scores.values[:, :, index]
    mean, runs = summarize(measure, values, scores.counted), len(scores.runs)
    same = np.zeros((runs, runs), np.bool_)
    common = (scores.counted & ~np.isnan(values)).all(axis=0)
    topics = int(common.sum())
    if topics < 2:
        return Standings(mean, mean, mean, same, 1)
    if runs == 1:
        return Standings(mean, *t_interval(values[:, common], level=LEVEL), same, topics)
    alone = Scores(scores.runs, scores.topics, (measure,), values[:, :, None], scores.counted)
    (part,) = compare(alone, alpha=ALPHA, level=LEVEL).parts
    place = {run: place for place, run in enumerate(part.runs)}
    order = np.array([place[run] for run in scores.runs])
    letters = part.letters if runs <= MOST_LETTERED else None
    return Standings(
        mean,
        part.low[order],
        part.high[order],
        part.differs[np.ix_(order, order)],
        topics,
        None if letters is None else tuple(letters[place] for place in order),
    )
