"""What every engine must do with values: the same for Spark and for Dask."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import GradewiseError, InputError
from gradewise.scale.sampling import in_sample
from scale.cases import Case, expected_values, plain_case

MEASURES = ["AP", "nDCG@10", "GMAP", "NumRet", "AUC"]
ToFrame = Callable[[Any], Any]  # from an Arrow table


def _case() -> Case:
    return plain_case(random.Random(11), topics=30)


def check_summaries(engine: Any, to_frame: ToFrame) -> None:
    """Summaries and t intervals are those of one machine."""
    case = _case()
    for missing in ("zero", "drop"):
        scores = gw.evaluate(case.qrels, case.runs, MEASURES, missing=missing)
        result = engine.evaluate(
            to_frame(case.judgment_table()), to_frame(case.row_table()), MEASURES, missing=missing
        )
        found = engine.summarize(result, level=0.9)
        assert found.columns == ["run", "measure", "value", "topics", "low", "high"]
        assert len(found) == len(case.runs) * len(MEASURES)
        for run, measure, value, topics, low, high in found.rows():
            assert value == pytest.approx(scores[run, measure], rel=1e-12)
            row, column = scores.runs.index(run), MEASURES.index(measure)
            used = scores.values[row, scores.counted[row], column]
            used = used[~np.isnan(used)]
            assert topics == len(used)
            if gw.parse_measure(measure).aggregate == "mean":
                half = gw.stats.t_interval(used, level=0.9)
                assert (low, high) == pytest.approx(tuple(map(float, half)), rel=1e-9)
            else:
                assert low is None
                assert high is None


def check_bootstrap(engine: Any, to_frame: ToFrame) -> None:
    """Bootstrap intervals agree with those of one machine as far as chance allows."""
    case = _case()
    result = engine.evaluate(case.qrels, to_frame(case.row_table()), ["AP", "nDCG@10"])
    found = engine.summarize(result, interval="bootstrap", replicates=2000, seed=3)
    again = engine.summarize(result, interval="bootstrap", replicates=2000, seed=3)
    assert np.allclose(found["low"].to_numpy(), again["low"].to_numpy(), rtol=1e-12)
    scores = gw.evaluate(case.qrels, case.runs, ["AP", "nDCG@10"])
    for run, measure, value, _, low, high in found.rows():
        row, column = scores.runs.index(run), ["AP", "nDCG@10"].index(measure)
        bounds = gw.stats.bootstrap_interval(scores.values[row, :, column])
        width = float(bounds[1] - bounds[0])
        assert low == pytest.approx(float(bounds[0]), abs=0.15 * width)
        assert high == pytest.approx(float(bounds[1]), abs=0.15 * width)
        assert low < value < high


def check_comparison(engine: Any, to_frame: ToFrame) -> None:
    """Comparisons are those of one machine, for tests that sums decide."""
    case = _case()
    measures = ["AP", "nDCG@10"]
    scores = gw.evaluate(case.qrels, case.runs, measures)
    result = engine.evaluate(case.qrels, to_frame(case.row_table()), measures)
    for test in ("t", "sign"):
        expected = gw.compare(scores, test=test, alpha=0.3)
        found = engine.compare(result, test=test, alpha=0.3)
        assert str(found) == str(expected)
        assert np.allclose(found.pairs["p"], expected.pairs["p"], rtol=1e-9)
    with pytest.raises(GradewiseError, match="test must be one of"):
        engine.compare(result, test="wilcoxon")
    collected = engine.scores(result)
    assert collected.topics == scores.topics
    assert gw.compare(collected, test="wilcoxon").pairs.equals(
        gw.compare(scores, test="wilcoxon").pairs
    )


def check_samples(engine: Any, to_frame: ToFrame) -> None:
    """A share of the topics has the values of all topics, and is the same on every engine."""
    case = _case()
    everything = expected_values(case, ["AP", "GAP"])
    chosen = {topic for topic in case.qrels if in_sample(topic, 0.4, 7)}
    assert 3 < len(chosen) < 25
    result = engine.evaluate(
        to_frame(case.judgment_table()),
        to_frame(case.row_table()),
        ["AP", "GAP"],
        share=0.4,
        seed=7,
    )
    found = engine.scores(result).per_topic
    values = {(run, topic, measure): value.hex() for run, topic, measure, value in found.rows()}
    assert values == {key: value for key, value in everything.items() if key[1] in chosen}
    whole = engine.evaluate(case.qrels, to_frame(case.row_table()), "AP")
    assert set(engine.scores(whole, share=0.4, seed=7).topics) == chosen


def check_fit(engine: Any, to_frame: ToFrame) -> None:
    """Missing and extra topics are told as on one machine."""
    case = _case()
    expected = gw.evaluate(case.qrels, case.runs, "AP")
    fit = engine.check(to_frame(case.judgment_table()), to_frame(case.row_table()))
    assert fit.notes() == expected.notes
    assert expected.coverage is not None
    theirs = expected.coverage.frame()
    assert fit.frame().columns == theirs.columns
    assert fit.frame().drop("run").to_numpy() == pytest.approx(theirs.drop("run").to_numpy())
    assert fit.table().to_text() == expected.coverage.table().to_text()


def check_problems(engine: Any, to_frame: ToFrame) -> None:
    """All problems of all partitions are told at once, with partition and keys."""
    case = _case()
    rows = case.row_table().to_pydict()
    topics = sorted(set(rows["topic"]))[:9]
    for topic in topics:
        rows["score"][rows["topic"].index(topic)] = float("inf")
    import pyarrow as pa

    frame = to_frame(pa.table(rows))
    with pytest.raises(InputError) as caught:
        engine.check(case.qrels, frame, partitions=4)
    problems = str(caught.value).splitlines()
    assert len(problems) == len(topics)
    assert caught.value.count == len(topics)
    assert all(line.startswith("partition ") for line in problems)
    for topic in topics:
        assert any(f"topic {topic}, document" in line for line in problems)
    assert len({line.partition(":")[0] for line in problems}) > 1
