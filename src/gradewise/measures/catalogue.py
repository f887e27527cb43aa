"""The registry as text: a list of all measures, and the explanation of one."""

from gradewise.errors import MeasureError
from gradewise.measures.grammar import parse_measure
from gradewise.measures.measure import Measure
from gradewise.measures.registry import all_measures, find_measure

FAMILIES = {
    "pivot": "Pivot family: sums over pairs of documents, as average precision",
    "gain-discount": "Gain-discount family: sums of discounted gains, as DCG",
    "other": "Others",
}


def list_measures() -> str:
    """Return the names of all measures with a line on each, by family."""
    lines = []
    for family, title in FAMILIES.items():
        members = [measure for measure in all_measures() if measure.family == family]
        lines += [title, ""]
        lines += [f"  {usage(measure):<14} {summary(measure)}" for measure in members]
        lines.append("")
    lines.append("gradewise measures NAME explains one. Names of trec_eval are understood too.")
    return "\n".join(lines) + "\n"


def explain(name: str) -> str:
    """Return all that is to know about a measure, by its name or one with parameters."""
    try:
        measure = find_measure(name)
    except MeasureError:
        measure = type(parse_measure(name))
    heading = usage(measure)
    also = f"Also called {', '.join(measure.aliases)}.\n\n" if measure.aliases else ""
    return f"{heading}\n{'=' * len(heading)}\n\n{also}{measure.__doc__}"


def usage(measure: type[Measure]) -> str:
    """Return how a measure is written, with its cutoff if it takes one."""
    marks = {"none": "", "optional": "[@k]", "required": "@k", "recall": "@x"}
    return measure.name + marks[measure.cutoff_rule]


def summary(measure: type[Measure]) -> str:
    """Return the first line of a measure's documentation."""
    return (measure.__doc__ or "").partition("\n")[0]
