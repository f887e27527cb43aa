"""Every measure that pytrec_eval (trec_eval 9) has, topic by topic; and where we part from it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytrec_eval
from hypothesis import HealthCheck, given, settings

import gradewise as gw
from parity.material import (
    Grades,
    Ranked,
    Values,
    collections,
    gradewise_values,
    random_collection,
    read_lines,
)

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
RECALLS = [step / 10 for step in range(11)]
NOT_VALUES = {"runid", "relstring"}  # a name and a picture of the list
TOLERANCE = 1e-10


def _names(rel: int = 1) -> dict[str, str]:
    """Give pytrec_eval's name of each value, and the measure that it is in gradewise."""
    names = {
        "num_q": "NumQ",
        "num_ret": "NumRet",
        "num_rel": f"NumRel(rel={rel})",
        "num_rel_ret": f"NumRelRet(rel={rel})",
        "num_nonrel_judged_ret": f"NumNonrelRet(rel={rel})",
        "map": f"AP(rel={rel})",
        "gm_map": f"GMAP(rel={rel})",
        "Rprec": f"Rprec(rel={rel})",
        "bpref": f"Bpref(rel={rel})",
        "gm_bpref": f"GMBpref(rel={rel})",
        "recip_rank": f"RR(rel={rel})",
        "infAP": f"infAP(rel={rel})",
        "utility": f"Utility(rel={rel})",
        "11pt_avg": f"AvgIPrec(rel={rel})",
        "binG": f"BinG(rel={rel})",
        "G": "G",
        "ndcg": "nDCG",
        "ndcg_rel": "nDCGrel",
        "Rndcg": "RnDCG",
        "set_P": f"SetP(rel={rel})",
        "set_relative_P": f"SetRelP(rel={rel})",
        "set_recall": f"SetR(rel={rel})",
        "set_map": f"SetAP(rel={rel})",
        "set_F": f"SetF(rel={rel})",
    }
    for k in CUTOFFS:
        names[f"P_{k}"] = f"P(rel={rel})@{k}"
        names[f"recall_{k}"] = f"R(rel={rel})@{k}"
        names[f"relative_P_{k}"] = f"RelP(rel={rel})@{k}"
        names[f"map_cut_{k}"] = f"AP(rel={rel})@{k}"
        names[f"ndcg_cut_{k}"] = f"nDCG@{k}"
    for k in (1, 5, 10):
        names[f"success_{k}"] = f"Success(rel={rel})@{k}"
    for recall in RECALLS:
        names[f"iprec_at_recall_{recall:.2f}"] = f"IPrec(rel={rel})@{recall}"
    for step in range(1, 11):
        names[f"Rprec_mult_{step / 5:.2f}"] = f"Rprec(rel={rel},mult={step / 5})"
    return names


def _pytrec_values(
    qrels: Grades, run: Ranked, *measures: str, rel: int = 1, judged_only: bool = False
) -> Values:
    """Score with pytrec_eval, and arrange the values by measure and topic."""
    wanted = set(measures) or pytrec_eval.supported_measures - NOT_VALUES
    evaluator = pytrec_eval.RelevanceEvaluator(
        qrels, wanted, relevance_level=rel, judged_docs_only_flag=judged_only
    )
    by_topic = evaluator.evaluate(run)
    values: Values = {}
    for topic, row in by_topic.items():
        for name, value in row.items():
            values.setdefault(name, {})[topic] = value
    return values


def _rounds_alike(recall: float, relevant: int) -> bool:
    """Whether floor(x + 0.9) of trec_eval 9 and the nearest integer of 10 are the same."""
    return not 0.1 - 1e-6 < recall * relevant % 1 < 0.5


def _expected_to_differ(
    name: str, grades: Mapping[str, int], scores: Mapping[str, float], rel: int, judged_only: bool
) -> bool:
    """Whether a value is one that DISAGREEMENTS explains."""
    relevant = sum(1 for grade in grades.values() if grade >= rel)
    if name.startswith(("iprec", "11pt")):
        recalls = RECALLS if name == "11pt_avg" else [float(name.rsplit("_", 1)[1])]
        nothing_left = judged_only and not grades.keys() & scores.keys()
        return nothing_left or not all(_rounds_alike(recall, relevant) for recall in recalls)
    return name == "Rndcg" and rel > 1 and relevant == 0


def _differences(
    qrels: Grades, run: Ranked, *, rel: int = 1, judged_only: bool = False
) -> list[tuple[str, str, float, float]]:
    """Compare all values of topics that are in both, and list those that differ unexpectedly."""
    theirs = _pytrec_values(qrels, run, rel=rel, judged_only=judged_only)
    names = _names(rel)
    ours = gradewise_values(qrels, run, names.values(), judged_only=judged_only)
    assert theirs.keys() <= names.keys()
    found = []
    for name, row in theirs.items():
        for topic, expected in row.items():
            if _expected_to_differ(name, qrels[topic], run[topic], rel, judged_only):
                continue
            if name.startswith("gm_"):
                expected = math.exp(expected)
            value = ours[names[name]][topic]
            if name.startswith("gm_"):
                value = max(value, 0.00001)
            if not abs(value - expected) <= TOLERANCE:
                found.append((name, topic, expected, value))
    return found


