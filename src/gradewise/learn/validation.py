"""Arrays and frames given to a ranker: checked by scikit-learn, or plainly if it is missing."""

from typing import Any

import numpy as np

from gradewise.errors import InputError


def validate_rows(ranker: Any, x: Any, y: Any, *, reset: bool) -> Any:
    """Return features, and grades if given, as arrays.

    With `reset`, the ranker remembers the number of features and their names; without, both are
    compared with what it remembers.
    """
    try:
        from sklearn.utils.validation import validate_data
    except ImportError:
        return _validate_plainly(ranker, x, y, reset=reset)
    accepted = {
        "reset": reset,
        "accept_sparse": "csr" if ranker._takes_sparse else False,
        "dtype": list(ranker._dtypes),
        # Where missing values are refused, we say which document has one.
        "ensure_all_finite": "allow-nan" if ranker._takes_missing else False,
    }
    return (
        validate_data(ranker, x, **accepted)
        if y is None
        else validate_data(ranker, x, y, **accepted)
    )


def _validate_plainly(ranker: Any, x: Any, y: Any, *, reset: bool) -> Any:
    names = getattr(x, "columns", None)
    if ranker._takes_sparse and hasattr(x, "tocsr"):
        rows = x.tocsr()
    else:
        rows = np.asarray(x)
        rows = rows if rows.dtype in ranker._dtypes else rows.astype(ranker._dtypes[0])
    if rows.ndim != 2 or not rows.shape[0] or not rows.shape[1]:
        raise InputError(f"features must be a table with at least one row, not shape {rows.shape}")
    ranker._check_width(rows.shape[1], reset=reset)
    if reset and names is not None and all(isinstance(name, str) for name in names):
        ranker.feature_names_in_ = np.array(list(names), object)
    if y is None:
        return rows
    grades = np.asarray(y)
    if grades.shape != rows.shape[:1]:
        raise InputError(f"there are {rows.shape[0]} rows of features but {grades.size} grades")
    return rows, grades
