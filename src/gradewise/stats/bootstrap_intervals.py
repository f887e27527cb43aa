"""Bootstrap intervals of means over topics: percentile, BCa and studentized.

All rows share the same resampled topics, so that the sample means of all rows are one matrix
product, in blocks of rows.
"""

from collections.abc import Callable

import numpy as np

from gradewise.arrays import Floats
from gradewise.effort import advance
from gradewise.errors import check_between, check_least
from gradewise.libraries import special
from gradewise.noise import NOISE, all_equal, noise_bound
from gradewise.stats.resampling import REPLICATES, topic_weights, weight_blocks

_CHUNK = 1 << 22  # sample means held at a time
_SECONDS = 1e-7, 2e-10  # for a sample mean of a row, and for each of its topics, on one core
_DRAWN = 8e-9  # for each topic of a sample, where samples are drawn again
_WEIGHTS = 1 << 26  # weights of topics in samples that are drawn once for all rows


class _Samples:
    """Bootstrap samples of topics, kept, or drawn again block by block if they are too many."""

    def __init__(self, topics: int, replicates: int, seed: int):
        self.topics, self.replicates, self.seed = topics, replicates, seed
        self.kept: Floats | None = None
        if not _are_drawn_again(topics, replicates):
            self.kept = topic_weights(topics, replicates=replicates, seed=seed) / topics

    def means(self, *tables: Floats) -> list[Floats]:
        """Return the means of the rows of tables in each sample, [sample, row] for a table."""
        if self.kept is not None:
            return [self.kept @ table.T for table in tables]
        found: list[Floats] = [np.empty((self.replicates, len(table))) for table in tables]
        first = 0
        for weights in weight_blocks(self.topics, self.replicates, self.seed):
            for means, table in zip(found, tables, strict=True):
                means[first : first + len(weights)] = weights @ table.T
            first += len(weights)
            advance(len(weights) * self.topics * _DRAWN)
        return found


def _are_drawn_again(topics: int, replicates: int) -> bool:
    return topics * replicates > _WEIGHTS


def interval_seconds(rows: int, topics: int, replicates: int) -> float:
    """Estimate how long a bootstrap interval of so many rows takes."""
    seconds = _mean_seconds(rows, topics, replicates)
    if _are_drawn_again(topics, replicates):
        seconds += -(-rows // _rows_at_once(replicates)) * replicates * topics * _DRAWN
    return seconds


def _mean_seconds(rows: int, topics: int, replicates: int) -> float:
    alone, by_topic = _SECONDS
    return rows * replicates * (alone + by_topic * topics)


def _rows_at_once(replicates: int) -> int:
    return max(1, _CHUNK // replicates)


Limits = Callable[[Floats, _Samples, float], Floats]


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
    return _find_interval(values, _percentile_limits, level, replicates, seed)


def bca_interval(
    values: Floats, *, level: float = 0.95, replicates: int = REPLICATES, seed: int = 0
) -> tuple[Floats, Floats]:
    """Return the bias-corrected and accelerated bootstrap interval of the mean (Efron 1987).

    The percentiles are moved by the bias of the sample means and by the skewness of the values:
    α' = Φ(z0 + (z0 + z_α) / (1 - a (z0 + z_α))), with z0 = Φ⁻¹(share of sample means below the
    mean) and a = Σ(x - m)³ / (6 (Σ(x - m)²)^1.5).

    Parameters
    ----------
    values, level, replicates, seed
        As for `bootstrap_interval`.
    """
    return _find_interval(values, _bca_limits, level, replicates, seed)


def studentized_interval(
    values: Floats, *, level: float = 0.95, replicates: int = REPLICATES, seed: int = 0
) -> tuple[Floats, Floats]:
    """Return the studentized bootstrap interval of the mean, or bootstrap-t (Efron 1979).

    It is the t interval with quantiles of the studentized sample means, (m* - m) / (s* / √n), in
    place of those of Student's t: [m - q_high s / √n, m - q_low s / √n]. A bound is infinite if too
    many samples have no spread, as with 2 or 3 topics.

    Parameters
    ----------
    values, level, replicates, seed
        As for `bootstrap_interval`.
    """
    return _find_interval(values, _studentized_limits, level, replicates, seed)


def _find_interval(
    values: Floats, limits: Limits, level: float, replicates: int, seed: int
) -> tuple[Floats, Floats]:
    check_between(0, 1, level=level)
    topics, shape = values.shape[-1], values.shape[:-1]
    check_least(1, replicates=replicates)
    samples = _Samples(topics, replicates, seed)
    rows = values.reshape(-1, topics)
    step = _rows_at_once(replicates)
    parts = []
    for start in range(0, len(rows), step):
        part = rows[start : start + step]
        parts.append(limits(part, samples, level))
        advance(_mean_seconds(len(part), topics, replicates))
    low, high = np.concatenate(parts, axis=1) if parts else np.empty((2, 0))
    return low.reshape(shape), high.reshape(shape)


def _percentile_limits(rows: Floats, samples: _Samples, level: float) -> Floats:
    tails = np.broadcast_to([[(1 - level) / 2], [(1 + level) / 2]], (2, len(rows)))
    (means,) = samples.means(rows)
    return _column_quantiles(np.sort(means, axis=0), tails)


def _bca_limits(rows: Floats, samples: _Samples, level: float) -> Floats:
    mean = rows.mean(axis=1)
    means = np.sort(samples.means(rows)[0], axis=0)
    bound = noise_bound(rows)[:, 0]
    # Sample means equal to the mean, up to noise, count one half.
    share = ((means < mean - bound).mean(axis=0) + (means <= mean + bound).mean(axis=0)) / 2
    bias = special.ndtri(share)
    away = rows - mean[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        acceleration = (away**3).sum(axis=1) / (6 * (away**2).sum(axis=1) ** 1.5)
        moved = bias + special.ndtri([[(1 - level) / 2], [(1 + level) / 2]])
        tails = special.ndtr(bias + moved / (1 - acceleration * moved))
    constant = all_equal(rows)
    return np.where(constant, mean, _column_quantiles(means, np.where(constant, 0.5, tails)))


def _studentized_limits(rows: Floats, samples: _Samples, level: float) -> Floats:
    mean, topics = rows.mean(axis=1), rows.shape[1]
    away = rows - mean[:, None]
    means, squares = samples.means(away, away**2)
    variances = squares - means**2
    size = np.abs(rows).max(axis=1)
    variances[variances <= NOISE * size**2] = 0.0
    means[np.abs(means) <= noise_bound(rows)[:, 0]] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(means == 0, 0.0, means * np.sqrt((topics - 1) / variances))
    error = rows.std(axis=1, ddof=1) / np.sqrt(topics)
    tails = np.broadcast_to([[(1 + level) / 2], [(1 - level) / 2]], (2, len(rows)))
    reach = _column_quantiles(np.sort(t, axis=0), tails)
    constant = all_equal(rows)
    return np.where(constant, mean, mean - np.where(constant, 0.0, reach) * error)


def _column_quantiles(ordered: Floats, shares: Floats) -> Floats:
    """Return quantiles of ascending columns, shares[quantile, column], by linear interpolation."""
    place = shares * (len(ordered) - 1)
    lower = np.floor(place).astype(np.int64)
    upper = np.minimum(lower + 1, len(ordered) - 1)
    low, high = (np.take_along_axis(ordered, index, axis=0) for index in (lower, upper))
    with np.errstate(invalid="ignore"):  # infinity - infinity
        between = low + (high - low) * (place - lower)
    return np.where((low == high) | (place == lower), low, between)
