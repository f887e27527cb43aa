"""Each measure of the registry with the oracle that it must equal, and random cases for both."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gradewise.collection.judged import Judged
from gradewise.collection.one_list import judge_list
from oracles import (
    compatibility,
    gain_discount,
    ntcir,
    others,
    pivot,
    preferences,
    products,
    sampled,
    sessions,
    trec,
    users,
)
from oracles.lists import random_case, random_thresholds

Oracle = Callable[..., float]


@dataclass(frozen=True)
class Case:
    """A list, what was judged for its topic, and parameters drawn for it."""

    ranking: list[int | None]
    judged: dict[int, int]
    scores: list[float]
    g: list[float]
    gains: dict[int, float]
    small_gains: dict[int, float]
    rel: int
    cutoff: int
    recall: float
    size: int
    joined: Judged


def make_case(seed: int) -> Case:
    """Draw a case."""
    rng = random.Random(seed)
    ranking, judged = random_case(rng)
    scale = sorted(grade for grade in judged if grade > 0)
    scores = [rng.random() for _ in ranking]
    return Case(
        ranking,
        judged,
        scores,
        g=list(random_thresholds(rng, len(scale))),
        gains={grade: rng.choice([0, 0.5, 1, 2, 4]) for grade in scale if rng.random() < 0.7},
        small_gains={grade: rng.random() for grade in scale},
        rel=rng.randint(1, 3),
        cutoff=rng.choice([1, 2, 3, 5, 10, 20]),
        recall=rng.choice([0, 0.1, 0.25, 0.3, 0.5, 0.7, 1]),
        size=len(ranking) + sum(judged.values()) + rng.randint(0, 20),
        joined=judge_list(ranking, judged, scores=scores),
    )


@dataclass(frozen=True)
class Pair:
    """A measure in gradewise's syntax and the oracle's parameters, for a case."""

    text: str
    parameters: Mapping[str, Any]


Pairs = Callable[[Case], Sequence[Pair]]


def _literal(value: Any) -> str:
    return repr(value)


def _write(name: str, parameters: Mapping[str, Any]) -> str:
    inside = ",".join(f"{k}={_literal(v)}" for k, v in parameters.items() if k != "cutoff")
    cutoff = parameters.get("cutoff")
    return name + (f"({inside})" if inside else "") + ("" if cutoff is None else f"@{cutoff}")


def _vary(name: str, *options: Callable[[Case], Mapping[str, Any]]) -> Pairs:
    """Give a measure with each of several sets of parameters, which the oracle takes alike."""
    return lambda case: [Pair(_write(name, o(case)), o(case)) for o in options]


def _cut(*options: Callable[[Case], dict[str, Any]]) -> list[Callable[[Case], Mapping[str, Any]]]:
    """Give each set of parameters with and without a cutoff."""

    def with_cutoff(option: Callable[[Case], dict[str, Any]]) -> Callable[[Case], dict[str, Any]]:
        return lambda case: {**option(case), "cutoff": case.cutoff}

    return [*options, *[with_cutoff(option) for option in options]]


def _rel(case: Case) -> dict[str, Any]:
    return {"rel": case.rel}


def _nothing(case: Case) -> dict[str, Any]:
    return {}


def _bases(case: Case) -> dict[str, Any]:
    return {"b": 3.0, "bq": 1.5, "queries": 2}


def _gains(case: Case) -> dict[str, Any]:
    return {"gains": case.gains}


def _rel_at(case: Case) -> dict[str, Any]:
    return {"rel": case.rel, "cutoff": case.cutoff}


def _dcg(name: str, *, required: bool = False) -> Pairs:
    variants: list[Callable[[Case], dict[str, Any]]] = [
        _nothing,
        lambda c: {"dcg": "exp-log2"},
        lambda c: {"dcg": "linear"},
        lambda c: {"dcg": "jk", "b": 2},
        lambda c: {"dcg": "jk", "b": 3.5},
        lambda c: {"gains": c.gains},
        lambda c: {"dcg": "exp-log2", "gains": c.gains},
        lambda c: {"dcg": "linear", "gains": c.gains},
    ]
    options = _cut(*variants)
    return _vary(name, *(options[len(variants) :] if required else options))


def _scaled(case: Case) -> Sequence[Pair]:
    """Give the variants of SDCG, also for a scale whose highest grade need not occur."""
    stated = (
        lambda c: {"max_grade": 5, "cutoff": c.cutoff},
        lambda c: {"max_grade": 4, "dcg": "exp-log2", "gains": {4: 6.5}, "cutoff": c.cutoff},
    )
    return [*_dcg("SDCG", required=True)(case), *_vary("SDCG", *stated)(case)]


def _blend(case: Case) -> dict[str, Any]:
    return {"beta": 2.5, "gains": case.gains}


def _no_bias(case: Case) -> dict[str, Any]:
    return {"gamma": 1.0}


def _cascade(name: str, *more: Callable[[Case], dict[str, Any]]) -> Pairs:
    options: list[Callable[[Case], dict[str, Any]]] = [
        *more,
        _nothing,
        _gains,
        lambda c: {"max_grade": 5},
        lambda c: {"max_grade": 7, "gains": c.gains},
    ]
    return _vary(name, *_cut(*options))


def _stated(case: Case) -> dict[str, Any]:
    return {"max_grade": 5, "gains": case.gains}


def _hopes(name: str) -> Pairs:
    """Give a user model with a hoped-for gain T."""
    options: list[Callable[[Case], dict[str, Any]]] = [
        _nothing,
        _stated,
        lambda c: {"T": 0.5},
        lambda c: {"T": 2.25, "gains": c.gains},
    ]
    return _vary(name, *_cut(*options))


def _walks(case: Case) -> list[Pair]:
    """Give every named user of C/W/L; those of P, DCG, RR and AP walk short lists only."""
    shared = {"gains": case.gains, "cutoff": case.cutoff}
    pairs = []
    for user in ("rbp", "inst", "insq", "nerr10", "nerr11"):
        for expected in ("rate", "total", "items"):
            pairs.append({"user": user, "p": 0.7, "T": 1.5, "expected": expected})
    for user in ("p", "dcg", "rr", "ap", "bpm", "nerr8", "nerr9", "inst", "rbp"):
        pairs.append({"user": user, "expected": "total", **shared})
        pairs.append({"user": user, "T": 2.0, **shared})
    return [Pair(_write("CWL", parameters), parameters) for parameters in pairs]


def _propensities(name: str) -> Pairs:
    return _vary(
        name,
        lambda c: {"points": 1000, "cutoff": c.cutoff},
        lambda c: {"points": 50, "A": 0.6, "B": 2.6, "cutoff": c.cutoff},
    )


def _renamed(name: str, oracle_key: str, make: Callable[[Case], Any]) -> Pairs:
    """Give a measure whose @x is a parameter of the oracle."""
    return lambda case: [
        Pair(f"{name}(rel={case.rel})@{make(case)}", {oracle_key: make(case), "rel": case.rel})
    ]


ORACLES: dict[str, tuple[Oracle, Pairs]] = {
    "AP": (
        pivot.ap,
        _vary("AP", *_cut(_rel, lambda c: {"rel": c.rel, "norm": "min(k,R)"})),
    ),
    "GMAP": (pivot.ap, _vary("GMAP", *_cut(_rel))),
    "SP": (pivot.sp, _vary("SP", *_cut(_rel))),
    "SSP": (pivot.ssp, _vary("SSP", _rel_at)),
    "GAP": (pivot.gap, _vary("GAP", *_cut(lambda c: {"g": c.g}))),
    "xGAP": (pivot.xgap, _vary("xGAP", *_cut(lambda c: {"g": c.g}))),
    "eGAP": (pivot.egap, _vary("eGAP", *_cut(lambda c: {"g": c.g}))),
    "GenAP": (pivot.gen_ap, _vary("GenAP", *_cut(_nothing, _gains))),
    "Q": (
        pivot.q,
        _vary(
            "Q",
            *_cut(
                _nothing,
                lambda c: {"beta": 2.5, "gains": c.gains},
                lambda c: {"norm": "min(k,R)", "gains": c.gains},
            ),
        ),
    ),
    "NCUguP": (
        ntcir.ncu_gu_p,
        _vary("NCUguP", _nothing, lambda c: {"stops": c.gains}, lambda c: {"stops": "exp"}),
    ),
    "NCUguBR": (
        ntcir.ncu_gu_br,
        _vary("NCUguBR", _nothing, _blend, lambda c: {"stops": c.small_gains, "gains": c.gains}),
    ),
    "NCUrbP": (ntcir.ncu_rb_p, _vary("NCUrbP", _nothing, lambda c: {"gamma": 0.6}, _no_bias)),
    "NCUrbBR": (
        ntcir.ncu_rb_br,
        _vary("NCUrbBR", _nothing, _blend, lambda c: {"gamma": 0.6, "gains": c.gains}, _no_bias),
    ),
    "Omeasure": (ntcir.o_measure, _vary("Omeasure", _nothing, _blend, _gains)),
    "Pmeasure": (ntcir.p_measure, _vary("Pmeasure", _nothing, _blend, _gains)),
    "Pplus": (ntcir.p_plus, _vary("Pplus", _nothing, _blend, _gains)),
    "WAP": (pivot.wap, _vary("WAP", *_cut(_nothing, _gains))),
    "P": (gain_discount.p, _vary("P", _rel_at)),
    "R": (gain_discount.recall, _vary("R", _rel_at)),
    "Rprec": (
        trec.rprec_mult,
        _vary("Rprec", lambda c: {"rel": c.rel, "mult": 1.0}, lambda c: {"rel": 1, "mult": 0.4}),
    ),
    "RelP": (trec.rel_p, _vary("RelP", _rel_at)),
    "RBP": (
        gain_discount.rbp,
        _vary(
            "RBP",
            *_cut(
                lambda c: {"p": 0.7, "rel": c.rel},
                lambda c: {"p": 0.95, "gains": c.small_gains},
            ),
        ),
    ),
    "RBPResidual": (
        gain_discount.rbp_residual,
        _vary("RBPResidual", *_cut(_nothing, lambda c: {"p": 0.95})),
    ),
    "CG": (gain_discount.cg, _vary("CG", *_cut(_nothing, _gains))),
    "DCG": (gain_discount.dcg, _dcg("DCG")),
    "nDCG": (gain_discount.ndcg, _dcg("nDCG")),
    "SDCG": (gain_discount.sdcg, _scaled),
    "AnDCG": (
        gain_discount.andcg,
        _vary(
            "AnDCG",
            *_cut(
                _nothing,
                lambda c: {"b": 3, "gains": c.gains},
                lambda c: {"dcg": "log2"},
                lambda c: {"dcg": "exp-log2", "gains": c.gains},
                lambda c: {"dcg": "linear"},
            ),
        ),
    ),
    "SR": (gain_discount.sr, _vary("SR", *_cut(_nothing, _gains))),
    "MSR": (gain_discount.msr, _vary("MSR", *_cut(_nothing, _gains))),
    "gP": (gain_discount.gp, _vary("gP", *_cut(_nothing, _gains))),
    "session_DCG": (sessions.one_query_dcg, _vary("session_DCG", *_cut(_nothing, _gains, _bases))),
    "nsDCG": (sessions.one_query_ndcg, _vary("nsDCG", *_cut(_nothing, _gains, _bases))),
    "gR": (gain_discount.gr, _vary("gR", *_cut(_nothing, _gains))),
    "RR": (others.rr, _vary("RR", *_cut(_rel))),
    "ERR": (others.err, _cascade("ERR")),
    "nERR": (ntcir.nerr, _cascade("nERR", lambda c: {"gains": "exp"})),
    "iRBU": (
        ntcir.irbu,
        _vary("iRBU", *_cut(_nothing, _gains, lambda c: {"p": 0.8, "gains": "exp"})),
    ),
    "CWL": (users.cwl, _walks),
    "INST": (users.named("inst"), _hopes("INST")),
    "INSQ": (users.named("insq"), _hopes("INSQ")),
    "BPM": (
        users.named("bpm"),
        _vary(
            "BPM",
            lambda c: {"cutoff": c.cutoff},
            lambda c: {"T": 1.75, "gains": c.gains, "cutoff": c.cutoff},
        ),
    ),
    "NERR8": (
        users.named("nerr8"),
        _vary("NERR8", lambda c: {"cutoff": c.cutoff}, lambda c: {**_stated(c), "cutoff": 7}),
    ),
    "NERR9": (
        users.named("nerr9"),
        _vary("NERR9", lambda c: {"cutoff": c.cutoff}, lambda c: {**_stated(c), "cutoff": 7}),
    ),
    "NERR10": (
        users.named("nerr10", p=0.9),
        _vary("NERR10", *_cut(_nothing, lambda c: {"p": 0.6, "gains": c.gains})),
    ),
    "NERR11": (users.named("nerr11"), _hopes("NERR11")),
    "F1": (products.f1, _vary("F1", _rel_at)),
    "Accuracy": (products.accuracy, _vary("Accuracy", *_cut(_rel))),
    "AUC": (products.auc, _vary("AUC", _rel)),
    "PSP": (products.psp, _propensities("PSP")),
    "PSnDCG": (products.ps_ndcg, _propensities("PSnDCG")),
    "TBG": (
        users.tbg,
        _vary("TBG", *_cut(_rel, lambda c: {"rel": c.rel, "words": 3000.0, "half_life": 30.0})),
    ),
    "U": (
        users.u_measure,
        _vary("U", *_cut(_nothing, lambda c: {"L": 5000.0, "length": 450.0, "gains": c.gains})),
    ),
    "Bpref": (others.bpref, _vary("Bpref", _rel)),
    "GMBpref": (others.bpref, _vary("GMBpref", _rel)),
    "infAP": (trec.inf_ap, _vary("infAP", _rel)),
    "Compat": (
        compatibility.compat,
        _vary("Compat", _nothing, lambda c: {"p": 0.8}, lambda c: {"normalize": False}),
    ),
    "ppref": (preferences.of_grades(preferences.ppref), _vary("ppref", *_cut(_nothing))),
    "rpref": (preferences.of_grades(preferences.rpref), _vary("rpref", *_cut(_nothing))),
    "wpref": (preferences.of_grades(preferences.wpref), _vary("wpref", *_cut(_nothing))),
    "nwpref": (preferences.of_grades(preferences.nwpref), _vary("nwpref", *_cut(_nothing))),
    "APpref": (preferences.of_grades(preferences.ap_pref), _vary("APpref", _nothing)),
    "xinfAP": (sampled.xinf_ap_of_grades, _vary("xinfAP", *_cut(_rel))),
    "infNDCG": (sampled.inf_ndcg_of_grades, _vary("infNDCG", *_cut(_nothing, _gains))),
    "statAP": (sampled.stat_ap_of_grades, _vary("statAP", *_cut(_rel))),
    "IPrec": (others.iprec, _renamed("IPrec", "recall", lambda c: c.recall)),
    "AvgIPrec": (others.avg_iprec, _vary("AvgIPrec", _rel)),
    "NormRecall": (
        others.norm_recall,
        _vary("NormRecall", lambda c: {"size": c.size, "rel": c.rel}),
    ),
    "NormPrec": (
        others.norm_precision,
        _vary("NormPrec", lambda c: {"size": c.size, "rel": c.rel}),
    ),
    "ESL": (
        others.esl,
        _vary(
            "ESL",
            lambda c: {"size": c.size, "rel": c.rel},
            lambda c: {"size": c.size, "wanted": c.cutoff},
        ),
    ),
    "SwetsE": (others.swets_e, _vary("SwetsE", lambda c: {"size": c.size, "rel": c.rel})),
    "RHL": (others.rhl, _vary("RHL", *_cut(_nothing, _gains))),
    "ADM": (
        lambda ranking, judged, scores, **rest: others.adm(ranking, judged, scores=scores, **rest),
        _vary("ADM", _nothing, lambda c: {"gains": c.gains, "size": c.size}),
    ),
    "Success": (others.success, _vary("Success", _rel_at)),
    "Judged": (others.judged_at, _vary("Judged", lambda c: {"cutoff": c.cutoff})),
    "Unjudged": (trec.unjudged, _vary("Unjudged", lambda c: {"cutoff": c.cutoff})),
    "SetP": (others.set_p, _vary("SetP", _rel)),
    "SetR": (others.set_r, _vary("SetR", _rel)),
    "SetF": (others.set_f, _vary("SetF", _rel, lambda c: {"rel": c.rel, "beta": 2.0})),
    "SetAP": (trec.set_ap, _vary("SetAP", _rel)),
    "SetRelP": (trec.set_rel_p, _vary("SetRelP", _rel)),
    "Utility": (
        trec.utility,
        _vary(
            "Utility", lambda c: {"rel": c.rel, "weights": [1.0, -0.5, -2.0, 0.25], "size": c.size}
        ),
    ),
    "NumQ": (lambda ranking, judged: 1.0, _vary("NumQ", _nothing)),
    "NumRet": (trec.num_ret, _vary("NumRet", _nothing)),
    "NumRel": (trec.num_rel, _vary("NumRel", _rel)),
    "NumRelRet": (trec.num_rel_ret, _vary("NumRelRet", _rel)),
    "NumNonrelRet": (trec.num_nonrel_ret, _vary("NumNonrelRet", _rel)),
    "BinG": (trec.bin_g, _vary("BinG", _rel)),
    "G": (trec.g, _vary("G", _nothing, lambda c: {"gains": {1: 3, 2: 4, 3: 9}})),
    "nDCGrel": (trec.ndcg_rel, _vary("nDCGrel", _nothing, _gains)),
    "RnDCG": (trec.rndcg, _vary("RnDCG", _nothing, _gains)),
}
