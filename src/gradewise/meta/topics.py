"""Which topics and runs measures are evaluated on: all, or some."""

import numpy as np

from gradewise.arrays import Bools, Floats
from gradewise.collection.judged import Judged
from gradewise.collection.topic_rules import choose_topics
from gradewise.collection.topics import TopicsLike, select_topics
from gradewise.errors import OptionError, check_runs
from gradewise.noise import noise_bound

__all__ = ["choose_runs", "choose_topics", "keep_topics"]


def keep_topics(judged: Judged, topics: TopicsLike | None) -> Bools:
    """Return which topics are chosen by a rule, a file, ids or a pattern; all without a choice."""
    if topics is None:
        return np.ones(len(judged.topics), np.bool_)
    return select_topics(judged.topics, topics, judged=judged)


def choose_runs(means: Floats, quantile: float) -> Bools:
    """Return which runs are at or above a quantile of their means; at least two must be."""
    if not 0 <= quantile < 1:
        raise OptionError(f"the quantile must be between 0 and 1, not {quantile:g}")
    edge = np.quantile(means, quantile)
    chosen: Bools = means >= edge - noise_bound(means)
    check_runs(int(chosen.sum()), "the evaluation of measures")
    return chosen
