"""Each measure of the registry with the oracle that it must equal, and random cases for both."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gradewise.collection.judged import Judged
from gradewise.collection.one_list import judge_list
from oracles import gain_discount, others, pivot, trec
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


def _gains(case: Case) -> dict[str, Any]:
    return {"gains": case.gains}


def _rel_at(case: Case) -> dict[str, Any]:
    return {"rel": case.rel, "cutoff": case.cutoff}


def _dcg(name: str, *, required: bool = False) -> Pairs:
    variants: list[Callable[[Case], dict[str, Any]]] = [
        _nothing,
        lambda c: {"dcg": "exp-log2"},
        lambda c: {"dcg": "jk", "b": 2},
        lambda c: {"dcg": "jk", "b": 3.5},
        lambda c: {"gains": c.gains},
        lambda c: {"dcg": "exp-log2", "gains": c.gains},
    ]
    options = _cut(*variants)
    return _vary(name, *(options[len(variants) :] if required else options))


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
    "Q": (pivot.q, _vary("Q", *_cut(_nothing, lambda c: {"beta": 2.5, "gains": c.gains}))),
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
    "SDCG": (gain_discount.sdcg, _dcg("SDCG", required=True)),
    "AnDCG": (
        gain_discount.andcg,
        _vary("AnDCG", *_cut(_nothing, lambda c: {"b": 3, "gains": c.gains})),
    ),
    "SR": (gain_discount.sr, _vary("SR", *_cut(_nothing, _gains))),
    "MSR": (gain_discount.msr, _vary("MSR", *_cut(_nothing, _gains))),
    "gP": (gain_discount.gp, _vary("gP", *_cut(_nothing))),
    "gR": (gain_discount.gr, _vary("gR", *_cut(_nothing))),
    "RR": (others.rr, _vary("RR", *_cut(_rel))),
    "ERR": (others.err, _vary("ERR", *_cut(_nothing, lambda c: {"max_grade": 5}))),
    "Bpref": (others.bpref, _vary("Bpref", _rel)),
    "GMBpref": (others.bpref, _vary("GMBpref", _rel)),
    "infAP": (trec.inf_ap, _vary("infAP", _rel)),
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
