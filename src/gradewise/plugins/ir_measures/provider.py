"""A provider for ir_measures: every measure, theirs and ours, computed by gradewise at once."""

from collections.abc import Iterable, Iterator
from typing import Any

import ir_measures
from ir_measures.util import QrelsConverter, RunConverter

from gradewise.errors import MeasureError
from gradewise.measures.grammar import parse_measure
from gradewise.plugins.ir_measures.joined import topic_values


class GradewiseProvider(ir_measures.Provider):
    """Computes what it is given with gradewise; runs are joined with the judgments once.

    Ties follow one rule for all measures: the greater document id first. ir_measures' own
    providers have several.
    """

    NAME = "gradewise"

    def supports(self, measure: Any) -> bool:
        """Tell whether gradewise has the measure."""
        measure.validate_params()
        try:
            parse_measure(measure)
        except MeasureError:
            return False
        return True

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> "GradewiseEvaluator":
        return GradewiseEvaluator(list(measures), QrelsConverter(qrels).as_pd_dataframe())


class GradewiseEvaluator(ir_measures.Evaluator):
    """Scores runs with some measures against the same judgments."""

    def __init__(self, measures: list[Any], qrels: Any):
        super().__init__(measures, set(qrels["query_id"].unique().tolist()))
        self.qrels = qrels

    def _iter_calc(self, run: Any) -> Iterator[Any]:
        # A frame of its own, by which the join is known for all measures, and not beyond this call.
        frame = RunConverter(run).as_pd_dataframe().copy(deep=False)
        for measure in self.measures:
            for topic, value in topic_values(parse_measure(measure), self.qrels, frame):
                yield ir_measures.Metric(topic, measure, value)
