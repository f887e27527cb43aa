"""Measures as scorers of scikit-learn, whose rows are documents and whose groups are topics."""

import inspect
from typing import Any, Self

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import InputError, OptionError, did_you_mean
from gradewise.learn.features import topics_of
from gradewise.learn.objectives import Grades
from gradewise.learn.trees.metric import metric
from gradewise.measures.grammar import MeasureLike, parse_measure


def scorer(
    measure: MeasureLike, *, column: str | int | None = None, grades: Grades = None, seed: int = 0
) -> "Scorer":
    """Return a scorer for `cross_val_score`, `GridSearchCV` and others: the mean over topics.

    The topic of each row is what scikit-learn calls its group. It reaches a scorer by metadata
    routing: call `sklearn.set_config(enable_metadata_routing=True)` and pass
    `params={"groups": ...}`. Without routing, name the column of X that holds it.

    Parameters
    ----------
    measure
        Any measure. Where lower is better, scores are negative, as scikit-learn expects.
    column
        The name of a column of X, or its position, that holds the topic of each row.
    grades
        The positive grades of the scale, or how many there are, if a fold may lack one. By
        default, those that occur, or those that g gives.
    seed
        Seed of the order of documents with equal scores, which is random: rows are often ordered
        by grade.

    Examples
    --------
    >>> import gradewise as gw
    >>> import numpy as np
    >>> class ByFirstFeature:
    ...     def predict(self, X):
    ...         return X[:, 0]
    >>> x, y = np.array([[0.9], [0.1], [0.5], [0.7]]), np.array([1, 0, 1, 0])
    >>> gw.scorer("RR")(ByFirstFeature(), x, y, groups=["one", "one", "two", "two"])
    0.75
    """
    return Scorer(measure, column=column, grades=grades, seed=seed)


class Scorer:
    """A measure that scores estimators; see `scorer` for the parameters."""

    def __init__(
        self,
        measure: MeasureLike,
        *,
        column: str | int | None = None,
        grades: Grades = None,
        seed: int = 0,
    ):
        self.measure, self.column = parse_measure(measure), column
        self.metric = metric(self.measure, grades=grades, seed=seed)
        self.requested: bool | str = column is None

    def __call__(
        self,
        estimator: Any,
        X: Any,  # noqa: N803 - as in scikit-learn
        y: Any,
        *,
        groups: Any = None,
    ) -> float:
        """Return the mean of the measure over the topics of the rows."""
        topics = self._topics(X, groups)
        scores, labels = _response(estimator, X, topics), np.asarray(y)
        _, sizes, order = topics_of(None, topics, len(labels))
        if len(scores) != len(labels):
            raise InputError(f"there are {len(labels)} rows, but the estimator gives {len(scores)}")
        if order is not None:
            scores, labels = scores[order], labels[order]
        value = self.metric(labels, scores, None, sizes)[1]
        return value if self.measure.higher_is_better else -value

    def _topics(self, x: Any, groups: Any) -> Any:
        if groups is not None:
            return groups
        if self.column is not None:
            return _column(x, self.column)
        raise OptionError(
            f"{self} needs the topic of each row: call "
            "sklearn.set_config(enable_metadata_routing=True) and pass params={'groups': ...} "
            "(GridSearchCV.fit(..., groups=...)), or name the column of X that holds it with "
            "gw.scorer(..., column=...)"
        )

    def set_score_request(self, *, groups: bool | str) -> Self:
        """Say whether scikit-learn's tools are to pass groups, or under which other name."""
        self.requested = groups
        return self

    def get_metadata_routing(self) -> Any:
        """Return what scikit-learn's tools are to pass."""
        from sklearn.utils.metadata_routing import MetadataRequest

        routing = MetadataRequest(owner=self)
        routing.score.add_request(param="groups", alias=self.requested)
        return routing

    def __repr__(self) -> str:
        return f"scorer({str(self.measure)!r})"


def _response(estimator: Any, x: Any, topics: Any) -> Floats:
    """Return what rows are ranked by.

    That is the expected grade where an estimator gives the probability of each, else its decision
    function, else what it predicts.
    """
    if hasattr(estimator, "predict_proba"):
        return np.asarray(estimator.predict_proba(x), np.float64) @ _classes(estimator)
    if hasattr(estimator, "decision_function"):
        found = np.asarray(estimator.decision_function(x), np.float64)
        if found.ndim == 1:
            return found
    takes_topics = "qid" in inspect.signature(estimator.predict).parameters
    predicted = estimator.predict(x, qid=topics) if takes_topics else estimator.predict(x)
    return np.asarray(predicted, np.float64).ravel()


def _classes(estimator: Any) -> Floats:
    try:
        return np.asarray(estimator.classes_).astype(np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"the classes of the estimator are not grades: {list(estimator.classes_)[:5]}"
        ) from None


def _column(x: Any, column: str | int) -> Any:
    names = getattr(x, "columns", None)
    if isinstance(column, str):
        if names is None:
            raise InputError(f"X has no columns by name; give the position of {column!r}")
        if column not in list(names):
            hint = did_you_mean(column, map(str, names))
            raise InputError(f"X has no column {column!r}{hint}")
        return np.asarray(x[column])
    return np.asarray(x[names[column]] if names is not None else x[:, column])
