"""The libraries' own objectives by name, with what a document of each grade is worth to them.

`lambdarank(gains=linear)` is LightGBM's lambdarank with `label_gain` 0, 1, 2, ...;
`rank:ndcg(gains=[0,1,3])` is XGBoost's with the gains 1 and 3 in place of the grades 1 and 2.
"""

import re
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import OptionError, check_choice
from gradewise.measures.gains import GAIN_RULES

GainsName = Literal["exp", "linear", "square", "root", "binary"]
# What labels 0, 1, 2, ... are worth; LightGBM and XGBoost take "exp" unless told otherwise.
LABEL_GAINS: dict[GainsName, Callable[[Ints], Floats]] = {
    "exp": GAIN_RULES["exp"].function,
    "linear": GAIN_RULES["linear"].function,
    "square": lambda grades: grades.astype(np.float64) ** 2,
    "root": np.sqrt,
    "binary": lambda grades: (grades > 0).astype(np.float64),
}
BUILT_IN = "built-in"  # the booster's own objective for rankings
_FORM = re.compile(r"([\w:-]+)\(gains=(\w+|\[[^\]]*\])\)")
_WITH_GAINS = ("lambdarank", "rank:ndcg")


class OwnObjective(NamedTuple):
    """An objective of a library's own, and the gains that it is given, if any."""

    name: str
    gains: GainsName | tuple[float, ...] | None = None

    def table(self, grades: Sequence[int] | Ints) -> Floats | None:
        """Return the gain of labels 0, 1, ..., up to the highest grade; None for the default."""
        if self.gains is None:
            return None
        highest = int(np.max(grades, initial=1))
        if isinstance(self.gains, str):
            return np.asarray(LABEL_GAINS[self.gains](np.arange(highest + 1)))
        if len(self.gains) <= highest:
            raise OptionError(
                f"{self.name} has {len(self.gains)} gains, for labels 0 to {len(self.gains) - 1}, "
                f"but there are documents of grade {highest}"
            )
        return np.array(self.gains)


def parse_own(text: object, known: Sequence[str]) -> OwnObjective | None:
    """Return a library's own objective by name, the first for "built-in"; None if it is not one.

    Examples
    --------
    >>> parse_own("lambdarank(gains=linear)", ["lambdarank"])
    OwnObjective(name='lambdarank', gains='linear')
    >>> parse_own("GAP", ["lambdarank"]) is None
    True
    """
    if not isinstance(text, str):
        return None
    found = _FORM.fullmatch(text.replace(" ", ""))
    name = found[1] if found else text
    name = known[0] if name == BUILT_IN else name
    if name not in known:
        return None
    return OwnObjective(name, _gains(name, found[2]) if found else None)


def _gains(name: str, text: str) -> GainsName | tuple[float, ...]:
    if name not in _WITH_GAINS:
        raise OptionError(f"{name} has no gains; {' and '.join(_WITH_GAINS)} do")
    if not text.startswith("["):
        check_choice("gains", text, LABEL_GAINS)
        return text  # type: ignore[return-value]
    try:
        numbers = tuple(float(part) for part in text[1:-1].split(","))
    except ValueError:
        raise OptionError(f"gains must be numbers, as in [0,1,3], not {text}") from None
    if not all(0 <= number < np.inf for number in numbers):
        raise OptionError(f"gains must be finite numbers of 0 or more, not {text}")
    return numbers
