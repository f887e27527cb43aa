"""Scores: frames, formats, saving, and what evaluate takes."""

import json
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import gradewise as gw
from gradewise.errors import InputError, MeasureError, OptionError
from gradewise.measures.spellings import plain_name
from measures.complete import COMPLETE

QRELS = {"10": {"a": 2, "b": 1}, "9": {"a": 1, "z": 0}}
RUNS = {
    "first": {"10": {"a": 2.0, "b": 1.0}, "9": {"x": 2.0, "a": 1.0}},
    "second_&": {"10": {"x": 2.0, "b": 1.0}},
}


@pytest.fixture
def scores() -> gw.Scores:
    return gw.evaluate(QRELS, RUNS, ["AP", "NumRel", "GMAP"])


def test_frames_have_a_fixed_order(scores: gw.Scores) -> None:
    assert scores.topics == ("9", "10")  # as numbers
    assert scores.per_topic.columns == ["run", "topic", "measure", "value"]
    assert scores.per_topic.rows()[:4] == [
        ("first", "9", "AP", 0.5),
        ("first", "9", "NumRel", 1.0),
        ("first", "9", "GMAP", 0.5),
        ("first", "10", "AP", 1.0),
    ]
    assert scores.mean.columns == ["run", "measure", "value"]
    assert scores.mean.height == 6


def test_each_measure_has_its_own_summary(scores: gw.Scores) -> None:
    first, second = scores.summary()
    assert first.tolist() == pytest.approx([0.75, 3, np.sqrt(0.5)])
    # second: AP 0 on topic 9 (missing) and 1/4 on topic 10
    assert second.tolist() == pytest.approx([0.125, 3, np.sqrt(0.25 * 0.00001)])


def test_formats(scores: gw.Scores) -> None:
    assert scores.to_text().splitlines()[1].split() == ["first", "0.7500", "3", "0.7071"]
    assert scores.to_markdown().splitlines()[1] == "| --- | ---: | ---: | ---: |"
    latex = scores.to_latex()
    assert r"second\_\& & 0.1250 & 3" in latex
    assert latex.startswith(r"\begin{tabular}{lrrr}")
    assert pl.read_csv(scores.to_csv().encode()).equals(scores.mean)
    content = json.loads(scores.to_json())
    assert content["first"]["AP"] == 0.75
    assert json.loads(scores.to_json(per_topic=True))["first"]["10"]["AP"] == 1.0


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_save_and_load(scores: gw.Scores, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"scores.{ending}"
    scores.save(path)
    loaded = gw.read_scores(path)
    assert (loaded.runs, loaded.topics, loaded.measures) == (
        scores.runs,
        scores.topics,
        scores.measures,
    )
    np.testing.assert_array_equal(loaded.values, scores.values)
    np.testing.assert_array_equal(loaded.summary(), scores.summary())


def test_loading_something_else(tmp_path: Path) -> None:
    path = tmp_path / "other.parquet"
    path.write_bytes(b"not parquet")
    with pytest.raises(InputError, match="not saved scores"):
        gw.read_scores(path)


def test_runs_may_be_given_in_several_ways(tmp_path: Path) -> None:
    path = tmp_path / "mine.run.gz"
    run = gw.read_run(RUNS["first"], name="mine")
    gw.write_run(run, path)
    expected = gw.evaluate(QRELS, {"mine": RUNS["first"]}, "AP")
    for runs in (path, str(path), [path], [run], run, {"mine": path}, {"mine": run}):
        given = gw.evaluate(QRELS, runs, "AP")
        assert given.runs == ("mine",)
        np.testing.assert_array_equal(given.values, expected.values)
    alone = gw.evaluate(QRELS, RUNS["first"], "AP")
    np.testing.assert_array_equal(alone.values, expected.values)


def test_mistakes() -> None:
    with pytest.raises(InputError, match="two runs are named 'a'"):
        gw.evaluate(QRELS, [gw.read_run(RUNS["first"], "a"), gw.read_run(RUNS["first"], "a")], "AP")
    with pytest.raises(InputError, match="no run"):
        gw.evaluate(QRELS, [], "AP")
    with pytest.raises(MeasureError, match="no measure"):
        gw.evaluate(QRELS, RUNS, [])
    with pytest.raises(OptionError, match="ties must be one of 'trec', 'input', 'random'"):
        gw.evaluate(QRELS, RUNS, "AP", ties="docid")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="missing must be"):
        gw.evaluate(QRELS, RUNS, "AP", missing="nan")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="depth"):
        gw.evaluate(QRELS, RUNS, "AP", depth=0)
    with pytest.raises(MeasureError, match="needs the scores"):
        gw.score("ADM", [1], {1: 1})
    with pytest.raises(gw.GradewiseError, match="relevant counts all documents"):
        gw.score("AP", [1, 1], {1: 1})


