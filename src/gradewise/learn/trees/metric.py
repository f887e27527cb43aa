"""Metrics of boosted trees: any measure, called by LightGBM and XGBoost."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.judged import Judged
from gradewise.kernels import seeded_orders
from gradewise.learn.objectives import Grades, evaluating
from gradewise.learn.row_numbers import list_weights
from gradewise.learn.trees.calls import (
    WORD,
    Call,
    Prepared,
    plain_grades,
    read_call,
    recall,
    threads_of,
)
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import Measure
from gradewise.measures.summaries import summarize
from gradewise.parallel import thread_map


def metric(
    measure: MeasureLike, *, grades: Grades = None, seed: int = 0, n_jobs: int | None = None
) -> "Metric":
    """Return a metric for LightGBM and XGBoost: the mean of a measure over topics.

    Pass it as `eval_metric`, `feval` or `custom_metric`. It returns a name, a value and whether
    higher is better; for XGBoost, only the name and the value. Topics without a relevant document
    count as 0, as everywhere in gradewise; with weights, the mean is weighted.

    Parameters
    ----------
    measure
        Any measure.
    grades, seed, n_jobs
        As for `objective`.

    Examples
    --------
    >>> from gradewise.learn import metric
    >>> metric("P@1")([0, 1, 2, 0], [0.2, 0.1, 0.4, 0.3], None, [2, 2])
    ('P@1', 0.5, True)
    """
    threads_of(n_jobs)
    return Metric(evaluating(measure), plain_grades(grades), seed, n_jobs)


@dataclass(frozen=True)
class Metric:
    """A measure that evaluates trees during training; see `metric` for the parts."""

    measure: Measure
    grades: Grades = None
    seed: int = 0
    n_jobs: int | None = field(default=None, compare=False)
    _kept: list[Prepared] = field(default_factory=list, init=False, repr=False, compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out what is remembered about data sets."""
        return type(self), (self.measure, self.grades, self.seed, self.n_jobs)

    @property
    def name(self) -> str:
        """The name that boosters print; XGBoost splits its messages at colons."""
        return str(self.measure).replace(":", "=")

    def __call__(
        self, y_true: Any, y_pred: Any, weight: Any = None, group: Any = None
    ) -> tuple[str, float, bool] | tuple[str, float]:
        """Return name, value and whether higher is better; for XGBoost, name and value."""
        call = read_call(y_true, y_pred, weight, group)
        values = self.values(call)
        if call.weight is None or self.measure.aggregate != "mean":
            counted = np.ones((1, len(values)), np.bool_)
            value = float(summarize(self.measure, values[None], counted)[0])
        else:
            rows = call.row_weights
            assert rows is not None
            value = float(np.average(values, weights=list_weights(rows, call.sizes)))
        found = (self.name, value)
        return found if call.by_xgboost else (*found, self.measure.higher_is_better)

    def values(self, call: Call) -> Floats:
        """Return the value of every list."""
        data = recall(
            self._kept, self.measure, self.grades, call, trained=False, n_jobs=self.n_jobs
        )
        assert data.lists is not None
        order = np.empty(len(call.scores), np.int64)

        def fill(part: tuple[int, int]) -> None:
            seeded_orders.order_lists(
                call.scores, data.levels, data.offsets, *part, int(self.seed) & WORD, order
            )

        thread_map(fill, data.parts, threads=threads_of(self.n_jobs))
        judged = Judged.of_levels(data.lists, data.levels[order], scores=call.scores[order])
        return self.measure.values(judged)
