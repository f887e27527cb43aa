"""What to judge next: the documents named are those that shrink the distance."""

import itertools
import random
from pathlib import Path

import pytest

import gradewise as gw

Judged = dict[str, dict[str, int]]


def order(documents: str) -> dict[str, dict[str, float]]:
    return {"t": {document: -float(rank) for rank, document in enumerate(documents)}}


@pytest.mark.parametrize("measure", ["P@3", "SDCG@4", "nDCG@4", "AP@4", "RR", "GAP@3", "ERR@4"])
def test_shrink_is_the_mean_of_two_changes(measure: str) -> None:
    # By definition: the lead of a with d not relevant, that of b with d relevant, or vice versa.
    a, b, judged = order("abcde"), order("dbxya"), {"t": {"b": 1, "x": 0, "q": 1}}
    runs = {"a": a, "b": b}
    wanted = gw.distance.judge_next(runs, judged, measure, number=10)
    whole = gw.distance.med(a, b, judged, measure)["t"]
    assert list(wanted.shrink) == sorted(wanted.shrink, reverse=True)
    for document, shrink in zip(wanted.documents, wanted.shrink, strict=True):
        changed = [
            gw.distance.med(a, b, {"t": {**judged["t"], document: grade}}, measure)["t"]
            for grade in (0, 1)
        ]
        for side in ("a_over_b", "b_over_a"):  # judging never lets a run lead by more
            assert all(getattr(c, side) <= getattr(whole, side) + 1e-12 for c in changed)
        # The drop at the best assignment is at least the drop of the best.
        least = sum(
            max(getattr(whole, side) - getattr(c, side) for c in changed)
            for side in ("a_over_b", "b_over_a")
        )
        assert shrink >= least / 2 - 1e-9


@pytest.mark.parametrize("measure", ["P@3", "SDCG@3", "RBP(p=0.7)@3"])
def test_weights_decide_for_static_measures(measure: str) -> None:
    runs = {"a": order("abc"), "b": order("dac"), "c": order("cbe")}
    wanted = gw.distance.judge_next(runs, {"t": {"q": 1}}, measure, number=10)
    found = dict(zip(wanted.documents, wanted.shrink, strict=True))
    for document in "abcde":
        alone = {"t": {document: 1}}
        values = [gw.evaluate(alone, run, measure).summary()[0, 0] for run in runs.values()]
        pairs = sum(abs(x - y) for x, y in itertools.combinations(values, 2))
        assert found.get(document, 0.0) == pytest.approx(pairs, abs=1e-12)


def test_pool_and_frame() -> None:
    wanted = gw.distance.judge_next(
        {"a": order("abc"), "b": order("dbc")}, {"t": {"q": 1}}, "P@1", number=2
    )
    assert wanted.pool() == "t 0 a\nt 0 d\n"
    assert wanted.frame.columns == ["topic", "document", "shrink"]
    with pytest.raises(gw.GradewiseError, match="number"):
        gw.distance.judge_next({"a": order("a"), "b": order("b")}, None, "P@1", number=0)


def test_nothing_to_judge() -> None:
    runs = {"a": order("ab"), "b": order("ba")}
    wanted = gw.distance.judge_next(runs, {"t": {"a": 1, "b": 0}}, "P@1")
    assert wanted.documents == ()
    assert wanted.pool() == ""
    assert wanted.frame.height == 0


@pytest.mark.parametrize("measure", ["nDCG@10", "SDCG@10", "AP@10"])
def test_judging_them_shrinks_the_distance_more_than_judging_others(
    real_data: Path, measure: str
) -> None:
    qrels: Judged = gw.read_qrels(real_data / "qrels" / "qrels.robust03.txt.gz").to_dict()
    rng = random.Random(3)
    half = {
        topic: {document: grade for document, grade in grades.items() if rng.random() < 0.5}
        for topic, grades in sorted(qrels.items())[:20]
    }
    paths = sorted((real_data / "robust03-runs").iterdir())[:2]
    before = gw.distance.med(*paths, half, measure)
    wanted = gw.distance.judge_next(paths, half, measure, number=40)
    assert len(wanted.documents) == 40

    def after(chosen: list[tuple[str, str]]) -> float:
        more = {topic: dict(grades) for topic, grades in half.items()}
        for topic, document in chosen:
            more[topic][document] = qrels[topic].get(document, 0)
        return gw.distance.med(*paths, more, measure).value

    best = after(list(zip(wanted.topics, wanted.documents, strict=True)))
    free = [(each.topic, document) for each in before.distances for document in each.assignment]
    others = [after(rng.sample(free, 40)) for _ in range(3)]
    assert best < before.value - 0.01
    assert best < min(others)