def test_the_same_measure_is_computed_once() -> None:
    scores = gw.evaluate(QRELS, RUNS, ["AP", "MAP", "map"])
    assert len(scores.measures) == 1


def test_depth_and_judged_only() -> None:
    qrels = {"t": {"a": 1, "b": 1, "c": 0}}
    run = {"t": {"x": 5.0, "a": 4.0, "c": 3.0, "b": 2.0}}
    assert gw.evaluate(qrels, run, "AP").summary()[0, 0] == pytest.approx((1 / 2 + 2 / 4) / 2)
    assert gw.evaluate(qrels, run, "AP", depth=2).summary()[0, 0] == pytest.approx(0.25)
    condensed = gw.evaluate(qrels, run, "AP", judged_only=True)
    assert condensed.summary()[0, 0] == pytest.approx((1 + 2 / 3) / 2)


def test_a_sweep_over_g_uses_one_pivot_matrix() -> None:
    judged = gw.judge(QRELS, RUNS)
    from gradewise.measures.evaluate import score_judged

    g = [f"{name}(g=[{i / 20},{1 - i / 20}])" for name in ("GAP", "eGAP") for i in range(21)]
    score_judged(judged, g)
    assert [key[0] for key in judged._kept] == ["pivot matrix"]  # type: ignore[index]


def test_equal_runs_get_equal_scores_under_random_ties() -> None:
    qrels = {"t": {f"d{i}": i % 3 for i in range(30)}}
    run = {"t": {f"d{i}": 1.0 for i in range(30)}}
    backwards = {"t": dict(reversed(run["t"].items()))}
    scores = gw.evaluate(qrels, {"a": run, "b": backwards}, "AP", ties="random", seed=4)
    assert scores.values[0, 0, 0] == scores.values[1, 0, 0]
    others = {
        gw.evaluate(qrels, run, "AP", ties="random", seed=s).values[0, 0, 0] for s in range(9)
    }
    assert len(others) > 3


def test_dictionaries_hold_the_same_values(scores: gw.Scores) -> None:
    flat = scores.to_dict()
    assert flat == {"first": scores_of(scores, "first"), "second_&": scores_of(scores, "second_&")}
    assert all(type(value) is float for values in flat.values() for value in values.values())
    nested = scores.to_dict(per_topic=True)
    assert nested["first"]["9"] == {"AP": 0.5, "NumRel": 1.0, "GMAP": 0.5}
    assert json.loads(scores.to_json(per_topic=True)) == nested


def scores_of(scores: gw.Scores, run: str) -> dict[str, float]:
    return {name: scores[run, name] for name in ("AP", "NumRel", "GMAP")}


def test_undefined_values_are_nan_in_dictionaries_and_null_in_json() -> None:
    scores = gw.evaluate({"t": {"a": 1}}, {"mine": {"t": {"a": 1.0}}}, "AUC")
    assert np.isnan(scores.to_dict()["mine"]["AUC"])
    assert json.loads(scores.to_json()) == {"mine": {"AUC": None}}


def test_names_of_dictionaries_can_be_plain() -> None:
    names = ["nDCG@10", "GAP(g=[0.5,0.5])@100", "AP(rel=2)", "nDCG(gains={1:3,2:7})", "IPrec@0.5"]
    found = gw.evaluate(QRELS, RUNS, names).to_dict(names="plain")["first"]
    assert list(found) == [
        "nDCG_at_10",
        "GAP_g_0.5_0.5_at_100",
        "AP_rel_2",
        "nDCG_gains_1_3_2_7",
        "IPrec_at_0.5",
    ]
    alike = gw.evaluate(QRELS, RUNS, ["nDCG(gains={1:2.5})", "nDCG(gains={1:2.50001})"])
    assert len(alike.to_dict(names="plain")["first"]) == 2
    with pytest.raises(OptionError, match="names must be one of 'full', 'plain'"):
        alike.to_dict(names="short")  # type: ignore[arg-type]


def test_every_measure_has_a_plain_name_of_its_own() -> None:
    names = {plain_name(gw.parse_measure(text)) for text in COMPLETE}
    assert len(names) == len(COMPLETE)
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+", name) for name in names)


def test_runs_whose_means_differ_by_rounding_keep_their_order() -> None:
    """P@10 of .3 + .6 + .1 and of .1 + .3 + .6 differ in the last place only."""
    counts = {"a": (3, 6, 1), "b": (1, 3, 6), "c": (2, 2, 2)}
    qrels = {str(topic): {f"r{k}": 1 for k in range(10)} for topic in range(3)}
    runs = {
        name: {
            str(topic): {f"{'r' if k < count else 'n'}{k}": 10.0 - k for k in range(10)}
            for topic, count in enumerate(found)
        }
        for name, found in counts.items()
    }
    for order in ("abc", "bac", "cba"):
        found = gw.evaluate(qrels, {name: runs[name] for name in order}, "P@10").sorted().runs
        assert "".join(found) == order.replace("c", "") + "c"
