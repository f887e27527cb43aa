"""What both rankers share: the conventions of scikit-learn.

scikit-learn takes seconds to import and need not be installed, so that it is imported where its
tools ask for something of theirs, and where arrays or frames are to be checked.
"""

import inspect
import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from gradewise.errors import GradewiseError, OptionError, did_you_mean
from gradewise.learn.features import FeatureSet, check_width
from gradewise.learn.validation import validate_rows

if TYPE_CHECKING:

    class NotFittedError(GradewiseError):
        """A ranker is used before it is trained."""


USUAL_MEASURE = "nDCG"  # evaluates where no measure is named
QID = "qid"  # a column of frames that is no feature
_TOPICS = ("qid", "group")  # what scikit-learn may be asked to hand on, besides weights


class Ranker:
    """An estimator whose rows are the documents of topics.

    Topics are given by `group` (the number of rows of each), by `qid` (the topic of each row) or by
    a column `qid` of a frame; without any of these, all rows are one list, with a warning.
    """

    _takes_missing = False
    _takes_sparse = False
    _dtypes: tuple[Any, ...] = (np.float32,)
    _routed: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "fit": _TOPICS,
        "predict": _TOPICS,
        "score": _TOPICS,
    }
    random_state: int | None
    feature_names_in_: Any

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        """Return the parameters, those that are handed on to a base class among them."""
        makers = [each for each in cls.__mro__[-2::-1] if "__init__" in vars(each)]
        given = [one for each in makers for one in inspect.signature(each).parameters.values()]
        rest = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        return {one.name: one.default for one in given if one.kind not in rest}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name."""
        return {name: getattr(self, name) for name in self._defaults()}

    def set_params(self, **values: Any) -> Self:
        """Set parameters by name; an unknown name is an error that suggests the nearest one."""
        known = self._defaults()
        for name, value in values.items():
            if name not in known:
                hint = did_you_mean(name, known)
                raise OptionError(f"{type(self).__name__} has no parameter {name!r}{hint}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        usual = self._defaults()
        shown = [
            f"{name}={value!r}"
            for name, value in sorted(self.get_params().items())
            if name not in usual or repr(value) != repr(usual[name])
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    def __sklearn_tags__(self) -> Any:
        """Declare that grades are required, and which features are accepted."""
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=True),
            input_tags=InputTags(allow_nan=self._takes_missing, sparse=self._takes_sparse),
        )

    def __sklearn_is_fitted__(self) -> bool:
        """Return whether the ranker is trained."""
        return hasattr(self, "scale_")

    def set_fit_request(self, **requests: bool | str | None) -> Self:
        """Say which of qid, group, ... scikit-learn's tools are to hand on to `fit`."""
        return self._request("fit", requests)

    def set_predict_request(self, **requests: bool | str | None) -> Self:
        """Say which of qid, group, ... scikit-learn's tools are to hand on to `predict`."""
        return self._request("predict", requests)

    def set_score_request(self, **requests: bool | str | None) -> Self:
        """Say which of qid, group, ... scikit-learn's tools are to hand on to `score`."""
        return self._request("score", requests)

    def _request(self, method: str, requests: dict[str, bool | str | None]) -> Self:
        routing = self.get_metadata_routing()
        for name, alias in requests.items():
            if name not in self._routed[method]:
                hint = did_you_mean(name, self._routed[method])
                raise OptionError(f"{method} takes no {name!r} from scikit-learn's tools{hint}")
            getattr(routing, method).add_request(param=name, alias=alias)
        self._metadata_request = routing  # under the name that `clone` copies
        return self

    def get_metadata_routing(self) -> Any:
        """Return what scikit-learn's tools are to hand on to which method."""
        if hasattr(self, "_metadata_request"):
            return self._metadata_request
        from sklearn.utils.metadata_routing import MetadataRequest

        routing = MetadataRequest(owner=self)
        for method, names in self._routed.items():
            for name in names:
                getattr(routing, method).add_request(param=name, alias=None)
        return routing

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            sentence = f"this {type(self).__name__} is not trained yet; call fit first"
            raise not_fitted_error()(sentence)

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
        return validate_rows(self, x, None, reset=reset)

    def _features_and_grades(self, x: Any, y: Any, *, reset: bool) -> tuple[Any, Any]:
        if isinstance(x, FeatureSet):
            return self._features(x, reset=reset), x.grades
        if y is None:
            raise OptionError(  # in the words that scikit-learn's checks look for
                f"{type(self).__name__} requires y to be passed, but the target y is None: give "
                "the grades along with the features, or a FeatureSet"
            )
        x, y = validate_rows(self, x, y, reset=reset)
        return x, y

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


@cache
def not_fitted_error() -> type[GradewiseError]:
    """Return the error for rankers that are not trained: scikit-learn's own too, if installed."""
    try:
        from sklearn.exceptions import NotFittedError as Base
    except ImportError:
        Base = AttributeError  # noqa: N806
    doc = "A ranker is used before it is trained."
    return type("NotFittedError", (GradewiseError, Base), {"__doc__": doc, "__module__": __name__})


def __getattr__(name: str) -> Any:
    if name == "NotFittedError":
        return not_fitted_error()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class HeldOut(NamedTuple):
    """An evaluation set: rows, what describes their topics, their weights and first scores."""

    x: Any
    y: Any
    group: Any
    qid: Any
    weight: Any = None
    start: Any = None


def held_out(
    sets: Any,
    groups: Sequence[Any] | None,
    qids: Sequence[Any] | None,
    weights: Sequence[Any] | None = None,
    starts: Sequence[Any] | None = None,
) -> list[HeldOut]:
    """Return each evaluation set with what belongs to it."""
    given = [] if sets is None else [sets] if isinstance(sets, FeatureSet) else list(sets)
    named = {"eval_group": groups, "eval_qid": qids}
    named |= {"eval_sample_weight": weights, "eval_init_score": starts}
    for name, each in named.items():
        if each is not None and len(each) != len(given):
            raise OptionError(f"{name} describes {len(each)} sets, but eval_set has {len(given)}")
    found = []
    for n, part in enumerate(given):
        x, y = (part, None) if isinstance(part, FeatureSet) else part
        found.append(HeldOut(x, y, *[None if each is None else each[n] for each in named.values()]))
    return found


def topics_in(x: Any, qid: Any, group: Any) -> tuple[Any, Any, Any]:
    """Return features, qid and group; a frame's column `qid` gives the topics, as for XGBRanker."""
    columns = getattr(x, "columns", None)
    if columns is None or QID not in list(columns):
        return x, qid, group
    if qid is not None or group is not None:
        raise OptionError(
            f"topics are given twice: by the column {QID!r} of X, and by "
            f"{'qid' if group is None else 'group'}; leave one of them out"
        )
    rest = [name for name in columns if name != QID]
    return x[rest], np.asarray(x[QID]), None


def warn_of_one_list(rows: int) -> None:
    """Warn that all rows are one list: scikit-learn's tools leave topics behind in silence."""
    warnings.warn(
        f"no topics were given, so all {rows} rows are ranked as one list; give group, qid or a "
        f"frame with a column {QID!r} (scikit-learn's tools pass qid on only if it is routed)",
        UserWarning,
        stacklevel=3,
    )
