"""What differs between seeds: means by topic, and tests that take seeds as the sample."""

import numpy as np

from gradewise.arrays import Floats
from gradewise.libraries import special
from gradewise.noise import noise_bound


def by_topic(values: Floats, *, redrawn: bool) -> Floats:
    """Turn `values[..., seed, topic]` into a sample of topics, `[..., topic]`.

    With the same test topics for every seed, it is their means over seeds; with topics redrawn for
    each seed, it is the topics of all seeds in a row.
    """
    if redrawn:
        return values.reshape(*values.shape[:-2], -1)
    return np.asarray(values.mean(axis=-2))


def seed_errors(differences: Floats, *, redrawn: bool) -> tuple[Floats, Floats]:
    """Return the standard errors of mean differences, over topics and over seeds.

    `differences[..., seed, topic]`. The error over seeds is NaN if there is only one. With data
    redrawn for each seed it covers all that is left to chance: topics, training data and initial
    weights; otherwise it covers the weights only.
    """
    topics = by_topic(differences, redrawn=redrawn)
    over_topics = topics.std(axis=-1, ddof=1) / np.sqrt(topics.shape[-1])
    return over_topics, _error(differences.mean(axis=-1))


def seed_p(differences: Floats, *, scale: float | None = None) -> Floats:
    """Return p of the t-test on the means of seeds; NaN with one seed.

    A mean of 0 gives 1, also where all seeds have it. `scale` is the largest of the values that
    were subtracted, to which the noise is relative; by default, the largest difference.
    """
    means = differences.mean(axis=-1)
    error, middle = _error(means), means.mean(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = 2 * special.stdtr(means.shape[-1] - 1, -np.abs(middle) / error)
    none = np.abs(middle) <= noise_bound(differences, scale).max(axis=(-2, -1))
    return np.where(none & ~np.isnan(error), 1.0, p)


def _error(means: Floats) -> Floats:
    """Return the standard error of the mean over the last axis, NaN if that has one entry."""
    seeds = means.shape[-1]
    if seeds < 2:
        return np.full(means.shape[:-1], np.nan)
    return np.asarray(means.std(axis=-1, ddof=1) / np.sqrt(seeds))
