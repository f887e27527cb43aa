"""Tests by resampling, for any number of pairs of runs at once.

All pairs share the same resampled topics, signs or permutations, so that a replicate is a row of
one matrix and a test of all pairs is a matrix product. The same seed gives the same p-values.
"""

from itertools import product

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import OptionError

REPLICATES = 10_000
_CHUNK = 1 << 22  # numbers in a block of replicates by pairs
_NOISE = 1e-12  # differences of sums below this share are rounding


def topic_weights(topics: int, *, replicates: int = REPLICATES, seed: int = 0) -> Ints:
    """Return how often each topic is drawn in each bootstrap sample, shape (replicates, topics)."""
    check_replicates(replicates)
    rng = np.random.default_rng(seed)
    return rng.multinomial(topics, np.full(topics, 1 / topics), size=replicates)


def bootstrap_test(differences: Floats, *, replicates: int = REPLICATES, seed: int = 0) -> Floats:
    """Return achieved significance levels of the paired bootstrap test (Sakai 2006).

    Differences are shifted to a mean of zero and resampled over topics; the level is the share of
    samples whose studentised mean is at least as far from zero as the one observed. A sample
    whose values are all the same is infinitely far, or not at all if they are zero.

    Parameters
    ----------
    differences
        Topics along the last axis.
    replicates
        How many bootstrap samples are drawn; all pairs share them.
    seed
        The same seed gives the same levels.
    """
    topics = differences.shape[-1]
    weights = topic_weights(topics, replicates=replicates, seed=seed) / topics
    rows = differences.reshape(-1, topics)
    levels = np.empty(len(rows))
    for part in _parts(len(rows), replicates):
        levels[part] = _bootstrap_levels(rows[part], weights)
    return levels.reshape(differences.shape[:-1])


def _bootstrap_levels(rows: Floats, weights: Floats) -> Floats:
    mean = rows.mean(axis=1, keepdims=True)
    shifted = rows - mean
    size = np.abs(rows).max(axis=1, keepdims=True)
    constant = (np.abs(shifted) <= _NOISE * size).all(axis=1)
    shifted[constant] = 0.0
    variance = (shifted**2).mean(axis=1)
    means = weights @ shifted.T
    variances = weights @ (shifted**2).T - means**2
    variances[variances <= _NOISE * variance] = 0.0
    means[np.abs(means) <= _NOISE * size.T] = 0.0
    # |mean*| / s* >= |mean| / s, without dividing; a sample of zeros is no evidence at all
    far = (means**2 * variance >= mean.T**2 * variances) & (means != 0)
    return np.where((rows == 0).all(axis=1), 1.0, far.mean(axis=0))


def randomization_test(
    differences: Floats, *, replicates: int = REPLICATES, seed: int = 0
) -> Floats:
    """Return p-values of Fisher's paired randomisation test on the mean difference.

    All ways to set the signs of differences are tried if there are no more than `replicates`;
    otherwise so many are drawn, and the one observed counts as one of them.

    Parameters
    ----------
    differences
        Topics along the last axis.
    replicates
        How many ways to set signs are tried.
    seed
        The same seed gives the same p-values.
    """
    check_replicates(replicates)
    topics = differences.shape[-1]
    exact = topics < 60 and 2**topics <= replicates
    if exact:
        signs = np.array(list(product((1.0, -1.0), repeat=topics)))
    else:
        rng = np.random.default_rng(seed)
        signs = rng.integers(0, 2, (replicates, topics)) * 2.0 - 1.0
    rows = differences.reshape(-1, topics)
    count = np.empty(len(rows))
    for part in _parts(len(rows), len(signs)):
        block = rows[part]
        noise = _NOISE * np.abs(block).sum(axis=1)
        count[part] = (np.abs(signs @ block.T) >= np.abs(block.sum(axis=1)) - noise).sum(axis=0)
    p = count / len(signs) if exact else (count + 1) / (len(signs) + 1)
    return p.reshape(differences.shape[:-1])


def tukey_test(values: Floats, *, replicates: int = REPLICATES, seed: int = 0) -> Floats:
    """Return p-values of the randomised Tukey HSD test for all pairs of runs.

    Under the null hypothesis all runs are alike, so that the values of a topic can be permuted
    over runs; p is the share of permutations whose largest difference of means is at least the
    difference observed. It needs no further correction for many pairs (Carterette 2012).

    Parameters
    ----------
    values
        Shape (runs, topics) or (runs, topics, measures); measures share permutations.
    replicates
        How many permutations are drawn; the one observed counts as one of them.
    seed
        The same seed gives the same p-values.

    Returns
    -------
    p
        Shape (runs, runs) or (runs, runs, measures).
    """
    check_replicates(replicates)
    rng = np.random.default_rng(seed)
    runs, topics = values.shape[:2]
    cells = values.reshape(runs, topics, -1)
    places = np.broadcast_to(np.arange(runs)[:, None], (runs, topics))
    widest = np.empty((replicates, cells.shape[2]))
    for replicate in range(replicates):
        order = rng.permuted(places, axis=0)
        means = np.take_along_axis(cells, order[:, :, None], axis=0).mean(axis=1)
        widest[replicate] = np.ptp(means, axis=0)
    means = cells.mean(axis=1)
    apart = np.abs(means[:, None] - means[None, :])
    noise = _NOISE * np.abs(cells).max(axis=(0, 1))
    p = np.empty_like(apart)
    for measure in range(cells.shape[2]):
        below = np.searchsorted(np.sort(widest[:, measure]), apart[:, :, measure] - noise[measure])
        p[:, :, measure] = (replicates - below + 1) / (replicates + 1)
    return p.reshape(runs, runs, *values.shape[2:])


def check_replicates(replicates: int) -> None:
    """Raise an OptionError unless there is at least one replicate."""
    if replicates < 1:
        raise OptionError(f"replicates must be at least 1, not {replicates}")


def _parts(rows: int, replicates: int) -> list[slice]:
    step = max(1, _CHUNK // replicates)
    return [slice(low, low + step) for low in range(0, rows, step)]
