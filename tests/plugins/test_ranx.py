"""Objects of ranx are taken and given back; what both compute is the same."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest

import gradewise as gw
from gradewise.fusion import METHODS
from parity.material import random_collection

pytestmark = pytest.mark.filterwarnings("ignore:unsafe cast")  # by numba, in ranx

QRELS = {"t1": {"a": 2, "b": 1, "c": 0}, "t2": {"c": 1}}
RUN = {"t1": {"b": 0.9, "x": 0.8, "a": 0.7}, "t2": {"c": 0.5, "x": 0.4}}
PAGE = Path(__file__).parents[2] / "docs" / "start" / "coming-from.md"
TABLE = PAGE.read_text(encoding="utf-8").partition("| ranx | gradewise |")[2].partition("\n\n")[0]
NAMES = dict(re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|$", TABLE, re.MULTILINE))


@pytest.fixture(scope="module")
def ranx() -> Any:
    return pytest.importorskip("ranx", reason="ranx is not installed")


def test_objects_are_taken(ranx: Any) -> None:
    qrels, run = ranx.Qrels(QRELS), ranx.Run(RUN, name="bm25")
    assert gw.read_qrels(qrels).to_dict() == QRELS
    assert gw.read_run(run).to_dict() == RUN
    expected = gw.evaluate(QRELS, {"bm25": RUN}, ["GAP", "nDCG@10"])
    for runs in (run, [run], {"bm25": run}):
        scores = gw.evaluate(qrels, runs, ["GAP", "nDCG@10"])
        assert scores.runs == ("bm25",)
        assert scores.values.tolist() == expected.values.tolist()
    assert gw.evaluate(qrels, ranx.Run(RUN), "AP").runs == ("run",)


def test_objects_are_given_back(ranx: Any) -> None:
    qrels, run = gw.read_qrels(QRELS).to_ranx(), gw.read_run(RUN, name="bm25").to_ranx()
    assert isinstance(qrels, ranx.Qrels)
    assert isinstance(run, ranx.Run)
    assert (qrels.to_dict(), run.to_dict(), run.name) == (QRELS, RUN, "bm25")
    fused = gw.fuse({"one": run, "two": ranx.Run({"t1": {"a": 2.0}, "t2": {"x": 1.0}})}).to_ranx()
    assert ranx.evaluate(qrels, fused, "ndcg@10") > 0


def test_what_is_wrong_is_told(ranx: Any) -> None:
    with pytest.raises(gw.InputError, match="not a whole number"):
        gw.read_qrels(ranx.Run(RUN, name="bm25"))
    nothing = ranx.Run()
    with pytest.raises(gw.InputError, match="no rows"):
        gw.evaluate(QRELS, nothing, "AP")


def test_without_ranx_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ranx", None)
    with pytest.raises(gw.GradewiseError, match=r"to_ranx needs the library ranx.*gradewise\[ranx"):
        gw.read_run(RUN).to_ranx()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_measures_agree(ranx: Any, name: str) -> None:
    qrels, run = random_collection(11, topics=40, ties=False)
    if name.startswith("rbp"):  # ranx takes grades for gains, so that values can exceed 1
        qrels = {
            topic: {d: min(g, 1) for d, g in grades.items()} for topic, grades in qrels.items()
        }
    least = 0 if name.startswith("rbp") else 1
    qrels = {topic: grades for topic, grades in qrels.items() if max(grades.values()) > least}
    run = {topic: run[topic] for topic in qrels}
    theirs = ranx.Run(run)
    ranx.evaluate(ranx.Qrels(qrels), theirs, name)
    expected = theirs.scores[name]
    scores = gw.evaluate(qrels, {"run": run}, NAMES[name])
    found = dict(zip(scores.topics, scores.values[0, :, 0].tolist(), strict=True))
    assert found == pytest.approx(dict(expected), abs=1e-9)


# What ranx calls methods of fusion, where it does not use our names.
THEIR_METHODS = {
    "combsum": "sum",
    "combmnz": "mnz",
    "combgmnz": "gmnz",
    "combanz": "anz",
    "combmed": "med",
    "combmin": "min",
    "combmax": "max",
    "w_sum": "wsum",
    "w_mnz": "wmnz",
}
OPTIONS: dict[str, dict[str, float]] = {"combgmnz": {"gamma": 0.5}, "rbc": {"phi": 0.8}}
# Where votes are even, ranx's order follows that of a Python set.
METHODS_ALIKE = sorted(set(METHODS) - {"condorcet", "w_condorcet"})


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS_ALIKE)
def test_fusion_agrees(ranx: Any, method: Any) -> None:
    runs = {f"r{seed}": random_collection(seed, topics=8, ties=False)[1] for seed in (21, 22, 23)}
    options: dict[str, Any] = dict(OPTIONS.get(method, {}))
    if METHODS[method].weighted and method not in ("rrf", "rbc"):
        options["weights"] = [0.5, 0.3, 0.2]
    expected = ranx.fuse(
        runs=[ranx.Run(run, name=name) for name, run in runs.items()],
        norm="min-max" if METHODS[method].uses == "scores" else None,
        method=THEIR_METHODS.get(method, method),
        params=options,
    ).to_dict()
    found = gw.fuse(runs, method, **options).to_dict()
    for topic, scores in expected.items():
        assert found[topic] == pytest.approx(scores, abs=1e-9), topic
