"""Intervals of statistics from bootstrap samples."""

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import check_between
from gradewise.libraries import special


def percentile_interval(samples: Floats, level: float) -> tuple[Floats, Floats]:
    """Return the middle share `level` of samples, which lie along the first axis.

    Samples whose statistic is undefined (NaN) are left out; a statistic that is never defined has
    no interval (NaN).

    Examples
    --------
    >>> import numpy as np
    >>> low, high = percentile_interval(np.arange(101.0), 0.5)
    >>> low.item(), high.item()
    (25.0, 75.0)
    """
    check_between(0, 1, level=level)
    known = ~np.isnan(samples).all(axis=0)
    filled = np.where(known, samples, 0.0)
    low, high = np.nanquantile(filled, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


def spread_interval(
    value: Floats | float, samples: Floats, level: float, *, least: float, most: float
) -> tuple[Floats, Floats]:
    """Return value ± z · (standard deviation of samples), within the range of the statistic.

    Rank correlations of bootstrap samples lie below that of the topics themselves, since a sample
    has fewer distinct topics: their percentiles would often not hold the value. Their spread is
    what is wanted of them. Samples lie along the first axis; undefined ones are left out.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = spread_interval(0.95, np.array([0.7, 0.8, 0.9]), 0.95, least=-1.0, most=1.0)
    >>> round(low.item(), 3), high.item()
    (0.754, 1.0)
    """
    check_between(0, 1, level=level)
    known = ~np.isnan(samples).all(axis=0) & ~np.isnan(value)
    spread = np.nanstd(np.where(known, samples, 0.0), axis=0, ddof=1)
    half = special.ndtri((1 + level) / 2) * spread
    low, high = np.maximum(value - half, least), np.minimum(value + half, most)
    return np.where(known, low, np.nan), np.where(known, high, np.nan)
