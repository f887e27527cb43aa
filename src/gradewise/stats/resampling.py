"""Tests by resampling, for any number of pairs of runs at once.

All pairs share the same resampled topics, signs or permutations: a replicate is a row of one
matrix, and testing all pairs is a matrix product, in blocks of replicates by pairs. The same seed
gives the same p-values.

If `count` of `replicates` random samples are at least as extreme as the observed one, then
p = (count + 1) / (replicates + 1): the observed one is a sample too, so that p is never 0 and a
correction for many pairs can raise it (Davison and Hinkley 1997, section 4.2). Statistics that
differ only by noise count as equal, hence as extreme.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.effort import advance
from gradewise.errors import check_least
from gradewise.noise import NOISE, all_equal, all_zero, noise_bound

REPLICATES = 10_000
_REPLICATES_AT_ONCE = 1 << 10
_WEIGHTS = 1 << 24  # numbers of a block of replicates by topics, unless a replicate has more
_MANY_TOPICS = 10_000  # from which on draws are counted: five times as quick, other samples
_CHUNK = 1 << 16  # numbers in a block of replicates by pairs, which fits the cache
# Seconds on one core: to draw a topic of a replicate, for a replicate of a pair, for each topic.
_BOOTSTRAP = 5e-8, 2e-8, 5e-11
_RANDOMIZATION = 5e-9, 4e-9, 5e-11
_TUKEY = 2e-8  # for each run and topic of a replicate


def bootstrap_seconds(runs: int, pairs: float, topics: int, replicates: int) -> float:
    """Estimate how long `bootstrap_test` takes."""
    return replicates * _per_replicate(_BOOTSTRAP, pairs, topics)


def randomization_seconds(runs: int, pairs: float, topics: int, replicates: int) -> float:
    """Estimate how long `randomization_test` takes."""
    return replicates * _per_replicate(_RANDOMIZATION, pairs, topics)


def tukey_seconds(runs: int, pairs: float, topics: int, replicates: int) -> float:
    """Estimate how long `tukey_test` takes."""
    return replicates * runs * topics * _TUKEY


def _per_replicate(costs: tuple[float, float, float], pairs: float, topics: int) -> float:
    draw, alone, by_topic = costs
    return draw * topics + pairs * (alone + by_topic * topics)


def topic_weights(topics: int, *, replicates: int = REPLICATES, seed: int = 0) -> Ints:
    """Return how often each topic is drawn in each bootstrap sample, shape (replicates, topics)."""
    check_least(1, replicates=replicates)
    return _draw_topics(np.random.default_rng(seed), topics, replicates)


def _draw_topics(rng: np.random.Generator, topics: int, replicates: int) -> Ints:
    if topics <= _MANY_TOPICS:
        return rng.multinomial(topics, np.full(topics, 1 / topics), size=replicates)
    return np.stack([_count_draws(rng, topics) for _ in range(replicates)])


def _count_draws(rng: np.random.Generator, topics: int) -> Ints:
    return np.bincount(rng.integers(0, topics, topics), minlength=topics)


def weight_blocks(topics: int, replicates: int, seed: int) -> Iterator[Floats]:
    """Give the shares of `topic_weights` in blocks of replicates, each in the place of the last."""
    rng = np.random.default_rng(seed)
    room: Floats | None = None  # large arrays are slow to make
    for size in _sizes(replicates, topics):
        if topics <= _MANY_TOPICS:
            yield _draw_topics(rng, topics, size) / topics
            continue
        room = np.empty((size, topics)) if room is None else room[:size]
        for row in room:
            np.divide(_count_draws(rng, topics), topics, out=row)
        yield room


def bootstrap_test(
    differences: Floats,
    *,
    scale: float | None = None,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Floats:
    """Return p-values of the paired bootstrap test (Sakai 2006).

    Differences are shifted to a mean of zero and resampled over topics; p is the share of samples,
    the observed one included, whose studentized mean is at least as far from zero as the observed
    one. A sample of equal values has an infinite studentized mean, or zero if the values are zero.

    Parameters
    ----------
    differences
        Topics along the last axis.
    scale
        The largest of the values that were subtracted; by default, the largest difference.
    replicates
        Number of bootstrap samples, which all pairs share.
    seed
        Random seed.
    """
    check_least(1, replicates=replicates)
    topics = differences.shape[-1]
    rows = differences.reshape(-1, topics)
    shifted = _Shifted.of(rows, scale)
    count = np.zeros(len(rows), np.int64)
    for weights in weight_blocks(topics, replicates, seed):
        for part in _parts(len(rows), len(weights)):
            count[part] += shifted.at(part).count_extreme(weights)
        advance(bootstrap_seconds(0, len(rows), topics, len(weights)))
    p = np.where(all_zero(rows, scale), 1.0, (count + 1) / (replicates + 1))
    return p.reshape(differences.shape[:-1])


def bootstrap_differences(
    differences: Floats,
    alphas: Sequence[float],
    *,
    scale: float | None = None,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Floats:
    """Return the mean difference needed for significance at each level.

    For each pair it is the upper α-quantile of the studentized mean under the null hypothesis
    times the standard error of the observed difference, so that a smaller level needs a larger
    difference; the largest over all pairs is returned. It is infinite for a level that so few
    replicates cannot reach.

    Parameters
    ----------
    differences
        Pairs by topics.
    alphas
        Significance levels.
    scale, replicates, seed
        As for `bootstrap_test`, which draws the same samples.

    Notes
    -----
    Sakai (2006, Figure 4) takes the mean of the one sample at the quantile instead. A sample can be
    far from zero because its mean is large or because its spread is small, so that estimate moves
    by the luck of one sample, and a stricter level may seem to need a smaller difference.
    """
    topics = differences.shape[-1]
    weights = topic_weights(topics, replicates=replicates, seed=seed) / topics
    shifted = _Shifted.of(differences, scale)
    # p = (count + 1) / (replicates + 1) is at most α above the k-th largest studentized mean.
    ranks = [int(alpha * (replicates + 1) + 1e-9) for alpha in alphas]
    places = [max(rank, 1) - 1 for rank in ranks]
    needed = np.where(np.array(ranks) > 0, 0.0, np.inf)
    for part in _parts(len(differences), replicates):
        pairs = shifted.at(part)
        means, variances = pairs.resample(weights)
        with np.errstate(divide="ignore", invalid="ignore"):
            squared = np.where(means == 0, 0.0, means**2 / variances)
            sizes = np.sqrt(-np.sort(-squared, axis=0)[places] * pairs.variance)
        needed = np.maximum(needed, np.where(pairs.variance > 0, sizes, 0.0).max(axis=1))
    return needed


@dataclass(frozen=True)
class _Shifted:
    """Differences of pairs, shifted to a mean of zero, with what their samples are compared to."""

    rows: Floats
    mean: Floats
    variance: Floats
    size: Floats
    bound: Floats

    @staticmethod
    def of(differences: Floats, scale: float | None) -> "_Shifted":
        mean = differences.mean(axis=1)
        rows = differences - mean[:, None]
        rows[all_equal(differences, scale)] = 0.0
        size = np.abs(differences).max(axis=1)
        return _Shifted(
            rows, mean, (rows**2).mean(axis=1), size, noise_bound(differences, scale)[:, 0]
        )

    def at(self, part: slice) -> "_Shifted":
        return _Shifted(
            self.rows[part], self.mean[part], self.variance[part], self.size[part], self.bound[part]
        )

    def resample(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return the means and variances of bootstrap samples, [sample, pair]."""
        means = weights @ self.rows.T
        variances = weights @ (self.rows**2).T - means**2
        variances[variances <= NOISE * self.size**2] = 0.0
        means[np.abs(means) <= self.bound] = 0.0
        return means, variances

    def count_extreme(self, weights: Floats) -> Ints:
        """Return how many samples are as far from zero as the observed differences."""
        means, variances = self.resample(weights)
        # |mean*| / s* >= |mean| / s, without dividing; a sample of zeros is no evidence at all.
        # Means are known to within the bound, and variances to within the bound times the size.
        noise = 8 * self.bound * self.size**3
        far = means**2 * self.variance >= self.mean**2 * variances - noise
        far &= means != 0
        return np.asarray(far.sum(axis=0))


