"""XGBoost on Dask: `xgboost.dask.train` with our objective, measures and early stopping.

XGBoost's own rankers for Dask refuse objectives that are functions; its `train` takes them.
"""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import MissingDependencyError, OptionError
from gradewise.learn.trees.booster import Watch
from gradewise.learn.trees.calls import read_call
from gradewise.learn.trees.dask_lightgbm import Grown, Plan
from gradewise.learn.trees.dask_lists import WholeLists, da, facts_of, library
from gradewise.learn.trees.dask_workers import Attempt
from gradewise.learn.trees.metric import Metric
from gradewise.learn.trees.xgboost_booster import XGBoost
from gradewise.measures.summaries import SMALLEST

try:
    import xgboost
    import xgboost.dask
    from xgboost.callback import TrainingCallback as _Callback
except ImportError:
    raise MissingDependencyError("xgboost", "boost", "training trees") from None

xgb: Any = xgboost
Callback: Any = _Callback
_HISTORY = "gradewise_history"


def grow(
    client: Any, rows: WholeLists, held: Sequence[WholeLists], plan: Plan, attempt: Attempt
) -> Grown:
    """Train on the workers that hold the rows; evaluation sets stay where they are, too."""
    if rows.weight is not None:
        raise OptionError("XGBoost takes no sample_weight on Dask; LightGBM does")
    parameters = {
        "disable_default_eval_metric": True,
        "verbosity": 0,
        **{name: value for name, value in plan.parameters.items() if name != "nthread"},
    }
    binary = plan.objective == "rank:map"  # takes yes and no only
    named = isinstance(plan.objective, str)
    parameters["objective"] = plan.objective if named else XGBoost.objectives[0]
    data = _matrix(client, rows, binary=binary)
    sets = [(_matrix(client, each, binary=False), f"validation_{n}") for n, each in enumerate(held)]
    attempt.members = set().union(
        *[each.worker_map for each in (data, *[part for part, _ in sets])]
    )
    watcher = Watcher(plan.metrics, len(held), plan.patience)
    result = xgb.dask.train(
        client,
        parameters,
        data,
        plan.iterations,
        evals=sets or None,
        obj=None if named else OnItsRows(plan.objective),
        custom_metric=watcher if sets else None,
        callbacks=[watcher],
        verbose_eval=False,
    )
    model = result["booster"]
    history = json.loads(model.attr(_HISTORY) or "[]")
    model.set_attr(**{_HISTORY: None})
    return Grown(bytes(model.save_raw(raw_format="json")), history)


def _matrix(client: Any, rows: WholeLists, *, binary: bool) -> Any:
    counts = library.compute(*[library.delayed(facts_of)(part) for part in rows.parts])
    begins = np.cumsum([0, *[facts.lists for facts in counts]])
    chunks = rows.x.chunks[0]
    numbers = [
        da.from_delayed(library.delayed(_number_lists)(sizes, int(begin)), (size,), np.int64)
        for sizes, begin, size in zip(rows.sizes, begins[:-1], chunks, strict=True)
    ]
    grades = (rows.grades > 0).astype(np.int64) if binary else rows.grades
    return xgb.dask.DaskDMatrix(client, rows.x, grades, qid=da.concatenate(numbers))


def _number_lists(sizes: Any, begin: int) -> Any:
    sizes = np.asarray(sizes)
    return (begin + np.arange(len(sizes))).repeat(sizes)


class OnItsRows:
    """An objective that a worker without training rows may be asked for, too.

    Workers that hold rows of an evaluation set only take part in every step, with no gradients.
    """

    def __init__(self, objective: Any):
        self.objective = objective

    def __call__(self, predicted: Floats, data: Any) -> tuple[Floats, Floats]:
        """Return the gradient and the Hessian of each row that this worker holds."""
        if not data.num_row():
            return np.zeros(0), np.zeros(0)
        gradient, hessian = self.objective(predicted, data)
        return gradient, hessian


class Watcher(Callback):  # type: ignore[misc]
    """Values of measures over all workers after each tree, and whether to stop.

    It is both XGBoost's metric and its callback: XGBoost rounds what metrics return to 6 digits.
    """

    def __init__(self, metrics: Sequence[Metric], sets: int, patience: int | None):
        super().__init__()
        self.metrics, self.sets, self.patience = list(metrics), sets, patience
        self.seen: list[list[float]] = []  # values of the sets after the last tree
        self.watch = Watch(self.metrics, [], patience)
        self.watch.history = [[[] for _ in self.metrics] for _ in range(sets)]

    def __call__(self, predicted: Floats, data: Any) -> list[tuple[str, float]]:
        """Return the means of measures over the lists of all workers."""
        values = [self._mean(metric, predicted, data) for metric in self.metrics]
        self.seen.append(values)
        return [(metric.name, value) for metric, value in zip(self.metrics, values, strict=True)]

    def _mean(self, metric: Metric, predicted: Floats, data: Any) -> float:
        from xgboost import collective

        sums = np.zeros(2)
        if len(predicted):
            values = metric.values(read_call(predicted, data, None, None))
            values = values[~np.isnan(values)]
            if metric.measure.aggregate == "geometric":
                values = np.log(np.maximum(values, SMALLEST))
            sums = np.array([values.sum(), float(len(values))])
        total, count = collective.allreduce(sums, collective.Op.SUM).tolist()
        mean = float(total / max(count, 1.0))
        means = {"sum": float(total), "mean": mean, "geometric": float(np.exp(mean))}
        return means[metric.measure.aggregate]

    def after_iteration(self, model: Any, epoch: int, evals_log: Any) -> bool:
        """Note the values; stop when none has improved for long enough."""
        for history, values in zip(self.watch.history, self.seen, strict=False):
            for each, value in zip(history, values, strict=True):
                each.append(value)
        self.seen = []
        if self.patience is None or not self.sets:
            return False
        done = len(self.watch.history[0][0])
        bests = [self.watch.best(place) for place in range(len(self.metrics))]
        return all(done - best >= self.patience for best in bests)

    def after_training(self, model: Any) -> Any:
        """Let the model carry the history back."""
        model.set_attr(**{_HISTORY: json.dumps(self.watch.history)})
        return model
