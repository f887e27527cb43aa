"""Intervals for means over topics."""

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import OptionError


def bootstrap_interval(
    values: Floats, *, level: float = 0.95, replicates: int = 10_000, seed: int = 0
) -> tuple[Floats, Floats]:
    """Return the bootstrap percentile interval of the mean of each row.

    Parameters
    ----------
    values
        One row for each run, one column for each topic. Topics are resampled together, so that
        intervals of different runs rest on the same samples.
    level
        The confidence level.
    replicates
        How many times topics are resampled.
    seed
        The same seed gives the same interval.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = bootstrap_interval(np.array([[0.0, 1.0, 0.0, 1.0, 0.5]]), seed=1)
    >>> bool(0 <= low[0] < 0.5 < high[0] <= 1)
    True
    """
    if not 0 < level < 1:
        raise OptionError(f"level must lie between 0 and 1, not {level}")
    topics = values.shape[1]
    rng = np.random.default_rng(seed)
    weights = rng.multinomial(topics, np.full(topics, 1 / topics), size=replicates) / topics
    means = weights @ values.T
    tail = (1 - level) / 2
    low, high = np.quantile(means, [tail, 1 - tail], axis=0)
    return low, high
