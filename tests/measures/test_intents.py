"""Measures that use intents: against oracles, as values, on empty cases, and what they refuse."""

import itertools
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import MeasureError
from gradewise.measures.measure import Measure
from gradewise.measures.registry import all_measures
from measures.intent_cases import INTENT_ORACLES, MADE, expected_and_found, make_intent_case

CASES = [make_intent_case(seed) for seed in range(150)]
QRELS = {"java": {"island": {"a": 1}, "language": {"b": 2, "c": 1}}}
RUN = {"java": {"b": 3.0, "c": 2.0, "a": 1.0}}
PLAIN = {"t": {"a": 1}}
FAMILIES = [each for each in all_measures() if each.family in ("pivot", "gain-discount")]


def test_every_measure_that_uses_intents_has_an_oracle() -> None:
    assert {each.name for each in all_measures() if each.uses_intents} == set(INTENT_ORACLES)


@pytest.mark.parametrize("name", [*INTENT_ORACLES, *MADE])
def test_equals_oracle(name: str) -> None:
    for case in CASES:
        for text, expected, found in expected_and_found(name, case):
            assert found == pytest.approx(expected, abs=1e-12), (text, case)


@pytest.mark.parametrize("name", INTENT_ORACLES)
def test_values_lie_between_0_and_1(name: str) -> None:
    # A greedy list has at least 1 - 1/e of the gain of the best one at any rank.
    highest = 1 / (1 - 1 / np.e) if name in ("alpha_nDCG", "nERR_IA", "nNRBP") else 1
    for case in CASES[:60]:
        for text, _, found in expected_and_found(name, case):
            assert -1e-12 <= found <= highest + 1e-12, (text, case)


def test_the_greedy_list_may_be_beaten() -> None:
    """Each covers two intents, so that z goes first, and leaves less to add than b before c."""
    judged = {"1": {"z": 1, "b": 1}, "2": {"z": 1, "c": 1}, "3": {"b": 1}, "4": {"c": 1}}
    best = max(
        gw.evaluate({"t": judged}, {"t": dict(zip(order, (3.0, 2.0), strict=True))}, "alpha_nDCG@2")
        .summary()
        .item()
        for order in itertools.permutations("bcz", 2)
    )
    assert best == pytest.approx((2 + 2 / np.log2(3)) / (2 + 1.5 / np.log2(3)))


def _texts() -> list[str]:
    return [
        each.name + ("@5" if each.cutoff_rule in ("optional", "required") else "")
        for each in all_measures()
        if each.uses_intents
    ]


@pytest.mark.parametrize("text", _texts())
def test_empty_and_partial(text: str) -> None:
    qrels = {
        "relevant": {"1": {"a": 2, "b": 0}, "2": {"b": 1}, "nobody": {"a": 0}},
        "none relevant": {"1": {"a": 0}, "2": {"a": -1}},
        "missing": {"1": {"a": 1}, "2": {"b": 1}},
        "no intents": {"a": 1},
    }
    run = {"relevant": {"x": 2.0}, "none relevant": {"a": 1.0}, "not judged": {"a": 1.0}}
    scores = gw.evaluate(qrels, run, text)
    assert scores.values.shape == (1, 4, 1)
    np.testing.assert_array_equal(scores.values, 0)
    best = gw.evaluate({"t": qrels["missing"]}, {"t": {"a": 2.0, "b": 1.0}}, text).summary().item()
    assert 0 < best <= 1


