"""Features on a common scale within each topic, as LETOR's own files have them."""

from typing import Literal

import numpy as np

from gradewise.errors import check_choice
from gradewise.learn.features import FeatureSet

Normalise = Literal["none", "minmax", "zscore"]
NORMALISE: tuple[Normalise, ...] = ("none", "minmax", "zscore")


def normalised(data: FeatureSet, how: Normalise = "minmax") -> FeatureSet:
    """Bring each feature of each topic to 0..1 ("minmax"), or to mean 0 and deviation 1 ("zscore").

    A feature that is the same for all documents of a topic becomes 0.

    Examples
    --------
    >>> from gradewise.learn import from_arrays, normalised
    >>> data = from_arrays([[1.0], [5.0], [2.0], [8.0]], [0, 1, 0, 1], group=[3, 1])
    >>> normalised(data).features.ravel().tolist()
    [0.0, 1.0, 0.25, 0.0]
    """
    check_choice("normalise", how, NORMALISE)
    if how == "none":
        return data
    starts, sizes = data.offsets[:-1], data.sizes
    x = data.features.astype(np.float64)
    if how == "minmax":
        low = np.minimum.reduceat(x, starts)
        span = np.maximum.reduceat(x, starts) - low
    else:
        low = np.add.reduceat(x, starts) / sizes[:, None]
        span = np.sqrt(np.add.reduceat((x - low.repeat(sizes, axis=0)) ** 2, starts))
        span /= np.sqrt(sizes)[:, None]
    span[span <= 1e-12 * np.maximum(1.0, np.abs(low))] = np.inf
    return data.with_features((x - low.repeat(sizes, axis=0)) / span.repeat(sizes, axis=0))
