"""What both rankers share: scikit-learn's conventions, kept also where it is not installed."""

import inspect
from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np

from gradewise.errors import GradewiseError, OptionError, did_you_mean
from gradewise.learn.features import FeatureSet, check_width

try:
    from sklearn.base import BaseEstimator
    from sklearn.exceptions import NotFittedError as _NotFittedError
    from sklearn.utils.validation import validate_data
except ImportError:
    from gradewise.learn.plain_estimator import BaseEstimator, validate_data
    from gradewise.learn.plain_estimator import NotFittedError as _NotFittedError


class NotFittedError(GradewiseError, _NotFittedError):  # type: ignore[misc]
    """A ranker is used before it is trained; also scikit-learn's NotFittedError, if installed."""


class Ranker(BaseEstimator):  # type: ignore[misc]
    """An estimator whose rows are the documents of topics.

    Topics are given by `group` (the number of rows of each) or by `qid` (the topic of each row);
    without either, all rows are one list.
    """

    _takes_missing = False
    _takes_sparse = False
    _dtypes: tuple[Any, ...] = (np.float32,)
    random_state: int | None

    def set_params(self, **values: Any) -> Self:
        """Set parameters by name; an unknown name is an error that suggests the nearest one."""
        self._check_names(values, self.get_params(deep=False))
        for name, value in values.items():
            setattr(self, name, value)
        return self

    def _check_names(self, names: Iterable[str], known: Iterable[str]) -> None:
        known = sorted(known)
        for name in names:
            if name not in known:
                hint = did_you_mean(name, known)
                raise OptionError(f"{type(self).__name__} has no parameter {name!r}{hint}")

    def __repr__(self) -> str:
        usual = inspect.signature(type(self)).parameters
        shown = [
            f"{name}={value!r}"
            for name, value in sorted(self.get_params(deep=False).items())
            if name not in usual or repr(value) != repr(usual[name].default)
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    def __sklearn_tags__(self) -> Any:
        """Declare that grades are required, and which features are accepted."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan, tags.input_tags.sparse = self._takes_missing, self._takes_sparse
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        """Return whether the ranker is trained."""
        return hasattr(self, "scale_")

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(f"this {type(self).__name__} is not trained yet; call fit first")

    def _seed(self) -> int:
        given = 0 if self.random_state is None else self.random_state
        if not isinstance(given, (int, np.integer)) or given < 0:
            raise OptionError(f"random_state must be a whole number of 0 or more, not {given!r}")
        return int(given)

    def _features(self, x: Any, *, reset: bool) -> Any:
        """Return checked features; `reset` where the ranker is to learn what they are."""
        if isinstance(x, FeatureSet):
            self._check_width(x.width, reset=reset)
            return x.features
        return validate_data(self, x, reset=reset, **self._accepted)

    def _features_and_grades(self, x: Any, y: Any, *, reset: bool) -> tuple[Any, Any]:
        if isinstance(x, FeatureSet):
            return self._features(x, reset=reset), x.grades
        if y is None:
            raise OptionError(  # in the words that scikit-learn's checks look for
                f"{type(self).__name__} requires y to be passed, but the target y is None: give "
                "the grades along with the features, or a FeatureSet"
            )
        x, y = validate_data(self, x, y, reset=reset, **self._accepted)
        return x, y

    @property
    def _accepted(self) -> dict[str, Any]:
        return {
            "accept_sparse": "csr" if self._takes_sparse else False,
            "dtype": list(self._dtypes),
            "ensure_all_finite": "allow-nan" if self._takes_missing else False,  # checked by us
        }

    def _names(self) -> list[str] | None:
        """Return the names of the features as JSON can hold them; None if they have none."""
        named = getattr(self, "feature_names_in_", None)
        return None if named is None else [str(name) for name in named]

    def _check_width(self, width: int, *, reset: bool = False) -> None:
        if reset:
            self.n_features_in_ = width
            if hasattr(self, "feature_names_in_"):
                del self.feature_names_in_
        else:
            check_width(width, self.n_features_in_, type(self).__name__)


def held_out(
    sets: Any, groups: Sequence[Any] | None, qids: Sequence[Any] | None
) -> list[tuple[Any, Any, Any, Any]]:
    """Return (X, y, group, qid) of each evaluation set."""
    given = [] if sets is None else [sets] if isinstance(sets, FeatureSet) else list(sets)
    for name, each in (("eval_group", groups), ("eval_qid", qids)):
        if each is not None and len(each) != len(given):
            raise OptionError(f"{name} describes {len(each)} sets, but eval_set has {len(given)}")
    found = []
    for n, part in enumerate(given):
        x, y = (part, None) if isinstance(part, FeatureSet) else part
        found.append(
            (x, y, None if groups is None else groups[n], None if qids is None else qids[n])
        )
    return found
