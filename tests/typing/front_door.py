"""What a type checker knows at the front door; mypy reads this file, nothing runs it.

`warn_unused_ignores` makes an ignored error that no longer occurs an error itself.
"""

from pathlib import Path
from typing import assert_type

import polars as pl

import gradewise as gw
from gradewise import AP, GAP, P, nDCG


def check_measures_and_scores() -> None:
    assert_type(AP(rel=2), AP)
    assert_type(nDCG @ 10, nDCG)
    assert_type(nDCG(dcg="exp-log2", gains={1: 1.0}) @ 10, nDCG)
    assert_type(GAP(g=[0.5, 0.5]) @ 100, GAP)
    assert_type(GAP(g={1: 0.5, 2: 0.5}, judged_only=True), GAP)
    AP(rl=2)  # type: ignore[call-arg]
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
    gw.evaluate(3, run, "AP")  # type: ignore[arg-type]
    gw.evaluate(qrels, run, 10)  # type: ignore[arg-type]
