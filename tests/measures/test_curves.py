"""Precision–recall curves against their definitions."""

import random
from itertools import pairwise

import pytest

import gradewise as gw
from oracles.lists import random_case, random_thresholds
from oracles.others import binary_precision_recall, graded_precision_recall


def _files(
    ranking: list[int | None], judged: dict[int, int]
) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    qrels = {f"d{i}": grade for i, grade in enumerate(ranking) if grade is not None}
    for grade, count in judged.items():
        missing = count - ranking.count(grade)
        qrels |= {f"missed{grade}.{i}": grade for i in range(missing)}
    run = {f"d{i}": -float(i) for i in range(len(ranking))} | {"last": -1000.0}
    return {"t": qrels or {"none": 0}}, {"t": run}


def _cases() -> list[tuple[list[int | None], dict[int, int]]]:
    rng = random.Random(11)
    cases = [random_case(rng, gaps=False) for _ in range(60)]
    # Every grade of the scale must occur, or the qrels have fewer grades than the oracle thinks.
    return [(r, j) for r, j in cases if all(j.get(grade, 0) for grade in (1, 2, 3))]


@pytest.mark.parametrize(("ranking", "judged"), _cases())
def test_curves_equal_oracles(ranking: list[int | None], judged: dict[int, int]) -> None:
    qrels, run = _files(ranking, judged)
    g = random_thresholds(random.Random(len(ranking)), 3)
    curves = gw.precision_recall(qrels, run, g=g)
    points = list(zip(curves.recall, curves.precision, strict=True))
    assert [x for p in points for x in p] == pytest.approx(
        [x for p in graded_precision_recall(ranking, judged, g=g) for x in p], abs=1e-12
    )
    for rel in (1, 2, 3):
        curves = gw.precision_recall(qrels, run, rel=rel)
        points = list(zip(curves.recall, curves.precision, strict=True))
        assert [x for p in points for x in p] == pytest.approx(
            [x for p in binary_precision_recall(ranking, judged, rel=rel) for x in p], abs=1e-12
        )


def test_averaged_curve_is_interpolated_precision() -> None:
    sample = gw.simulate.collection(topics=5, runs=2, depth=50, seed=3)
    averaged = gw.precision_recall(sample.qrels, sample.runs, rel=1).averaged(11)
    for run in sample.runs:
        mine = averaged.filter(run=run)["precision"].to_list()
        assert all(later <= earlier + 1e-12 for earlier, later in pairwise(mine))
        # At recall 1 rounding of recall to documents plays no part.
        last = gw.evaluate(sample.qrels, sample.runs[run], "IPrec@1.0").summary()[0, 0]
        assert mine[-1] == pytest.approx(last, abs=1e-12)


def test_frame_names_runs_topics_and_ranks() -> None:
    frame = gw.precision_recall({"t": {"a": 1}}, {"t": {"x": 2.0, "a": 1.0}}).per_list
    assert frame.rows() == [("run", "t", 2, 1.0, 0.5)]


def test_graded_or_binary() -> None:
    with pytest.raises(gw.GradewiseError, match="not both"):
        gw.precision_recall({"t": {"a": 1}}, {"t": {"a": 1.0}}, g=[1.0], rel=1)
