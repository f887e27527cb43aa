"""The parameters of measures: one meaning, one check and one spelling for each name."""

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from gradewise.errors import MeasureError, did_you_mean
from gradewise.measures.gains import ALSO_CALLED, GAIN_RULES
from gradewise.measures.presets import MARK, PRESETS
from gradewise.measures.users import EXPECTED, USERS, Continuation

EQUAL: Final = "equal"
LARGEST_WHOLE: Final = 2**53 - 1  # beyond, numbers are not exact
# Nobody means numbers beyond these, and with them products would leave the doubles.
_SMALLEST, _LARGEST = 1e-30, 1e30
_HIGHEST = sys.float_info.max
# What users give. Measures keep sequences and dictionaries as tuples, which can be hashed:
# numbers in the order of grades, or (grade, number) pairs.
Pairs = tuple[tuple[int, float], ...]
Thresholds = Sequence[float] | Mapping[int, float] | Pairs | Literal["equal"]
Gains = Mapping[int, float] | Pairs | str | None
Dcg = Literal["log2", "exp-log2", "linear", "jk"]
Norm = Literal["R", "min(k,R)"]
UserLike = str | Continuation
Expected = Literal["rate", "total", "items"]


@dataclass(frozen=True)
class Parameter:
    """A parameter by name: what it means, and how a value is checked and brought to one form.

    `words` tells that a value can be a word, which the grammar also reads without quotes.
    """

    meaning: str
    check: Callable[[Any], Any]
    words: bool = False


def _finite(value: Any) -> float:
    known = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not known or not -_HIGHEST <= value <= _HIGHEST:
        raise MeasureError(f"must be a number, not {_shown(value)}")
    return value


def _number(value: Any) -> float:
    _finite(value)
    if abs(value) > _LARGEST or 0 < abs(value) < _SMALLEST:
        raise MeasureError(
            f"must be 0 or between {_SMALLEST:g} and {_LARGEST:g} in size, not {_shown(value)}"
        )
    return value


def _shown(value: Any) -> str:
    """Return a value as a message shows it; Python itself refuses to write out huge numbers."""
    if isinstance(value, int) and abs(value) > 10**20:
        return "a number of more than 20 digits"
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:97]}..."


def _whole(lowest: int) -> Callable[[Any], int]:
    def check(value: Any) -> int:
        if _number(value) != int(value) or not lowest <= value <= LARGEST_WHOLE:
            raise MeasureError(
                f"must be a whole number, at least {lowest} and at most {LARGEST_WHOLE}, not "
                f"{_shown(value)}"
                if value > lowest
                else f"must be a whole number, at least {lowest}, not {_shown(value)}"
            )
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
        chosen = (also or {}).get(value, value) if isinstance(value, str) else value
        if chosen not in choices:
            raise MeasureError(
                f"must be one of {', '.join(map(repr, choices))}, not {value!r}"
                f"{did_you_mean(str(value), choices)}"
            )
        return str(chosen)

    return check


def _persistence(value: Any) -> float:
    if not 0 < _number(value) < 1:
        raise MeasureError(f"must be between 0 and 1, not {value!r}")
    return float(value)


