"""TreeRanker: boosted trees trained for a measure, with the conventions of scikit-learn."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import InputError, check_least
from gradewise.files import whole_file
from gradewise.learn.estimator import USUAL_MEASURE, Ranker, held_out, topics_in
from gradewise.learn.features import FeatureSet, check_width, topic_notes
from gradewise.learn.objectives import Grades, scale_of
from gradewise.learn.positions import Debiasing, Propensity, check_regularization
from gradewise.learn.trees.booster import Booster, Rows, Watch
from gradewise.learn.trees.boosters import (
    BOOSTERS,
    BoosterName,
    booster_of,
    booster_of_file,
    check_parameters,
)
from gradewise.learn.trees.guarded import check_model, refusals_explained, seal
from gradewise.learn.trees.metric import Metric, metric
from gradewise.learn.trees.model_files import describe, restore
from gradewise.learn.trees.objective import Objective, objective
from gradewise.learn.trees.own_objectives import BUILT_IN, OwnObjective, parse_own
from gradewise.learn.trees.planning import debiasing_of, model_before, with_gains
from gradewise.learn.trees.rows import check_differs, listed_rows
from gradewise.libraries import pl
from gradewise.measures.evaluate import as_measures
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.measures.measure import Measure
from gradewise.progress import watched


class TreeRanker(Ranker):
    """Boosted trees of LightGBM or XGBoost, trained for a measure.

    Parameters
    ----------
    objective
        The measure to train for; "pairwise"; an object of `gw.learn.objective`; or the name of one
        of the booster's own objectives ("lambdarank", "rank:ndcg", ..., or "built-in" for its
        default). "lambdarank(gains=linear)" sets what grades are worth: "exp" (the default),
        "linear", "square", "root", "binary", or a list such as [0,1,3].
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
    sigma, truncation, normalize_gradients, grades, propensity, bias_regularization
        As for `gw.learn.objective`.
    random_state
        Orders documents with equal scores, and seeds the booster.
    n_jobs
        Number of threads of the booster and of the objective; all cores by default.
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
    position_bias_
        The bias of each position, if `fit` was given positions; None otherwise.
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
        "fit": ("qid", "group", "sample_weight", "init_score", "position"),
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
        normalize_gradients: bool | None = None,
        grades: Grades = None,
        propensity: Propensity = None,
        bias_regularization: float = 0.0,
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
        self.propensity = propensity
        self.bias_regularization = bias_regularization
        self.random_state = random_state
        self.n_jobs = n_jobs
        self._booster_params = booster_params
        # Python refuses unknown keywords at once; so do we, now that any keyword gets here.
        check_parameters(booster, booster_params, self._defaults())

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name, those of the booster among them."""
        return {**super().get_params(deep=deep), **self._booster_params}

    def set_params(self, **values: Any) -> "TreeRanker":
        """Set parameters by name, those of the booster among them."""
        own = self._defaults()
        for name in own:
            if name in values:
                setattr(self, name, values.pop(name))
        check_parameters(self.booster, values, own)
        self._booster_params = {**self._booster_params, **values}
        return self

    def trained_for(
        self, scale: Sequence[int] | Ints | None = None, debiasing: Debiasing | None = None
    ) -> Objective | str:
        """Return the objective as the booster takes it, checked, for the grades of a scale."""
        given, own = self.objective, self._own()
        check_parameters(self.booster, self._booster_params, self._defaults())
        if own is not None:
            return own.name
        if isinstance(given, Objective):
            return given.fresh(debiasing, self.n_jobs)
        check_regularization(self.bias_regularization)
        scaled = self.normalize_gradients
        found = objective(
            given,
            sigma=self.sigma,
            truncation=self.truncation,
            normalize_gradients=self.propensity is None if scaled is None else scaled,
            grades=self.grades if scale is None else [int(grade) for grade in scale],
            seed=self._seed(),
            n_jobs=self.n_jobs,
        )
        return found.fresh(debiasing, self.n_jobs)

    def _own(self) -> OwnObjective | None:
        """Return the booster's own objective that is trained for; None for a measure."""
        return parse_own(self.objective, self._library().objectives)

    def eval_measures(self) -> tuple[Measure, ...]:
        """Return the measures computed on evaluation sets."""
        if self.eval_measure is not None:
            return as_measures(self.eval_measure)
        chosen = self.trained_for()
        measure = None if isinstance(chosen, str) else chosen.measure
        return (parse_measure(USUAL_MEASURE) if measure is None else measure,)

    @watched("trees")
    def fit(
        self,
        X: Any,  # noqa: N803 - as in scikit-learn
        y: Any = None,
        *,
        qid: Any = None,
        group: Any = None,
        position: Any = None,
        sample_weight: Any = None,
        init_score: Any = None,
        init_model: Any = None,
        eval_set: Any = None,
        eval_group: Sequence[Any] | None = None,
        eval_qid: Sequence[Any] | None = None,
        eval_sample_weight: Sequence[Any] | None = None,
        eval_init_score: Sequence[Any] | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> "TreeRanker":
        """Grow trees.

        Parameters
        ----------
        X, y
            Features and grades, a row for each document; or a FeatureSet alone. Labels that are
            not whole numbers, such as a teacher's scores, train for nDCG, DCG, RBP or "pairwise".
        qid, group
            The topic of each row, in any order; or the number of rows of each topic. A frame may
            have a column `qid` instead. Without any of these, all rows are one list.
        position
            For labels from clicks: the rank at which each document was shown. A bias is learned
            for each position, or `propensity` gives how likely users look at it; neither is used
            in prediction.
        sample_weight
            A weight for each row, or for each list.
        init_score
            Scores to start from, which predictions do not include.
        init_model
            A TreeRanker of the same booster, or the path of its file, to which trees are added.
            With `position`, it has to know its biases.
        eval_set, eval_group, eval_qid
            Held-out sets, each a FeatureSet or (X, y), and what describes their topics.
        eval_sample_weight, eval_init_score
            Weights and first scores of each held-out set.
        progress
            Called with 1 after each tree.
        """
        check_least(1, n_estimators=self.n_estimators)
        own, before = self._own(), model_before(self, init_model)
        rows = self._rows(
            X, y, qid, group, sample_weight, init_score, position=position, training=True
        )
        check_differs(rows.x)
        if before.width is not None:
            check_width(self.n_features_in_, before.width, "init_model")
        held = [
            self._rows(each.x, each.y, each.qid, each.group, each.weight, each.start)
            for each in held_out(
                eval_set, eval_group, eval_qid, eval_sample_weight, eval_init_score
            )
        ]
        graded = [part.grades for part in (rows, *held) if part.grades.dtype.kind == "i"]
        scale = self._scale(np.concatenate([np.zeros(0, np.int64), *graded]))
        chosen = self.trained_for(scale, debiasing_of(self, own, rows, before))
        metrics = [self._metric(measure, scale) for measure in self.eval_measures()]
        watch = Watch(metrics, held, self.early_stopping_rounds, progress)
        self.notes_ = topic_notes(rows.grades, rows.sizes) if len(graded) > len(held) else ()
        rows, more = with_gains(self, own, rows)
        parameters = {**self._parameters(), **more}
        with refusals_explained(self._library().title):
            self.model_ = self._library().train(
                rows, chosen, parameters, self.n_estimators, watch, before.model
            )
        self.scale_ = scale
        self._keep(watch, before.trees)
        self._keep_biases(chosen, watch)
        return self

    def _keep_biases(self, chosen: Objective | str, watch: Watch) -> None:
        """Keep the biases of positions as they were after the last tree that is used."""
        debiasing = None if isinstance(chosen, str) else chosen.debiasing
        self.position_bias_: dict[int, float] | None = None
        if debiasing is not None and debiasing.bias is not None:
            best = watch.best(0) if self.best_iteration_ is not None else None
            self.position_bias_ = debiasing.bias.after(best)

    def _keep(self, watch: Watch, before: int = 0) -> None:
        """Keep what was seen on evaluation sets; there were some trees `before`."""
        self.trees_before_ = before
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
                last = watch.best(0)
                self.best_iteration_ = before + last
            self.best_value_ = watch.history[0][0][last - 1]

    @property
    def curves_(self) -> "pl.DataFrame":
        """Values after each tree, a frame: data, measure, epoch (how many trees) and value."""
        self._check_fitted()
        rows = [
            (data, measure, epoch, value)
            for data, by_measure in self.evals_result_.items()
            for measure, values in by_measure.items()
            for epoch, value in enumerate(values, self.trees_before_ + 1)
        ]
        return pl.DataFrame(rows, schema=["data", "measure", "epoch", "value"], orient="row")

    def best_by(self, measure: MeasureLike) -> tuple[int, float]:
        """Return the iteration at which a measure was best on the first set, and its value."""
        self._check_fitted()
        chosen = self._metric(parse_measure(measure))
        values = np.array(self.evals_result_["validation_0"][chosen.name])
        place = int(np.argmax(values if chosen.measure.higher_is_better else -values))
        return self.trees_before_ + place + 1, float(values[place])

    def predict(self, X: Any, *, iterations: int | None = None) -> Floats:  # noqa: N803
        """Return a score for each row, by the first iterations; by default, up to the best."""
        self._check_fitted()
        x = self._features(topics_in(X, None, None)[0], reset=False)
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
        """Return the mean of a measure over topics.

        By default, it is the first `eval_measure`, or nDCG if there is none: never the objective,
        so that searches compare candidates with different objectives by one measure.
        """
        self._check_fitted()
        rows = self._rows(X, y, qid, group)
        usual = USUAL_MEASURE if self.eval_measure is None else self.eval_measures()[0]
        chosen = parse_measure(usual if measure is None else measure)
        scale = np.union1d(self.scale_, np.unique(rows.grades[rows.grades > 0]))
        scores = self._library().predict(self.model_, rows.x, self.best_iteration_)
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
        content = seal(self._library().dump(self.model_, self.best_iteration_, describe(self)))
        with whole_file(path) as temporary:
            temporary.write_bytes(content)

    def to_search_engine(self) -> str:
        """Return the trees as JSON for the LTR plugins of Elasticsearch and OpenSearch.

        It is what their model type `model/xgboost+json` takes: XGBoost's own dump, or LightGBM's
        trees in that form. Splits name the features, so train on a frame whose columns are named
        like the features of the feature set; without names, they are f0, f1, ... (XGBoost) or
        Column_0, Column_1, ... (LightGBM).
        """
        self._check_fitted()
        return json.dumps(self._library().plain_trees(self.model_, self.best_iteration_))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "TreeRanker":
        """Read trees that `save`, LightGBM (text) or XGBoost (JSON) wrote.

        A file that `save` wrote has to match its checksum. Others are tried in a process of their
        own first, as the libraries do not survive every damaged file.
        """
        if not Path(path).is_file():
            raise InputError(f"{path}: no such file")
        try:
            content = Path(path).read_bytes()
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror})") from None
        name = booster_of_file(content)
        if name is None:
            kinds = " nor ".join(f"{each.title}'s {each.file_format}" for each in BOOSTERS.values())
            raise InputError(f"{path}: is neither {kinds}")
        try:
            check_model(content, name)
            model, about = booster_of(name).parse(content)
            ranker = cls(**{"objective": BUILT_IN, **about.get("parameters", {}), "booster": name})
            restore(ranker, about)
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
        grades = [int(grade) for grade in chosen]
        return metric(measure, grades=grades, seed=self._seed(), n_jobs=self.n_jobs)

    def _scale(self, grades: Ints) -> Ints:
        """Return the positive grades that occur, with those that the objective names."""
        grades, chosen = np.unique(grades), self.trained_for()
        if isinstance(chosen, str) or chosen.measure is None:
            return grades[grades > 0]
        return scale_of(chosen.measure, grades, chosen.grades)

    def _rows(
        self,
        x: Any,
        y: Any,
        qid: Any,
        group: Any,
        weight: Any = None,
        start: Any = None,
        *,
        position: Any = None,
        training: bool = False,
    ) -> Rows:
        """Return checked rows, list after list."""
        if isinstance(x, FeatureSet):
            group, qid = x.sizes, None
        else:
            x, qid, group = topics_in(x, qid, group)
        x, y = self._features_and_grades(x, y, reset=training)
        names = self._names()
        return listed_rows(
            x,
            y,
            qid=qid,
            group=group,
            weight=weight,
            start=start,
            position=position,
            names=None if names is None else tuple(names),
            training=training,
        )
