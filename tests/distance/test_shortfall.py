"""The heuristic of Moffat's equation 13 and the exact distance, both against literal oracles."""

import random

import numpy as np
import pytest

import gradewise as gw
from distance.cases import ONE, random_pair, runs_of
from gradewise.errors import GradewiseError
from oracles import pivot
from oracles.distance import brute_force, greedy_ap


def test_random_lists_against_every_assignment_and_every_greedy_way() -> None:
    found = gw.distance.random_shortfall(120, length=4, measure="AP@3", seed=2)
    assert found.height == 120
    for row in found.iter_rows(named=True):
        first, second = ([f"d{i}" for i in row[side]] for side in ("first", "second"))
        judged = {f"d{i}": 1 for i in row["relevant"]} | {f"d{i}": 0 for i in row["not_relevant"]}
        judged |= {f"elsewhere{i}": 1 for i in range(row["elsewhere"])}
        truth = brute_force(
            first[:3], second[:3], judged, ONE, lambda r, n: pivot.ap(r, n, cutoff=3)
        )
        ways = [float(way) for way in greedy_ap(first, second, judged, 3)]
        assert row["med"] == pytest.approx(max(0.0, truth.value), abs=1e-12)
        assert min(abs(row["greedy"] - way) for way in ways) < 1e-12
        assert row["shortfall"] == pytest.approx(row["med"] - row["greedy"], abs=1e-12)
        unjudged = {*first[:3], *second[:3]} - judged.keys()
        assert row["unjudged"] == len(unjudged)


def test_the_known_counterexample_is_found() -> None:
    """Lists 1 2 5 3 4 and 4 2 1 5 0; 17/300 against 4/75."""
    lists = {"a": [1, 2, 5, 3, 4], "b": [4, 2, 1, 5, 0]}
    runs = {name: {"t": {f"d{d}": -float(n) for n, d in enumerate(lists[name])}} for name in lists}
    judged = {"d0": 1, "d1": 1, "d3": 0, "d4": 0, "x": 1, "y": 1, "z": 1}
    row = gw.distance.greedy_shortfall(runs, {"t": judged}, "AP(norm='min(k,R)')@5").row(0)
    assert row == ("t", "a", "b", 2, *map(pytest.approx, (17 / 300, 4 / 75, 1 / 300)))


def test_the_heuristic_never_exceeds_the_distance() -> None:
    found = gw.distance.random_shortfall(200, length=6, measure="AP(norm='min(k,R)')@6", seed=1)
    assert (found["shortfall"] >= 0).all()
    assert (found["med"] <= 1).all()


def test_same_seed_same_lists() -> None:
    one, again, other = (gw.distance.random_shortfall(20, seed=seed) for seed in (4, 4, 5))
    assert one.equals(again)
    assert not one.equals(other)


def test_runs_are_compared_topic_by_topic() -> None:
    rng = random.Random(6)
    pairs = [random_pair(rng, ONE, length=6, free=6) for _ in range(40)]
    run_a, run_b, qrels = runs_of(pairs)
    runs = {"a": run_a, "b": run_b, "c": run_a}
    found = gw.distance.greedy_shortfall(runs, qrels, "AP@5")
    assert found.columns == ["topic", "run_a", "run_b", "unjudged", "med", "greedy", "shortfall"]
    assert found.height == 3 * 40
    assert (found.filter(run_a="a", run_b="c")["med"] == 0).all()
    for row in found.filter(run_a="a", run_b="b").iter_rows(named=True):
        pair = pairs[int(row["topic"][1:])].cut(5)
        truth = brute_force(pair.a, pair.b, pair.judged, ONE, lambda r, n: pivot.ap(r, n, cutoff=5))
        assert row["med"] == pytest.approx(max(0.0, truth.value), abs=1e-12)
        assert row["shortfall"] == pytest.approx(row["med"] - row["greedy"], abs=1e-12)
        assert row["shortfall"] >= 0


def test_what_cannot_be_compared_is_refused() -> None:
    run = {"t": {"a": 1.0}}
    with pytest.raises(GradewiseError, match="supports AP only, not GAP"):
        gw.distance.greedy_shortfall([run, run], {"t": {"a": 1}}, "GAP")
    with pytest.raises(
        GradewiseError, match="a distance needs at least 2 runs, but there is 1 run"
    ):
        gw.distance.greedy_shortfall({"one": run}, {"t": {"a": 1}})
    with pytest.raises(GradewiseError, match="length must be from 1 to 14, not 15"):
        gw.distance.random_shortfall(1, length=15)
    assert np.isfinite(gw.distance.random_shortfall(1, length=14)["med"][0])
