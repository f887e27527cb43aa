"""TreeRanker: boosted trees trained for a measure, with the conventions of scikit-learn."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import InputError, OptionError
from gradewise.files import whole_file
from gradewise.learn.estimator import Ranker, held_out
from gradewise.learn.features import FeatureSet, checked_grades, topic_notes, topics_of
from gradewise.learn.objectives import Grades, scale_of
from gradewise.learn.trees.booster import Booster, Rows, Watch
from gradewise.learn.trees.boosters import (
    BOOSTERS,
    BUILT_IN,
    BoosterName,
    booster_of,
    booster_of_file,
    check_parameters,
)
from gradewise.learn.trees.metric import Metric, metric
from gradewise.learn.trees.objective import Objective, objective
from gradewise.measures.evaluate import as_measures
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.measures.measure import Measure

if TYPE_CHECKING:
    import polars as pl


class TreeRanker(Ranker):
    """Boosted trees of LightGBM or XGBoost, trained for a measure.

    Parameters
    ----------
    objective
        The measure to train for; an object of `gw.learn.objective`; or the name of one of the
        booster's own objectives ("lambdarank", "rank:ndcg", ..., or "built-in" for its default).
    booster
        "lightgbm" or "xgboost".
    n_estimators
        Number of trees.
    early_stopping_rounds
        Stop when `eval_measure` has not improved on the first evaluation set for this many trees,
        and rank with the trees up to the best. By default, all trees are grown and used.
    eval_measure
        The measure, or several, computed on evaluation sets. By default, the objective (nDCG for
        the booster's own objectives). If there are several, training stops when none of them
        improves, and the first one chooses the number of trees.
    sigma, truncation, normalize_gradients, grades
        As for `gw.learn.objective`.
    random_state
        Orders documents with equal scores, and seeds the booster.
    n_jobs
        Number of threads of the booster; all cores by default.
    booster_params
        Parameters of LightGBM or XGBoost under their own names: num_leaves, learning_rate, ...
        An unknown name is an error.

    Attributes
    ----------
    model_
        The trained Booster of the library.
    scale_
        The positive grades that it was trained for.
    n_features_in_, feature_names_in_
        The number of features, and their names if a frame was given.
    best_iteration_, best_value_
        What early stopping chose: the number of trees, and the value on the first evaluation set.
        The former is None without early stopping, the latter without an evaluation set.
    evals_result_
        Values by set ("validation_0", ...), measure and iteration.
    notes_
        Sentences on topics from which nothing can be learned.

    Examples
    --------
    >>> import numpy as np
    >>> import gradewise as gw
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(400, 3))
    >>> y = np.digitize(X[:, 0] + 0.1 * rng.normal(size=400), [0.5, 1.5])
    >>> ranker = gw.learn.TreeRanker("GAP", n_estimators=20, num_leaves=4, n_jobs=1)
    >>> ranker = ranker.fit(X, y, group=[20] * 20)
    >>> ranker.predict([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]).argmax()
    np.int64(1)
    >>> ranker.feature_importances_.argmax()
    np.int64(0)
    """

    _takes_missing = True
    _takes_sparse = True
    _dtypes = (np.float64, np.float32)
    _routed: ClassVar[Mapping[str, tuple[str, ...]]] = {
        **Ranker._routed,
        "fit": ("qid", "group", "sample_weight"),
        "predict": (),
    }

    def __init__(
        self,
        objective: MeasureLike | Objective = "GAP",
        booster: BoosterName = "lightgbm",
        *,
        n_estimators: int = 100,
        early_stopping_rounds: int | None = None,
        eval_measure: MeasureLike | Sequence[MeasureLike] | None = None,
        sigma: float = 1.0,
        truncation: int | None = None,
        normalize_gradients: bool = True,
        grades: Grades = None,
        random_state: int | None = 0,
        n_jobs: int | None = None,
        **booster_params: Any,
    ) -> None:
        self.objective = objective
        self.booster = booster
        self.n_estimators = n_estimators
        self.early_stopping_rounds = early_stopping_rounds
        self.eval_measure = eval_measure
        self.sigma = sigma
        self.truncation = truncation
        self.normalize_gradients = normalize_gradients
        self.grades = grades
        self.random_state = random_state
        self.n_jobs = n_jobs
        self._booster_params = booster_params
        # Python refuses unknown keywords at once; so do we, now that any keyword gets here.
        check_parameters(booster, booster_params, self._own_parameters())

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name, those of the booster among them."""
        return {**super().get_params(deep=deep), **self._booster_params}

    def set_params(self, **values: Any) -> "TreeRanker":
        """Set parameters by name, those of the booster among them."""
        own = self._own_parameters()
        for name in own:
            if name in values:
                setattr(self, name, values.pop(name))
        check_parameters(self.booster, values, own)
        self._booster_params = {**self._booster_params, **values}
        return self

    def trained_for(self, scale: Sequence[int] | Ints | None = None) -> Objective | str:
        """Return the objective as the booster takes it, checked, for the grades of a scale."""
        given, known = self.objective, self._library().objectives
        check_parameters(self.booster, self._booster_params, self._own_parameters())
        if isinstance(given, Objective):
            return given
        if isinstance(given, str) and given in (*known, BUILT_IN):
            return known[0] if given == BUILT_IN else given
        return objective(
            given,
            sigma=self.sigma,
            truncation=self.truncation,
            normalize_gradients=self.normalize_gradients,
            grades=self.grades if scale is None else [int(grade) for grade in scale],
            seed=self._seed(),
        )

    def eval_measures(self) -> tuple[Measure, ...]:
        """Return the measures computed on evaluation sets."""
        if self.eval_measure is not None:
            return as_measures(self.eval_measure)
        chosen = self.trained_for()
        return (parse_measure("nDCG") if isinstance(chosen, str) else chosen.measure,)

    def fit(
        self,
        X: Any,  # noqa: N803 - as in scikit-learn
        y: Any = None,
        *,
        qid: Any = None,
        group: Any = None,
        sample_weight: Any = None,
        eval_set: Any = None,
        eval_group: Sequence[Any] | None = None,
        eval_qid: Sequence[Any] | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> "TreeRanker":
        """Grow trees.

        Parameters
        ----------
        X, y
            Features and grades, a row for each document; or a FeatureSet alone.
        qid, group
            The topic of each row, in any order; or the number of rows of each topic. Without
            either, all rows are one list.
        sample_weight
            A weight for each row.
        eval_set, eval_group, eval_qid
            Held-out sets, each a FeatureSet or (X, y), and what describes their topics.
        progress
            Called with 1 after each tree.
        """
        if self.n_estimators < 1:
            raise OptionError(f"n_estimators must be at least 1, not {self.n_estimators}")
        rows = self._rows(X, y, qid, group, sample_weight, reset=True)
        _check_differs(rows.x)
        held = [
            self._rows(x, y, qid, group, None, reset=False)
            for x, y, group, qid in held_out(eval_set, eval_group, eval_qid)
        ]
        scale = self._scale([rows, *held])
        chosen = self.trained_for(scale)
        metrics = [self._metric(measure, scale) for measure in self.eval_measures()]
        watch = Watch(metrics, held, self.early_stopping_rounds, progress)
        self.model_ = self._library().train(
            rows, chosen, self._parameters(), self.n_estimators, watch
        )
        self.scale_ = scale
        self.notes_ = topic_notes(rows.grades, rows.sizes)
        self._keep(watch)
        return self

    def _keep(self, watch: Watch) -> None:
        self.evals_result_ = {
            f"validation_{n}": {
                metric.name: each for metric, each in zip(watch.metrics, values, strict=True)
            }
            for n, values in enumerate(watch.history)
        }
        self.best_iteration_: int | None = None
        self.best_value_: float | None = None
        if watch.held:
            last = len(watch.history[0][0])
            if self.early_stopping_rounds is not None:
                self.best_iteration_ = last = watch.best(0)
            self.best_value_ = watch.history[0][0][last - 1]

    @property
    def curves_(self) -> "pl.DataFrame":
        """Values after each tree, a frame: data, measure, epoch (how many trees) and value."""
        import polars as pl

        self._check_fitted()
        rows = [
            (data, measure, epoch, value)
            for data, by_measure in self.evals_result_.items()
            for measure, values in by_measure.items()
            for epoch, value in enumerate(values, 1)
        ]
        return pl.DataFrame(rows, schema=["data", "measure", "epoch", "value"], orient="row")

    def best_by(self, measure: MeasureLike) -> tuple[int, float]:
        """Return the iteration at which a measure was best on the first set, and its value."""
        self._check_fitted()
        chosen = self._metric(parse_measure(measure))
        values = np.array(self.evals_result_["validation_0"][chosen.name])
        place = int(np.argmax(values if chosen.measure.higher_is_better else -values))
        return place + 1, float(values[place])

    def predict(self, X: Any, *, iterations: int | None = None) -> Floats:  # noqa: N803
        """Return a score for each row, by the first iterations; by default, up to the best."""
        self._check_fitted()
        x = self._features(X, reset=False)
        return self._library().predict(self.model_, x, iterations or self.best_iteration_)

    def score(
        self,
        X: Any,  # noqa: N803
        y: Any = None,
        *,
        qid: Any = None,
        group: Any = None,
        measure: MeasureLike | None = None,
    ) -> float:
        """Return the mean of a measure over topics; by default, of the first `eval_measure`."""
        self._check_fitted()
        rows = self._rows(X, y, qid, group, None, reset=False)
        chosen = self.eval_measures()[0] if measure is None else parse_measure(measure)
        scale = np.union1d(self.scale_, np.unique(rows.grades[rows.grades > 0]))
        scores = self.predict(rows.x)
        return float(self._metric(chosen, scale)(rows.grades, scores, None, rows.sizes)[1])

    @property
    def feature_importances_(self) -> Floats:
        """The share of each feature in what the trees have lowered the loss by; they sum to 1."""
        self._check_fitted()
        gains = self._library().importances(self.model_, self.n_features_in_)
        return np.asarray(gains / max(gains.sum(), np.finfo(np.float64).tiny))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the trees in the booster's own format: LightGBM's text or XGBoost's JSON.

        The library itself can read the file, too; it ignores the line, or the attribute, that
        holds the parameters.
        """
        self._check_fitted()
        about = {
            "parameters": {name: _storable(value) for name, value in self.get_params().items()},
            "scale": [int(grade) for grade in self.scale_],
            "best": [self.best_iteration_, self.best_value_],
            "evals": self.evals_result_,
            "notes": list(self.notes_),
            "features": self._names(),
        }
        content = self._library().dump(self.model_, self.best_iteration_, about)
        with whole_file(path) as temporary:
            temporary.write_bytes(content)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "TreeRanker":
        """Read trees that `save`, LightGBM (text) or XGBoost (JSON) wrote."""
        if not Path(path).is_file():
            raise InputError(f"{path}: no such file")
        content = Path(path).read_bytes()
        name = booster_of_file(content)
        if name is None:
            kinds = " nor ".join(f"{each.title}'s {each.file_format}" for each in BOOSTERS.values())
            raise InputError(f"{path}: is neither {kinds}")
        try:
            model, about = booster_of(name).parse(content)
            ranker = cls(**{"objective": BUILT_IN, **about.get("parameters", {}), "booster": name})
            ranker.scale_ = np.array(about.get("scale", []), np.int64)
            ranker.best_iteration_, ranker.best_value_ = about.get("best", (None, None))
            ranker.evals_result_ = dict(about.get("evals", {}))
            ranker.notes_ = tuple(about.get("notes", ()))
            if about.get("features") is not None:
                ranker.feature_names_in_ = np.array(about["features"], object)
        except (InputError, ValueError, TypeError, AttributeError) as error:
            raise InputError(f"{path}: {error}") from None
        ranker.model_ = model
        ranker.n_features_in_ = ranker._library().width(model)
        return ranker

    def _library(self) -> Booster:
        return booster_of(self.booster)

    def _parameters(self) -> dict[str, Any]:
        threads = {} if self.n_jobs is None else {"nthread": self.n_jobs}
        seed = {} if self.random_state is None else {"seed": self._seed()}
        return {**threads, **seed, **self._booster_params}

    def _metric(self, measure: Measure, scale: Ints | None = None) -> Metric:
        chosen = self.scale_ if scale is None else scale
        return metric(measure, grades=[int(grade) for grade in chosen], seed=self._seed())

    def _scale(self, parts: Sequence[Rows]) -> Ints:
        """Return the positive grades of all sets, with those that the objective names."""
        grades = np.unique(np.concatenate([part.grades for part in parts]))
        chosen = self.trained_for()
        if isinstance(chosen, str):
            return grades[grades > 0]
        return scale_of(chosen.measure, grades, chosen.grades)

    def _rows(self, x: Any, y: Any, qid: Any, group: Any, weight: Any, *, reset: bool) -> Rows:
        """Return checked rows, list after list."""
        if isinstance(x, FeatureSet):
            group, qid = x.sizes, None
        x, y = self._features_and_grades(x, y, reset=reset)
        grades = checked_grades(y, len(y))
        if group is None and qid is None:
            group = [len(y)]
        _, sizes, order = topics_of(group, qid, len(y))
        weights = None if weight is None else np.asarray(weight, np.float64)
        if weights is not None and weights.shape != grades.shape:
            raise InputError(
                f"sample_weight must have one number for each of {len(y)} rows, but has shape "
                f"{weights.shape}"
            )
        if weights is not None and not weights.any():
            raise InputError("every sample_weight is zero")
        if order is not None:
            x, grades = x[order], grades[order]
            weights = None if weights is None else weights[order]
        return Rows(x, grades, sizes, weights)


def _check_differs(x: Any) -> None:
    """Raise an InputError if no tree can split the rows."""
    if isinstance(x, np.ndarray):
        differs = bool((x != x[0]).any())
    else:
        differs = bool((x.max(axis=0) != x.min(axis=0)).nnz)
    if not differs:
        raise InputError(
            f"every feature has the same value in all rows (n_samples = {x.shape[0]}), so that "
            "trees have nothing to split"
        )


def _storable(value: Any) -> Any:
    """Return a parameter as JSON can hold it."""
    if isinstance(value, Measure):
        return str(value)
    if isinstance(value, Objective):
        return str(value.measure)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_storable(each) for each in value]
    return value
