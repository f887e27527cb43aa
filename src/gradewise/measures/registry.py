"""All measures by name, and the documentation that they share."""

import re
from collections.abc import Iterator
from importlib import import_module
from textwrap import dedent
from typing import TypeVar

from gradewise.errors import GradewiseError, MeasureError, did_you_mean, shown_text
from gradewise.measures.measure import Measure
from gradewise.measures.parameters import PARAMETERS, as_literal

Declared = TypeVar("Declared", bound=type[Measure])

# Where measures are declared, with their other spellings, so that a name loads only its module.
PLACES: dict[str, dict[str, tuple[str, ...]]] = {
    "average_precision": {
        "AP": ("MAP", "AveP", "average_precision", "mean_average_precision", "NCUuP"),
        "GMAP": ("gm_map",),
        "SP": (),
        "SSP": (),
    },
    "blended_ratio": {
        "Omeasure": ("O-measure",),
        "Pmeasure": ("P-measure",),
        "Pplus": ("P-plus", "P+", "P+-measure"),
    },
    "compatibility": {"Compat": ("compatibility",)},
    "counts": {
        "Judged": (),
        "NumNonrelRet": ("num_nonrel_judged_ret",),
        "NumQ": ("num_q",),
        "NumRel": ("num_rel",),
        "NumRelRet": ("num_rel_ret",),
        "NumRet": ("num_ret",),
        "Unjudged": ("unj",),
    },
    "cumulated_gain": {"CG": (), "DCG": (), "nDCG": ("MSnDCG",), "SDCG": ()},
    "cwl": {"CWL": ()},
    "diversity": {
        "alpha_DCG": (),
        "alpha_nDCG": (),
        "ERR_IA": (),
        "nERR_IA": (),
        "nNRBP": (),
        "NRBP": (),
        "StRecall": ("strec", "S_recall", "subtopic_recall", "I_rec", "intent_recall"),
    },
    "first_relevant": {
        "ERR": (),
        "iRBU": (),
        "nERR": (),
        "RR": ("MRR", "recip_rank", "reciprocal_rank", "mean_reciprocal_rank"),
    },
    "gain_ratios": {"AnDCG": (), "gP": (), "gR": (), "MSR": (), "SR": ("NCG",)},
    "generalized_average_precision": {
        "GenAP": (),
        "Q": ("Qmeasure", "Q-measure", "NCUuBR"),
        "WAP": (),
    },
    "global_gain": {"D_nDCG": (), "Dsharp_nDCG": ()},
    "graded_average_precision": {"eGAP": (), "GAP": (), "xGAP": ()},
    "half_life": {"RHL": ()},
    "incomplete": {"Bpref": (), "GMBpref": ("gm_bpref",), "infAP": ()},
    "intent_aware": {
        "AP_IA": ("MAP_IA",),
        "eGAP_IA": (),
        "GAP_IA": (),
        "nDCG_IA": ("IA_nDCG", "IA_MSnDCG"),
        "P_IA": (),
        "xGAP_IA": (),
    },
    "interpolated": {"AvgIPrec": ("11pt_avg",), "IPrec": ("iprec_at_recall",)},
    "normalized_utility": {"NCUguBR": (), "NCUguP": (), "NCUrbBR": (), "NCUrbP": ()},
    "pairs": {"Accuracy": (), "AUC": ("ROC_AUC", "GAUC")},
    "precision": {
        "F1": ("f1_score",),
        "P": ("Precision", "Prec"),
        "R": ("Recall",),
        "RelP": ("relative_P", "R_cap", "recall_cap"),
        "Rprec": ("RPrec", "R-precision", "Rprec_mult"),
        "Success": ("HitRate", "hit_rate", "hit_ratio", "HR", "Hits", "Hit"),
    },
    "preferences": {"APpref": (), "nwpref": (), "ppref": (), "rpref": (), "wpref": ()},
    "propensity": {"PSnDCG": (), "PSP": ("PSprecision",)},
    "rank_biased": {"RBP": (), "RBPResidual": ()},
    "sampled": {"infNDCG": (), "statAP": ("statMAP",), "xinfAP": ()},
    "score_distance": {"ADM": ()},
    "search_length": {"ESL": ()},
    "session_gain": {"nsDCG": ("session_nDCG",), "session_DCG": ("sDCG",)},
    "sets": {
        "SetAP": ("set_map",),
        "SetF": (),
        "SetP": ("set_P",),
        "SetR": ("set_recall",),
        "SetRelP": ("set_relative_P",),
        "Utility": (),
    },
    "swets": {"SwetsE": ()},
    "time_biased": {"TBG": (), "U": ("Umeasure", "U-measure")},
    "trec_gains": {"BinG": (), "G": (), "nDCGrel": ("ndcg_rel",), "RnDCG": ("Rndcg",)},
    "user_models": {
        "BPM": (),
        "INSQ": (),
        "INST": (),
        "NERR10": (),
        "NERR11": (),
        "NERR8": (),
        "NERR9": (),
    },
    "whole_ranking": {"NormPrec": (), "NormRecall": ()},
}
_LETTERS = str.maketrans({"-": "", "_": "", "α": "alpha", "#": "sharp", "♯": "sharp", "+": "plus"})


_CASED = {"sDCG"}  # which is not SDCG