def test_no_measure_of_pytrec_eval_is_left_out() -> None:
    values = _pytrec_values({"t": {"a": 1}}, {"t": {"a": 1.0}})
    assert values.keys() == _names().keys()


@pytest.mark.parametrize(("theirs", "ours"), _names().items())
def test_names_of_trec_eval_are_understood(theirs: str, ours: str) -> None:
    assert gw.parse_measure(theirs) == gw.parse_measure(ours)


def test_utility_is_one_measure_in_any_case() -> None:
    assert gw.parse_measure("utility") == gw.parse_measure("Utility")


@pytest.mark.slow
@given(collections())
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_small_collections_agree(collection: tuple[Grades, Ranked]) -> None:
    qrels, run = collection
    assert _differences(qrels, run) == []


@pytest.mark.parametrize("judged_only", [False, True])
@pytest.mark.parametrize("rel", [1, 2, 4])
def test_many_topics_agree(rel: int, judged_only: bool) -> None:
    qrels, run = random_collection(rel, topics=250)
    assert _differences(qrels, run, rel=rel, judged_only=judged_only) == []


def test_summaries_agree() -> None:
    qrels, run = random_collection(11, topics=60)
    theirs = _pytrec_values(qrels, run)
    names = {name: text for name, text in _names().items() if not name.startswith(("ip", "11"))}
    scores = gw.evaluate(qrels, {"run": run}, list(names.values()))
    summary = dict(zip(map(str, scores.measures), scores.summary()[0].tolist(), strict=True))
    for name, text in names.items():
        expected = pytrec_eval.compute_aggregated_measure(name, list(theirs[name].values()))
        assert summary[str(gw.parse_measure(text))] == pytest.approx(expected, abs=TOLERANCE), name


PARAMETERS = {  # what pytrec_eval is asked for: the name of its answer, ours
    "P.3": ("P_3", "P.3"),
    "recall.7": ("recall_7", "recall.7"),
    "ndcg_cut.4": ("ndcg_cut_4", "ndcg_cut.4"),
    "map_cut.7": ("map_cut_7", "map_cut.7"),
    "relative_P.2": ("relative_P_2", "relative_P.2"),
    "success.3": ("success_3", "success.3"),
    "Rprec_mult.0.25": ("Rprec_mult_0.25", "Rprec_mult.0.25"),
    "iprec_at_recall.0.5": ("iprec_at_recall_0.50", "iprec_at_recall.0.5"),
    "11pt_avg.0.5,1": ("11pt_avg", "11pt_avg.0.5,1"),
    "set_F.2": ("set_F", "set_F.2"),
    "set_F.0.5": ("set_F", "set_F.0.5"),
}


@pytest.mark.parametrize("request_", PARAMETERS)
def test_parameters_agree(request_: str) -> None:
    qrels, run = random_collection(5, topics=100)
    answer, ours = PARAMETERS[request_]
    expected = _pytrec_values(qrels, run, request_)[answer]
    values = gradewise_values(qrels, run, [ours])[ours]
    assert values == pytest.approx(expected, abs=TOLERANCE)


@pytest.fixture(scope="module")
def robust03(real_data: Path) -> Grades:
    qrels: Grades = {}
    for topic, _, document, grade in read_lines(real_data / "qrels" / "qrels.robust03.txt.gz"):
        qrels.setdefault(topic, {})[document] = int(grade)
    return qrels


def _submitted(real_data: Path, name: str) -> Ranked:
    run: Ranked = {}
    for topic, _, document, _, score, _ in read_lines(real_data / "robust03-runs" / name):
        run.setdefault(topic, {})[document] = float(score)
    return run


def test_a_submitted_run_agrees(robust03: Grades, real_data: Path) -> None:
    run = _submitted(real_data, "input.pircRBa1.gz")
    assert sum(map(len, run.values())) == 100_000
    assert _differences(robust03, run) == []


def test_a_submitted_run_agrees_once_scores_are_single(robust03: Grades, real_data: Path) -> None:
    run = _submitted(real_data, "input.oce03noXbmD.gz")
    assert _differences(robust03, run) != []  # all 100 topics have scores that differ too little
    single = {
        topic: {document: float(np.float32(score)) for document, score in scores.items()}
        for topic, scores in run.items()
    }
    assert _differences(robust03, single) == []


@dataclass(frozen=True)
class Disagreement:
    """A value that differs, and why; both numbers are worked out by hand."""

    reason: str
    qrels: dict[str, int]
    ranking: Mapping[str, float]
    request: tuple[str, str]  # pytrec_eval's measure, ours
    theirs: float
    ours: float
    options: dict[str, Any] = field(default_factory=dict)  # of pytrec_eval


