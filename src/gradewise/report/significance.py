"""Which of many runs differ, for tables that show them all."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from gradewise.arrays import Bools, Floats
from gradewise.measures.scores import Scores, summarise
from gradewise.stats.compare import common_topics
from gradewise.stats.corrections import correct
from gradewise.stats.intervals import t_interval
from gradewise.stats.letters import letter_groups
from gradewise.stats.paired_tests import t_test

ALPHA: Final = 0.05
LEVEL: Final = 0.95
MOST_LETTERED: Final = 40  # runs; the letters of more are too many to read, and to find
_BLOCK = 1 << 22  # differences held at a time


@dataclass(frozen=True, eq=False)
class Significance:
    """Means of runs by one measure, with intervals, and which two differ.

    `differs[a, b]` follows paired t-tests with Holm's correction over all pairs, as in `compare`.
    `letters` are the groups of runs that cannot be told apart, or None for many runs.
    """

    mean: Floats
    low: Floats
    high: Floats
    differs: Bools
    topics: int
    letters: tuple[str, ...] | None


def significance(scores: Scores, index: int) -> Significance:
    """Compare all runs by one measure; with one run or one topic, none differs."""
    mean = summarise(scores.measures[index], scores.values[:, :, index], scores.counted)
    runs = len(scores.runs)
    same = np.zeros((runs, runs), np.bool_)
    if _comparable(scores, index) < 2:
        return Significance(mean, mean, mean, same, 1, None)
    values, _ = common_topics(scores, index)
    low, high = t_interval(values, level=LEVEL)
    differs = same if runs < 2 else _differs(values)
    letters = _letters(values, differs) if 1 < runs <= MOST_LETTERED else None
    return Significance(mean, low, high, differs, values.shape[1], letters)


def _comparable(scores: Scores, index: int) -> int:
    defined = ~np.isnan(scores.values[:, :, index])
    return int((scores.counted & defined).all(axis=0).sum())


def _differs(values: Floats) -> Bools:
    """Return which pairs differ, testing a block of pairs at a time."""
    runs, topics = values.shape
    first, second = np.triu_indices(runs, 1)
    p = np.empty(len(first))
    step = max(1, _BLOCK // topics)
    for start in range(0, len(first), step):
        block = slice(start, start + step)
        p[block] = t_test(values[first[block]] - values[second[block]])
    found = np.zeros((runs, runs), np.bool_)
    found[first, second] = found[second, first] = correct(p, "holm") <= ALPHA
    return found


def _letters(values: Floats, differs: Bools) -> tuple[str, ...]:
    order = np.argsort(-values.mean(axis=1), kind="stable")
    letters = [""] * len(order)
    for place, run in enumerate(letter_groups(differs[np.ix_(order, order)])):
        letters[order[place]] = run
    return tuple(letters)