def _share(value: Any) -> float:
    if not 0 <= _number(value) <= 1:
        raise MeasureError(f"must be between 0 and 1, not {value!r}")
    return float(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise MeasureError(f"must be True or False, not {value!r}")
    return value


def _pairs(
    value: Mapping[Any, Any] | Sequence[Any], check: Callable[[Any], float] = _number
) -> Pairs:
    items = value.items() if isinstance(value, Mapping) else value
    pairs = tuple(sorted((_whole(-(2**31))(grade), check(number)) for grade, number in items))
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
    value = _unquoted(value)
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise MeasureError(f"must be a list or a dict of probabilities, not {value!r}")
    numbers = tuple(float(_number(number)) for number in value)
    _check_probabilities(numbers)
    return numbers


def _unquoted(value: Any) -> Any:
    """Return the numbers of a text such as "0.5,0.5", which other tools can pass where no list is.

    Anything else is returned as it is.
    """
    try:
        return [float(part) for part in value.split(",")] if isinstance(value, str) else value
    except ValueError:
        return value


def _is_pairs(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and isinstance(value[0], tuple)


def _check_probabilities(numbers: Sequence[float]) -> None:
    if any(number < 0 for number in numbers):
        raise MeasureError(f"has the negative probability {min(numbers)}")
    if abs(math.fsum(numbers) - 1) > 1e-9:
        raise MeasureError(f"must sum to 1; its probabilities sum to {math.fsum(numbers):.6g}")


def _gains(value: Any) -> Gains:
    if value is None or isinstance(value, str):
        return value if value is None else _gain_rule(value)
    if not isinstance(value, Mapping) and not _is_pairs(value):
        raise MeasureError(
            f"must be a dict {{grade: gain}}, 'linear', 'exp' or a preset such as 'trec-web', not "
            f"{value!r}"
        )
    if isinstance(value, Mapping):  # what is not relevant has no gain, which people also write
        value = {grade: gain for grade, gain in value.items() if (grade, gain) != (0, 0)}
    pairs = _pairs(value, _finite)  # gains can be as high as 2^1000; sums of them are checked
    if any(gain < 0 for _, gain in pairs):
        raise MeasureError("has a negative gain")
    return pairs or None


def _gain_rule(name: str) -> Any:
    """Return the rule that a name stands for: its own, another one, or that of a track."""
    track = PRESETS.get(name.removeprefix(MARK).lower())
    rule = ALSO_CALLED.get(name, name) if track is None else track.gains
    if rule not in GAIN_RULES:
        known = [*GAIN_RULES, *ALSO_CALLED, *PRESETS]
        raise MeasureError(
            f"must be a dict {{grade: gain}}, {', '.join(map(repr, GAIN_RULES))} or a preset such "
            f"as 'trec-web', not {name!r}{did_you_mean(name, known)}"
        )
    return rule


def _user(value: Any) -> UserLike:
    return value if callable(value) else _choice(*USERS)(value)


def _numbers(value: Any) -> tuple[float, ...]:
    given = _unquoted(value)
    if isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
        raise MeasureError(f"must be a list of numbers, not {_shown(value)}")
    return tuple(float(_number(number)) for number in given)


def _recalls(value: Any) -> tuple[float, ...]:
    numbers = _numbers(value)
    if not numbers or any(not 0 <= number <= 1 for number in numbers):
        raise MeasureError(f"must be recall levels between 0 and 1, not {value!r}")
    return numbers


def _weights(value: Any) -> tuple[float, ...]:
    numbers = _numbers(value)
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
        words=True,
    ),
    "gains": Parameter(
        "the gain of each grade, {grade: gain}; grades not named keep the usual gain; "
        + " and ".join(f"'{name}' is {rule.title}" for name, rule in GAIN_RULES.items())
        + "; a preset such as 'trec-web' uses the rule of its track",
        _gains,
        words=True,
    ),
    "stops": Parameter(
        "how likely users are to stop at a document of each grade, in proportion: {grade: weight}, "
        "'linear' or 'exp'; the gains if not given",
        _gains,
        words=True,
    ),
    "norm": Parameter(
        "what the sum is divided by: 'R', the number of relevant documents, or 'min(k,R)'",
        _choice(*get_args(Norm), also={"min": "min(k,R)"}),
        words=True,
    ),
    "beta": Parameter("the weight of the second part", _above(0)),
    "alpha": Parameter(
        "how much of an intent's gain is lost each time a document covers it, from 0 to 1", _share
    ),
    "p": Parameter("persistence: how likely a user is to go on to the next document", _persistence),
    "normalize": Parameter("divide by the value of the ideal list", _flag),
    "gamma": Parameter(
        "how likely users are to stop at a relevant document, relative to the one before it",
        _share,
    ),
    "T": Parameter("how much gain a user hopes for", _above(0)),
    "user": Parameter(
        "how likely a user is to go on from rank n, by name: "
        + "; ".join(f"'{name}', {user.title}" for name, user in USERS.items())
        + "; or a function of arrays: rank, gain, and total gain down to the rank",
        _user,
        words=True,
    ),
    "A": Parameter("how fast propensities grow with the frequency of a label", _above(0)),
    "B": Parameter("what is added to the frequency of a label", _above(0)),
    "points": Parameter("how many points the training data has", _optional(_whole(0))),
    "words": Parameter("how many words a document has", _above(0)),
    "half_life": Parameter("after how many seconds half of the users have stopped", _above(0)),
    "L": Parameter("how many characters the most patient user reads", _above(0)),
    "length": Parameter("how many characters a user reads of each document", _above(0)),
    "expected": Parameter(
        "what is expected: "
        + ", ".join(f"'{name}', the {title}" for name, title in EXPECTED.items()),
        _choice(*EXPECTED),
        words=True,
    ),
    "dcg": Parameter(
        "'log2': gain = grade, discount 1/log2(n+1); 'exp-log2': gain = 2^grade - 1, same "
        "discount; 'linear': gain = grade, discount 1/n; 'jk': gain = grade, discount 1 above "
        "rank b, then 1/log_b(n)",
        _choice(*get_args(Dcg)),
        words=True,
    ),
    "b": Parameter(
        "the base of the logarithm, a rank above which nothing is discounted", _above(1)
    ),
    "bq": Parameter(
        "the base of the logarithm by which later queries of a session are discounted", _above(1)
    ),
    "queries": Parameter("how many queries of a session count", _optional(_whole(1))),
    "max_grade": Parameter(
        "the highest grade of the scale; the highest of the qrels if not given",
        _optional(_whole(1)),
    ),
    "size": Parameter("how many documents the collection has", _optional(_whole(0))),
    "wanted": Parameter("how many relevant documents the user wants", _whole(1)),
    "mult": Parameter("the multiple of R at which precision is taken", _above(0)),
    "recalls": Parameter("the recall levels to average over", _recalls),
    "weights": Parameter(
        "the worth of a document that is relevant and retrieved, not relevant and retrieved, "
        "relevant and missed, not relevant and missed",
        _weights,
    ),
}


def as_literal(value: Any) -> str:
    """Write a parameter's value as the grammar reads it."""
    if _is_pairs(value):
        return "{" + ",".join(f"{grade}:{number!r}" for grade, number in value) + "}"
    if isinstance(value, tuple):
        return "[" + ",".join(map(repr, value)) + "]"
    return value.__name__ if callable(value) else repr(value)
