"""The measures of ir_measures, topic by topic; its names; and where we part from it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import ir_measures
import pytest
from hypothesis import assume, given, settings
from ir_measures import (
    AP,
    BPM,
    ERR,
    INSQ,
    INST,
    NERR8,
    NERR9,
    NERR10,
    NERR11,
    RBP,
    RR,
    SDCG,
    Bpref,
    Compat,
    IPrec,
    Judged,
    NumQ,
    NumRel,
    NumRet,
    P,
    R,
    Rprec,
    SetAP,
    SetF,
    SetP,
    SetR,
    SetRelP,
    Success,
    infAP,
    nDCG,
)

import gradewise as gw
from parity.material import Grades, Ranked, collections, gradewise_values, random_collection

Theirs = ir_measures.Measure
CUTOFFS = (1, 5, 10, 50)
PROVIDERS = {provider.NAME: provider for provider in ir_measures.DefaultPipeline.providers}


def _need(name: str) -> None:
    """Skip a test whose values come from a provider that is not installed."""
    if not PROVIDERS[name].is_available():
        how = PROVIDERS[name].install_instructions()
        pytest.skip(f"ir_measures' provider {name} is not available ({how})")


def _by_pytrec_eval() -> dict[Theirs, str]:
    """Give measures that pytrec_eval computes for ir_measures: theirs, ours."""
    pairs: dict[Theirs, str] = {NumRet: "NumRet", NumRel: "NumRel", NumQ: "NumQ"}
    for rel in (1, 2):
        pairs[Bpref(rel=rel)] = f"Bpref(rel={rel})"
        pairs[infAP(rel=rel)] = f"infAP(rel={rel})"
        pairs[SetR(rel=rel)] = f"SetR(rel={rel})"
        pairs[NumRet(rel=rel)] = f"NumRelRet(rel={rel})"
        for only in (False, True):
            options = {"rel": rel, "judged_only": only}
            text = f"(rel={rel},judged_only={only})"
            for measure in (AP, RR, Rprec, SetP, SetF, SetAP):
                pairs[measure(**options)] = f"{measure.NAME}{text}"
            pairs[SetRelP(**options)] = f"SetRelP{text}"
            for measure in (AP, P, R, Success):
                for k in CUTOFFS:
                    pairs[measure(**options) @ k] = f"{measure.NAME}{text}@{k}"
            for recall in (0.0, 0.5, 1.0):  # where trec_eval 9 and 10 round alike
                pairs[IPrec(**options) @ recall] = f"IPrec{text}@{recall}"
    gains = {1: 3, 2: 7, 4: 8}
    for only in (False, True):
        pairs[nDCG(judged_only=only)] = f"nDCG(judged_only={only})"
        pairs[nDCG(judged_only=only, gains=gains)] = f"nDCG(judged_only={only},gains={gains})"
        for k in CUTOFFS:
            pairs[nDCG(judged_only=only) @ k] = f"nDCG(judged_only={only})@{k}"
            theirs = nDCG(judged_only=only, gains=gains) @ k
            pairs[theirs] = f"nDCG(judged_only={only},gains={gains})@{k}"
    return pairs


BY_PYTREC_EVAL = _by_pytrec_eval()
BY_MSMARCO = {RR(rel=rel) @ k: f"RR(rel={rel})@{k}" for rel in (1, 2) for k in CUTOFFS}
BY_JUDGED = {Judged: "Judged", **{Judged @ k: f"Judged@{k}" for k in CUTOFFS}}
BY_CWL_EVAL = {
    **{RBP(rel=rel): f"RBP(rel={rel})" for rel in (1, 2)},
    **{RBP(rel=rel, p=0.95): f"RBP(rel={rel},p=0.95)" for rel in (1, 2)},
    **{SDCG(max_rel=4) @ k: f"SDCG@{k}" for k in CUTOFFS},
    **{INST(T=t, max_rel=4): f"INST(T={t},max_grade=4)@1000" for t in (1.0, 2.5)},
    **{INSQ(T=t, max_rel=4): f"INSQ(T={t},max_grade=4)@1000" for t in (1.0, 2.5)},
    **{BPM(T=2.0, max_rel=4) @ k: f"BPM(T=2.0,max_grade=4)@{k}" for k in CUTOFFS},
    **{NERR8(max_rel=4) @ k: f"NERR8(max_grade=4)@{k}" for k in CUTOFFS},
    **{NERR9(max_rel=4) @ k: f"NERR9(max_grade=4)@{k}" for k in CUTOFFS},
    **{NERR10(p=p, max_rel=4): f"NERR10(p={p},max_grade=4)" for p in (0.5, 0.9)},
    NERR11(T=1.5, max_rel=4): "NERR11(T=1.5,max_grade=4)@1000",
}
BY_GDEVAL = {
    **{nDCG(dcg="exp-log2") @ k: f"nDCG(dcg='exp-log2')@{k}" for k in CUTOFFS},
    **{ERR @ k: f"ERR(max_grade=4)@{k}" for k in CUTOFFS},
}


def _their_values(measure: Theirs, qrels: Grades, run: Ranked) -> dict[str, float]:
    """Score with one measure alone; TOGETHER shows the reason."""
    return {metric.query_id: metric.value for metric in measure.iter_calc(qrels, run)}


def _is_undefined(measure: Theirs, grades: Mapping[str, int], scores: Mapping[str, float]) -> bool:
    """Whether trec_eval divides 0 by 0, as DISAGREEMENTS has it."""
    return measure.NAME == "IPrec" and measure["judged_only"] and not grades.keys() & scores.keys()


def _differences(
    pairs: Mapping[Theirs, str], qrels: Grades, run: Ranked, *, tolerance: float = 1e-10
) -> list[tuple[str, str, float, float]]:
    ours = gradewise_values(qrels, run, pairs.values())
    found = []
    for measure, text in pairs.items():
        for topic, expected in _their_values(measure, qrels, run).items():
            if _is_undefined(measure, qrels[topic], run.get(topic, {})):
                continue
            value = ours[text][topic]
            if not abs(value - expected) <= tolerance:
                found.append((str(measure), topic, expected, value))
    return found


@pytest.mark.slow
@given(collections())
@settings(max_examples=25, deadline=None)
def test_small_collections_agree(collection: tuple[Grades, Ranked]) -> None:
    qrels, run = collection
    qrels = {topic: grades for topic, grades in qrels.items() if topic in run}
    assume(qrels)  # the counts of a missed topic differ, see below
    assert _differences(BY_PYTREC_EVAL, qrels, run) == []


def test_many_topics_agree() -> None:
    qrels, run = random_collection(1, topics=150)
    assert _differences(BY_PYTREC_EVAL, qrels, run) == []


def test_a_missed_topic_is_worth_nothing_to_both() -> None:
    qrels, run = random_collection(2, topics=12)
    run = {topic: scores for topic, scores in run.items() if int(topic) % 3}
    counts = {NumRel, NumQ}
    pairs = {theirs: ours for theirs, ours in BY_PYTREC_EVAL.items() if theirs not in counts}
    assert _differences(pairs, qrels, run) == []


def test_measures_by_other_providers_agree_without_ties() -> None:
    qrels, run = random_collection(3, topics=150, ties=False)
    assert _differences({**BY_MSMARCO, **BY_JUDGED}, qrels, run) == []


def test_compatibility_agrees_without_ties() -> None:
    qrels, run = random_collection(7, topics=150, ties=False)
    # ir_measures takes the score 0 for documents that were not retrieved.
    run = {t: {d: score + 1 for d, score in scores.items()} for t, scores in run.items()}
    pairs = {
        Compat: "Compat",
        Compat(p=0.8): "Compat(p=0.8)",
        Compat(p=0.98, normalize=False): "Compat(p=0.98,normalize=False)",
    }
    assert _differences(pairs, qrels, run) == []
    for theirs, ours in pairs.items():
        assert gw.parse_measure(str(theirs)) == gw.parse_measure(ours)


def test_cwl_eval_agrees_without_ties() -> None:
    _need("cwl_eval")
    qrels, run = random_collection(4, topics=60, ties=False)
    assert _differences(BY_CWL_EVAL, qrels, run) == []


def test_gdeval_agrees_to_the_five_digits_it_prints() -> None:
    _need("gdeval")
    qrels, run = random_collection(5, topics=150)
    assert _differences(BY_GDEVAL, qrels, run, tolerance=0.000005000001) == []


@pytest.mark.slow
def test_summaries_agree() -> None:
    qrels, run = random_collection(6, topics=40)
    qrels = {topic: grades for topic, grades in qrels.items() if grades.keys() & run[topic].keys()}
    assert len(qrels) > 30
    for measure, text in BY_PYTREC_EVAL.items():
        expected = measure.calc_aggregate(qrels, run)
        value = gw.evaluate(qrels, {"run": run}, text).summary()[0, 0]
        assert value == pytest.approx(expected, abs=1e-10), text


def test_what_ir_measures_prints_parses_to_the_same_measure() -> None:
    for theirs, ours in {**BY_PYTREC_EVAL, **BY_MSMARCO, **BY_JUDGED}.items():
        if str(theirs).startswith("NumRet(") or "relative=" in str(theirs):
            continue  # SPELLED_OTHERWISE in test_ir_measures_names
        assert gw.parse_measure(str(theirs)) == gw.parse_measure(ours)


@dataclass(frozen=True)
class Disagreement:
    """A value that differs, and why; both numbers are worked out by hand."""

    reason: str
    qrels: dict[str, int]
    ranking: dict[str, float]
    measures: tuple[Theirs, str]
    theirs: float
    ours: float
    provider: str = "pytrec_eval"


def _ranked(*documents: str) -> dict[str, float]:
    return {document: float(-place) for place, document in enumerate(documents)}


DISAGREEMENTS = {
    "ties in RR@k": Disagreement(
        "of equal scores ir_measures puts the smaller id first here, the greater one elsewhere",
        {"a": 1, "b": 0},
        {"a": 1.0, "b": 1.0},
        (RR @ 10, "RR@10"),
        theirs=1.0,
        ours=0.5,
        provider="msmarco",
    ),
    "ties in Judged": Disagreement(
        "the same: the smaller id first",
        {"a": 1},
        {"a": 1.0, "b": 1.0},
        (Judged @ 1, "Judged@1"),
        theirs=1.0,
        ours=0.0,
        provider="judged",
    ),
    "negative scores in Compat": Disagreement(
        "ir_measures takes the score 0 for b, which then comes before a in the ideal list",
        {"a": 1, "b": 1},
        {"a": -1.0, "x": -2.0},
        (Compat(p=0.5), "Compat(p=0.5)"),
        theirs=(0 + 1 / 4) / (1 + 1 / 2),
        ours=(1 + 1 / 4) / (1 + 1 / 2),
        provider="compat",
    ),
    "ties in RBP": Disagreement(
        "cwl_eval keeps documents of equal score in the order of the input",
        {"a": 1},
        {"a": 1.0, "b": 1.0},
        (RBP(rel=1, p=0.5), "RBP(p=0.5)"),
        theirs=0.5,
        ours=0.25,
        provider="cwl_eval",
    ),
    "scores as float": Disagreement(
        "trec_eval 9 compares scores in single precision, where these two are equal",
        {"a": 1, "b": 0},
        {"a": 1.00000001, "b": 1.0},
        (AP, "AP"),
        theirs=0.5,
        ours=1.0,
    ),
    "recall level": Disagreement(
        "0.4 of 3 documents: trec_eval 9 takes floor(1.2 + 0.9) = 2, gradewise the nearest, 1",
        {"a": 1, "b": 1, "c": 1},
        _ranked("a", "x", "y", "b"),
        (IPrec @ 0.4, "IPrec@0.4"),
        theirs=2 / 4,
        ours=1.0,
    ),
    "nothing judged is left": Disagreement(
        "trec_eval divides 0 by 0 when only judged documents count and none was retrieved",
        {"a": 1},
        _ranked("x"),
        (IPrec(judged_only=True) @ 0.0, "IPrec(judged_only=True)@0"),
        theirs=math.nan,
        ours=0.0,
    ),
    "SetF's beta": Disagreement(
        "ir_measures hands beta to trec_eval, which wants its square; P = 1/3 and R = 1/2",
        {"a": 1, "b": 1},
        _ranked("a", "x", "y"),
        (SetF(beta=2.0), "SetF(beta=2.0)"),
        theirs=3 * (1 / 6) / (2 / 3 + 1 / 2),
        ours=5 * (1 / 6) / (4 / 3 + 1 / 2),
    ),
    "negative grade": Disagreement(
        "a negative grade is unjudged in trec_eval, judged and not relevant in gradewise",
        {"a": 1, "b": -1},
        _ranked("b", "a"),
        (Bpref, "Bpref"),
        theirs=1.0,
        ours=0.0,
    ),
    "scale of ERR": Disagreement(
        "gdeval's highest grade is always 4; gradewise takes that of the qrels, here 1",
        {"a": 1},
        _ranked("a"),
        (ERR @ 10, "ERR@10"),
        theirs=1 / 16,
        ours=1 / 2,
        provider="gdeval",
    ),
    "digits of gdeval": Disagreement(
        "gdeval prints five digits",
        {"a": 1, "b": 4},
        _ranked("a"),
        (nDCG(dcg="exp-log2") @ 1, "nDCG(dcg='exp-log2')@1"),
        theirs=0.06667,
        ours=1 / 15,
        provider="gdeval",
    ),
}


@pytest.mark.parametrize("case", DISAGREEMENTS.values(), ids=DISAGREEMENTS)
def test_they_disagree_as_expected(case: Disagreement) -> None:
    _need(case.provider)
    qrels, run = {"1": case.qrels}, {"1": case.ranking}
    measure, text = case.measures
    theirs = [m.value for m in PROVIDERS[case.provider].iter_calc([measure], qrels, run)]
    assert theirs == pytest.approx([case.theirs], abs=1e-12, nan_ok=True)
    assert gradewise_values(qrels, run, [text])[text]["1"] == pytest.approx(case.ours, abs=1e-12)
    assert case.theirs != case.ours


@pytest.mark.parametrize("measure", [NumRel, NumQ])
def test_counts_of_a_missed_topic_are_zero_there_and_counted_here(measure: Theirs) -> None:
    qrels, run = {"1": {"a": 1}, "2": {"a": 1}}, {"1": {"a": 1.0}}
    assert _their_values(measure, qrels, run) == {"1": 1.0, "2": 0.0}
    assert gradewise_values(qrels, run, [measure.NAME]) == {measure.NAME: {"1": 1.0, "2": 1.0}}


def test_rbp_needs_a_level_there_and_is_binary_here() -> None:
    qrels, run = {"1": {"a": 2}}, {"1": {"a": 1.0}}
    with pytest.raises(ValueError, match="Unsupported measures"):
        RBP(p=0.5).calc_aggregate(qrels, run)
    assert gradewise_values(qrels, run, ["RBP(p=0.5)"]) == {"RBP(p=0.5)": {"1": 0.5}}


TOGETHER: dict[str, tuple[list[Theirs], Theirs, Any, Any]] = {
    # ir_measures computes a measure without levels along with whichever other comes first.
    "number retrieved": ([AP(judged_only=True), NumRet], NumRet, 1.0, 2.0),
    "gains": (
        [nDCG(gains={1: 8}), nDCG],
        nDCG,
        1.0,
        (1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3)),
    ),
}


@pytest.mark.parametrize("case", TOGETHER)
def test_a_value_depends_on_the_other_measures_there_and_not_here(case: str) -> None:
    asked, measure, theirs, ours = TOGETHER[case]
    qrels: Grades = {"1": {"a": 1, "b": 2}} if case == "gains" else {"1": {"a": 1}}
    run: Ranked = {"1": _ranked("a", "b")}
    metrics = PROVIDERS["pytrec_eval"].iter_calc(asked, qrels, run)
    assert {m.measure: m.value for m in metrics}[measure] == pytest.approx(theirs)
    assert _their_values(measure, qrels, run)["1"] == pytest.approx(ours)
    texts = [str(other) for other in asked]
    assert gradewise_values(qrels, run, texts)[str(measure)]["1"] == pytest.approx(ours)