@pytest.mark.parametrize("text", [*_texts(), "Q_IA@5"])
def test_judgments_without_intents_are_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(MeasureError, match="needs intents, but the judgments have none") as error:
        gw.evaluate(PLAIN, PLAIN, text)
    assert str(error.value).startswith(text.partition("@")[0])
    with pytest.raises(MeasureError, match="needs intents"):
        gw.score(text, [1, 0], {1: 1})


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("ERR-IA@20", "ERR_IA@20"),
        ("err_ia@20", "ERR_IA@20"),
        ("alpha-nDCG@20", "alpha_nDCG@20"),
        ("α-nDCG(alpha=0.25)@20", "alpha_nDCG(alpha=0.25)@20"),
        ("D#-nDCG@10", "Dsharp_nDCG@10"),
        ("D♯-nDCG(gamma=0.3)", "Dsharp_nDCG(gamma=0.3)"),
        ("d-ndcg@10", "D_nDCG@10"),
        ("I-rec@10", "StRecall@10"),
        ("strec@10", "StRecall@10"),
        ("S-recall@10", "StRecall@10"),
        ("MAP-IA", "AP_IA"),
        ("GAP-IA(g=[.5,.5])@20", "GAP_IA(g=[0.5,0.5])@20"),
        ("GAP_IA@20", "GAP_IA(g='equal')@20"),
        ("xgap_ia", "xGAP_IA(g='equal')"),
        ("Q-IA(beta=2)@10", "Q_IA(beta=2.0)@10"),
        ("rbp-ia", "RBP_IA"),
        ("Recall-IA@5", "R_IA@5"),
    ],
)
def test_names(text: str, canonical: str) -> None:
    measure = gw.parse_measure(text)
    assert str(measure) == canonical
    assert gw.parse_measure(canonical) == measure
    assert hash(gw.parse_measure(canonical)) == hash(measure)
    assert pickle.loads(pickle.dumps(measure)) == measure
    assert pickle.loads(pickle.dumps(type(measure))) is type(measure)
    assert type(gw.parse_measure(canonical)) is type(measure)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Bpref_IA", "Bpref has no intent-aware form"),
        ("AP_IA_IA", "AP_IA has no intent-aware form"),
        ("nDGC_IA", "did you mean nDCG_IA"),
        ("P_IA", "P_IA needs a cutoff, such as P_IA@10"),
        ("P_IA(level=2)@5", "P_IA has no parameter 'level'"),
        ("RBP_IA(p=2)", "p must be between 0 and 1"),
        ("alpha_nDCG(alpha=2)", "alpha must be between 0 and 1"),
        ("NRBP(beta=1)", "beta must be between 0 and 1"),
        ("NRBP@10", "NRBP takes no cutoff"),
    ],
)
def test_mistakes_get_a_sentence(text: str, message: str) -> None:
    with pytest.raises(MeasureError) as error:
        gw.parse_measure(text)
    assert message in str(error.value)


@pytest.mark.parametrize("plain", FAMILIES, ids=str)
def test_every_measure_of_the_two_families_has_an_intent_aware_form(plain: type[Measure]) -> None:
    cutoff = "" if plain.cutoff_rule == "none" else "@5"
    made = type(gw.parse_measure(f"{plain.name}_IA{cutoff}"))
    assert made.name == f"{plain.name}_IA"
    assert made.parameters() == plain.parameters()
    assert getattr(gw.measures, made.name) is made
    assert (made.__doc__ or "").startswith("Intent-aware ")
    # With a single intent that counts, it is the plain measure.
    grades = {"a": 2, "b": 0, "c": 1, "e": 2}
    qrels = {"t": {"only": grades, "nobody": {"b": 0}}}
    run = {"t": _run(["c", "x", "a", "b"])}
    expected = gw.evaluate({"t": grades}, run, f"{plain.name}{cutoff}").values
    np.testing.assert_allclose(gw.evaluate(qrels, run, f"{made.name}{cutoff}").values, expected)


def test_plain_measures_use_the_highest_grade_over_intents() -> None:
    qrels = {"t": {"1": {"a": 1, "b": 0}, "2": {"a": 3, "b": 1}}}
    run = {"t": {"b": 2.0, "a": 1.0}}
    both = gw.evaluate(qrels, run, ["nDCG", "GAP(g={1:0.5,3:0.5})"])
    assert (
        both.values.tolist()
        == gw.evaluate({"t": {"a": 3, "b": 1}}, run, both.measures).values.tolist()
    )
    assert both.notes == [
        "the qrels name intents; measures without intents use a document's highest grade over its "
        "intents"
    ]
    assert gw.evaluate(qrels, run, "AP_IA").notes == []
    alone = {"t": {"1": {"a": 1}, "2": {"b": 1}}}
    assert gw.evaluate(alone, run, "AP").notes == []


