"""Gains: what a document of each grade is worth."""

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.measures.parameters import Gains


def gain_table(gains: Gains, scale: Ints, *, usual: str = "linear") -> Floats:
    """Return the gain of levels 0..c: 0, then the gain of each positive grade.

    `usual` says what grades get that `gains` does not name.
    """
    rule = gains if isinstance(gains, str) else usual
    table = scale.astype(np.float64) if rule == "linear" else np.exp2(scale) - 1.0
    if gains is not None and not isinstance(gains, str):
        named = dict(gains)
        table = np.array([named.get(int(g), t) for g, t in zip(scale, table, strict=True)])
    return np.concatenate([[0.0], table])
