"""Paired tests of differences over topics, for any number of pairs of runs at once.

Every function takes differences with topics along the last axis and returns two-sided p-values for
all other axes. The values are those of scipy.stats for one pair at a time. Given many pairs,
scipy.stats.wilcoxon chooses one null distribution for all of them where any has ties or zeros, its
binomial test takes a single pair, and the module takes a second to import; scipy.special does not.
Where all differences are zero, scipy.stats has NaN; here p is 1, for no evidence of a difference.

Differences below the noise of the computation are zero, and those that differ by no more are tied;
`scale` is the largest of the values that were subtracted, and by default the largest difference.
"""

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.libraries import special
from gradewise.noise import all_equal, all_zero, begins_tie, drop_noise, noise_bound

_MOST_EXACT = 50  # topics up to which Wilcoxon's exact distribution is used, as in scipy
_MOST_EXACT_TIED = 13  # and up to which it is where differences are tied or zero


def t_test(differences: Floats, *, scale: float | None = None) -> Floats:
    """Return p-values of Student's paired t-test.

    Differences that are all equal, but not zero, have p = 0.

    Examples
    --------
    >>> import numpy as np
    >>> round(float(t_test(np.array([0.1, 0.3, 0.2, -0.1]))), 4)
    0.2394
    """
    topics = differences.shape[-1]
    mean = differences.mean(axis=-1)
    error = differences.std(axis=-1, ddof=1) / np.sqrt(topics)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * special.stdtr(topics - 1, -np.abs(mean / error))
    p = np.where(all_equal(differences, scale), 0.0, p)
    return np.where(all_zero(differences, scale), 1.0, p)


def sign_test(differences: Floats, *, scale: float | None = None) -> Floats:
    """Return p-values of the sign test; topics without a difference are left out.

    Examples
    --------
    >>> import numpy as np
    >>> float(sign_test(np.array([0.1, 0.3, 0.2, 0.1, 0.0])))
    0.125
    """
    differences = drop_noise(differences, scale)
    up, down = (differences > 0).sum(axis=-1), (differences < 0).sum(axis=-1)
    fewer = np.minimum(up, down)
    return np.minimum(2 * special.bdtr(fewer.astype(np.float64), up + down, 0.5), 1.0)


def wilcoxon_test(differences: Floats, *, scale: float | None = None) -> Floats:
    """Return p-values of Wilcoxon's signed-rank test; topics without a difference are left out.

    The distribution is exact for up to 50 topics, or up to 13 if differences are tied or zero,
    and normal (corrected for ties, not for continuity) otherwise.

    Examples
    --------
    >>> import numpy as np
    >>> float(wilcoxon_test(np.array([0.1, 0.3, 0.2, 0.4])))
    0.125
    """
    shape, topics = differences.shape[:-1], differences.shape[-1]
    rows = differences.reshape(-1, topics)
    size, bound = np.abs(rows), noise_bound(rows, scale)
    size[size <= bound] = np.inf  # zeros come last, and get no rank
    order = np.argsort(size, axis=1)
    ranks = _tied_ranks(np.take_along_axis(size, order, axis=1), bound)
    positive = np.take_along_axis(rows, order, axis=1) > 0
    statistic = np.where(positive, ranks, 0.0).sum(axis=1)
    p = _normal_p(statistic, ranks)
    plain = (ranks == np.arange(1, topics + 1)).all(axis=1)
    exact = plain & (topics <= _MOST_EXACT) | (topics <= _MOST_EXACT_TIED)
    p[exact] = _exact_p(statistic[exact], ranks[exact])
    return np.where(np.isinf(size).all(axis=1), 1.0, p).reshape(shape)


def strict_test(differences: Floats, *, scale: float | None = None) -> Floats:
    """Return the largest p-value of the t-test, Wilcoxon's test and the sign test.

    It is significant only where all three agree, as Yilmaz and Robertson (2010) require.
    """
    tests = (t_test, wilcoxon_test, sign_test)
    return np.asarray(np.max([test(differences, scale=scale) for test in tests], axis=0))


def _tied_ranks(ordered: Floats, bound: Floats) -> Floats:
    """Return ranks of ascending rows, the mean rank where values are tied, 0 for infinity."""
    rows, topics = ordered.shape
    new = begins_tie(ordered, bound)
    place = np.broadcast_to(np.arange(topics), (rows, topics))
    first = np.maximum.accumulate(np.where(new, place, 0), axis=1)
    ends = np.ones((rows, topics), np.bool_)
    ends[:, :-1] = new[:, 1:]
    last = np.where(ends, place, topics)[:, ::-1]
    last = np.minimum.accumulate(last, axis=1)[:, ::-1]
    return np.where(np.isinf(ordered), 0.0, (first + last) / 2 + 1)


def _normal_p(statistic: Floats, ranks: Floats) -> Floats:
    """Return p by the normal distribution with the moments that these ranks have.

    The variance is a quarter of the sum of squared ranks, which holds the correction for ties.
    """
    mean, deviation = ranks.sum(axis=1) / 2, np.sqrt((ranks**2).sum(axis=1)) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        return 2 * special.ndtr(-np.abs((statistic - mean) / deviation))


def _exact_p(statistic: Floats, ranks: Floats) -> Floats:
    """Return p by counting the sums of ranks that all ways to set signs give."""
    doubled = np.rint(2 * ranks).astype(np.int64)  # mean ranks may be halves
    patterns, which = np.unique(doubled, axis=0, return_inverse=True)
    below = np.cumsum(_sum_distribution(patterns), axis=1)
    reached = np.rint(2 * statistic).astype(np.int64)
    which = which.ravel()
    smaller = np.minimum(reached, doubled.sum(axis=1) - reached)
    return np.minimum(2 * below[which, smaller], 1.0)


def _sum_distribution(ranks: Ints) -> Floats:
    """Return the chance of each sum 0, 1, ... when every rank is added or not, at even odds."""
    rows, topics = ranks.shape
    sums = np.arange(int(ranks.sum(axis=1).max(initial=0)) + 1)
    chance = np.zeros((rows, len(sums)))
    chance[:, 0] = 1.0
    for column in range(topics):
        before = sums - ranks[:, column, None]
        moved = np.take_along_axis(chance, np.maximum(before, 0), axis=1)
        chance = np.where(before >= 0, moved, 0.0) / 2 + chance / 2
    return chance