def _folded(name: str) -> str:
    """Return what spellings of a name have in common: letters and digits, in any case."""
    return name if name in _CASED else name.lower().translate(_LETTERS)


_PLACE_OF = {
    _folded(spelling): module
    for module, measures in PLACES.items()
    for name, aliases in measures.items()
    for spelling in (name, *aliases)
}

_INTENT_AWARE = re.compile(r"(.+)[_-]IA", re.IGNORECASE)
# What people ask for by a name such as a measure's, and is none.
_ELSEWHERE = dict.fromkeys(
    ("coverage", "catalogcoverage"),
    "coverage is a value of a run, not of a topic; see gradewise coverage and gw.catalog_coverage",
) | {
    "ncu": "NCU is NCUguP, NCUguBR, NCUrbP or NCUrbBR, by where users stop and what they gain; "
    "with uniform stops it is AP (NCUuP) or Q (NCUuBR)",
}

_BY_NAME: dict[str, type[Measure]] = {}
_CANONICAL: dict[str, str] = {}  # folded names and aliases to names


def register(measure: Declared, *, listed: bool = True) -> Declared:
    """Make a class known as a measure, and complete its docstring.

    What is not `listed` is not among all measures, and is found in other ways.
    """
    if not listed:
        measure.__doc__ = _complete(measure, measure.__doc__ or "")
        return measure
    if "name" not in measure.__dict__:
        measure.name = measure.__name__
    place = measure.__module__.rpartition(".")[2]
    measure.aliases = PLACES.get(place, {}).get(measure.name, ())
    for spelling in (measure.name, *measure.aliases):
        taken = _CANONICAL.setdefault(_folded(spelling), measure.name)
        if taken != measure.name:
            raise GradewiseError(f"{spelling} would name both {taken} and {measure.name}")
    _BY_NAME[measure.name] = measure
    measure.__doc__ = _complete(measure, measure.__doc__ or "")
    return measure


def find_measure(name: str) -> type[Measure]:
    """Return the measure with a name or an alias, in any case, with hyphens or underscores."""
    place = _PLACE_OF.get(_folded(name))
    if place is not None:
        import_module(f"gradewise.measures.{place}")
    canonical = _CANONICAL.get(_folded(name))
    base = _INTENT_AWARE.fullmatch(name)
    if canonical is None and base is not None and is_known(base[1]):
        from gradewise.measures.intent_aware import intent_aware

        return intent_aware(find_measure(base[1]))
    if canonical is None:
        _load_all()
        aliases = [alias for measure in _BY_NAME.values() for alias in measure.aliases]
        hint = did_you_mean(name, [*aliases, *_BY_NAME])
        raise MeasureError(
            _ELSEWHERE.get(_folded(name)) or f"there is no measure {shown_text(name)}{hint}"
        )
    return _BY_NAME[canonical]


def is_name(name: str) -> bool:
    """Tell whether a measure is called exactly so."""
    return name in PLACES.get(_PLACE_OF.get(_folded(name), ""), {})


def is_known(name: str) -> bool:
    """Tell whether a measure has a name or an alias, in any case."""
    return _folded(name) in _PLACE_OF


def _load_all() -> None:
    for module in PLACES:
        import_module(f"gradewise.measures.{module}")


def all_measures() -> Iterator[type[Measure]]:
    """Iterate over all measures, by family and name."""
    _load_all()
    families = ("pivot", "gain-discount", "diversity", "other")
    return iter(sorted(_BY_NAME.values(), key=lambda m: (families.index(m.family), m.name.lower())))


def _complete(measure: type[Measure], doc: str) -> str:
    """Add what every measure says in the same words, ahead of the examples."""
    first, _, rest = doc.partition("\n")
    doc = first.strip() + "\n" + dedent(rest)
    body, mark, examples = doc.partition("Examples\n--------")
    sections = [
        body.rstrip(),
        _parameters(measure),
        _conventions(measure),
        _differences(measure),
        _references(measure),
    ]
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
        "- Equal scores: the greater document id first, as in trec_eval; option `ties`.",
        f"- Unjudged documents {measure.unjudged}.",
        f"- Grades of 0 and below: {measure.not_positive}.",
        f"- No relevant document in the topic: {measure.no_relevant}.",
        f"- Topic missing from the run: {measure.missing_topic}.",
    ]
    if measure.uses_intents:
        lines.append("- Intent without a relevant document: left out, as in ndeval.")
        lines.append(
            "- Weights of intents: equal, unless `--intent-weights` or `Qrels.weigh_intents` "
            "gives others."
        )
    if measure.cutoff_rule in ("optional", "required"):
        lines.append(f"- Cutoff deeper than the list: {measure.beyond_end}.")
    aggregates = {
        "mean": "arithmetic mean",
        "sum": "sum",
        "geometric": "geometric mean; values below 0.00001 count as 0.00001",
    }
    lines.append(f"- Summary over topics: {aggregates[measure.aggregate]}.")
    if not measure.higher_is_better:
        lines.append("- Lower is better.")
    return _section("Conventions", lines)


def _differences(measure: type[Measure]) -> str:
    """Say where tools differ in convention for the measure's name; a subclass has its own name."""
    lines = [f"- {sentence}" for sentence in measure.__dict__.get("differs", ())]
    return _section("Differences", lines) if lines else ""


def _references(measure: type[Measure]) -> str:
    return _section("References", [f"- {reference}" for reference in measure.references])
