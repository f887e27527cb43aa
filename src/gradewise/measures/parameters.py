"""The parameters of measures: one meaning, one check and one spelling for each name."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from gradewise.errors import MeasureError

EQUAL: Final = "equal"
# What users give. Measures keep sequences and dictionaries as tuples, which can be hashed:
# numbers in the order of grades, or (grade, number) pairs.
Pairs = tuple[tuple[int, float], ...]
Thresholds = Sequence[float] | Mapping[int, float] | Pairs | Literal["equal"]
Gains = Mapping[int, float] | Pairs | Literal["linear", "exp"] | None
Dcg = Literal["log2", "exp-log2", "jk"]
Norm = Literal["R", "min(k,R)"]


@dataclass(frozen=True)
class Parameter:
    """A parameter by name: what it means, and how a value is checked and brought to one form."""

    meaning: str
    check: Callable[[Any], Any]


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise MeasureError(f"must be a number, not {value!r}")
    return value


def _whole(lowest: int) -> Callable[[Any], int]:
    def check(value: Any) -> int:
        if _number(value) != int(value) or value < lowest:
            raise MeasureError(f"must be a whole number, at least {lowest}, not {value!r}")
        return int(value)

    return check


def _above(low: float) -> Callable[[Any], float]:
    def check(value: Any) -> float:
        if _number(value) <= low:
            raise MeasureError(f"must be above {low}, not {value!r}")
        return float(value)

    return check


def _optional(check: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else check(value)


def _choice(*choices: str, also: Mapping[str, str] | None = None) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        value = (also or {}).get(value, value)
        if value not in choices:
            raise MeasureError(f"must be one of {', '.join(map(repr, choices))}, not {value!r}")
        return str(value)

    return check


def _persistence(value: Any) -> float:
    if not 0 < _number(value) < 1:
        raise MeasureError(f"must lie between 0 and 1, not {value!r}")
    return float(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise MeasureError(f"must be True or False, not {value!r}")
    return value


def _pairs(value: Mapping[Any, Any] | Sequence[Any]) -> Pairs:
    items = value.items() if isinstance(value, Mapping) else value
    pairs = tuple(sorted((_whole(-(2**31))(grade), _number(number)) for grade, number in items))
    if any(grade < 1 for grade, _ in pairs):
        raise MeasureError(f"names grade {pairs[0][0]}; only positive grades can be named")
    if len({grade for grade, _ in pairs}) < len(pairs):
        raise MeasureError("names a grade twice")
    return pairs


def _thresholds(value: Any) -> Thresholds:
    if value is None or value == EQUAL:
        return EQUAL
    if isinstance(value, Mapping) or _is_pairs(value):
        pairs = _pairs(value)
        _check_probabilities([number for _, number in pairs])
        return pairs
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise MeasureError(f"must be a list or a dict of probabilities, not {value!r}")
    numbers = tuple(float(_number(number)) for number in value)
    _check_probabilities(numbers)
    return numbers


def _is_pairs(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and isinstance(value[0], tuple)


def _check_probabilities(numbers: Sequence[float]) -> None:
    if any(number < 0 for number in numbers):
        raise MeasureError(f"has the negative probability {min(numbers)}")
    if abs(math.fsum(numbers) - 1) > 1e-9:
        raise MeasureError(f"must sum to 1; its probabilities sum to {math.fsum(numbers):.6g}")


def _gains(value: Any) -> Gains:
    if value is None or value in ("linear", "exp"):
        return value
    if not isinstance(value, Mapping) and not _is_pairs(value):
        raise MeasureError(f"must be a dict {{grade: gain}}, 'linear' or 'exp', not {value!r}")
    pairs = _pairs(value)
    if any(gain < 0 for _, gain in pairs):
        raise MeasureError("has a negative gain")
    return pairs or None


def _recalls(value: Any) -> tuple[float, ...]:
    numbers = tuple(float(_number(number)) for number in value)
    if not numbers or any(not 0 <= number <= 1 for number in numbers):
        raise MeasureError(f"must be recall levels between 0 and 1, not {value!r}")
    return numbers


def _weights(value: Any) -> tuple[float, ...]:
    numbers = tuple(float(_number(number)) for number in value)
    if len(numbers) != 4:
        raise MeasureError(f"must be 4 numbers, not {len(numbers)}")
    return numbers


PARAMETERS = {
    "rel": Parameter("the lowest grade that counts as relevant", _whole(1)),
    "judged_only": Parameter("drop unjudged documents from the list before scoring", _flag),
    "g": Parameter(
        "threshold probabilities: the share of users who draw the line at each positive grade of "
        "the qrels, ascending, or a dict by grade; 'equal' if not given",
        _thresholds,
    ),
    "gains": Parameter(
        "the gain of each grade, {grade: gain}; grades not named keep the usual gain; "
        "'linear' is the grade itself and 'exp' is 2^grade - 1",
        _gains,
    ),
    "norm": Parameter(
        "what the sum is divided by: 'R', the number of relevant documents, or 'min(k,R)'",
        _choice(*get_args(Norm), also={"min": "min(k,R)"}),
    ),
    "beta": Parameter("how much the second part weighs", _above(0)),
    "p": Parameter("persistence: how likely a user goes on to the next document", _persistence),
    "dcg": Parameter(
        "'log2': gain = grade, discount 1/log2(n+1); 'exp-log2': gain = 2^grade - 1, same "
        "discount; 'jk': gain = grade, discount 1 above rank b, then 1/log_b(n)",
        _choice(*get_args(Dcg)),
    ),
    "b": Parameter(
        "the base of the logarithm, a rank above which nothing is discounted", _above(1)
    ),
    "max_grade": Parameter(
        "the highest grade of the scale; the highest of the qrels if not given",
        _optional(_whole(1)),
    ),
    "size": Parameter("how many documents the collection has", _optional(_whole(0))),
    "mult": Parameter("the multiple of R at which precision is taken", _above(0)),
    "recalls": Parameter("the recall levels to average over", _recalls),
    "weights": Parameter(
        "what a document is worth that is relevant retrieved, not relevant retrieved, relevant "
        "missed, not relevant missed",
        _weights,
    ),
}


def as_literal(value: Any) -> str:
    """Write a parameter's value as the grammar reads it."""
    if _is_pairs(value):
        return "{" + ",".join(f"{grade}:{number!r}" for grade, number in value) + "}"
    if isinstance(value, tuple):
        return "[" + ",".join(map(repr, value)) + "]"
    return repr(value)
