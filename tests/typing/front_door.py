"""What a type checker knows at the front door; mypy reads this file, nothing runs it.

`warn_unused_ignores` makes an ignored error that no longer occurs an error itself.
"""

from pathlib import Path
from typing import Any, assert_type

import ir_measures
import polars as pl

import gradewise as gw
from gradewise import AP, AP_IA, GAP, P, alpha_nDCG, nDCG
from gradewise.plugins.scikit_learn import Scorer


def check_measures_and_scores() -> None:
    assert_type(AP(rel=2), AP)
    assert_type(nDCG @ 10, nDCG)
    assert_type(nDCG(dcg="exp-log2", gains={1: 1.0}) @ 10, nDCG)
    assert_type(GAP(g=[0.5, 0.5]) @ 100, GAP)
    assert_type(GAP(g={1: 0.5, 2: 0.5}, judged_only=True), GAP)
    assert_type(AP_IA(rel=2) @ 10, AP_IA)
    assert_type(alpha_nDCG(alpha=0.3) @ 20, alpha_nDCG)
    AP(rl=2)  # type: ignore[call-arg]
    AP_IA(rl=2)  # type: ignore[call-arg]
    AP(rel="high")  # type: ignore[arg-type]
    nDCG(dcg="ln")  # type: ignore[arg-type]

    qrels = {"t1": {"a": 2}}
    run = {"t1": {"a": 2.5}}
    scores = gw.evaluate(qrels, {"mine": run, "other": "run.txt"}, [AP, "nDCG@10", P @ 5])
    assert_type(scores["AP"], dict[str, float])
    assert_type(scores["mine", AP], float)
    assert_type(scores.to_frame(), pl.DataFrame)
    gw.evaluate(pl.DataFrame(), [Path("one.txt"), "two.txt"], AP)
    gw.evaluate(Path("qrels.txt").open("rb"), gw.read_run(run), "AP")
    gw.evaluate({"t1": {"island": {"a": 2}}}, run, AP_IA)
    gw.evaluate([("t1", "a", 2)], {"t1": ["a", "b"]}, "AP", columns="topic,doc,grade")
    gw.evaluate(qrels, [{"qid": "t1", "docno": "a", "score": 1.5}], "AP")
    columns = {"topic": "q", "doc": "d", "score": "s"}
    assert_type(gw.read_run(pl.DataFrame(), columns=columns), gw.Run)
    assert_type(gw.read_runs(["a.csv", Path("b.json")], names="tag"), dict[str, gw.Run])
    gw.read_runs("a.csv", names="path")  # type: ignore[arg-type]
    gw.evaluate(qrels, run, [ir_measures.AP, ir_measures.nDCG @ 10, GAP])
    gw.evaluate(qrels, run, ir_measures.AP)
    assert_type(gw.scorer(GAP, column="qid"), Scorer)
    assert_type(scores.to_dict(names="plain"), dict[str, Any])
    scores.to_dict(names="short")  # type: ignore[arg-type]
    gw.evaluate(3, run, "AP")  # type: ignore[arg-type]
    gw.evaluate(qrels, run, 10)  # type: ignore[arg-type]


def check_clicks() -> None:
    log = gw.read_clicks([("s", "q", "a", 1, 1)], columns="session,topic,doc,rank,click")
    assert_type(log, gw.clicks.ClickLog)
    assert_type(gw.clicks.fit(log, "browsing"), gw.clicks.ClickModel)
    gw.clicks.fit(log, "pbm")  # type: ignore[arg-type]
    found = gw.clicks.thresholds({"q": {"a": 2}}, log, users="cascade")
    assert_type(GAP(g=found.g), GAP)
    assert_type(gw.clicks.estimate(log, "run.txt", P @ 5).frame, pl.DataFrame)
    assert_type(
        gw.simulate.clicks({"q": {"a": 1}}, "run.txt", model="bayesian"), gw.clicks.ClickLog
    )
