"""Measures as values of Python: equal to what the grammar reads, printed as it is written."""

import inspect
import pickle

import pytest

import gradewise as gw
from gradewise import AP, ERR, GAP, RBP, P, R, measures, nDCG
from gradewise.measures.registry import PLACES, all_measures, find_measure

NAMES = [name for module in PLACES.values() for name in module]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (AP, "AP"),
        (AP(), "AP"),
        (AP(rel=2), "AP(rel=2)"),
        (nDCG @ 10, "nDCG@10"),
        (nDCG(dcg="exp-log2") @ 10, "nDCG(dcg='exp-log2')@10"),
        (nDCG(cutoff=10), "nDCG@10"),
        (GAP(g=[0.5, 0.5]) @ 100, "GAP(g=[0.5,0.5])@100"),
        (GAP(g={1: 0.25, 2: 0.75}), "GAP(g={1:0.25,2:0.75})"),
        (P @ 5, "P@5"),
        (P(rel=2) @ 5, "P(rel=2)@5"),
        (RBP(p=0.8), "RBP(p=0.8)"),
        (ERR @ 20, "ERR@20"),
        (R(judged_only=True) @ 10, "R(judged_only=True)@10"),
        (measures.IPrec @ 0.5, "IPrec@0.5"),
    ],
)
def test_a_value_equals_what_the_grammar_reads(value: gw.measures.AP, text: str) -> None:
    parsed = gw.parse_measure(text)
    assert value == parsed
    assert parsed == value
    assert hash(value) == hash(parsed)
    assert {value: 1}[parsed] == 1
    assert gw.parse_measure(value) == parsed
    assert gw.parse_measure(str(value)) == value
    assert pickle.loads(pickle.dumps(value)) == parsed


@pytest.mark.parametrize("text", ["AP", "AP(rel=2)", "nDCG@10", "GAP(g=[0.5,0.5])@100", "P@5"])
def test_the_printed_value_is_python_too(text: str) -> None:
    assert eval(text, dict(vars(measures), **{n: getattr(measures, n) for n in NAMES})) == (
        gw.parse_measure(text)
    )


@pytest.mark.parametrize("name", NAMES)
def test_every_measure_stands_under_its_name(name: str) -> None:
    assert getattr(measures, name) is find_measure(name)
    assert repr(find_measure(name)) == name
    if name != "Judged":  # which is what runs and judgments make at the top
        assert getattr(gw, name) is find_measure(name)


def test_the_lists_of_names_are_complete() -> None:
    assert {*measures.__all__} == {*NAMES} - {"Judged"}
    assert {*NAMES} <= {*gw.__all__}
    assert set(dir(gw)) == {*gw.__all__}


@pytest.mark.parametrize("measure", list(all_measures()), ids=str)
def test_signatures_show_the_parameters(measure: type[AP]) -> None:
    parameters = inspect.signature(measure).parameters
    assert {name: p.default for name, p in parameters.items()} == {
        **measure.parameters(),
        "cutoff": None,
    }


def test_values_and_names_score_alike() -> None:
    qrels, run = {"t": {"a": 2, "b": 1}}, {"t": {"x": 3.0, "b": 2.0, "a": 1.0}}
    by_value = gw.evaluate(qrels, run, [AP, nDCG @ 10, GAP(g=[0.5, 0.5])])
    by_name = gw.evaluate(qrels, run, ["AP", "nDCG@10", "GAP(g=[0.5,0.5])"])
    assert by_value.measures == by_name.measures
    assert by_value.values.tolist() == by_name.values.tolist()
    assert gw.evaluate(qrels, run, AP).values.shape == (1, 1, 1)
    assert gw.score(AP, [0, 1, 2], {1: 1, 2: 1}) == gw.score("AP", [0, 1, 2], {1: 1, 2: 1})


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: AP @ 10 @ 20, r"AP@10 already has a cutoff"),
        (lambda: AP @ 0, "whole number"),
        (lambda: AP(rl=2), "did you mean rel"),
        (lambda: measures.SetP @ 3, "takes no cutoff"),
        (lambda: gw.score(P, [1], {1: 1}), "P needs a cutoff, such as P@10"),
        (lambda: gw.evaluate({"t": {"a": 1}}, {"t": {"a": 1.0}}, P(rel=2)), "P needs a cutoff"),
        (lambda: gw.parse_measure("P"), "P needs a cutoff"),
    ],
)
def test_what_makes_no_sense_is_said(make: object, told: str) -> None:
    with pytest.raises(gw.MeasureError, match=told):
        make()  # type: ignore[operator]
