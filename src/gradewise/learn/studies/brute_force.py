"""Global search for the best linear function of two features, by each measure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import check_least
from gradewise.learn.features import FeatureSet
from gradewise.learn.nets.training import SEED_OF_TIES
from gradewise.learn.studies.folds import Fold
from gradewise.measures.evaluate import as_measures
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import Measure
from gradewise.noise import merge_ties

_TOGETHER = 24  # directions evaluated at once


@dataclass(frozen=True, eq=False)
class BruteForce:
    """The best of all directions for each measure.

    `training[measure, angle]` are means over training topics; `best[measure]` is the angle with
    the highest one; `values[objective, measure, topic]` are values on test topics at its angle.
    """

    measures: tuple[str, ...]
    angles: Floats
    training: Floats
    best: Floats
    values: Floats


def brute_force(
    data: Fold, measures: Sequence[MeasureLike], *, columns: tuple[int, int], angles: int = 720
) -> BruteForce:
    """Try all directions in the plane of two features, and test the best one for each measure.

    A ranking by a linear function depends on its direction only, so no other weights need to be
    tried.

    Parameters
    ----------
    data
        Topics to train and to test on. Those for validation are not used.
    measures
        Objectives, each of which is tested with all of them.
    columns
        The two features.
    angles
        Number of directions, evenly spaced on the circle.
    """
    check_least(1, angles=angles)
    chosen = as_measures(measures)
    turns = 2 * np.pi * np.arange(angles) / angles
    training = np.concatenate(
        [
            _values(data.train, columns, some, chosen).mean(axis=-1)
            for some in np.array_split(turns, -(-angles // _TOGETHER))
        ],
        axis=1,
    )
    best = turns[np.argmax(merge_ties(training), axis=1)]  # the first of equally good directions
    values = np.moveaxis(_values(data.test, columns, best, chosen), 0, 1)
    return BruteForce(tuple(map(str, chosen)), turns, training, best, values)


def _values(
    data: FeatureSet, columns: tuple[int, int], turns: Floats, measures: Sequence[Measure]
) -> Floats:
    """Return values, [measure, angle, topic]."""
    x = data.features[:, list(columns)].astype(np.float64)
    scores = np.array([np.cos(turns), np.sin(turns)]).T @ x.T
    judged = data.judged(scores, seed=SEED_OF_TIES)
    return np.array([m.values(judged).reshape(len(turns), -1) for m in measures])
