"""Pollack's sliding ratio rank by rank: what a list gains at each rank against the ideal list."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.accepted import QrelsLike, RunsLike
from gradewise.collection.join import judge
from gradewise.collection.judged import Judged
from gradewise.errors import check_least
from gradewise.frames import long_frame
from gradewise.libraries import pl
from gradewise.measures.gains import gain_table
from gradewise.measures.ideal import ideal_lists
from gradewise.measures.measure import ratio
from gradewise.measures.parameters import PARAMETERS


@dataclass(frozen=True, eq=False)
class SlidingRatios:
    """The gain of lists and of their ideal lists at ranks 1, 2, ..., depth: [list, rank - 1]."""

    judged: Judged
    gain: Floats
    ideal: Floats

    @property
    def at_rank(self) -> Floats:
        """The gain at each rank over that of the ideal list there; NaN where that is 0."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self.ideal > 0, self.gain / self.ideal, np.nan)

    @property
    def cumulated(self) -> Floats:
        """The gain down to each rank over that of the ideal list; SR at that cutoff."""
        return ratio(np.cumsum(self.gain, axis=1), np.cumsum(self.ideal, axis=1))

    @property
    def per_list(self) -> "pl.DataFrame":
        """A frame with columns run, topic, rank, gain, ideal, at_rank, cumulated.

        `at_rank` is null where the ideal list gains nothing.
        """
        ranks = np.arange(1, self.gain.shape[1] + 1)
        axes = {"run": self.judged.runs, "topic": self.judged.topics, "rank": ranks}
        columns = {"gain": self.gain, "ideal": self.ideal}
        columns |= {"at_rank": self.at_rank, "cumulated": self.cumulated}
        return long_frame(axes, columns).with_columns(pl.col("at_rank").fill_nan(None))

    def averaged(self) -> "pl.DataFrame":
        """Return the mean over topics of the cumulated ratio: columns run, rank, ratio."""
        runs, depth = len(self.judged.runs), self.gain.shape[1]
        means = self.cumulated.reshape(runs, len(self.judged.topics), depth).mean(axis=1)
        axes = {"run": self.judged.runs, "rank": np.arange(1, depth + 1)}
        return long_frame(axes, {"ratio": means})


def sliding_ratio(
    qrels: QrelsLike, runs: RunsLike, *, depth: int = 10, gains: Any = None, **options: Any
) -> SlidingRatios:
    """Compute Pollack's sliding ratio of runs, rank by rank.

    The ideal list has all judged documents of the topic, best first. At each rank, Kishida (2005,
    §4.1.2) divides the gain of the list by that of the ideal list; with both cumulated from the
    top, the ratio is SR at that cutoff.

    Parameters
    ----------
    qrels, runs, options
        As for `evaluate`: `ties` and `seed` are the options.
    depth
        Last rank.
    gains
        The gain of each grade, as for SR; the grade itself by default.

    Examples
    --------
    >>> import gradewise as gw
    >>> qrels = {"t": {"a": 3, "b": 2, "c": 2, "d": 1}}
    >>> run = {"t": {"d": 3.0, "b": 2.0, "a": 1.0}}
    >>> ratios = gw.sliding_ratio(qrels, run, depth=4)
    >>> ratios.at_rank.round(2)
    array([[0.33, 1.  , 1.5 , 0.  ]])
    >>> ratios.cumulated.round(2)
    array([[0.33, 0.6 , 0.86, 0.75]])
    """
    check_least(1, depth=depth)
    judged = judge(qrels, runs, **options)
    table = gain_table(PARAMETERS["gains"].check(gains), judged.scale)
    hits = judged.relevant_hits.where(judged.relevant_hits.rank <= depth)
    gain = np.zeros((len(judged), depth))
    gain[hits.list, hits.rank - 1] = table[hits.level]
    ranks, topics = np.arange(depth + 1), np.arange(len(judged.topics))
    cumulated = ideal_lists(judged, table).cumulated(
        np.tile(ranks, len(topics)), topics.repeat(depth + 1)
    )
    ideal = np.diff(cumulated.reshape(len(topics), depth + 1), axis=1)
    return SlidingRatios(judged, gain, ideal[judged.topic])
