"""Pool bias: what only one group found, with sets of documents."""

from functools import cache
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import GradewiseError
from gradewise.meta import PoolBias, pool_bias

Pairs = set[tuple[str, str]]

MEASURES = ["AP", "nDCG@10", "Bpref", "GAP(g=[0.3,0.7])"]
SAMPLE = gw.simulate.collection(
    topics=7, runs=5, depth=40, relevant=20, pool_depth=12, missing=0.1, ties=0.1, seed=8
)
GRADES = SAMPLE.qrels.to_dict()
FAMILIES = {"run1": "red", "run2": "blue", "run3": "red", "run4": "blue", "run5": "red"}


def found_by(runs: list[str], depth: int | None) -> Pairs:
    """The judged documents that runs have among their first ones."""
    found = set()
    for run in runs:
        lists = SAMPLE.runs[run]
        for topic in lists.topics:
            found |= {(topic, document) for document in lists.ranking(topic)[:depth]}
    return {(topic, document) for topic, document in found if document in GRADES[topic]}


@cache
def literal_means(measure: str, removed: frozenset[tuple[str, str]]) -> dict[str, float]:
    """Score anew without documents; a topic of which none is left still counts."""
    qrels = {
        t: {d: g for d, g in inner.items() if (t, d) not in removed} for t, inner in GRADES.items()
    }
    qrels = {topic: inner for topic, inner in qrels.items() if inner}
    frame = gw.evaluate(qrels, SAMPLE.runs, measure).per_topic
    sums = {run: frame.filter(run=run)["value"].sum() for run in SAMPLE.runs}
    return {run: total / len(GRADES) for run, total in sums.items()}


def ranks(means: dict[str, float]) -> dict[str, int]:
    return {run: 1 + sum(other > mine for other in means.values()) for run, mine in means.items()}


@pytest.mark.parametrize("depth", [None, 1, 5, 12])
@pytest.mark.parametrize("groups", [None, FAMILIES], ids=["each its own", "two groups"])
def test_as_sets_of_documents(groups: dict[str, str] | None, depth: int | None) -> None:
    lists = gw.judge(SAMPLE.qrels, SAMPLE.runs)
    frame = pool_bias(lists, MEASURES, groups=groups, depth=depth).frame
    assert len(frame) == len(SAMPLE.runs) * len(MEASURES)
    some = 0
    for run in SAMPLE.runs:
        group = run if groups is None else groups[run]
        mine = [r for r in SAMPLE.runs if (r if groups is None else groups[r]) == group]
        others = [r for r in SAMPLE.runs if r not in mine]
        unique = found_by(mine, depth) - found_by(others, depth)
        relevant = sum(GRADES[topic][document] > 0 for topic, document in unique)
        some += relevant
        for measure in MEASURES:
            row = frame.row(by_predicate=_is(run, measure), named=True)
            full, less = (
                literal_means(measure, frozenset()),
                literal_means(measure, frozenset(unique)),
            )
            assert (row["group"], row["unique"]) == (group, relevant)
            assert row["full"] == pytest.approx(full[run], abs=1e-12)
            assert row["without"] == pytest.approx(less[run], abs=1e-12)
            assert row["change"] == pytest.approx(less[run] - full[run], abs=1e-12)
            assert row["rank"] == ranks(full)[run]
            assert row["rank_without"] == ranks(less)[run]
    assert some > 0


def _is(run: str, measure: str) -> Any:
    import polars as pl

    return (pl.col("run") == run) & (pl.col("measure") == measure)


# By hand: x alone has a, y and z both have b, z alone has c, all have e, nobody has f.
QRELS = {"t": {"a": 1, "b": 1, "c": 1, "d": 0, "e": 1, "f": 1}}
RUNS = {
    "x": {"t": {"a": 3.0, "e": 2.0, "d": 1.0}},
    "y": {"t": {"b": 2.0, "e": 1.0}},
    "z": {"t": {"c": 3.0, "b": 2.0, "e": 1.0}},
}


