"""Saved scores: every format gives back what was saved, and what is refused is explained."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import gradewise as gw
from gradewise.errors import GradewiseError, InputError
from gradewise.measures.saved_scores import find_scores, merge_scores

MEASURES = ["AP", "GAP(g=[0.3,0.7])@10", "nDCG@10", "num_rel", "RBP(p=0.5,gains='linear')"]


@pytest.fixture(scope="module")
def scores() -> gw.Scores:
    """Runs on topics 007, 8 and 10; one run misses a topic, one value is undefined."""
    qrels = {"10": {"a": 2, "b": 1}, "8": {"c": 1}, "007": {"d": 2, "e": 0}}
    runs = {
        'comma, "quoted"': {"8": {"c": 1.0}, "10": {"x": 2.0, "a": 1.0}},
        "bm25 — ä": {"007": {"e": 2.0, "d": 1.0}, "8": {"c": 0.5}, "10": {"b": 1.0}},
    }
    found = gw.evaluate(qrels, runs, MEASURES, missing="drop")
    found.values[1, 2, 0] = np.nan
    return found


def same(one: gw.Scores, other: gw.Scores) -> None:
    assert (one.runs, one.topics, one.measures) == (other.runs, other.topics, other.measures)
    np.testing.assert_array_equal(one.counted, other.counted)
    np.testing.assert_array_equal(one.values[one.counted], other.values[other.counted])
    np.testing.assert_array_equal(one.summary(), other.summary())


@pytest.mark.parametrize("name", ["s.csv", "s.json", "s.parquet", "s.csv.gz", "s.json.xz", "s"])
def test_round_trip(scores: gw.Scores, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    scores.save(path)
    assert find_scores(path) == "topics"
    same(gw.read_scores(path), scores)
    same(gw.Scores.read(str(path)), scores)


def test_frames(scores: gw.Scores) -> None:
    same(gw.read_scores(scores.per_topic), scores)
    same(gw.read_scores(scores.per_topic.lazy()), scores)
    same(gw.read_scores(scores.to_pandas(per_topic=True)), scores)
    mixed = scores.per_topic.select("value", "measure", "topic", "run").sample(
        fraction=1, shuffle=True, seed=1
    )
    found = gw.read_scores(mixed)
    assert found.topics == scores.topics  # in the order of reports, whatever that of rows
    for run in scores.runs:
        for measure in scores.measures:
            assert found[run, measure] == pytest.approx(scores[run, measure], nan_ok=True)
    same(gw.read_scores(scores), scores)


def test_the_result_of_pyterrier_per_query() -> None:
    """pt.Experiment(perquery=True) gives name, qid, measure, value."""
    frame = pd.DataFrame(
        {
            "name": ["bm25", "bm25", "dph", "dph"],
            "qid": ["1", "2", "1", "2"],
            "measure": ["map"] * 4,
            "value": [0.25, 0.75, 0.5, 1.0],
        }
    )
    assert gw.read_scores(frame)["AP"] == {"bm25": 0.5, "dph": 0.75}


def test_compare_and_check_as_before(scores: gw.Scores, tmp_path: Path) -> None:
    made = gw.simulate.collection(topics=12, runs=4, depth=30, seed=1)
    fresh = gw.evaluate(made.qrels, made.runs, ["AP", "nDCG@10"])
    fresh.save(tmp_path / "s.csv")
    saved = gw.read_scores(tmp_path / "s.csv")
    assert gw.compare(saved).to_text(pairs=True) == gw.compare(fresh).to_text(pairs=True)
    assert str(gw.check(saved, "run1", "run2")) == str(gw.check(fresh, "run1", "run2"))


def rows(*values: tuple[str, str, str, float]) -> pl.DataFrame:
    return pl.DataFrame(values, ["run", "topic", "measure", "value"], orient="row")


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (
            rows(("r", "1", "AP", 0.5), ("r", "1", "AP", 0.5)),
            "there is more than one value of AP for run r on topic 1",
        ),
        (
            rows(("r", "1", "AP", 0.5), ("r", "1", "P@5", 0.5), ("r", "2", "AP", 0.5)),
            "there is no value of P@5 for run r on topic 2",
        ),
        (rows(), "they contain no values for topics"),
        (
            rows(("r", "1", "AP", 0.5)).drop("value"),
            "there is no column value; found run",
        ),
        (rows(("r", "1", "AP", 0.5)).drop("topic"), "these scores are means over topics; save"),
        (
            rows(("r", "1", "AP", 0.5)).with_columns(topics=pl.lit("hard")),
            "they cover several sets of topics",
        ),
        (rows(("r", "1", "nDGC", 0.5)), "there is no measure 'nDGC'; did you mean nDCG"),
        (
            rows(("r", "1", "AP", 0.5)).with_columns(value=pl.lit("high")),
            "these are not saved scores",
        ),
        (rows(("r", "1", "AP", 0.5)).with_columns(run=pl.lit(None)), "a run, topic or measure is"),
    ],
)
def test_what_is_refused(frame: pl.DataFrame, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        gw.read_scores(frame)


def test_files_that_are_no_scores(tmp_path: Path, scores: gw.Scores) -> None:
    contents = {
        "qrels.txt": "1 0 a 1\n",
        "qrels.json": json.dumps({"1": {"a": 1}}),
        "intents.json": json.dumps({"1": {"i": {"a": 1}}}),
        "run.csv": "topic,doc,score\n1,a,0.5\n",
        "empty": "",
        "broken.json": '{"run": ',
        "measures.json": json.dumps({"AP": {"P": {"R": {"x": 1}}}}),
    }
    for name, text in contents.items():
        path = tmp_path / name
        path.write_text(text)
        assert find_scores(path) is None, name
        with pytest.raises(GradewiseError):
            gw.read_scores(path)
    (tmp_path / "noise").write_bytes(bytes(range(256)))
    assert find_scores(tmp_path / "noise") is None
    assert find_scores(tmp_path / "nowhere.csv") is None
    with pytest.raises(InputError, match="no such file"):
        gw.read_scores(tmp_path / "nowhere.csv")
    with pytest.raises(InputError, match="expected a path or a frame, not list"):
        gw.read_scores([1])
    for name, text in (("m.csv", scores.to_csv()), ("m.json", scores.to_json())):
        (tmp_path / name).write_text(text)
        assert find_scores(tmp_path / name) == "means"
        with pytest.raises(InputError, match="are means over topics; save the values for each"):
            gw.read_scores(tmp_path / name)


def test_scores_of_several_files(scores: gw.Scores) -> None:
    first, second = (gw.read_scores(scores.per_topic.filter(run=run)) for run in scores.runs)
    assert first.topics == ("8", "10")
    same(merge_scores([first, second]), scores)
    fewer = second.of_measures(["nDCG@10", "AP"])
    assert merge_scores([first, fewer]).measures == (gw.AP(), gw.nDCG @ 10)
    with pytest.raises(InputError, match="two runs named 'comma"):
        merge_scores([first, first])
    with pytest.raises(InputError, match="no measure in common"):
        merge_scores([first.of_measures(["AP"]), second.of_measures(["nDCG@10"])])
