"""Corrections of p-values for multiple comparisons."""

from typing import Literal

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.choices import Choice, choose

Correction = Literal["holm", "bonferroni", "bh", "none"]


def correct(p: Floats, correction: Correction) -> Floats:
    """Return p-values corrected for as many tests as lie along the last axis.

    Parameters
    ----------
    p
        Any shape; the tests of a family lie along the last axis.
    correction
        "holm" and "bonferroni" control the probability of any false positive; "bh", Benjamini and
        Hochberg's, controls the share of false positives among all positives; "none" leaves p
        unchanged.

    Examples
    --------
    >>> import numpy as np
    >>> correct(np.array([0.01, 0.04, 0.03]), "holm").round(4).tolist()
    [0.03, 0.06, 0.06]
    """
    corrected: Floats = choose("correction", correction, CORRECTIONS).function(p)
    return corrected


def _uncorrected(p: Floats) -> Floats:
    return p


def _bonferroni(p: Floats) -> Floats:
    return np.minimum(p * p.shape[-1], 1.0)


def _holm(p: Floats) -> Floats:
    order, ordered, place = _ordered(p)
    factors = p.shape[-1] - place + 1
    return _restored(np.maximum.accumulate(ordered * factors, axis=-1), order)


def _benjamini_hochberg(p: Floats) -> Floats:
    order, ordered, place = _ordered(p)
    backwards = (ordered * p.shape[-1] / place)[..., ::-1]
    return _restored(np.minimum.accumulate(backwards, axis=-1)[..., ::-1], order)


def _ordered(p: Floats) -> tuple[Ints, Floats, Ints]:
    """Return the ascending order of p-values, the values in that order, and places from 1."""
    order = np.argsort(p, axis=-1, kind="stable")
    return order, np.take_along_axis(p, order, axis=-1), np.arange(1, p.shape[-1] + 1)


def _restored(stepped: Floats, order: Ints) -> Floats:
    corrected = np.empty_like(stepped)
    np.put_along_axis(corrected, order, np.minimum(stepped, 1.0), axis=-1)
    return corrected


CORRECTIONS: dict[Correction, Choice] = {
    "holm": Choice(_holm, "Holm's correction"),
    "bonferroni": Choice(_bonferroni, "Bonferroni's correction"),
    "bh": Choice(_benjamini_hochberg, "Benjamini and Hochberg's correction"),
    "none": Choice(_uncorrected, "no correction"),
}
