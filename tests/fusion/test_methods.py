"""Fused scores equal the definitions; the order of runs and blocks change nothing."""

import itertools
from typing import get_args

import numpy as np
import pytest

import gradewise as gw
from fusion.cases import lists_of, random_runs
from gradewise.fusion import METHODS, NORMALIZATIONS
from gradewise.fusion.methods import Method
from gradewise.fusion.normalizations import Normalize
from oracles import fusion as oracle

CLOSE = {"rel": 1e-12, "abs": 1e-13}
BY_SCORES = [name for name, method in METHODS.items() if method.uses == "scores"]
BY_MAJORITY = ("condorcet", "w_condorcet")
WEIGHTS = [0.5, 2.0, 0.0, 1.25]


def test_names_are_those_of_the_tables() -> None:
    assert get_args(Method) == tuple(METHODS)
    assert get_args(Normalize) == tuple(NORMALIZATIONS)
    assert set(oracle.METHODS) | set(BY_MAJORITY) == set(METHODS)
    assert set(oracle.NORMALIZATIONS) | {"borda"} == set(NORMALIZATIONS)


def _check(fused: gw.Run, expected: dict[str, dict[str, float]]) -> None:
    assert set(fused.topics) == set(expected)
    for topic, scores in expected.items():
        found = dict(
            zip(
                fused.docs.to_list()[fused.rows_of(topic)],
                fused.scores[fused.rows_of(topic)].tolist(),
                strict=True,
            )
        )
        assert found == pytest.approx(scores, **CLOSE)
        values = list(found.values())
        assert values == sorted(values, reverse=True)
        assert list(found) == oracle.ranking(found)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("method", oracle.METHODS)
def test_definitions(method: Method, seed: int) -> None:
    runs = random_runs(seed)
    weights = WEIGHTS if METHODS[method].weighted else None
    normalize = "min-max" if METHODS[method].uses == "scores" else "none"
    expected = {
        topic: oracle.METHODS[method](
            oracle.normalized(normalize, lists_of(runs, topic)), weights or [1.0] * 4
        )
        for topic in runs["run1"]
    }
    _check(gw.fuse(runs, method, weights=weights), expected)


@pytest.mark.parametrize("normalize", NORMALIZATIONS)
@pytest.mark.parametrize("method", BY_SCORES)
def test_normalizations(method: Method, normalize: Normalize) -> None:
    runs = random_runs(7)
    weights = WEIGHTS if METHODS[method].weighted else None
    expected = {
        topic: oracle.METHODS[method](
            oracle.normalized(normalize, lists_of(runs, topic)), weights or [1.0] * 4
        )
        for topic in runs["run1"]
    }
    _check(gw.fuse(runs, method, normalize=normalize, weights=weights), expected)


@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        ("rrf", {"k": 0}),
        ("rrf", {"k": 2.5}),
        ("rbc", {"phi": 0.3}),
        ("combgmnz", {"gamma": 0.4}),
        ("logn_isr", {"sigma": 1.0}),
    ],
)
def test_parameters(method: Method, parameters: dict[str, float]) -> None:
    runs = random_runs(11)
    lists = {topic: lists_of(runs, topic) for topic in runs["run1"]}
    if METHODS[method].uses == "scores":
        lists = {topic: oracle.normalized("min-max", each) for topic, each in lists.items()}
    expected = {
        t: oracle.METHODS[method](each, [1.0] * 4, **parameters) for t, each in lists.items()
    }
    _check(gw.fuse(runs, method, **parameters), expected)


def test_low_scores_can_be_good() -> None:
    runs = random_runs(3)
    turned = {
        name: {t: {d: -s for d, s in scored.items()} for t, scored in run.items()}
        for name, run in runs.items()
    }
    for method in ("rrf", "combsum", "condorcet"):
        high = gw.fuse(runs, method)
        low = gw.fuse(turned, method, normalize="min-max-inverted")
        assert high.to_dict() == low.to_dict()


@pytest.mark.parametrize("method", METHODS)
def test_the_order_of_runs_changes_nothing(method: Method) -> None:
    runs = random_runs(5, runs=6)
    turned = dict(reversed(runs.items()))
    one, other = gw.fuse(runs, method), gw.fuse(turned, method)
    assert {t: list(docs.items()) for t, docs in one.to_dict().items()} == {
        t: list(docs.items()) for t, docs in other.to_dict().items()
    }


@pytest.mark.parametrize("method", METHODS)
def test_blocks_change_nothing(method: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = random_runs(6)
    normalize = "borda" if METHODS[method].uses == "scores" else None
    whole = gw.fuse(runs, method, normalize=normalize)
    monkeypatch.setattr("gradewise.fusion.lists._BLOCK", 60)
    parts = gw.fuse(runs, method, normalize=normalize)
    assert whole.topics == parts.topics
    assert whole.docs.to_list() == parts.docs.to_list()
    assert np.array_equal(whole.scores, parts.scores)


@pytest.mark.parametrize("method", METHODS)
def test_depth_cuts_lists(method: Method) -> None:
    runs = random_runs(8)
    cut = {
        name: {t: {d: s[d] for d in oracle.ranking(s)[:4]} for t, s in run.items()}
        for name, run in runs.items()
    }
    assert gw.fuse(runs, method, depth=4).to_dict() == gw.fuse(cut, method).to_dict()


def _path_holds(fused: gw.Run, runs: dict[str, oracle.Scored], weights: list[float]) -> None:
    for topic in fused.topics:
        lists, order = lists_of(runs, topic), fused.ranking(topic)
        scores = fused.scores[fused.rows_of(topic)].tolist()
        assert scores == list(range(len(order), 0, -1))
        for a, b in itertools.pairwise(order):
            assert oracle.votes(lists, weights, a, b) >= -1e-12


@pytest.mark.parametrize("seed", range(6))
def test_no_document_is_beaten_by_the_next_one(seed: int) -> None:
    runs = random_runs(seed, runs=3 + seed % 3, topics=3)
    _path_holds(gw.fuse(runs, "condorcet"), runs, [1.0] * len(runs))
    weights = [0.1, 0.2, 0.3, 0.4, 0.5][: len(runs)]
    _path_holds(gw.fuse(runs, "w_condorcet", weights=weights), runs, weights)


@pytest.mark.parametrize("seed", range(20))
def test_transitive_majorities_are_the_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    documents = [f"d{n}" for n in range(9)]
    order = rng.permutation(documents).tolist()
    lists = []
    for _ in range(5):  # near enough to one order that majorities agree with it
        noise = {d: -n + rng.normal(0, 0.6) for n, d in enumerate(order)}
        lists.append(noise)
    beaten = {(a, b) for a in order for b in order if oracle.votes(lists, [1.0] * 5, a, b) > 0}
    wins = {a: sum((a, b) in beaten for b in order) for a in order}
    if sorted(wins.values()) != list(range(len(order))):
        pytest.skip("majorities run in circles for this seed")
    fused = gw.fuse({f"r{n}": {"t": scored} for n, scored in enumerate(lists)}, "condorcet")
    assert fused.ranking("t") == sorted(order, key=lambda d: -wins[d])


def test_without_a_majority_points_decide() -> None:
    first = {"t": {"a": 3.0, "b": 2.0, "c": 1.0}}
    second = {"t": {"c": 3.0, "x": 2.0, "a": 1.0}}
    fused = gw.fuse({"1": first, "2": second}, "condorcet")
    # Points of 4: a 4 + 2, b 3 + 1, c 2 + 4, x 1 + 3. Only a over b and c over x are unanimous.
    assert fused.ranking("t") == ["c", "a", "x", "b"]