def _ranked(*documents: str) -> dict[str, float]:
    return {document: float(-place) for place, document in enumerate(documents)}


DISAGREEMENTS = {
    "scores as float": Disagreement(
        "trec_eval 9 compares scores in single precision, where these two are equal",
        {"a": 1, "b": 0},
        {"a": 1.00000001, "b": 1.0},
        ("map", "AP"),
        theirs=0.5,
        ours=1.0,
    ),
    "recall level": Disagreement(
        "0.4 of 3 documents: 9 takes floor(1.2 + 0.9) = 2, 10 and gradewise the nearest, 1",
        {"a": 1, "b": 1, "c": 1},
        _ranked("a", "x", "y", "b"),
        ("iprec_at_recall.0.4", "iprec_at_recall.0.4"),
        theirs=2 / 4,
        ours=1.0,
    ),
    "mean over recall levels": Disagreement(
        "the same for x of 2 documents: 9 asks for both of them from x = 0.6 on, 10 from 0.8 on",
        {"a": 1, "b": 1},
        _ranked("a", "x", "y", "b"),
        ("11pt_avg", "11pt_avg"),
        theirs=(6 + 5 / 2) / 11,
        ours=(8 + 3 / 2) / 11,
    ),
    "geometric mean": Disagreement(
        "the value of a topic is the logarithm of AP there, and AP here; the summaries are equal",
        {"a": 1, "b": 1},
        _ranked("a", "x"),
        ("gm_map", "gm_map"),
        theirs=math.log(0.5),
        ours=0.5,
    ),
    "set_F's parameter": Disagreement(
        "trec_eval's parameter stands for beta squared; P = 1/3 and R = 1/2",
        {"a": 1, "b": 1},
        _ranked("a", "x", "y"),
        ("set_F.2", "SetF(beta=2)"),
        theirs=3 * (1 / 6) / (2 / 3 + 1 / 2),
        ours=5 * (1 / 6) / (4 / 3 + 1 / 2),
    ),
    "Rndcg at a level": Disagreement(
        "trec_eval gives 0 if no document is relevant at the level; RnDCG has gains and no level",
        {"a": 1},
        _ranked("a"),
        ("Rndcg", "RnDCG"),
        theirs=0.0,
        ours=1.0,
        options={"rel": 2},
    ),
    "nothing judged is left": Disagreement(
        "trec_eval divides 0 by 0 when only judged documents count and none was retrieved",
        {"a": 1},
        _ranked("x"),
        ("iprec_at_recall.0", "IPrec(judged_only=True)@0"),
        theirs=math.nan,
        ours=0.0,
        options={"judged_only": True},
    ),
    "negative grade in bpref": Disagreement(
        "a negative grade is unjudged in trec_eval, judged and not relevant in gradewise",
        {"a": 1, "b": -1},
        _ranked("b", "a"),
        ("bpref", "Bpref"),
        theirs=1.0,
        ours=0.0,
    ),
    "negative grade, counted": Disagreement(
        "the same: the document with the grade -1 is judged and not relevant",
        {"a": 1, "b": -1},
        _ranked("b", "a"),
        ("num_nonrel_judged_ret", "NumNonrelRet"),
        theirs=0.0,
        ours=1.0,
    ),
    "negative grade, judged only": Disagreement(
        "the same: judged_docs_only_flag drops the document with the grade -1",
        {"a": 1, "b": -1},
        _ranked("b", "a"),
        ("map", "AP(judged_only=True)"),
        theirs=1.0,
        ours=0.5,
        options={"judged_only": True},
    ),
}


@pytest.mark.parametrize("case", DISAGREEMENTS.values(), ids=DISAGREEMENTS)
def test_they_disagree_as_expected(case: Disagreement) -> None:
    qrels, run = {"t": case.qrels}, {"t": dict(case.ranking)}
    measure, ours = case.request
    values = list(_pytrec_values(qrels, run, measure, **case.options).values())
    assert values[0]["t"] == pytest.approx(case.theirs, abs=1e-12, nan_ok=True)
    assert gradewise_values(qrels, run, [ours])[ours]["t"] == pytest.approx(case.ours, abs=1e-12)
    assert case.theirs != case.ours


def test_a_topic_missing_from_the_run_is_dropped_there_and_zero_here() -> None:
    qrels = {"t": {"a": 1}, "u": {"a": 1}}
    run = {"t": {"a": 1.0}, "not judged": {"a": 1.0}}
    assert _pytrec_values(qrels, run, "map") == {"map": {"t": 1.0}}
    assert gradewise_values(qrels, run, ["AP"]) == {"AP": {"t": 1.0, "u": 0.0}}
    dropped = gw.evaluate(qrels, {"run": run}, "AP", missing="drop")
    assert dropped.summary().tolist() == [[1.0]]
