"""Confidence intervals of means over topics, and effect sizes."""

from typing import Literal

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.choices import Choice
from gradewise.errors import check_between
from gradewise.libraries import special
from gradewise.noise import all_equal, all_zero
from gradewise.stats.bootstrap_intervals import (
    bca_interval,
    bootstrap_interval,
    studentized_interval,
)

IntervalKind = Literal["t", "bootstrap", "bca", "studentized"]


def t_interval(values: Floats, *, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return the t interval of the mean along the last axis.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = t_interval(np.array([0.0, 1.0, 0.5]))
    >>> round(float(low), 3), round(float(high), 3)
    (-0.742, 1.742)
    """
    check_between(0, 1, level=level)
    topics = values.shape[-1]
    mean, deviation = values.mean(axis=-1), values.std(axis=-1, ddof=1)
    half = t_quantile(topics, level) * deviation / np.sqrt(topics)
    return mean - half, mean + half


def t_quantile(topics: int | Ints, level: float) -> Floats:
    """Return how many standard errors a t interval reaches to either side, for so many topics."""
    return np.asarray(special.stdtrit(np.asarray(topics) - 1, (1 + level) / 2))


def effect_size(differences: Floats, *, scale: float | None = None) -> Floats:
    """Return Cohen's d for paired samples: the mean difference over its standard deviation.

    Topics lie along the last axis. The effect is infinite where all differences are equal, and 0
    where they are all zero, up to the noise of values as large as `scale`.
    """
    mean, deviation = differences.mean(axis=-1), differences.std(axis=-1, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = mean / deviation
    effect = np.where(all_equal(differences, scale), np.copysign(np.inf, mean), effect)
    return np.where(all_zero(differences, scale), 0.0, effect)


INTERVALS: dict[IntervalKind, Choice] = {
    "t": Choice(t_interval, "Student's t interval"),
    "bootstrap": Choice(bootstrap_interval, "bootstrap percentile interval", resamples=True),
    "bca": Choice(bca_interval, "BCa bootstrap interval", resamples=True),
    "studentized": Choice(studentized_interval, "studentized bootstrap interval", resamples=True),
}
