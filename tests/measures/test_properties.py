"""Properties that hold for any list, by Hypothesis."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradewise as gw
from gradewise.measures.registry import all_measures

LISTS = st.lists(st.sampled_from([None, 0, 1, 2, 3]), max_size=15)
SIMPLEX = st.lists(st.integers(1, 9), min_size=3, max_size=3).map(
    lambda parts: [part / sum(parts) for part in parts]
)
# What lies between 0 and 1 for any list, with parameters and cutoff where they are needed.
BOUNDED = [
    "AP", "AP@5", "AP(norm='min(k,R)')@5", "SSP@5", "GAP", "xGAP", "eGAP", "GenAP", "Q", "P@5",
    "R@5", "Rprec", "RelP@5", "RBP", "RBP(gains='linear')", "RBP(gains='exp')",
    "RBP(gains={1:1,2:3,3:10})", "nDCG", "nDCG@5",
    "nDCG(dcg='exp-log2')", "nDCG(dcg='jk')@5", "nDCG(dcg='linear')@5", "SDCG@5", "AnDCG",
    "AnDCG(dcg='log2')@5", "SR", "MSR", "gP", "gR", "RR", "ERR", "Bpref", "infAP", "IPrec@0.5",
    "AvgIPrec", "NormRecall(size=500)", "NormPrec(size=500)", "Success@5", "Judged@5", "Unjudged@5",
    "SetP", "SetR", "SetF", "SetAP", "SetRelP", "BinG", "G", "nDCGrel", "RnDCG", "GMAP",
    "GMBpref", "RBPResidual", "WAP",
    "Q(norm='min(k,R)')@5", "ERR(gains='linear')", "nERR", "nERR(gains='exp')@5", "iRBU",
    "Omeasure", "Pmeasure", "Pplus", "NCUguP", "NCUguBR", "NCUrbP", "NCUrbBR(beta=3)", "xinfAP",
    "infNDCG", "infNDCG@5", "statAP", "Compat", "Compat(normalize=False)", "ppref", "ppref@5",
    "rpref", "nwpref@5", "APpref",
    "CWL", "CWL(user='inst',T=2)", "CWL(user='ap')", "INST", "INST(T=0.5)", "INST(T=3)@5", "INSQ",
    "INSQ(T=3)@5", "BPM@5", "BPM(T=2)@5", "NERR8@5", "NERR9@5", "NERR10", "NERR11", "NERR11@5",
    "F1@5", "nsDCG", "nsDCG@5", "nsDCG(queries=2)@5",
]  # fmt: skip
UNBOUNDED = {"SP", "CG", "DCG", "RHL", "ADM", "Utility", "ESL", "SwetsE", "wpref"}
UNBOUNDED |= {"TBG", "U", "PSP", "PSnDCG", "session_DCG"}
# 1 for the list of all relevant documents by falling grade.
IDEAL_IS_ONE = [
    "AP", "GAP", "GenAP", "Q", "WAP", "R@100", "Rprec", "RelP@5", "nDCG", "nDCG@3",
    "nDCG(dcg='jk')", "nDCG(dcg='exp-log2')@4", "nDCG(dcg='linear')", "AnDCG",
    "AnDCG(dcg='log2')", "SR", "MSR", "gR", "RR", "Bpref",
    "IPrec@1.0", "AvgIPrec", "NormRecall(size=500)", "NormPrec(size=500)", "Success@1", "SetP",
    "SetR", "SetF", "SetAP", "BinG", "G", "nDCGrel", "RnDCG", "Q(norm='min(k,R)')@3", "nERR",
    "nERR(gains='exp')@3", "Omeasure", "Pmeasure", "Pplus", "NCUguP", "NCUguBR", "NCUrbP",
    "NCUrbBR", "infNDCG", "infNDCG@3", "statAP", "Compat",
]  # fmt: skip


def _counts(grades: list[int | None], more: dict[int, int] | None = None) -> dict[int, int]:
    counts = {grade: grades.count(grade) for grade in (0, 1, 2, 3)}
    return {grade: count + (more or {}).get(grade, 0) for grade, count in counts.items()}


UNDEFINED_OR_BOUNDED = ["Accuracy", "Accuracy@5", "AUC"]


def test_every_measure_is_bounded_or_known_not_to_be() -> None:
    tested = {gw.parse_measure(text).name for text in BOUNDED + UNDEFINED_OR_BOUNDED}
    counts = {measure.name for measure in all_measures() if measure.aggregate == "sum"}
    known = {measure.name for measure in all_measures() if not measure.uses_intents}
    assert known == tested | UNBOUNDED | counts  # for the others see test_intents


@pytest.mark.parametrize("text", BOUNDED)
@settings(max_examples=60, deadline=None)
@given(grades=LISTS, missed=st.lists(st.integers(0, 5), min_size=4, max_size=4))
def test_between_0_and_1(text: str, grades: list[int | None], missed: list[int]) -> None:
    value = gw.score(text, grades, _counts(grades, dict(enumerate(missed))))
    assert -1e-12 <= value <= 1 + 1e-12


@pytest.mark.parametrize("text", UNDEFINED_OR_BOUNDED)
@settings(max_examples=60, deadline=None)
@given(grades=LISTS, missed=st.lists(st.integers(0, 5), min_size=4, max_size=4))
def test_between_0_and_1_or_undefined(
    text: str, grades: list[int | None], missed: list[int]
) -> None:
    value = gw.score(text, grades, _counts(grades, dict(enumerate(missed))))
    assert np.isnan(value) or 0 <= value <= 1


@pytest.mark.parametrize("text", IDEAL_IS_ONE)
@settings(max_examples=40, deadline=None)
@given(counts=st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any))
def test_ideal_list_scores_1(text: str, counts: list[int]) -> None:
    relevant = dict(enumerate(counts, 1))
    grades: list[int | None] = [g for g in (3, 2, 1) for _ in range(relevant[g])]
    assert gw.score(text, grades, relevant) == pytest.approx(1, abs=1e-12)


@settings(max_examples=200, deadline=None)
@given(grades=st.lists(st.sampled_from([None, 0, 1]), max_size=20), more=st.integers(0, 5))
def test_graded_ap_is_ap_on_two_grades(grades: list[int | None], more: int) -> None:
    relevant = {1: grades.count(1) + more}
    expected = gw.score("AP", grades, relevant)
    for name in ("GAP", "xGAP", "eGAP", "GenAP"):
        if name == "GenAP" or relevant[1]:
            assert gw.score(name, grades, relevant) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=150, deadline=None)
@given(grades=LISTS, g=SIMPLEX, data=st.data())
def test_gap_and_egap_never_fall_when_a_better_document_moves_up(
    grades: list[int | None], g: list[float], data: st.DataObject
) -> None:
    ranking = [grade or 0 for grade in grades]
    if len(ranking) < 2:
        return
    first = data.draw(st.integers(0, len(ranking) - 2))
    second = data.draw(st.integers(first + 1, len(ranking) - 1))
    for name in ("GAP", "eGAP"):
        delta = gw.swap_deltas(f"{name}(g={g})", ranking, _counts(list(ranking)))[first, second]
        if ranking[second] > ranking[first]:
            assert delta >= -1e-12
        elif ranking[second] < ranking[first]:
            assert delta <= 1e-12
        else:
            assert delta == pytest.approx(0, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(grades=LISTS, g=SIMPLEX)
def test_egap_is_the_mean_of_ap_over_thresholds(grades: list[int | None], g: list[float]) -> None:
    relevant = _counts(grades)
    mean = sum(g[k - 1] * gw.score(f"AP(rel={k})", grades, relevant) for k in (1, 2, 3))
    assert gw.score(f"eGAP(g={g})", grades, relevant) == pytest.approx(mean, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(grades=LISTS, g=SIMPLEX)
def test_graded_ap_is_the_area_under_the_graded_curve(
    grades: list[int | None], g: list[float]
) -> None:
    """Robertson et al. 2010, §3.2: GAP is the sum of precision times the step in recall."""
    qrels = {"t": {f"d{i}": grade for i, grade in enumerate(grades) if grade is not None}}
    qrels["t"] |= {"one": 1, "two": 2, "three": 3}
    run = {"t": {f"d{i}": -float(i) for i in range(len(grades))} | {"last": -99.0}}
    curves = gw.precision_recall(qrels, run, g=g)
    steps = np.diff(curves.recall, prepend=0)
    area = float((steps * curves.precision).sum())
    value = gw.evaluate(qrels, run, f"GAP(g={g})").summary()[0, 0]
    assert value == pytest.approx(area, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_names_of_documents_do_not_matter(data: st.DataObject) -> None:
    grades = data.draw(LISTS.filter(lambda grades: any(g is not None for g in grades)))
    names = data.draw(st.permutations(range(100)))[: len(grades)]
    measures = ["AP", "nDCG", "GAP", "Bpref", "ERR", "RBP", "Q"]

    def scores(label: dict[int, str]) -> Any:
        qrels = {"t": {label[i]: g for i, g in enumerate(grades) if g is not None} | {"extra": 3}}
        run = {"t": {label[i]: -float(i) for i in range(len(grades))}}
        return gw.evaluate(qrels, run, measures).values

    plain = scores({i: f"d{i}" for i in range(len(grades))})
    renamed = scores({i: f"x{names[i]:03d}" for i in range(len(grades))})
    np.testing.assert_array_equal(plain, renamed)


@settings(max_examples=40, deadline=None)
@given(grades=LISTS)
def test_condensed_list_is_the_list_without_unjudged(grades: list[int | None]) -> None:
    relevant = _counts(grades, {1: 2, 3: 1})
    condensed = [grade for grade in grades if grade is not None]
    for name in ("AP", "nDCG@5", "GAP", "RBP", "RR", "P@5", "Q"):
        text = gw.parse_measure(name)
        judged_only = type(text)(cutoff=text.cutoff, judged_only=True)
        expected = gw.score(name, condensed, relevant)
        assert gw.score(judged_only, grades, relevant) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(grades=LISTS, padding=st.integers(1, 30))
def test_unjudged_documents_at_the_end_change_no_ranked_measure(
    grades: list[int | None], padding: int
) -> None:
    relevant = _counts(grades, {2: 1})
    for name in ("AP", "nDCG", "GAP", "xGAP", "eGAP", "Q", "RR", "ERR", "Bpref", "RBP", "infAP"):
        longer = [*grades, *[None] * padding]
        assert gw.score(name, longer, relevant) == gw.score(name, grades, relevant)
