"""Which topics a page shows, if there are too many for all."""

import numpy as np

from gradewise.arrays import Bools, Ints

MOST_TOPICS = 5_000
_CELLS = 500_000  # runs times topics
_FEWEST = 200


def shown_topics(topics: int, runs: int) -> Ints | None:
    """Return the places of a random sample of topics, ascending; None if all are shown.

    Examples
    --------
    >>> shown_topics(50, 143) is None, len(shown_topics(1_000_000, 3))
    (True, 5000)
    """
    most = min(MOST_TOPICS, max(_FEWEST, _CELLS // max(runs, 1)))
    if topics <= most:
        return None
    return np.sort(np.random.default_rng(0).choice(topics, most, replace=False))


def chosen(places: Ints, size: int) -> Bools:
    """Return which of `size` things are at some places."""
    marks = np.zeros(size, np.bool_)
    marks[places] = True
    return marks
