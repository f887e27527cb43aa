"""Threshold probabilities on the scale of a collection."""

from collections.abc import Mapping
from typing import cast

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import MeasureError, counted
from gradewise.measures.parameters import Pairs, Thresholds

_SHOWN = 20  # grades, in messages


def probabilities(g: Thresholds, scale: Ints, measure: str) -> Floats:
    """Return g_1..g_c for the positive grades of a scale."""
    grades = ", ".join(map(str, scale[:_SHOWN])) + (", ..." if len(scale) > _SHOWN else "")
    if isinstance(g, str) or not len(scale):
        return np.full(len(scale), 1 / max(len(scale), 1))
    if isinstance(g, Mapping) or isinstance(g[0], tuple):
        by_grade = dict(cast(Pairs, g))
        strangers = [grade for grade, share in by_grade.items() if share and grade not in scale]
        if strangers:
            raise MeasureError(
                f"{measure} gives a probability to grade {strangers[0]}, which the qrels do not "
                f"have; their positive grades are {grades}"
            )
        return np.array([by_grade.get(int(grade), 0.0) for grade in scale])
    if len(g) != len(scale):
        raise MeasureError(
            f"{measure} has {counted(len(g), 'number')}, but the qrels have "
            f"{counted(len(scale), 'positive grade')} ({grades}); give one number for each, or a "
            "dict"
        )
    return np.array(g, dtype=np.float64)


def draws_line(g: Floats) -> Floats:
    """Return G(0)..G(c): the share of users to whom a document of each level is relevant."""
    return np.concatenate([[0.0], np.cumsum(g)])
