"""All measures by name, and the documentation that they share."""

from collections.abc import Iterator
from importlib import import_module
from textwrap import dedent
from typing import TypeVar

from gradewise.errors import GradewiseError, MeasureError, did_you_mean
from gradewise.measures.measure import Measure
from gradewise.measures.parameters import PARAMETERS, as_literal

Declared = TypeVar("Declared", bound=type[Measure])

# Where measures are declared, with their other spellings, so that a name loads only its module.
PLACES: dict[str, dict[str, tuple[str, ...]]] = {
    "average_precision": {"AP": ("MAP",), "GMAP": ("gm_map",), "SP": (), "SSP": ()},
    "counts": {
        "Judged": (),
        "NumNonrelRet": ("num_nonrel_judged_ret",),
        "NumQ": ("num_q",),
        "NumRel": ("num_rel",),
        "NumRelRet": ("num_rel_ret",),
        "NumRet": ("num_ret",),
        "Unjudged": ("unj",),
    },
    "cumulated_gain": {"CG": (), "DCG": (), "nDCG": (), "SDCG": ()},
    "first_relevant": {"ERR": (), "RR": ("MRR", "recip_rank")},
    "gain_ratios": {"AnDCG": (), "gP": (), "gR": (), "MSR": (), "SR": ()},
    "generalized_average_precision": {"GenAP": (), "Q": ("Qmeasure", "Q-measure"), "WAP": ()},
    "graded_average_precision": {"eGAP": (), "GAP": (), "xGAP": ()},
    "half_life": {"RHL": ()},
    "incomplete": {"Bpref": (), "GMBpref": ("gm_bpref",), "infAP": ()},
    "interpolated": {"AvgIPrec": ("11pt_avg",), "IPrec": ("iprec_at_recall",)},
    "precision": {
        "P": ("Precision",),
        "R": ("Recall",),
        "RelP": ("relative_P",),
        "Rprec": ("RPrec", "R-precision", "Rprec_mult"),
        "Success": (),
    },
    "rank_biased": {"RBP": (), "RBPResidual": ()},
    "score_distance": {"ADM": ()},
    "sets": {
        "SetAP": ("set_map",),
        "SetF": (),
        "SetP": ("set_P",),
        "SetR": ("set_recall",),
        "SetRelP": ("set_relative_P",),
        "Utility": (),
    },
    "trec_gains": {"BinG": (), "G": (), "nDCGrel": ("ndcg_rel",), "RnDCG": ("Rndcg",)},
    "whole_ranking": {"NormPrec": (), "NormRecall": ()},
}
_PLACE_OF = {
    spelling.lower(): module
    for module, measures in PLACES.items()
    for name, aliases in measures.items()
    for spelling in (name, *aliases)
}

_BY_NAME: dict[str, type[Measure]] = {}
_CANONICAL: dict[str, str] = {}  # lower-case names and aliases to names


def register(measure: Declared) -> Declared:
    """Make a class known as a measure, and complete its docstring."""
    if "name" not in measure.__dict__:
        measure.name = measure.__name__
    for spelling in (measure.name, *measure.__dict__.get("aliases", ())):
        taken = _CANONICAL.setdefault(spelling.lower(), measure.name)
        if taken != measure.name:
            raise GradewiseError(f"{spelling} would name both {taken} and {measure.name}")
    _BY_NAME[measure.name] = measure
    measure.__doc__ = _complete(measure, measure.__doc__ or "")
    return measure


def find_measure(name: str) -> type[Measure]:
    """Return the measure with a name or an alias, in any case."""
    place = _PLACE_OF.get(name.lower())
    if place is not None:
        import_module(f"gradewise.measures.{place}")
    canonical = _CANONICAL.get(name.lower())
    if canonical is None:
        _load_all()
        aliases = [alias for measure in _BY_NAME.values() for alias in measure.aliases]
        hint = did_you_mean(name, [*aliases, *_BY_NAME])
        raise MeasureError(f"there is no measure {name!r}{hint}")
    return _BY_NAME[canonical]


def is_name(name: str) -> bool:
    """Tell whether a measure is called exactly so."""
    return name in PLACES.get(_PLACE_OF.get(name.lower(), ""), {})


def _load_all() -> None:
    for module in PLACES:
        import_module(f"gradewise.measures.{module}")


def all_measures() -> Iterator[type[Measure]]:
    """Iterate over all measures, by family and name."""
    _load_all()
    families = ("pivot", "gain-discount", "other")
    return iter(sorted(_BY_NAME.values(), key=lambda m: (families.index(m.family), m.name.lower())))


def _complete(measure: type[Measure], doc: str) -> str:
    """Add what every measure says in the same words, ahead of the examples."""
    first, _, rest = doc.partition("\n")
    doc = first.strip() + "\n" + dedent(rest)
    body, mark, examples = doc.partition("Examples\n--------")
    sections = [body.rstrip(), _parameters(measure), _conventions(measure), _references(measure)]
    return "\n\n".join(section for section in sections if section) + "\n\n" + mark + examples + "\n"


def _section(title: str, lines: list[str]) -> str:
    return "\n".join([title, "-" * len(title), *lines])


def _parameters(measure: type[Measure]) -> str:
    lines = []
    for name, default in measure.parameters().items():
        meaning = measure.meanings.get(name, PARAMETERS[name].meaning)
        lines += [f"{name} (default {as_literal(default)})", f"    {meaning}."]
    rules = {
        "none": "No cutoff.",
        "optional": "Cutoff k, as in Name@10: only ranks 1..k count. None by default.",
        "required": "Cutoff k, as in Name@10: required.",
        "recall": "Recall level x in place of a cutoff, as in Name@0.5: required.",
    }
    cutoff = rules[measure.cutoff_rule].replace("Name", measure.name)
    return _section("Parameters", [*lines, cutoff])


def _conventions(measure: type[Measure]) -> str:
    lines = [
        "- Equal scores: the greater document id first, as trec_eval; option `ties`.",
        f"- Unjudged documents {measure.unjudged}.",
        f"- Grades of 0 and below: {measure.not_positive}.",
        f"- No relevant document in the topic: {measure.no_relevant}.",
        f"- Topic missing from the run: {measure.missing_topic}.",
    ]
    if measure.cutoff_rule in ("optional", "required"):
        lines.append(f"- Cutoff deeper than the list: {measure.beyond_end}.")
    aggregates = {
        "mean": "arithmetic mean of the topics",
        "sum": "sum over the topics",
        "geometric": "geometric mean of the topics, with 0.00001 in place of less",
    }
    lines.append(f"- Summary over topics: {aggregates[measure.aggregate]}.")
    if not measure.higher_is_better:
        lines.append("- Lower is better.")
    return _section("Conventions", lines)


def _references(measure: type[Measure]) -> str:
    return _section("References", [f"- {reference}" for reference in measure.references])
