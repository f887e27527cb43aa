"""The name of a measure with what it cannot do without: a cutoff, or the size of a collection."""

from gradewise.measures.measure import Measure
from gradewise.measures.registry import all_measures

_NEEDED = {"size": "(size=1000)", "points": "(points=1000)"}
_CUTOFFS = {"required": "@10", "recall": "@0.5"}


def complete_name(declared: type[Measure]) -> str:
    inside = "".join(_NEEDED.get(name, "") for name in declared.parameters())
    return declared.name + inside + _CUTOFFS.get(declared.cutoff_rule, "")


COMPLETE = [complete_name(declared) for declared in all_measures()]
