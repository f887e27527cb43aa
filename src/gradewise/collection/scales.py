"""Lists on a scale with grades that their judgments happen not to have."""

from dataclasses import replace

import numpy as np

from gradewise.arrays import Ints
from gradewise.collection.judged import Judged
from gradewise.collection.levels import NEGATIVE, to_levels
from gradewise.errors import OptionError


def on_scale(judged: Judged, scale: Ints) -> Judged:
    """Return the same lists on a scale that holds all positive grades of theirs, and others.

    Parts of a collection, such as batches of topics, can lack a grade. Thresholds keep their
    meaning on the scale of the whole.

    Examples
    --------
    >>> import numpy as np
    >>> import gradewise as gw
    >>> from gradewise.collection.scales import on_scale
    >>> part = gw.judge({"t": {"a": 1, "b": 1}}, {"t": {"x": 2.0, "a": 1.0}})
    >>> whole = on_scale(part, np.array([1, 2]))
    >>> whole.counts.tolist()
    [[0, 2, 0]]
    >>> gw.score_judged(whole, "GAP(g=[0.5,0.5])").summary()
    array([[0.25]])
    """
    if np.array_equal(judged.scale, scale):
        return judged
    missing = np.setdiff1d(judged.scale, scale)
    if len(missing):
        raise OptionError(
            f"there are documents of grade {missing[0]}, which is not among the grades "
            f"{', '.join(map(str, scale))}"
        )
    moved = np.concatenate([[0], to_levels(judged.scale, scale), [NEGATIVE]]).astype(np.int32)
    pool = judged.pool
    if pool is not None:
        rest = None if pool.rest is None else _spread(pool.rest, moved, scale)
        pool = replace(pool, level=moved[pool.level], rest=rest)
    return replace(
        judged,
        scale=scale,
        counts=_spread(judged.counts, moved, scale),
        hits=replace(judged.hits, level=moved[judged.hits.level]),
        pool=pool,
    )


def _spread(counts: Ints, moved: Ints, scale: Ints) -> Ints:
    """Return counts by level with a column for each level of a scale."""
    table = np.zeros((len(counts), len(scale) + 1), counts.dtype)
    table[:, moved[:-1]] = counts
    return table
