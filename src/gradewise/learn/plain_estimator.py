"""As much of scikit-learn's estimators as rankers need, for where it is not installed."""

import inspect
from typing import Any

import numpy as np

from gradewise.errors import InputError


class NotFittedError(ValueError, AttributeError):
    """A ranker is used before it is trained."""


class BaseEstimator:
    """Parameters by name."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name."""
        given = inspect.signature(type(self)).parameters.values()
        return {
            each.name: getattr(self, each.name) for each in given if each.kind != each.VAR_KEYWORD
        }


def validate_data(
    estimator: Any,
    x: Any,
    y: Any = None,
    *,
    reset: bool,
    accept_sparse: Any,
    dtype: list[Any],
    ensure_all_finite: Any,
) -> Any:
    """Return features, and grades if given, as arrays; remember or check what the features are."""
    names = getattr(x, "columns", None)
    if accept_sparse and hasattr(x, "tocsr"):
        rows = x.tocsr()
    else:
        rows = np.asarray(x)
        rows = rows if rows.dtype in dtype else rows.astype(dtype[0])
    if rows.ndim != 2 or not rows.shape[0] or not rows.shape[1]:
        raise InputError(f"features must be a table that is not empty, not of shape {rows.shape}")
    estimator._check_width(rows.shape[1], reset=reset)
    if reset and names is not None and all(isinstance(name, str) for name in names):
        estimator.feature_names_in_ = np.array(list(names), object)
    if y is None:
        return rows
    grades = np.asarray(y)
    if grades.shape != rows.shape[:1]:
        raise InputError(f"there are {rows.shape[0]} rows of features and {grades.size} grades")
    return rows, grades
