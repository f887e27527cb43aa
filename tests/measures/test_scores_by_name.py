"""Scores by run and measure, as one number, and as frames."""

import sys

import pytest

import gradewise as gw

QRELS = {"t1": {"a": 2, "b": 1}, "t2": {"a": 1}}
GOOD = {"t1": {"a": 3.0, "b": 2.0}, "t2": {"a": 1.0}}
POOR = {"t1": {"x": 3.0, "a": 2.0}, "t2": {"x": 2.0, "a": 1.0}}


@pytest.fixture
def scores() -> gw.Scores:
    return gw.evaluate(QRELS, {"good": GOOD, "poor": POOR}, [gw.AP, gw.P @ 1])


def test_a_measure_gives_each_run_its_value(scores: gw.Scores) -> None:
    # t1: one of two relevant documents, at rank 2: 1/4. t2: 1/2.
    assert scores["AP"] == {"good": 1.0, "poor": 0.375}
    assert scores[gw.AP] == scores["MAP"] == scores["map"] == scores["AP"]
    assert scores["P.1"] == scores[gw.P @ 1] == {"good": 1.0, "poor": 0.0}


def test_a_run_and_a_measure_give_a_number(scores: gw.Scores) -> None:
    assert scores["poor", "AP"] == 0.375
    assert isinstance(scores["poor", gw.AP], float)


def test_what_is_not_there_is_said(scores: gw.Scores) -> None:
    with pytest.raises(gw.MeasureError, match=r"nDCG was not scored \(scored: AP, P@1\)"):
        scores["nDCG"]
    with pytest.raises(gw.InputError, match=r"no run 'god'; did you mean good\?"):
        scores["god", "AP"]


def test_one_run_and_one_measure_are_a_number(scores: gw.Scores) -> None:
    single = gw.evaluate(QRELS, POOR, "AP")
    assert str(single) == "0.3750"
    assert float(single) == 0.375
    assert str(scores).splitlines()[0].split() == ["run", "AP", "P@1"]
    with pytest.raises(gw.MeasureError, match="not one number"):
        float(scores)


def test_frames(scores: gw.Scores, monkeypatch: pytest.MonkeyPatch) -> None:
    means, topics = scores.to_frame(), scores.to_frame(per_topic=True)
    assert means.columns == ["run", "measure", "value"]
    assert means.rows()[2] == ("poor", "AP", 0.375)
    assert topics.columns == ["run", "topic", "measure", "value"]
    pytest.importorskip("pandas", reason="pandas is not installed")
    assert scores.to_pandas().to_dict("list") == means.to_dict(as_series=False)
    assert len(scores.to_pandas(per_topic=True)) == len(topics) == 8
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(gw.GradewiseError, match=r"pandas.*pip install"):
        scores.to_pandas()
