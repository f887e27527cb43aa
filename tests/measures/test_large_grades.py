"""Grades and gains beyond what doubles can hold: stable values, or one sentence."""

import pytest

import gradewise as gw
from gradewise.errors import MeasureError

QRELS = {"t": {"a": 1100, "b": 1, "c": 0, "d": 1099}}


def test_err_of_high_grades_by_hand() -> None:
    """Of grades (1, 1099, 1100) with maximum 1100: chances 0, 1/2 and 1 but for 2^-1099."""
    run = {"t": {"b": 4.0, "d": 3.0, "a": 2.0, "c": 1.0}}
    assert gw.evaluate(QRELS, run, "ERR").values.item() == 1 / 2 * 1 / 2 + 1 / 3 * 1 / 2


@pytest.mark.parametrize(
    "measure", ["nDCG(dcg='exp-log2')", "DCG(dcg='exp-log2')", "RBP(gains='exp')", "Q(gains='exp')"]
)
def test_exponential_gains_of_high_grades_are_refused(measure: str) -> None:
    run = {"t": {"a": 1.0}}
    with pytest.raises(MeasureError, match="grade 1100 is too high for exponential gains"):
        gw.evaluate(QRELS, run, measure)


def test_named_gains_of_high_grades_are_used() -> None:
    """The ideal list is (1100, 1099, 1): only grade 1 has the gain 2^1 - 1."""
    measure = "nDCG(dcg='exp-log2',gains={1099:2,1100:3})@1"
    assert gw.evaluate(QRELS, {"t": {"b": 1.0}}, measure).values.item() == pytest.approx(1 / 3)


def test_gains_that_cannot_be_summed_are_refused() -> None:
    with pytest.raises(MeasureError, match=r"a gain of 1e\+308 is too large"):
        gw.evaluate({"t": {"a": 1}}, {"t": {"a": 1.0}}, "GenAP(gains={1:1e308})")


@pytest.mark.parametrize("grade", [1, 40, 999, 1000])
def test_high_exponents_are_computed(grade: int) -> None:
    qrels = {"t": {"a": grade, "b": grade}}
    found = gw.evaluate(qrels, {"t": {"x": 2.0, "a": 1.0}}, "nDCG(dcg='exp-log2')@2")
    assert found.values.item() == pytest.approx(0.38685280723454163, abs=1e-15)  # 1 / (1 + log2(3))
