"""Summaries over topics: the mean of most measures, the sum of counts, a geometric mean of few."""

import numpy as np

from gradewise.arrays import Bools, Floats
from gradewise.measures.measure import Measure

SMALLEST = 0.00001  # what the geometric mean takes in place of less, as trec_eval


def summarize(measure: Measure, values: Floats, counted: Bools) -> Floats:
    """Summarize values[run, topic] over the topics that count; NaN is undefined and left out."""
    used = counted & ~np.isnan(values)
    filled = np.where(used, values, 0.0)
    if measure.aggregate == "sum":
        return _total(filled)
    if measure.aggregate == "geometric":
        filled = np.where(used, np.log(np.maximum(filled, SMALLEST)), 0.0)
    number = used.sum(axis=1)
    mean = np.full(len(values), np.nan)
    np.divide(_total(filled), number, out=mean, where=number > 0)
    return np.exp(mean) if measure.aggregate == "geometric" else mean


def _total(values: Floats) -> Floats:
    """Add up over topics; the last digit of a sum depends on the layout, so there is only one."""
    return np.asarray(np.ascontiguousarray(values).sum(axis=1))
