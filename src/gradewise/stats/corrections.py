"""Corrections of p-values for testing many hypotheses at once."""

from typing import Literal

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import check_choice

Correction = Literal["none", "bonferroni", "holm", "bh"]
CORRECTIONS: tuple[Correction, ...] = ("none", "bonferroni", "holm", "bh")


def correct(p: Floats, correction: Correction) -> Floats:
    """Return p-values corrected for as many tests as lie along the last axis.

    Parameters
    ----------
    p
        Any shape; the tests of a family lie along the last axis.
    correction
        "bonferroni" and "holm" hold the chance of any false alarm; "bh", Benjamini and
        Hochberg's, the share of false alarms among all; "none" leaves p as it is.

    Examples
    --------
    >>> import numpy as np
    >>> correct(np.array([0.01, 0.04, 0.03]), "holm").round(4).tolist()
    [0.03, 0.06, 0.06]
    """
    check_choice("correction", correction, CORRECTIONS)
    tests = p.shape[-1]
    if correction == "none" or tests == 0:
        return p
    if correction == "bonferroni":
        return np.minimum(p * tests, 1.0)
    order = np.argsort(p, axis=-1, kind="stable")
    ordered = np.take_along_axis(p, order, axis=-1)
    place = np.arange(1, tests + 1)
    if correction == "holm":
        stepped = np.maximum.accumulate(ordered * (tests - place + 1), axis=-1)
    else:
        backwards = (ordered * tests / place)[..., ::-1]
        stepped = np.minimum.accumulate(backwards, axis=-1)[..., ::-1]
    corrected = np.empty_like(p)
    np.put_along_axis(corrected, order, np.minimum(stepped, 1.0), axis=-1)
    return corrected
