"""LightGBM and XGBoost behind one face: train, predict, weigh features, write and read."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import InputError, MissingDependencyError
from gradewise.learn.trees.metric import Metric
from gradewise.learn.trees.objective import Objective

Name = Literal["lightgbm", "xgboost"]
BOOSTERS: tuple[Name, ...] = ("lightgbm", "xgboost")
BUILT_IN = "built-in"  # the booster's own objective for rankings
_KEY = "gradewise"  # under which a model's file says what it was trained for


@dataclass(frozen=True, eq=False)
class Rows:
    """Features and grades, list after list; features may be a sparse matrix."""

    x: Any
    grades: Ints
    sizes: Ints
    weight: Floats | None = None


@dataclass(eq=False)
class Watch:
    """Values of metrics on held-out lists after each iteration: `history[set][metric]`.

    `full` tells that no metric has risen on the first set for `patience` iterations.
    """

    metrics: Sequence[Metric]
    held: Sequence[Rows]
    patience: int | None = None
    progress: Callable[[int], None] | None = None
    history: list[list[list[float]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.history = [[[] for _ in self.metrics] for _ in self.held]

    def look(self, scores: Sequence[Floats]) -> None:
        """Value the metrics for the scores of each set."""
        for held, values, rows in zip(self.held, self.history, scores, strict=True):
            for metric, each in zip(self.metrics, values, strict=True):
                each.append(metric(held.grades, rows, held.weight, held.sizes)[1])
        if self.progress is not None:
            self.progress(1)

    def best(self, place: int) -> int:
        """Return the iteration, from 1 on, at which a metric was best on the first set."""
        values = np.array(self.history[0][place])
        higher = self.metrics[place].measure.higher_is_better
        return int(np.argmax(values if higher else -values)) + 1

    @property
    def full(self) -> bool:
        """Whether training should stop."""
        if self.patience is None or not self.held:
            return False
        done = len(self.history[0][0])
        return all(done - self.best(n) >= self.patience for n in range(len(self.metrics)))


class Booster(Protocol):
    """What rankers ask of a library."""

    built_in: tuple[str, ...]

    def train(
        self,
        rows: Rows,
        objective: Objective | str,
        parameters: Mapping[str, Any],
        iterations: int,
        watch: Watch,
    ) -> Any:
        """Return a model."""

    def predict(self, model: Any, x: Any, iterations: int | None) -> Floats:
        """Return a score for each row, by the first iterations or by all."""

    def importances(self, model: Any, width: int) -> Floats:
        """Return how much each feature has lowered the loss, in all."""

    def width(self, model: Any) -> int:
        """Return how many features a model takes."""

    def dump(self, model: Any, iterations: int | None, about: Mapping[str, Any]) -> bytes:
        """Return a model in the library's own format, with what is known of it."""

    def parse(self, content: bytes) -> tuple[Any, dict[str, Any]]:
        """Read what `dump`, or the library itself, wrote."""


