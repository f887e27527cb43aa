"""The registry as text: a list of all measures, and the explanation of one."""

from textwrap import fill

from gradewise.errors import MeasureError
from gradewise.measures.grammar import parse_measure
from gradewise.measures.measure import Measure
from gradewise.measures.presets import MARK, PRESETS, find_preset, is_preset
from gradewise.measures.registry import all_measures, find_measure

FAMILIES = {
    "pivot": "Pivot family: sums over pairs of documents, such as average precision",
    "gain-discount": "Gain-discount family: sums of discounted gains, such as DCG",
    "diversity": "Diversity: judgments by intent, for topics that mean several things",
    "other": "Others",
}


# What measures answer; every measure stands once.
QUESTIONS = {
    "How good is the ranking, by grades?": "GAP xGAP eGAP nDCG DCG CG SDCG AnDCG Q GenAP WAP MSR "
    "SR NCUguBR NCUguP NCUrbBR NCUrbP nDCGrel RnDCG G RHL ADM",
    "How good is the ranking, relevant or not?": "AP GMAP SP SSP Rprec AvgIPrec IPrec AUC Accuracy "
    "BinG NormPrec NormRecall SwetsE",
    "How good is the top of the list?": "P R F1 Success RelP gP gR",
    "How soon is a good document found?": "RR ERR nERR iRBU Omeasure Pmeasure Pplus ESL",
    "What do users gain if they read in a given way?": "RBP CWL INST INSQ BPM NERR8 NERR9 NERR10 "
    "NERR11 TBG U",
    "How good is a session of several queries?": "session_DCG nsDCG",
    "Are all intents of a topic served?": "alpha_nDCG alpha_DCG ERR_IA nERR_IA AP_IA P_IA nDCG_IA "
    "GAP_IA eGAP_IA xGAP_IA D_nDCG Dsharp_nDCG NRBP nNRBP StRecall",
    "What if judgments are incomplete or sampled?": "Bpref GMBpref Compat infAP xinfAP infNDCG "
    "statAP RBPResidual Judged Unjudged",
    "Are preferred documents first?": "ppref rpref wpref nwpref APpref",
    "Are rare labels found?": "PSP PSnDCG",
    "How good is the set, whatever the order?": "SetP SetR SetF SetAP SetRelP Utility",
    "How many topics and documents are there?": "NumQ NumRet NumRel NumRelRet NumNonrelRet",
}


def group_measures() -> dict[str, list[type[Measure]]]:
    """Return all measures by the question that they answer."""
    by_name = {measure.name: measure for measure in all_measures()}
    return {asked: [by_name[n] for n in names.split()] for asked, names in QUESTIONS.items()}


def list_measures() -> str:
    """Return the names of all measures with a line on each, by the question that they answer."""
    lines = []
    for question, members in group_measures().items():
        lines += [question, ""]
        lines += [f"  {usage(measure):<15} {summary(measure)}" for measure in members]
        lines.append("")
    lines += ["Presets: the measures that a track or benchmark reports", ""]
    lines += [f"  {MARK + name:<14} {preset.title}" for name, preset in PRESETS.items()]
    lines.append("")
    lines.append("gradewise measures NAME explains one. Names of trec_eval are understood too.")
    return "\n".join(lines) + "\n"


def explain(name: str) -> str:
    """Return all that is to know about a measure, with parameters or without, or a preset."""
    if is_preset(name):
        return _explain_preset(name)
    try:
        measure = find_measure(name)
    except MeasureError:
        measure = type(parse_measure(name))
    heading = usage(measure)
    also = f"Also called {', '.join(measure.aliases)}.\n\n" if measure.aliases else ""
    family = "" if measure.family == "other" else f"{FAMILIES[measure.family]}.\n\n"
    return f"{heading}\n{'=' * len(heading)}\n\n{also}{family}{measure.__doc__}"


def _explain_preset(name: str) -> str:
    """Return the measures of a preset with a line on each."""
    preset, heading = find_preset(name), name.strip().lower()
    rows = [(measure, summary(type(parse_measure(measure)))) for measure in preset.measures]
    width = max(len(measure) for measure, _ in rows)
    lines = [f"  {measure:<{width}}  {text}" for measure, text in rows]
    title = f"{preset.title}\n\n" + "\n".join(lines)
    return f"{heading}\n{'=' * len(heading)}\n\n{title}\n\n{fill(preset.note, 98)}\n"


def usage(measure: type[Measure]) -> str:
    """Return how a measure is written, with its cutoff if it takes one."""
    marks = {"none": "", "optional": "[@k]", "required": "@k", "recall": "@x"}
    return measure.name + marks[measure.cutoff_rule]


def summary(measure: type[Measure]) -> str:
    """Return the first line of a measure's documentation."""
    return (measure.__doc__ or "").partition("\n")[0]
