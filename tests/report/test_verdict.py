"""The verdict of a report: each kind of next step, and what the answer depends on."""

from typing import Any

import numpy as np
import pytest

import gradewise as gw

TOPICS = [f"t{k}" for k in range(12)]


def found_at(ranks: list[int], unjudged: int = 0, name: str = "u") -> dict[str, dict[str, float]]:
    """Return a run that has the relevant document of each topic at a rank."""
    lists = {}
    for topic, rank in zip(TOPICS, ranks, strict=True):
        docs = [f"n{k}" for k in range(1, 11)]
        docs[rank - 1] = "r"
        lists[topic] = {
            (f"{name}{k}" if 10 - unjudged <= k and doc != "r" else doc): 20.0 - k
            for k, doc in enumerate(docs)
        }
    return lists


QRELS = {topic: {"r": 1, **{f"n{k}": 0 for k in range(1, 11)}} for topic in TOPICS}


def verdict_of(runs: dict[str, Any], measures: Any = "RR", **options: Any) -> dict[str, Any]:
    report = gw.report.make_report(QRELS, runs, measures, **options)
    found: dict[str, Any] = report.content["verdicts"][0]
    return found


def test_a_clear_winner_can_be_used() -> None:
    found = verdict_of({"good": found_at([1] * 12), "bad": found_at([4, 5] * 6)}, ["RR", "P@1"])
    assert found["step"]["kind"] == "ship"
    assert found["step"]["title"] == "Use good"
    assert found["alike"] == []
    assert {each["on"]: each["steady"] for each in found["depends"]} == {
        "measure": True,
        "judgments": True,
    }
    lead, low, high = found["lead"]
    values = np.array([1 - 1 / 4, 1 - 1 / 5] * 6)
    half = 2.2009851601 * values.std(ddof=1) / np.sqrt(12)  # Student's t with 11 degrees, 97.5%
    mean = float(values.mean())
    assert (lead, low, high) == pytest.approx((mean, mean - half, mean + half))


def test_many_unjudged_documents_come_first() -> None:
    ranks = [1, 2, 1, 3] * 3, [2, 1, 3, 1] * 3
    runs = {name: found_at(mine, 4, name) for name, mine in zip("xy", ranks, strict=True)}
    found = verdict_of(runs)
    assert found["step"]["kind"] == "judge"
    assert found["step"]["title"].startswith("Judge 96 documents")  # 4 of each run and topic
    assert "--next 96" in found["step"]["command"]
    assert found["depends"][-1]["steady"] is False
    same = {name: found_at(mine, 4) for name, mine in zip("xy", ranks, strict=True)}
    found = verdict_of(same)  # which cannot change the order: both have them at the same ranks
    assert found["step"]["kind"] == "equal"
    assert found["depends"][-1]["steady"] is True


def test_more_topics_are_asked_for() -> None:
    runs = {"a": found_at([1, 2, 1, 1] * 3), "b": found_at([2, 1, 1, 2] * 3)}
    found = verdict_of(runs)
    differences = np.array([0.5, -0.5, 0, 0.5] * 3)
    needed = gw.stats.topics_needed(differences.mean() / differences.std(ddof=1))
    assert needed is not None
    assert found["needed"] == needed
    assert found["step"]["title"] == f"Add {needed - 12} topics"
    assert f"About {needed} topics" in found["step"]["text"]


def test_equal_runs_are_treated_as_equal() -> None:
    found = verdict_of({"a": found_at([1, 2] * 6), "b": found_at([2, 1] * 6)})
    assert found["step"]["kind"] == "equal"
    assert found["step"]["title"] == "Treat a and b as equal"
    assert found["lead"][0] == 0
    assert "more than a million topics" in found["step"]["text"]


def test_runs_with_the_same_values_are_named_as_such() -> None:
    found = verdict_of({"a": found_at([1, 2] * 6), "b": found_at([1, 2] * 6)})
    assert found["step"]["title"] == "Treat a and b as equal"
    assert "They have the same RR on every topic" in found["step"]["text"]


def test_measures_that_disagree_are_to_be_decided_on() -> None:
    """S puts the document first or tenth, T second: RR prefers one, ESL-like depth the other."""
    runs = {"deep": found_at([2] * 12), "top": found_at([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9])}
    found = verdict_of(runs, ["RR", "P@2"])
    assert found["best"] == 1
    assert found["depends"][0]["steady"] is False
    assert "P@2 ranks deep first" in found["depends"][0]["text"]
    assert found["step"]["kind"] == "decide"


def test_one_run_and_one_topic() -> None:
    found = verdict_of({"only": found_at([1] * 12)})
    assert (found["second"], found["lead"], found["step"]["kind"]) == (None, None, "run")
    report = gw.report.make_report(
        {"t": {"a": 1}}, {"x": {"t": {"a": 1.0}}, "y": {"t": {"b": 1.0}}}, "RR"
    )
    step = report.content["verdicts"][0]["step"]
    assert (step["kind"], step["title"]) == ("topics", "Judge more topics")
    assert report.content["verdicts"][0]["lead"] == [1.0, None, None]


def test_lower_can_be_better() -> None:
    found = verdict_of({"far": found_at([5] * 12), "near": found_at([2, 3] * 6)}, "ESL(size=1000)")
    assert found["best"] == 1
    assert found["lead"][0] == pytest.approx(2.5)


def test_scores_alone_have_a_verdict() -> None:
    runs = {"good": found_at([1] * 12), "bad": found_at([4, 5] * 6)}
    scores = gw.read_scores(gw.evaluate(QRELS, runs, "RR").per_topic)
    found = gw.report.report_scores(scores).content["verdicts"][0]
    assert found["step"]["kind"] == "ship"
    assert found["depends"] == []


def test_titles_say_what_is_compared(tmp_path: Any) -> None:
    one, two = {"mine": found_at([1] * 12)}, found_at([2] * 12)
    assert gw.report.make_report(QRELS, one, "RR").title == "mine on 12 topics"
    both = {**one, "yours": two}
    path = tmp_path / "robust04.qrels.txt"
    gw.write_qrels(gw.read_qrels(QRELS), path)
    assert (
        gw.report.make_report(path, both, "RR").title == "mine and yours on 12 topics of robust04"
    )
    many = {f"run{k}": two for k in range(3)}
    assert gw.report.make_report(QRELS, many, "RR", topics="^t1").title == "3 runs on 3 topics"
    assert gw.report.make_report(QRELS, many, "RR", title="Mine").title == "Mine"
