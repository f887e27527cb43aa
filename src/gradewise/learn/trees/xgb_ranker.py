"""XGBRanker that trains for any measure; what it saves, a plain XGBRanker loads.

XGBoost's own class refuses functions as objectives; its `train` takes them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradewise.errors import InputError, MissingDependencyError
from gradewise.learn.estimator import USUAL_MEASURE, held_out, topics_in, warn_of_one_list
from gradewise.learn.features import topics_of
from gradewise.learn.positions import Debiasing, Propensity, checked_positions
from gradewise.learn.trees.boosters import is_own
from gradewise.learn.trees.metric import Metric, metric
from gradewise.learn.trees.objective import Objective, objective
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.measures.measure import Measure

try:
    import xgboost
except ImportError:
    raise MissingDependencyError("xgboost", "boost", "training trees") from None

xgb: Any = xgboost
Base: Any = xgboost.XGBRanker
_NAMED = "rank:ndcg"  # what files name, since a plain XGBRanker knows only XGBoost's objectives
_USUAL_RATE = 0.3


class XGBRanker(Base):  # type: ignore[misc]
    """XGBoost's XGBRanker, whose `objective` may be any measure.

    Parameters are those of `xgboost.XGBRanker`, under their own names. `objective` is a measure,
    "pairwise" or an object of `gw.learn.objective`; with one of XGBoost's own ("rank:ndcg", ...),
    it is that class and nothing else. `eval_metric` is a measure; by default, the objective. Rows
    may come in any order. `save_model` writes a file that `xgboost.XGBRanker().load_model` reads.

    Parameters
    ----------
    objective
        The measure to train for.
    propensity, bias_regularization
        For labels from clicks: as for `gw.learn.objective`.
    options
        Parameters of xgboost.XGBRanker.

    Examples
    --------
    >>> import gradewise as gw
    >>> data = gw.simulate.features(20, 10, 10)
    >>> ranker = gw.learn.XGBRanker(objective="GAP", n_estimators=3, n_jobs=1)
    >>> ranker.fit(data.features, data.grades, group=data.sizes).predict(data.features).shape
    (208,)
    """

    def __init__(
        self,
        *,
        objective: MeasureLike | Objective = "GAP",
        propensity: Propensity = None,
        bias_regularization: float = 0.0,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.objective = objective
        self.propensity = propensity
        self.bias_regularization = bias_regularization

    def get_xgb_params(self) -> dict[str, Any]:
        """Return the parameters as XGBoost takes them, which knows no measures."""
        given: dict[str, Any] = super().get_xgb_params()
        for name in ("propensity", "bias_regularization"):
            given.pop(name, None)
        if not is_own(self.objective):
            given["objective"] = _NAMED
            given.pop("eval_metric", None)
            given["disable_default_eval_metric"] = True
        return given

    def fit(
        self,
        X: Any,  # noqa: N803 - as in scikit-learn
        y: Any,
        *,
        group: Any = None,
        qid: Any = None,
        position: Any = None,
        sample_weight: Any = None,
        base_margin: Any = None,
        eval_set: Any = None,
        eval_group: Sequence[Any] | None = None,
        eval_qid: Sequence[Any] | None = None,
        verbose: bool | int | None = False,
        xgb_model: Any = None,
        sample_weight_eval_set: Sequence[Any] | None = None,
        base_margin_eval_set: Sequence[Any] | None = None,
        feature_weights: Any = None,
    ) -> "XGBRanker":
        """Grow trees; the parameters are those of xgboost.XGBRanker, and `position`.

        Parameters
        ----------
        position
            For labels from clicks: the rank at which each document was shown.
        """
        if is_own(self.objective):
            given = {"group": group, "qid": qid, "sample_weight": sample_weight}
            given |= {"base_margin": base_margin, "eval_set": eval_set, "verbose": verbose}
            given |= {"eval_group": eval_group, "eval_qid": eval_qid, "xgb_model": xgb_model}
            given |= {"sample_weight_eval_set": sample_weight_eval_set}
            given |= {"base_margin_eval_set": base_margin_eval_set}
            super().fit(X, y, feature_weights=feature_weights, **given)
            return self
        data, order = self._matrix(X, y, qid, group, sample_weight, base_margin)
        if feature_weights is not None:
            data.set_info(feature_weights=feature_weights)
        sets = held_out(
            eval_set, eval_group, eval_qid, sample_weight_eval_set, base_margin_eval_set
        )
        evals = [
            (self._matrix(e.x, e.y, e.qid, e.group, e.weight, e.start)[0], f"validation_{n}")
            for n, e in enumerate(sets)
        ]
        trained = self._trained_for(position, order, data.num_row())
        watched = self._metric(trained.measure)
        seen: dict[str, Any] = {}
        model = xgb_model.get_booster() if hasattr(xgb_model, "get_booster") else xgb_model
        self._Booster = xgb.train(
            self.get_xgb_params(),
            data,
            self.get_num_boosting_rounds(),
            obj=trained,
            custom_metric=watched if evals else None,
            maximize=watched.measure.higher_is_better if evals else None,
            evals=evals,
            evals_result=seen,
            early_stopping_rounds=self.early_stopping_rounds,
            verbose_eval=verbose,
            xgb_model=model,
            callbacks=self.callbacks,
        )
        if seen:
            self.evals_result_ = seen
        self.position_bias_ = trained.position_bias
        return self

    def _trained_for(self, position: Any, order: Any, rows: int) -> Objective:
        """Return the objective before training, with the positions of rows if there are any."""
        debiasing = None
        if position is not None:
            places = checked_positions(position, rows)
            debiasing = Debiasing(
                places if order is None else places[order],
                propensity=self.propensity,
                rate=_USUAL_RATE if self.learning_rate is None else self.learning_rate,
                regularization=self.bias_regularization,
            )
        given = self.objective
        scaled = self.propensity is None
        made = (
            given if isinstance(given, Objective) else objective(given, normalize_gradients=scaled)
        )
        return made.fresh(debiasing, self.n_jobs)

    def score(
        self,
        X: Any,  # noqa: N803
        y: Any,
        *,
        qid: Any = None,
        group: Any = None,
        measure: MeasureLike | None = None,
    ) -> float:
        """Return the mean of a measure over topics; by default, `eval_metric`, or nDCG."""
        data, order = self._matrix(X, y, qid, group, None, None)
        scores = self.predict(X, output_margin=True)
        scores = scores if order is None else scores[order]
        found = self._metric(parse_measure(USUAL_MEASURE if measure is None else measure), measure)
        return float(found(scores, data)[1])

    def _metric(self, usual: Measure | None, chosen: MeasureLike | None = None) -> Metric:
        given = self.eval_metric if chosen is None else chosen
        if given is None:
            given = USUAL_MEASURE if usual is None else usual
        return metric(given, n_jobs=self.n_jobs)

    def _matrix(
        self, x: Any, y: Any, qid: Any, group: Any, weight: Any, start: Any
    ) -> tuple[Any, Any]:
        """Return rows as XGBoost takes them, list after list, and their order if it changed."""
        x, qid, group = topics_in(x, qid, group)
        labels = np.asarray(y, np.float64)
        if group is None and qid is None:
            warn_of_one_list(len(labels))
            group = [len(labels)]
        _, sizes, order = topics_of(group, qid, len(labels))
        if len(labels) != len(x):
            raise InputError(f"there are {len(x)} rows of features but {len(labels)} labels")
        if order is not None:
            x = x.iloc[order] if hasattr(x, "iloc") else x[order]
            labels = labels[order]
            start = None if start is None else np.asarray(start)[order]
        matrix = xgb.DMatrix(
            x,
            labels,
            group=sizes,
            weight=weight,
            base_margin=start,
            missing=self.missing,
            nthread=self.n_jobs,
            feature_types=self.feature_types,
            enable_categorical=self.enable_categorical,
        )
        return matrix, order
