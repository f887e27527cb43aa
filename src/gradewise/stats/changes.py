"""The change of means between two sets of values, topic by topic or between different topics."""

from typing import NamedTuple

import numpy as np

from gradewise.arrays import Bools, Floats, Ints, quotient
from gradewise.libraries import special
from gradewise.noise import NOISE


class Changes(NamedTuple):
    """Changes of several runs: mean, interval, p, number of shared topics, and how found."""

    change: Floats
    low: Floats
    high: Floats
    p: Floats
    shared: Ints
    paired: Bools

    def at(self, rows: Ints, columns: Ints) -> "Changes":
        """Return the changes at some places of arrays with two axes."""
        return Changes(
            self.change[rows, columns],
            self.low[rows, columns],
            self.high[rows, columns],
            self.p[rows, columns],
            self.shared[rows, columns],
            self.paired[rows, columns],
        )


def find_changes(before: Floats, after: Floats, *, level: float) -> Changes:
    """Return how the means of runs changed, given values[run, topic] of all topics of both.

    A value is NaN where a run has no such topic. Where a run shares at least half of the fewer of
    its topics, and at least two, the change is that of shared topics, with the interval and p of
    Student's paired t-test. Otherwise it is the difference of both means over different topics,
    with those of Welch's test.

    Examples
    --------
    >>> before, after = np.array([[0.1, 0.2, 0.3, np.nan]]), np.array([[0.2, 0.3, 0.5, 0.9]])
    >>> found = find_changes(before, after, level=0.95)
    >>> round(float(found.change[0]), 4), int(found.shared[0]), bool(found.paired[0])
    (0.1333, 3, True)
    """
    both = ~np.isnan(before) & ~np.isnan(after)
    shared = both.sum(axis=1)
    fewer = np.minimum((~np.isnan(before)).sum(axis=1), (~np.isnan(after)).sum(axis=1))
    paired = (shared >= 2) & (2 * shared >= fewer)
    scale = np.fmax(_largest(before), _largest(after))
    same, other = _paired(before, after, both, scale, level), _unpaired(before, after, level)
    change, low, high, p = (np.where(paired, a, b) for a, b in zip(same, other, strict=True))
    return Changes(change, low, high, p, shared, paired)


def _largest(values: Floats) -> Floats:
    return np.abs(values).max(axis=1, initial=0.0, where=~np.isnan(values))


def _paired(
    before: Floats, after: Floats, both: Bools, scale: Floats, level: float
) -> tuple[Floats, Floats, Floats, Floats]:
    mean, variance, number = _moments(after - before, both)
    bound = NOISE * scale
    spread = np.sqrt(variance)
    flat = spread <= bound
    found = _student(mean, spread / np.sqrt(np.maximum(number, 1)), number - 1, level)
    p = np.where(flat, np.where(np.abs(mean) <= bound, 1.0, 0.0), found[3])
    return *found[:3], np.where(number > 1, p, np.nan)


def _unpaired(before: Floats, after: Floats, level: float) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the difference of means over different topics, by Welch's test."""
    old, new = (_moments(values, ~np.isnan(values)) for values in (before, after))
    parts = [quotient(variance, number) for _, variance, number in (old, new)]
    error = parts[0] + parts[1]
    rest = [
        quotient(part**2, number - 1)
        for part, (_, _, number) in zip(parts, (old, new), strict=True)
    ]
    freedom = quotient(error**2, rest[0] + rest[1])
    return _student(new[0] - old[0], np.sqrt(error), freedom, level)


def _moments(values: Floats, known: Bools) -> tuple[Floats, Floats, Ints]:
    """Return mean, variance and number of the known values of each row."""
    number = known.sum(axis=1)
    held = np.where(known, values, 0.0)
    mean = quotient(held.sum(axis=1), number)
    deviations = np.where(known, values - mean[:, None], 0.0)
    return mean, quotient((deviations**2).sum(axis=1), number - 1), number


def _student(
    mean: Floats, error: Floats, freedom: Floats | Ints, level: float
) -> tuple[Floats, Floats, Floats, Floats]:
    with np.errstate(divide="ignore", invalid="ignore"):
        half = special.stdtrit(freedom, (1 + level) / 2) * error
        p = 2 * special.stdtr(freedom, -np.abs(mean / error))
    return mean, mean - half, mean + half, p
