"""Presets: the measures that a track or benchmark reports, under one name such as @beir."""

from typing import NamedTuple

from gradewise.errors import MeasureError, did_you_mean

MARK = "@"


class Preset(NamedTuple):
    """The measures of a track or benchmark, and what to know about them."""

    title: str
    measures: tuple[str, ...]
    note: str
    gains: str = "linear"  # how graded measures of the track turn grades into gains


PRESETS: dict[str, Preset] = {
    "beir": Preset(
        "BEIR",
        ("nDCG@10", "R@100", "RR@10"),
        "nDCG@10 is the main measure. BEIR first drops documents whose id is that of the query, "
        "and its MRR keeps tied documents in the order of the run (ties='input').",
    ),
    "lotte": Preset(
        "LoTTE",
        ("Success@5",),
        "Success@5 is the share of queries with an answer among the first 5 passages.",
    ),
    "miracl": Preset("MIRACL", ("nDCG@10", "R@100"), "Computed for each language."),
    "mr-tydi": Preset("Mr. TyDi", ("RR@100", "R@100"), "Computed for each language."),
    "msmarco": Preset(
        "MS MARCO passage ranking", ("RR@10",), "MRR@10 over all queries of the qrels."
    ),
    "msmarco-doc": Preset(
        "MS MARCO document ranking", ("RR@100",), "MRR@100 over all queries of the qrels."
    ),
    "mteb": Preset(
        "MTEB retrieval",
        ("nDCG@10", "AP@10", "R@10", "P@10", "RR@10"),
        "nDCG@10 is the main score; the others are at the same cutoff.",
    ),
    "ntcir-intent": Preset(
        "NTCIR INTENT and IMine, document ranking",
        ("StRecall@10", "D_nDCG@10", "Dsharp_nDCG@10"),
        "I-rec, D-nDCG and D#-nDCG of NTCIREVAL with linear gains. Weights of intents come from "
        "the task's Iprob file (--intent-weights).",
    ),
    "ntcir-www": Preset(
        "NTCIR We Want Web",
        ("MSnDCG@10", "Q(norm='min(k,R)')@10", "nERR@10", "iRBU@10"),
        "NTCIREVAL with linear gains (-g 1:2 for levels L1 and L2). It keeps tied documents in the "
        "order of the run (ties='input'). iRBU was added in 2020.",
    ),
    "trec-covid": Preset(
        "TREC-COVID, rounds 1 to 3",
        ("nDCG@10", "P@5", "RBP(p=0.5,gains='linear')", "Bpref", "AP"),
        "Rounds 4 and 5 report nDCG@20 and P@20.",
    ),
    "trec-dl": Preset(
        "TREC Deep Learning, passages",
        ("nDCG@10", "RR(rel=2)", "AP(rel=2)"),
        "nDCG@10 is the main measure. Passages of grade 1 are related, not relevant, so binary "
        "measures start at grade 2.",
    ),
    "trec-dl-doc": Preset(
        "TREC Deep Learning, documents",
        ("nDCG@10", "RR", "AP"),
        "nDCG@10 is the main measure. Grades of 1 and above are relevant.",
    ),
    "trec-rag": Preset(
        "TREC Retrieval-Augmented Generation, retrieval",
        ("nDCG@20", "nDCG@100", "R@100"),
        "nDCG@20 is the main measure.",
    ),
    "trec-robust": Preset(
        "TREC Robust", ("AP", "GMAP", "P@10"), "GMAP gives more weight to poor topics."
    ),
    "trec-web": Preset(
        "TREC Web, ad hoc task",
        ("ERR(max_grade=4)@20", "nDCG(dcg='exp-log2')@20", "P@20", "AP"),
        "ERR@20 and nDCG@20 as gdeval computes them, whose highest grade is always 4.",
        gains="exp",
    ),
    "trec-web-diversity": Preset(
        "TREC Web, diversity task",
        ("ERR_IA@20", "alpha_nDCG@20", "NRBP"),
        "As ndeval computes them. ERR-IA@20 is the main measure.",
        gains="exp",
    ),
}


def is_preset(text: str) -> bool:
    """Tell whether a text is written as a preset is."""
    return text.lstrip().startswith(MARK)


def find_preset(text: str) -> Preset:
    """Return the preset of a name, in any case."""
    name = text.strip().removeprefix(MARK)
    if name.lower() not in PRESETS:
        known = [MARK + each for each in PRESETS]
        raise MeasureError(
            f"there is no preset {text.strip()!r}{did_you_mean(MARK + name, known)} "
            f"(presets: {', '.join(known)})"
        )
    return PRESETS[name.lower()]
