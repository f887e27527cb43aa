"""Gains: what a document of each grade is worth."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import MeasureError

if TYPE_CHECKING:  # which take the names of the rules from here
    from gradewise.measures.parameters import Gains

GainRuleName = Literal["linear", "exp"]

_HIGHEST_EXPONENT = 1000  # sums of up to 2^23 such gains are numbers


class GainRule(NamedTuple):
    """A rule for gains, by name."""

    function: Callable[[Ints], Floats]
    title: str


GAIN_RULES: dict[str, GainRule] = {
    "linear": GainRule(lambda grades: grades.astype(np.float64), "the grade itself"),
    "exp": GainRule(
        lambda grades: np.exp2(np.minimum(grades, _HIGHEST_EXPONENT)) - 1.0, "2^grade - 1"
    ),
}
ALSO_CALLED = {"exponential": "exp"}


def gain_table(gains: "Gains", scale: Ints, *, usual: GainRuleName = "linear") -> Floats:
    """Return the gain of levels 0..c: 0, then the gain of each positive grade.

    `usual` says what grades get that `gains` does not name.
    """
    rule = ALSO_CALLED.get(gains, gains) if isinstance(gains, str) else usual
    named = dict(gains) if gains is not None and not isinstance(gains, str) else {}
    if rule == "exp":
        _check_exponents([grade for grade in scale.tolist() if grade not in named])
    table = GAIN_RULES[rule].function(scale)
    if named:
        table = np.array([named.get(int(g), t) for g, t in zip(scale, table, strict=True)])
        if table.max(initial=0.0) > 2.0**_HIGHEST_EXPONENT:
            raise MeasureError(
                f"a gain of {table.max():g} is too large; gains may be up to 2^{_HIGHEST_EXPONENT}"
            )
    return np.concatenate([[0.0], table])


def _check_exponents(grades: list[int]) -> None:
    """Refuse grades if sums of their exponential gains could overflow."""
    if grades and max(grades) > _HIGHEST_EXPONENT:
        raise MeasureError(
            f"grade {max(grades)} is too high for exponential gains, 2^grade - 1, which are "
            f"computed up to grade {_HIGHEST_EXPONENT}; use linear gains or map the grades to "
            "lower ones"
        )
