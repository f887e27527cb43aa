"""Matrices over many runs: all pairs at once equal pair by pair."""

import itertools

import numpy as np
import pytest

import gradewise as gw
from gradewise.simulate.collections import Simulated

STATIC = ["P@5", "RBP(p=0.6)", "RBP(p=0.9)@7", "DCG@10", "SDCG@8", "CG", "gP@4", "gP"]


@pytest.fixture(scope="module")
def made() -> Simulated:
    return gw.simulate.collection(topics=4, runs=5, depth=25, relevant=8, pool_depth=4, seed=5)


@pytest.mark.parametrize("measure", [*STATIC, "nDCG@5", "AP@6", "RR"])
def test_equals_pair_by_pair(made: Simulated, measure: str) -> None:
    found = gw.distance.med_matrix(made.runs, made.qrels, measure)
    assert found.runs == tuple(made.runs)
    assert found.exact
    assert (np.diag(found.values) == 0).all()
    for (i, a), (j, b) in itertools.combinations(enumerate(made.runs), 2):
        one = gw.distance.med(made.runs[a], made.runs[b], made.qrels, measure)
        assert found.values[i, j] == found.values[j, i]
        assert found.values[i, j] == pytest.approx(one.value, abs=1e-12)
    assert found.frame.height == 10
    assert found.frame.columns == ["run_a", "run_b", "med", "upper"]


def test_lists_of_different_lengths_and_missing_topics() -> None:
    runs = {
        "a": {"t": {"d1": 3.0, "d2": 2.0, "d3": 1.0}},
        "b": {"t": {"d2": 1.0}, "u": {"d9": 1.0}},
        "c": {"u": {"d8": 1.0, "d9": 0.5}},
    }
    qrels = {"t": {"d1": 1}, "u": {"d7": 2}}
    for measure in ("RBP(p=0.5)", "gP", "P@2"):
        found = gw.distance.med_matrix(runs, qrels, measure)
        for (i, a), (j, b) in itertools.combinations(enumerate(runs), 2):
            one = gw.distance.med(runs[a], runs[b], qrels, measure)
            both = {topic for name in (a, b) for topic in runs[name]}
            # A pair of runs is compared on the topics of either, a matrix on those of any.
            total = sum(one[topic].value for topic in both)
            missing = 2 - len(both)
            assert found.values[i, j] * 2 == pytest.approx(
                total + missing * (measure == "RBP(p=0.5)"), abs=1e-12
            )


def test_runs_that_are_near_become_neighbors() -> None:
    def near(order: str) -> dict[str, dict[str, float]]:
        return {"t": {d: -float(rank) for rank, d in enumerate(order)}}

    runs = {"a1": near("abcdef"), "z1": near("uvwxyz"), "a2": near("abcdfe"), "z2": near("uvwxzy")}
    found = gw.distance.med_matrix(runs, {"t": {"q": 1}}, "SDCG@6")
    order = [found.runs[index] for index in found.order()]
    assert {frozenset(order[:2]), frozenset(order[2:])} == {
        frozenset({"a1", "a2"}),
        frozenset({"z1", "z2"}),
    }
    assert found.clusters().shape == (3, 4)


def test_one_run_is_refused() -> None:
    with pytest.raises(
        gw.GradewiseError, match="a distance needs at least 2 runs, but there is 1 run"
    ):
        gw.distance.med_matrix({"a": {"t": {"d": 1.0}}}, {"t": {"d": 1}}, "P@1")