def by_hand(**options: Any) -> PoolBias:
    return pool_bias(gw.judge(QRELS, RUNS), ["AP"], **options)


def test_by_hand() -> None:
    found = by_hand()
    assert found.runs == found.groups == ("x", "y", "z")
    assert found.unique.tolist() == [1, 0, 1]
    assert found.full.ravel() == pytest.approx([2 / 5, 2 / 5, 3 / 5])
    # x: e at rank 2 of 4 relevant; z: b at 2 and e at 3
    assert found.without.ravel() == pytest.approx([0.5 / 4, 2 / 5, (1 / 2 + 2 / 3) / 4])
    assert found.full_rank.ravel().tolist() == [2, 2, 1]
    # without a: x 1/8, y 2/4, z 3/4; without c: x 2/4, y 2/4, z 7/24
    assert found.without_rank.ravel().tolist() == [3, 2, 3]


def test_groups_by_hand() -> None:
    found = by_hand(groups={"x": "one", "y": "two", "z": "two", "other": "three"})
    assert found.groups == ("one", "two", "two")
    assert found.unique.tolist() == [1, 2, 2]
    # without b and c there are a, e and f: e at rank 2 of y, at rank 3 of z
    assert found.without.ravel() == pytest.approx([1 / 8, 1 / 6, 1 / 9])


def test_a_single_group_loses_all_it_found() -> None:
    found = by_hand(groups=dict.fromkeys("xyz", "all"))
    assert found.unique.tolist() == [4, 4, 4]
    assert not found.without.any()
    assert found.without_rank.ravel().tolist() == [1, 1, 1]


def test_depth_by_hand() -> None:
    """Among the first documents only, b is y's alone, and nobody has e."""
    found = by_hand(depth=1)
    assert found.unique.tolist() == [1, 1, 1]
    assert found.without.ravel() == pytest.approx([1 / 8, 1 / 8, (1 / 2 + 2 / 3) / 4])
    assert by_hand(depth=100).without.tolist() == by_hand().without.tolist()


def test_a_topic_that_loses_all_its_judgments_still_counts() -> None:
    qrels = {"t": {"a": 1}, "u": {"b": 1}}
    runs = {"x": {"t": {"a": 1.0}, "u": {"b": 1.0}}, "y": {"u": {"b": 1.0}}}
    found = pool_bias(gw.judge(qrels, runs), ["AP"])
    assert found.full.ravel().tolist() == [1.0, 0.5]
    assert found.without.ravel().tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("measures", "options", "message"),
    [
        (["AP"], {"groups": {"x": "one", "yy": "two", "z": "two"}}, "run 'y' has no group"),
        (["AP"], {"groups": {}}, "run 'x' has no group"),
        (["nDGC"], {}, "there is no measure 'nDGC'"),
        ([], {}, "no measures were given"),
        (["ADM"], {}, "ADM needs the scores of documents"),
    ],
)
def test_what_is_refused(measures: list[str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(GradewiseError, match=message):
        pool_bias(gw.judge(QRELS, RUNS), measures, **options)


def test_one_run_is_refused() -> None:
    with pytest.raises(GradewiseError, match="needs at least 2 runs, but there is 1 run"):
        pool_bias(gw.judge(QRELS, {"x": RUNS["x"]}), ["AP"])


@pytest.mark.parametrize("depth", [0, -3])
def test_a_depth_that_is_none(depth: int) -> None:
    with pytest.raises(GradewiseError, match="depth must be at least 1"):
        by_hand(depth=depth)


def test_a_measure_given_twice_counts_once() -> None:
    found = pool_bias(gw.judge(QRELS, RUNS), ["AP", "MAP"])
    assert found.frame["measure"].to_list() == ["AP", "AP", "AP"]
    assert np.shape(found.full) == (3, 1)
