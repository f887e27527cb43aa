"""What counts as equal: differences below the noise of the computation are ties.

A measure's value is a sum of rounded terms, and the order of the sum depends on the list: .3 - .2
and .2 - .1 are the same difference of P@10, but not the same floating-point number. Adding n terms
one after another can be off by n/2 units in the last place of the sum; lists are about a thousand
documents deep, and a mean over topics adds a few more. So whatever is smaller than `NOISE`, 1,024
units in the last place of the largest value compared, is taken for rounding. The bound is relative
to the scale of the measure, so a measure and ten times that measure have the same ties.

Values are tied if they are linked by steps within the bound. Rounding to a grid would instead
separate neighbors that happen to lie on two sides of a line of the grid.
"""

from typing import Final

import numpy as np

from gradewise.arrays import Bools, Floats, Ints

NOISE: Final = 2.0**-42


def noise_bound(values: Floats, scale: float | None = None) -> Floats:
    """Return the largest difference that counts as zero, with the last axis kept.

    Parameters
    ----------
    values
        Values or differences, along the last axis.
    scale
        The largest value compared, if these are differences; by default, the largest of `values`.
    """
    if scale is not None:
        return np.full((*values.shape[:-1], 1), NOISE * scale)
    largest = np.abs(values).max(axis=-1, keepdims=True, initial=0.0, where=np.isfinite(values))
    return np.asarray(NOISE * largest)


def drop_noise(differences: Floats, scale: float | None = None) -> Floats:
    """Return differences, 0 where they are within the noise.

    Examples
    --------
    >>> import numpy as np
    >>> drop_noise(np.array([0.3 - 0.2 - 0.1, 0.1])).tolist()
    [0.0, 0.1]
    """
    return np.where(np.abs(differences) <= noise_bound(differences, scale), 0.0, differences)


def all_zero(differences: Floats, scale: float | None = None) -> Bools:
    """Return which rows have no difference above the noise."""
    bound = noise_bound(differences, scale)[..., 0]
    return np.asarray(np.abs(differences).max(axis=-1) <= bound)


def all_equal(differences: Floats, scale: float | None = None) -> Bools:
    """Return which rows hold one difference only, up to noise."""
    bound = noise_bound(differences, scale)[..., 0]
    return np.asarray(np.ptp(differences, axis=-1) <= bound)


def begins_tie(ordered: Floats, bound: Floats) -> Bools:
    """Return where a new value begins in ascending rows: the step to it is above the noise."""
    begins = np.ones(ordered.shape, np.bool_)
    with np.errstate(invalid="ignore"):  # infinity - infinity
        begins[..., 1:] = ~(ordered[..., 1:] - ordered[..., :-1] <= bound)
    return begins


def merge_ties(values: Floats, scale: float | None = None) -> Floats:
    """Return values along the last axis, equal where they differ only by noise.

    Each value becomes the smallest of those that it is tied with.

    Examples
    --------
    >>> import numpy as np
    >>> merge_ties(np.array([0.3, 0.1 + 0.2, 0.1])).tolist()
    [0.3, 0.3, 0.1]
    """
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    begins = begins_tie(ordered, noise_bound(values, scale))
    place = np.where(begins, np.arange(values.shape[-1]), 0)
    first = np.maximum.accumulate(place, axis=-1)
    merged = np.empty_like(ordered)
    np.put_along_axis(merged, order, np.take_along_axis(ordered, first, axis=-1), axis=-1)
    return merged


def order_best_first(means: Floats, *, higher_is_better: bool = True) -> Ints:
    """Return the order of runs by their means, best first; ties stay in the order given.

    NaN, which is undefined, comes last.

    Examples
    --------
    >>> import numpy as np
    >>> order_best_first(np.array([0.1, 0.3, 0.1 + 0.2])).tolist()
    [1, 2, 0]
    """
    merged = merge_ties(means)
    return np.argsort(-merged if higher_is_better else merged, kind="stable")
