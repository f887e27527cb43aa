"""Features on a common scale within each topic, as LETOR's own files have them."""

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import check_choice
from gradewise.learn.features import FeatureSet

Normalization = Literal["none", "minmax", "zscore"]


def normalize(data: FeatureSet, method: Normalization = "minmax") -> FeatureSet:
    """Scale each feature of each topic to 0..1 ("minmax"), or to mean 0 and deviation 1 ("zscore").

    A feature that has the same value for all documents of a topic becomes 0.

    Examples
    --------
    >>> from gradewise.learn import from_arrays, normalize
    >>> data = from_arrays([[1.0], [5.0], [2.0], [8.0]], [0, 1, 0, 1], group=[3, 1])
    >>> normalize(data).features.ravel().tolist()
    [0.0, 1.0, 0.25, 0.0]
    """
    check_choice("normalize", method, get_args(Normalization))
    if method == "none":
        return data
    x, sizes = data.features.astype(np.float64), data.sizes
    low, span = NORMALIZATIONS[method](x, data.offsets[:-1], sizes)
    span[span <= 1e-12 * np.maximum(1.0, np.abs(low))] = np.inf
    return data.with_features((x - low.repeat(sizes, axis=0)) / span.repeat(sizes, axis=0))


def _minmax(x: Floats, starts: Ints, sizes: Ints) -> tuple[Floats, Floats]:
    low = np.minimum.reduceat(x, starts)
    return low, np.maximum.reduceat(x, starts) - low


def _zscore(x: Floats, starts: Ints, sizes: Ints) -> tuple[Floats, Floats]:
    mean = np.add.reduceat(x, starts) / sizes[:, None]
    squares = np.add.reduceat((x - mean.repeat(sizes, axis=0)) ** 2, starts)
    return mean, np.sqrt(squares) / np.sqrt(sizes)[:, None]


# What is subtracted from each feature of each topic, and what it is divided by.
NORMALIZATIONS: dict[str, Callable[[Floats, Ints, Ints], tuple[Floats, Floats]]] = {
    "minmax": _minmax,
    "zscore": _zscore,
}
