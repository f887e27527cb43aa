"""ir_measures' measures: what each is called here, with its parameters and conventions."""

import math
from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

from gradewise.errors import MeasureError
from gradewise.measures.measure import Measure
from gradewise.measures.registry import find_measure

Parameters = dict[str, Any]
_DEEPEST = 1000  # the last rank that cwl_eval looks at
_GDEVAL_SCALE = 4  # gdeval's highest grade, whatever the qrels hold


@runtime_checkable
class IrMeasure(Protocol):
    """A measure of ir_measures: a name and parameters."""

    params: dict[str, Any]

    @property
    def NAME(self) -> str | None:  # noqa: N802 - theirs
        """What it is called, if it has a name."""


def own_spelling(name: str, given: Mapping[str, Any]) -> tuple[str, Parameters]:
    """Return name and parameters as they are called here, if ir_measures calls them otherwise.

    Examples
    --------
    >>> own_spelling("NumRet", {"rel": 2})
    ('NumRelRet', {'rel': 2})
    >>> own_spelling("INST", {"T": 2.0, "max_rel": 4})
    ('INST', {'T': 2.0, 'max_grade': 4})
    """
    found = dict(given)
    if "max_rel" in found:
        found["max_grade"] = found.pop("max_rel")
        if found.pop("min_rel", 0) != 0:
            raise MeasureError(f"{name}: min_rel must be 0, which is the lowest gain here")
    if name.lower() == "numret" and "rel" in found:
        name = "NumRelRet"
    if name.lower() == "setp" and "relative" in found:
        name = "SetRelP" if found.pop("relative") else name
    return name, found


def is_ir_measure(measure: object) -> bool:
    """Tell whether an object is a measure of ir_measures, without importing it."""
    bases = type(measure).__mro__
    return any(base.__module__.partition(".")[0] == "ir_measures" for base in bases)


def from_ir_measures(measure: IrMeasure) -> Measure:
    """Return the measure that has the values of one of ir_measures.

    Names that mean something else there (ERR, SetF, and those of cwl_eval without a cutoff) are
    translated with their conventions.
    """
    own = getattr(measure, "gradewise_measure", None)
    if isinstance(own, Measure):
        return own
    if measure.NAME is None or hasattr(measure, "runtime_impl"):
        raise MeasureError(f"{measure} is a function of yours, which only ir_measures can call")
    given = dict(measure.params)
    cutoff = given.pop("recall", given.pop("cutoff", None))
    name, parameters = own_spelling(measure.NAME, given)
    parameters |= {"cutoff": cutoff}
    _CONVENTIONS.get(name, _same)(parameters)
    translated = find_measure(name)(**parameters)
    translated.check_cutoff()
    return translated


def _same(parameters: Parameters) -> None:
    """Leave parameters as they are."""


def _to_four(parameters: Parameters) -> None:
    parameters["max_grade"] = _GDEVAL_SCALE


def _to_the_deepest(parameters: Parameters) -> None:
    parameters["cutoff"] = parameters["cutoff"] or _DEEPEST


def _squared(parameters: Parameters) -> None:
    parameters["beta"] = math.sqrt(parameters.get("beta", 1.0))


def _binary(parameters: Parameters) -> None:
    if "rel" not in parameters:
        raise MeasureError("ir_measures computes RBP with rel only, as in RBP(rel=1)")


_CONVENTIONS: dict[str, Callable[[Parameters], None]] = {
    "ERR": _to_four,
    "INSQ": _to_the_deepest,
    "INST": _to_the_deepest,
    "NERR11": _to_the_deepest,
    "RBP": _binary,
    "SetF": _squared,
}
