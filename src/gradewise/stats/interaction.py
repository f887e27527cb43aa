"""Whether a difference depends on the group of topics: Welch's test of equal means."""

from collections.abc import Sequence

import numpy as np

from gradewise.arrays import Bools, Floats
from gradewise.libraries import special
from gradewise.noise import all_equal


def interaction_test(
    differences: Floats, members: Bools | Sequence[Bools], *, scale: float | None = None
) -> Floats:
    """Return p-values of Welch's test that the mean difference is the same in all groups.

    Topics of different groups need not vary alike (Welch 1951). Groups of fewer than two topics
    are left out; with fewer than two groups left, p is NaN. Where all differences of a group are
    equal, so that it has no variance, variances are pooled (Fisher's one-way test).

    Parameters
    ----------
    differences
        Differences of two runs, with topics along the last axis.
    members
        Which topics belong to which group, [group, topic]; each topic to one group at most.
    scale
        The largest of the values that were subtracted, to which noise is relative.

    Examples
    --------
    >>> import numpy as np
    >>> differences = np.array([0.1, 0.2, 0.3, -0.1, -0.3, -0.2])
    >>> groups = np.array([[True] * 3 + [False] * 3, [False] * 3 + [True] * 3])
    >>> round(float(interaction_test(differences, groups)), 4)
    0.008
    """
    largest = float(np.abs(differences).max(initial=0.0)) if scale is None else scale
    differences = differences / (largest or 1.0)  # squares of tiny numbers would be 0
    parts = [differences[..., part] for part in members if part.sum() > 1]
    if len(parts) < 2:
        return np.full(differences.shape[:-1], np.nan)
    size = np.array([part.shape[-1] for part in parts])
    mean = np.stack([part.mean(axis=-1) for part in parts], axis=-1)
    variance = np.stack([part.var(axis=-1, ddof=1) for part in parts], axis=-1)
    flat = np.stack([all_equal(part, 1.0) for part in parts], axis=-1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        varied = _welch(size, mean, variance)
        pooled = _pooled(size, mean, variance)
    constant = np.where(all_equal(mean, 1.0), 1.0, 0.0)
    return np.where(flat.all(axis=-1), constant, np.where(flat.any(axis=-1), pooled, varied))


def _welch(size: Floats, mean: Floats, variance: Floats) -> Floats:
    groups = len(size)
    weight = size / variance
    total = weight.sum(axis=-1, keepdims=True)
    center = (weight * mean).sum(axis=-1, keepdims=True) / total
    between = (weight * (mean - center) ** 2).sum(axis=-1) / (groups - 1)
    spread = ((1 - weight / total) ** 2 / (size - 1)).sum(axis=-1)
    ratio = between / (1 + 2 * (groups - 2) / (groups**2 - 1) * spread)
    return np.asarray(special.fdtrc(groups - 1, (groups**2 - 1) / (3 * spread), ratio))


def _pooled(size: Floats, mean: Floats, variance: Floats) -> Floats:
    groups, topics = len(size), int(size.sum())
    center = (size * mean).sum(axis=-1, keepdims=True) / topics
    between = (size * (mean - center) ** 2).sum(axis=-1) / (groups - 1)
    within = ((size - 1) * variance).sum(axis=-1) / (topics - groups)
    return np.asarray(special.fdtrc(groups - 1, topics - groups, between / within))
