"""Derivatives of measures by the gain of a single document (Kishida 2005, eq 28, 33, 36 and 43)."""

from collections.abc import Iterable

import numpy as np

from gradewise.collection.judged import Judged
from gradewise.errors import MeasureError
from gradewise.libraries import pl
from gradewise.measures.evaluate import as_measures
from gradewise.measures.grammar import MeasureLike
from gradewise.meta.one_list import grades_by_rank


def derivatives(judged: Judged, measures: MeasureLike | Iterable[MeasureLike]) -> "pl.DataFrame":
    """Return how fast measures grow with the gain of the document at each rank.

    The topic stays as it is: the number of relevant documents and the ideal list do not change.
    Gain–discount measures, such as MSR (Kishida's eq 28) and AnDCG (eq 33), are linear in every
    gain. Q (eq 36), GenAP (eq 43) and WAP are linear in the gain of a relevant document, and jump
    when a document becomes relevant: there the derivative is null, and `sensitivity` gives the
    change. Other measures are not functions of gains.

    Parameters
    ----------
    judged
        A single list: from `gw.judge_list`, or one of those that `gw.judge` returns, chosen with
        `judged.list_of(run, topic)`.
    measures
        The measures to differentiate.

    Returns
    -------
    A frame with columns measure, rank, grade, derivative. The grade is null where the document is
    unjudged.

    Examples
    --------
    MSR weighs ranks by 1/n, over 1 + 1/2 for the ideal list. GenAP has the sum of 1/n over the
    relevant documents from a rank on, 1/1 + 1/3 and 1/3, over 2 for the ideal list.

    >>> import gradewise as gw
    >>> judged = gw.judge_list([1, 0, 1], relevant={1: 2})
    >>> frame = gw.meta.derivatives(judged, ["MSR", "GenAP"])
    >>> frame["derivative"].round(3).to_list()
    [0.667, 0.333, 0.222, 0.667, None, 0.167]
    """
    parsed = as_measures(measures)
    grades = grades_by_rank(judged)
    size = len(grades)
    levels = np.zeros(size, np.int64)
    levels[judged.hits.rank - 1] = np.maximum(judged.hits.level, 0)
    parts = []
    for measure in parsed:
        if measure.judged_only:
            raise MeasureError(f"{measure} drops unjudged documents, so it has no derivative")
        measure.check_cutoff()
        parts.append(measure.derivatives(judged, levels))
    frame = pl.DataFrame(
        {
            "measure": np.array([str(m) for m in parsed], object).repeat(size).tolist(),
            "rank": np.tile(np.arange(1, size + 1), len(parsed)),
            "grade": grades * len(parsed),
            "derivative": np.concatenate(parts),
        },
        schema_overrides={"measure": pl.String, "grade": pl.Int64},
    )
    return frame.with_columns(pl.col("derivative").fill_nan(None))
