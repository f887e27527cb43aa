"""Runs simulated for given judgments: their shape, what options do, and how real they look."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from likeness import ROWS, likeness
from scipy.stats import kendalltau

import gradewise as gw
from command import Call
from gradewise.collection.run import Run
from gradewise.errors import OptionError
from gradewise.reproduce.collections import Collection, robust_2003, trec_covid
from gradewise.simulate.systems import SystemPlan

SAMPLE = gw.simulate.collection(topics=12, runs=6, depth=60, grades=3, seed=3)
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "simulate.md"
COVID = {"skill": (0.2, 0.5), "agreement": 0.4, "pooling": 0.7}


def rankings(runs: dict[str, Run]) -> dict[str, dict[str, list[str]]]:
    return {name: {topic: run.ranking(topic) for topic in run.topics} for name, run in runs.items()}


def figures(**options: Any) -> dict[str, float]:
    runs = gw.simulate.runs(SAMPLE.qrels, 8, 200, seed=2, **options)
    return likeness(SAMPLE.qrels.to_dict(), rankings(runs))


def test_shape() -> None:
    runs = gw.simulate.runs(SAMPLE.qrels, runs=10, depth=70, seed=1)
    assert list(runs) == [f"run{number:02d}" for number in range(1, 11)]
    for name, run in runs.items():
        assert (run.name, run.tag) == (name, name)
        assert run.topics == SAMPLE.qrels.topics
        assert run.sizes.tolist() == [70] * 12
        for topic, documents in run.to_dict().items():
            assert len(documents) == 70, topic  # no document twice


def test_seed() -> None:
    first, same, other = (
        {name: run.to_dict() for name, run in gw.simulate.runs(SAMPLE.qrels, 3, 50, seed=s).items()}
        for s in (1, 1, 2)
    )
    assert first == same
    assert first != other


def test_lists_may_be_longer_than_what_was_judged() -> None:
    (run,) = gw.simulate.runs({"t": {"a": 1, "b": -2}}, runs=1, depth=500).values()
    assert len(run.to_dict()["t"]) == 500


def test_skill_shows_in_scores() -> None:
    plan = SystemPlan(20, 100, (0.2, 1.2), 0.5, 2.0, 4)
    runs = gw.simulate.runs(SAMPLE.qrels, 20, 100, skill=(0.2, 1.2), agreement=0.5, seed=4)
    scores = gw.evaluate(SAMPLE.qrels, runs, ["AP", "nDCG"])
    for measure in ("AP", "nDCG"):
        values = [scores[name, measure] for name in plan.names]
        assert kendalltau(plan.skills, values)[0] > 0.7


def test_no_skill_is_no_better_than_chance() -> None:
    """Without skill, a relevant document is as likely at rank 1 as a judged nonrelevant one."""
    qrels = {str(t): {f"d{n}": int(n < 20) for n in range(100)} for t in range(200)}
    runs = gw.simulate.runs(qrels, runs=3, depth=10, skill=(0, 0), pooling=20)
    found = gw.evaluate(qrels, runs, ["P@1"])["P@1"]
    # WHIMS lets skill vary from topic to topic, so that some topics are a little above chance.
    assert all(0.1 < value < 0.45 for value in found.values())


def test_options_do_what_they_say() -> None:
    usual, alike, shallow = figures(), figures(agreement=1.0), figures(pooling=0.0)
    assert alike["overlap at 100"] > usual["overlap at 100"]
    assert alike["nonrelevant overlap at 100"] > usual["nonrelevant overlap at 100"]
    assert shallow["unjudged at 10"] > usual["unjudged at 10"]
    assert figures(skill=(1.0, 1.5))["mean AP"] > usual["mean AP"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"runs": 0}, "runs must be at least 1, not 0"),
        ({"depth": 0}, "depth must be at least 1, not 0"),
        ({"skill": (1, 0.5)}, "skill must be two ascending numbers of 0 or more"),
        ({"agreement": 1.5}, "agreement must be from 0 to 1, not 1.5"),
        ({"pooling": -1}, "pooling must be at least 0, not -1"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        gw.simulate.runs(SAMPLE.qrels, **options)


def test_command(run: Call, tmp_path: Path) -> None:
    gw.write_qrels(SAMPLE.qrels, tmp_path / "qrels.txt")
    arguments = ("--runs", 2, "--depth", 15, "--seed", 5, "--lowest", 0.3, "--agreement", 0.6)
    done = run("simulate-runs", tmp_path / "qrels.txt", tmp_path / "made", *arguments)
    assert done.code == 0
    assert f"wrote 2 runs to {tmp_path / 'made'}" in done.err
    expected = gw.simulate.runs(SAMPLE.qrels, 2, 15, skill=(0.3, 1.0), agreement=0.6, seed=5)
    for name, made in expected.items():
        assert gw.read_run(tmp_path / "made" / f"{name}.txt").to_dict() == made.to_dict()


def columns(collection: Collection, **options: Any) -> tuple[dict[str, float], dict[str, float]]:
    """Return the figures of the real runs, and of as many simulated ones."""
    qrels = collection.qrels.to_dict()
    simulated = gw.simulate.runs(collection.qrels, len(collection.runs), **options)
    return likeness(qrels, rankings(collection.runs)), likeness(qrels, rankings(simulated))


def on_page() -> dict[str, list[float]]:
    rows = [line.strip("| \n").split(" | ") for line in PAGE.read_text("utf-8").splitlines()]
    return {row[0]: [float(cell) for cell in row[1:]] for row in rows if row[0] in ROWS}


@pytest.mark.slow
def test_page_shows_how_real_they_look(real_data: Path) -> None:
    """The table of the page, computed again; simulated figures resemble the real ones."""
    real, simulated = columns(robust_2003(real_data))
    other, made = columns(trec_covid(real_data, most=30), **COVID)
    shown = on_page()
    assert tuple(shown) == ROWS
    for row in ROWS:
        assert shown[row] == [round(v[row], 2) for v in (real, simulated, other, made)], row
    far = np.array(
        [[abs(a[row] - b[row]) for row in ROWS] for a, b in ((real, simulated), (other, made))]
    )
    assert far.max() < 0.25
    assert far.mean() < 0.06