def randomization_test(
    differences: Floats,
    *,
    scale: float | None = None,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Floats:
    """Return p-values of Fisher's paired randomization test on the mean difference.

    If there are at most `replicates` sign assignments, all are enumerated, and p is exact;
    otherwise `replicates` of them are drawn, and the observed one is counted as well.

    Parameters
    ----------
    differences
        Topics along the last axis.
    scale
        The largest of the values that were subtracted; by default, the largest difference.
    replicates
        Largest number of sign assignments.
    seed
        Random seed.
    """
    check_least(1, replicates=replicates)
    topics = differences.shape[-1]
    rows = differences.reshape(-1, topics)
    # A sum of differences is known to within the bound for each of them.
    edge = np.abs(rows.sum(axis=1)) - topics * noise_bound(rows, scale)[:, 0]
    count = np.zeros(len(rows), np.int64)
    exact = enumerates_signs(topics, replicates)
    for signs in _all_signs(topics) if exact else _random_signs(topics, replicates, seed):
        for part in _parts(len(rows), len(signs)):
            count[part] += (np.abs(signs @ rows[part].T) >= edge[part]).sum(axis=0)
        advance(randomization_seconds(0, len(rows), topics, len(signs)))
    p = count / 2 ** (topics - 1) if exact else (count + 1) / (replicates + 1)
    return p.reshape(differences.shape[:-1])


def enumerates_signs(topics: int, replicates: int) -> bool:
    """Return whether all sign assignments of so many topics are enumerated."""
    return topics < 60 and 2**topics <= replicates


def _all_signs(topics: int) -> Iterator[Floats]:
    """Give all assignments with a plus for the last topic; the others are their negatives."""
    number, start = 2 ** (topics - 1), 0
    for size in _sizes(number, topics):
        bits = np.arange(start, start + size)[:, None] >> np.arange(topics) & 1
        yield 1.0 - 2.0 * bits
        start += size


def _random_signs(topics: int, replicates: int, seed: int) -> Iterator[Floats]:
    rng = np.random.default_rng(seed)
    for size in _sizes(replicates, topics):
        yield rng.integers(0, 2, (size, topics)) * 2.0 - 1.0


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
    noise = noise_bound(cells.reshape(runs * topics, -1).T)[:, 0]
    p = np.empty_like(apart)
    for measure in range(cells.shape[2]):
        below = np.searchsorted(widest[:, measure], apart[:, :, measure] - noise[measure])
        p[:, :, measure] = (replicates - below + 1) / (replicates + 1)
    return p.reshape(runs, runs, *values.shape[2:])


def tukey_ranges(values: Floats, *, replicates: int = REPLICATES, seed: int = 0) -> Floats:
    """Return the largest difference of means in each permutation of runs within topics.

    `values` has the shape (runs, topics, measures), the result (replicates, measures).
    """
    check_least(1, replicates=replicates)
    rng = np.random.default_rng(seed)
    runs, topics, measures = values.shape
    places = np.broadcast_to(np.arange(runs)[:, None], (runs, topics))
    widest = np.empty((replicates, measures))
    for replicate in range(replicates):
        order = rng.permuted(places, axis=0)
        means = np.take_along_axis(values, order[:, :, None], axis=0).mean(axis=1)
        widest[replicate] = np.ptp(means, axis=0)
        advance(tukey_seconds(runs, 0, topics, 1))
    return widest


def _sizes(replicates: int, topics: int) -> list[int]:
    """Return the sizes of blocks of replicates, which are smaller if there are many topics."""
    size = min(_REPLICATES_AT_ONCE, max(1, _WEIGHTS // topics))
    whole, rest = divmod(replicates, size)
    return [size] * whole + [rest] * (rest > 0)


def _parts(rows: int, replicates: int) -> list[slice]:
    step = max(1, _CHUNK // replicates)
    return [slice(low, low + step) for low in range(0, rows, step)]