def test_condensed_lists() -> None:
    """A document that is judged for one intent stays for all."""
    run = {"java": {"x": 9.0, "b": 3.0, "y": 2.5, "a": 2.0}}
    without = {"java": {"b": 3.0, "a": 2.0}}
    for text in ("AP_IA", "alpha_nDCG@3", "D_nDCG", "StRecall@1"):
        name, _, cutoff = text.partition("@")
        condensed = f"{name}(judged_only=True)" + (f"@{cutoff}" if cutoff else "")
        expected = gw.evaluate(QRELS, without, text).summary()
        assert gw.evaluate(QRELS, run, condensed).summary() == pytest.approx(expected)


def test_several_runs_and_topics_are_scored_as_each_alone() -> None:
    qrels = {"10": CASES[0].judged, "9": CASES[1].judged, "8": {"a": 1}}
    runs = {
        name: {"10": _run(CASES[i].ranking), "9": _run(CASES[i + 1].ranking)}
        for i, name in enumerate(["one", "two", "three"])
    }
    texts = [*_texts(), "Q_IA"]
    together = gw.evaluate(qrels, runs, texts)
    assert together.topics == ("8", "9", "10")
    for r, (name, run) in enumerate(runs.items()):
        for t, topic in enumerate(together.topics):
            judged = gw.judge(qrels, {name: run}).list_of(name, topic)
            alone = gw.score_judged(judged, texts).values[0, 0]
            np.testing.assert_allclose(together.values[r, t], alone, atol=1e-12)


def _run(ranking: list[str]) -> dict[str, float]:
    return {document: -float(n) for n, document in enumerate(ranking)}


def test_other_judgments() -> None:
    """Judgments may be lost, for all intents; what a changed grade means by intent is not known."""
    judged = gw.judge(QRELS, RUN)
    fewer = judged.with_judgments(np.array([True, False, True]))  # a, b, c
    left = {"java": {"island": {"a": 1}, "language": {"c": 1}}}
    lost = judged.with_grades(np.array([1, -1, 1]))
    for text in ("AP_IA", "alpha_nDCG", "StRecall@2"):
        expected = gw.evaluate(left, RUN, text).values
        np.testing.assert_allclose(gw.score_judged(fewer, text).values, expected)
        np.testing.assert_allclose(gw.score_judged(lost, text).values, expected)
    with pytest.raises(MeasureError, match="needs intents"):
        gw.score_judged(judged.with_grades(np.array([1, 1, 1])), "AP_IA")


def test_what_knows_one_grade_per_document_refuses() -> None:
    judged = gw.judge(QRELS, RUN)
    for call in (
        lambda: gw.distance.med(RUN, RUN, QRELS, "AP_IA"),
        lambda: gw.meta.judgment_noise(judged, "AP_IA", flips={1: {0: 0.1}}),
        lambda: gw.meta.sensitivity(judged, "alpha_nDCG@5"),
    ):
        with pytest.raises(MeasureError, match="needs judgments by intent; "):
            call()
    with pytest.raises(MeasureError, match="cannot be an objective"):
        gw.learn.objective("AP_IA")
    features, grades = np.arange(8.0).reshape(4, 2), np.array([0, 1, 0, 2])
    ranker = gw.learn.NetRanker(objective="AP", epochs=1, eval_measure="AP_IA")
    with pytest.raises(MeasureError, match="documents with features have a single grade each"):
        ranker.fit(
            features, grades, group=[2, 2], eval_set=[(features, grades)], eval_group=[[2, 2]]
        )
    with pytest.raises(MeasureError, match="not in the pivot or gain-discount family"):
        gw.meta.informativeness(judged, "AP_IA", least=1, least_top=1)
    with pytest.raises(MeasureError, match="no closed form"):
        gw.expectation("AP_IA", [[0.5, 0.5]], {1: 1})


def test_the_names_of_ndeval_in_the_guide() -> None:
    guide = Path(__file__).parents[2] / "docs" / "guides" / "researchers" / "diversity.md"
    table = guide.read_text(encoding="utf-8").partition("| ndeval |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `(.+)` \| `(.+)` \| `(.+)` \|$", table, re.MULTILINE)
    assert len(rows) == 9
    for names in rows:
        assert {str(gw.parse_measure(name)) for name in names} == {names[-1]}