class LightGBM:
    """The library lightgbm."""

    built_in: tuple[str, ...] = ("lambdarank", "rank_xendcg")

    def __init__(self) -> None:
        try:
            import lightgbm
        except ImportError:
            raise MissingDependencyError("lightgbm", "boost", "training trees") from None
        self.library = lightgbm

    @staticmethod
    def settings(parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return parameters with what makes training quiet, and the same every time."""
        usual: dict[str, Any] = {"verbosity": -1, "metric": "None", "deterministic": True}
        if not parameters.keys() & {"force_col_wise", "force_row_wise"}:
            usual["force_col_wise"] = True  # else it tries what is quicker, and sums differ
        # With few rows it would drop all features, and then fail with an objective not its own.
        usual["feature_pre_filter"] = False
        return {**usual, **parameters}

    def train(
        self,
        rows: Rows,
        objective: Objective | str,
        parameters: Mapping[str, Any],
        iterations: int,
        watch: Watch,
    ) -> Any:
        """Return a model, a Booster of lightgbm."""
        lgb = self.library
        settings = {**self.settings(parameters), "objective": objective}
        data = lgb.Dataset(rows.x, rows.grades, weight=rows.weight, group=rows.sizes)
        held = [
            lgb.Dataset(each.x, each.grades, group=each.sizes, reference=data)
            for each in watch.held
        ]
        scores: list[Floats] = []

        def note(predicted: Floats, _: Any) -> list[Any]:
            scores.append(predicted.copy())
            return []

        def look(environment: Any) -> None:
            watch.look(scores)
            scores.clear()
            if watch.full:
                raise lgb.callback.EarlyStopException(environment.iteration, [])

        return lgb.train(
            settings,
            data,
            iterations,
            valid_sets=held or None,
            feval=note if held else None,
            callbacks=[look],
        )

    def predict(self, model: Any, x: Any, iterations: int | None) -> Floats:
        """Return a score for each row."""
        return np.asarray(model.predict(x, num_iteration=iterations or -1), np.float64)

    def importances(self, model: Any, width: int) -> Floats:
        """Return the gain of each feature."""
        return np.asarray(model.feature_importance("gain"), np.float64)

    def width(self, model: Any) -> int:
        """Return how many features a model takes."""
        return int(model.num_feature())

    def dump(self, model: Any, iterations: int | None, about: Mapping[str, Any]) -> bytes:
        """Return LightGBM's text; what is known goes where LightGBM does not look."""
        text = model.model_to_string(num_iteration=iterations or -1)
        head, mark, tail = text.rpartition("\npandas_categorical:")
        line = f"\n{_KEY}:{json.dumps(about)}\n"
        return (head + line + mark + tail if mark else text + line).encode()

    def parse(self, content: bytes) -> tuple[Any, dict[str, Any]]:
        """Read a model from text."""
        text = content.decode()
        found = [line for line in text.splitlines() if line.startswith(f"{_KEY}:")]
        about = json.loads(found[-1].partition(":")[2]) if found else {}
        try:
            return self.library.Booster(model_str=text), about
        except self.library.basic.LightGBMError as error:
            raise InputError(f"is not a model of LightGBM ({error})") from None


class XGBoost:
    """The library xgboost."""

    built_in: tuple[str, ...] = ("rank:ndcg", "rank:map", "rank:pairwise")

    def __init__(self) -> None:
        try:
            import xgboost
        except ImportError:
            raise MissingDependencyError("xgboost", "boost", "training trees") from None
        self.library = xgboost

    def train(
        self,
        rows: Rows,
        objective: Objective | str,
        parameters: Mapping[str, Any],
        iterations: int,
        watch: Watch,
    ) -> Any:
        """Return a model, a Booster of xgboost."""
        settings = {"disable_default_eval_metric": True, "verbosity": 0, **parameters}
        given, grades, weight = None, rows.grades, None
        if isinstance(objective, str):
            settings["objective"] = objective
            if objective == "rank:map":  # takes yes and no only
                grades = (grades > 0).astype(np.int64)
            if rows.weight is not None:  # one weight for each list
                starts = np.cumsum(rows.sizes) - rows.sizes
                weight = np.add.reduceat(rows.weight, starts) / rows.sizes
        else:

            def given(predicted: Floats, _: Any) -> tuple[Floats, Floats]:
                return objective(rows.grades, predicted, rows.weight, rows.sizes)

        data = self.library.DMatrix(rows.x, grades, group=rows.sizes, weight=weight)
        held = [self.library.DMatrix(each.x) for each in watch.held]
        return self.library.train(
            settings, data, iterations, obj=given, callbacks=[self._callback(watch, held)]
        )

    def _callback(self, watch: Watch, held: Sequence[Any]) -> Any:
        base: Any = self.library.callback.TrainingCallback

        class Look(base):  # type: ignore[misc]
            def after_iteration(self, model: Any, epoch: int, evals_log: Any) -> bool:
                watch.look([model.predict(each, output_margin=True) for each in held])
                return watch.full

        return Look()

    def predict(self, model: Any, x: Any, iterations: int | None) -> Floats:
        """Return a score for each row."""
        data = self.library.DMatrix(x)
        scores = model.predict(data, output_margin=True, iteration_range=(0, iterations or 0))
        return np.asarray(scores, np.float64)

    def importances(self, model: Any, width: int) -> Floats:
        """Return the gain of each feature."""
        gains = model.get_score(importance_type="total_gain")
        return np.array([gains.get(f"f{n}", 0.0) for n in range(width)])

    def width(self, model: Any) -> int:
        """Return how many features a model takes."""
        return int(model.num_features())

    def dump(self, model: Any, iterations: int | None, about: Mapping[str, Any]) -> bytes:
        """Return XGBoost's JSON; what is known is an attribute of the model."""
        chosen = model.copy() if iterations is None else model[:iterations]
        chosen.set_attr(**{_KEY: json.dumps(about)})
        return bytes(chosen.save_raw(raw_format="json"))

    def parse(self, content: bytes) -> tuple[Any, dict[str, Any]]:
        """Read a model from JSON."""
        model = self.library.Booster()
        try:
            model.load_model(bytearray(content))
        except self.library.core.XGBoostError as error:
            first = str(error).strip().splitlines()[0]
            raise InputError(f"is not a model of XGBoost ({first})") from None
        return model, json.loads(model.attr(_KEY) or "{}")


OWN_OBJECTIVES = (BUILT_IN, *LightGBM.built_in, *XGBoost.built_in)


def booster_of(name: str) -> Booster:
    """Return a library by name."""
    return LightGBM() if name == "lightgbm" else XGBoost()


def booster_of_file(content: bytes) -> Name | None:
    """Tell which library wrote a model."""
    if content.startswith(b"tree\n"):
        return "lightgbm"
    return "xgboost" if content.lstrip()[:1] == b"{" else None
