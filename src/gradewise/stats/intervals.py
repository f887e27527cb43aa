"""Confidence intervals of means over topics, and effect sizes."""

from typing import Literal

import numpy as np
from scipy import special

from gradewise.arrays import Floats, Ints
from gradewise.choices import Choice
from gradewise.errors import OptionError
from gradewise.stats.resampling import REPLICATES, topic_weights

IntervalKind = Literal["t", "bootstrap"]


def t_interval(values: Floats, *, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return the t interval of the mean along the last axis.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = t_interval(np.array([0.0, 1.0, 0.5]))
    >>> round(float(low), 3), round(float(high), 3)
    (-0.742, 1.742)
    """
    check_level(level)
    topics = values.shape[-1]
    mean, deviation = values.mean(axis=-1), values.std(axis=-1, ddof=1)
    half = t_quantile(topics, level) * deviation / np.sqrt(topics)
    return mean - half, mean + half


def t_quantile(topics: int | Ints, level: float) -> Floats:
    """Return how many standard errors a t interval reaches to either side, for so many topics."""
    return np.asarray(special.stdtrit(np.asarray(topics) - 1, (1 + level) / 2))


def bootstrap_interval(
    values: Floats, *, level: float = 0.95, replicates: int = REPLICATES, seed: int = 0
) -> tuple[Floats, Floats]:
    """Return the bootstrap percentile interval of the mean along the last axis.

    Parameters
    ----------
    values
        Topics along the last axis. All rows share the same resampled topics.
    level
        Confidence level.
    replicates
        Number of bootstrap samples.
    seed
        The same seed gives the same interval.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = bootstrap_interval(np.array([[0.0, 1.0, 0.0, 1.0, 0.5]]), seed=1)
    >>> bool(0 <= low[0] < 0.5 < high[0] <= 1)
    True
    """
    check_level(level)
    topics = values.shape[-1]
    weights = topic_weights(topics, replicates=replicates, seed=seed) / topics
    rows = values.reshape(-1, topics)
    tail = (1 - level) / 2
    limits = np.empty((2, len(rows)))
    step = max(1, (1 << 22) // replicates)
    for low in range(0, len(rows), step):
        means = weights @ rows[low : low + step].T
        limits[:, low : low + step] = np.quantile(means, [tail, 1 - tail], axis=0)
    shape = values.shape[:-1]
    return limits[0].reshape(shape), limits[1].reshape(shape)


def effect_size(differences: Floats) -> Floats:
    """Return Cohen's d for paired samples: the mean difference over its standard deviation.

    Topics lie along the last axis. The effect is infinite where all differences are equal, and 0
    where they are all zero.
    """
    mean, deviation = differences.mean(axis=-1), differences.std(axis=-1, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = mean / deviation
    return np.where((differences == 0).all(axis=-1), 0.0, effect)


def check_level(level: float) -> None:
    """Raise an OptionError unless a confidence level lies between 0 and 1."""
    if not 0 < level < 1:
        raise OptionError(f"level must lie between 0 and 1, not {level}")


INTERVALS: dict[IntervalKind, Choice] = {
    "t": Choice(t_interval, "Student's t interval"),
    "bootstrap": Choice(bootstrap_interval, "bootstrap percentile interval", resamples=True),
}
