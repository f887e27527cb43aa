"""Tests by resampling, for any number of pairs of runs at once.

All pairs share the same resampled topics, signs or permutations: a replicate is a row of one
matrix, and testing all pairs is a matrix product. The same seed gives the same p-values.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import OptionError

REPLICATES = 10_000
_CHUNK = 1 << 18  # numbers in a block of replicates by pairs, which fits the cache
_NOISE = 1e-12  # differences of sums below this share are rounding


def topic_weights(topics: int, *, replicates: int = REPLICATES, seed: int = 0) -> Ints:
    """Return how often each topic is drawn in each bootstrap sample, shape (replicates, topics)."""
    check_replicates(replicates)
    rng = np.random.default_rng(seed)
    return rng.multinomial(topics, np.full(topics, 1 / topics), size=replicates)


def bootstrap_test(differences: Floats, *, replicates: int = REPLICATES, seed: int = 0) -> Floats:
    """Return achieved significance levels of the paired bootstrap test (Sakai 2006).

    Differences are shifted to a mean of zero and resampled over topics; the level is the share of
    samples whose studentized mean is at least as far from zero as the observed one. A sample of
    equal values has an infinite studentized mean, or zero if the values are zero.

    Parameters
    ----------
    differences
        Topics along the last axis.
    replicates
        Number of bootstrap samples, which all pairs share.
    seed
        Random seed.
    """
    topics = differences.shape[-1]
    weights = topic_weights(topics, replicates=replicates, seed=seed) / topics
    rows = differences.reshape(-1, topics)
    levels = np.empty(len(rows))
    for part in _parts(len(rows), replicates):
        levels[part] = _bootstrap_levels(rows[part], weights)
    return levels.reshape(differences.shape[:-1])


def bootstrap_differences(
    differences: Floats,
    alphas: Sequence[float],
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Floats:
    """Return the mean difference required for significance at each level (Sakai 2006).

    For each pair it is the absolute mean of the bootstrap sample whose studentized mean is the
    upper α-quantile under the null hypothesis; the largest over all pairs is returned.

    Parameters
    ----------
    differences
        Pairs by topics.
    alphas
        Significance levels.
    replicates, seed
        As for `bootstrap_test`, which draws the same samples.
    """
    topics = differences.shape[-1]
    weights = topic_weights(topics, replicates=replicates, seed=seed) / topics
    places = [max(1, round(alpha * replicates)) - 1 for alpha in alphas]
    needed = np.zeros(len(places))
    for part in _parts(len(differences), replicates):
        sample = _Resampled.of(differences[part], weights)
        with np.errstate(divide="ignore", invalid="ignore"):
            studentized = np.where(sample.means == 0, 0.0, sample.means**2 / sample.variances)
        order = np.argsort(-studentized, axis=0, kind="stable")[places]
        sizes = np.abs(np.take_along_axis(sample.means, order, axis=0))
        needed = np.maximum(needed, sizes.max(axis=1))
    return needed


@dataclass(frozen=True)
class _Resampled:
    """Bootstrap samples of shifted differences: their means and variances, [sample, pair]."""

    mean: Floats
    variance: Floats
    means: Floats
    variances: Floats

    @staticmethod
    def of(rows: Floats, weights: Floats) -> "_Resampled":
        mean = rows.mean(axis=1)
        shifted = rows - mean[:, None]
        size = np.abs(rows).max(axis=1)
        constant = (np.abs(shifted) <= _NOISE * size[:, None]).all(axis=1)
        shifted[constant] = 0.0
        variance = (shifted**2).mean(axis=1)
        means = weights @ shifted.T
        variances = weights @ (shifted**2).T - means**2
        variances[variances <= _NOISE * variance] = 0.0
        means[np.abs(means) <= _NOISE * size] = 0.0
        return _Resampled(mean, variance, means, variances)


def _bootstrap_levels(rows: Floats, weights: Floats) -> Floats:
    sample = _Resampled.of(rows, weights)
    # |mean*| / s* >= |mean| / s, without dividing; a sample of zeros is no evidence at all
    far = sample.means**2 * sample.variance >= sample.mean**2 * sample.variances
    far &= sample.means != 0
    return np.where((rows == 0).all(axis=1), 1.0, far.mean(axis=0))


def randomization_test(
    differences: Floats, *, replicates: int = REPLICATES, seed: int = 0
) -> Floats:
    """Return p-values of Fisher's paired randomization test on the mean difference.

    If there are at most `replicates` sign assignments, all are enumerated; otherwise `replicates`
    of them are drawn, and the observed one is counted as well.

    Parameters
    ----------
    differences
        Topics along the last axis.
    replicates
        Largest number of sign assignments.
    seed
        Random seed.
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
    """Return p-values of the randomized Tukey HSD test for all pairs of runs.

    Under the null hypothesis the runs are exchangeable, so the values of a topic can be permuted
    across runs; p is the share of permutations whose largest difference of means is at least the
    observed difference. No further correction for multiple comparisons is needed (Carterette
    2012).

    Parameters
    ----------
    values
        Shape (runs, topics) or (runs, topics, measures); measures share permutations.
    replicates
        Number of random permutations; the observed values are counted as well.
    seed
        Random seed.

    Returns
    -------
    p
        Shape (runs, runs) or (runs, runs, measures).
    """
    runs, topics = values.shape[:2]
    cells = values.reshape(runs, topics, -1)
    widest = np.sort(tukey_ranges(cells, replicates=replicates, seed=seed), axis=0)
    means = cells.mean(axis=1)
    apart = np.abs(means[:, None] - means[None, :])
    noise = _NOISE * np.abs(cells).max(axis=(0, 1))
    p = np.empty_like(apart)
    for measure in range(cells.shape[2]):
        below = np.searchsorted(widest[:, measure], apart[:, :, measure] - noise[measure])
        p[:, :, measure] = (replicates - below + 1) / (replicates + 1)
    return p.reshape(runs, runs, *values.shape[2:])


def tukey_ranges(values: Floats, *, replicates: int = REPLICATES, seed: int = 0) -> Floats:
    """Return the largest difference of means in each permutation of runs within topics.

    `values` has the shape (runs, topics, measures), the result (replicates, measures).
    """
    check_replicates(replicates)
    rng = np.random.default_rng(seed)
    runs, topics, measures = values.shape
    places = np.broadcast_to(np.arange(runs)[:, None], (runs, topics))
    widest = np.empty((replicates, measures))
    for replicate in range(replicates):
        order = rng.permuted(places, axis=0)
        means = np.take_along_axis(values, order[:, :, None], axis=0).mean(axis=1)
        widest[replicate] = np.ptp(means, axis=0)
    return widest


def check_replicates(replicates: int) -> None:
    """Raise an OptionError unless there is at least one replicate."""
    if replicates < 1:
        raise OptionError(f"replicates must be at least 1, not {replicates}")


def _parts(rows: int, replicates: int) -> list[slice]:
    step = max(1, _CHUNK // replicates)
    return [slice(low, low + step) for low in range(0, rows, step)]
