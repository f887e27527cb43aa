"""Simulated collections: reproducible, as planned, and as large as one likes."""

import tracemalloc
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import GradewiseError
from gradewise.simulate import files
from gradewise.simulate.collections import Plan, Simulated
from gradewise.simulate.files import simulate_files


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def tables(made: Simulated) -> tuple[dict, dict]:
    return made.qrels.to_dict(), {name: run.to_dict() for name, run in made.runs.items()}


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path):
    for folder, seed in (("a", 1), ("b", 1), ("c", 2)):
        simulate_files(tmp_path / folder, Plan(topics=4, runs=3, depth=30, seed=seed))
    a, b, c = (contents(tmp_path / folder) for folder in "abc")
    assert a == b
    assert set(a) == set(c) == {"qrels.txt", "run1.txt", "run2.txt", "run3.txt"}
    assert all(a[name] != c[name] for name in a)


def test_the_same_seed_gives_the_same_collection_in_memory():
    options = {"topics": 4, "runs": 3, "depth": 30}
    assert tables(gw.simulate.collection(**options, seed=1)) == tables(
        gw.simulate.collection(**options, seed=1)
    )
    assert tables(gw.simulate.collection(**options, seed=1)) != tables(
        gw.simulate.collection(**options, seed=2)
    )
    assert tables(gw.simulate.collection(**options)) == tables(
        gw.simulate.collection(**options, seed=0)
    )


@pytest.mark.parametrize("rows_at_once", [1, 200, 10**6])
@pytest.mark.parametrize("missing", [0.0, 0.5])
def test_files_hold_what_memory_holds(tmp_path, monkeypatch, rows_at_once, missing):
    monkeypatch.setattr(files, "_ROWS_AT_ONCE", rows_at_once)
    plan = Plan(topics=7, runs=12, depth=25, grades=3, missing=missing, seed=5)
    qrels_path, run_paths = simulate_files(tmp_path, plan)
    made = gw.simulate.collection(7, 12, 25, grades=3, missing=missing, seed=5)
    assert qrels_path == tmp_path / "qrels.txt"
    assert [path.stem for path in run_paths] == list(made.runs)
    assert gw.read_qrels(qrels_path).to_dict() == made.qrels.to_dict()
    for path, run in zip(run_paths, made.runs.values(), strict=True):
        read = gw.read_run(path)
        assert read.to_dict() == run.to_dict()
        assert read.topics == run.topics
        assert (read.name, read.tag) == (run.name, run.tag)
        assert {t: read.ranking(t) for t in read.topics} == {t: run.ranking(t) for t in run.topics}


def test_rows_in_files_are_trec_rows_in_rank_order(tmp_path):
    _, (path, *_) = simulate_files(tmp_path, Plan(topics=3, runs=2, depth=10, seed=3))
    rows = [line.split(" ") for line in path.read_text().splitlines()]
    assert all(len(row) == 6 for row in rows)
    assert [row[0] for row in rows] == ["101"] * 10 + ["102"] * 10 + ["103"] * 10
    assert {row[1] for row in rows} == {"Q0"}
    assert {row[5] for row in rows} == {"run1"}
    assert [row[3] for row in rows] == [str(rank) for rank in range(1, 11)] * 3
    for topic in ("101", "102", "103"):
        scores = [float(row[4]) for row in rows if row[0] == topic]
        assert scores == sorted(scores, reverse=True)


def test_sizes_are_as_planned():
    made = gw.simulate.collection(topics=5, runs=11, depth=20, seed=4)
    assert list(made.runs) == [f"run{n:02d}" for n in range(1, 12)]
    assert made.qrels.topics == ("101", "102", "103", "104", "105")
    for run in made.runs.values():
        assert run.topics == made.qrels.topics
        assert run.sizes.tolist() == [20] * 5
        assert all(len(inner) == 20 for inner in run.to_dict().values())  # no document twice


@pytest.mark.parametrize("pool_depth", [1, 5, 20])
def test_what_the_first_ranks_hold_is_judged_and_nothing_else(pool_depth):
    made = gw.simulate.collection(
        topics=6, runs=4, depth=20, pool_depth=pool_depth, ties=0.0, seed=8
    )
    for topic, judged in made.qrels.to_dict().items():
        pool = {doc for run in made.runs.values() for doc in run.ranking(topic)[:pool_depth]}
        assert set(judged) == pool


def test_the_first_ranks_are_judged_under_the_usual_rule_for_ties_too():
    made = gw.simulate.collection(topics=20, runs=4, depth=50, pool_depth=10, ties=0.3, seed=8)
    judged = made.qrels.to_dict()
    for run in made.runs.values():
        for topic in run.topics:
            assert set(run.ranking(topic)[:10]) <= set(judged[topic])


def test_the_pool_does_not_change_the_runs():
    shallow = gw.simulate.collection(topics=3, runs=3, depth=30, pool_depth=2, seed=1)
    deep = gw.simulate.collection(topics=3, runs=3, depth=30, pool_depth=30, seed=1)
    assert tables(shallow)[1] == tables(deep)[1]
    assert len(deep.qrels) > 3 * len(shallow.qrels)
    for topic, inner in tables(shallow)[0].items():
        assert inner.items() <= tables(deep)[0][topic].items()


def test_grades_are_skewed():
    made = gw.simulate.collection(topics=60, runs=3, depth=300, grades=3, pool_depth=300, seed=2)
    grades = [list(inner.values()) for inner in made.qrels.to_dict().values()]
    totals = [sum(row.count(grade) for row in grades) for grade in range(4)]
    assert totals[0] > totals[1] > totals[2] > totals[3] > 0
    assert made.qrels.scale.tolist() == [1, 2, 3]
    assert any(max(row) < 3 for row in grades)  # a topic without the highest grade
    relevant = sorted(sum(grade > 0 for grade in row) for row in grades)
    assert relevant[-1] > 3 * relevant[0] > 0  # topics differ
    assert np.mean(relevant) > np.median(relevant)  # most have few, some have many


def test_more_relevant_documents_on_request():
    few, many = (
        gw.simulate.collection(20, 2, 200, relevant=r, pool_depth=200, seed=1) for r in (5, 60)
    )
    assert (many.qrels.grades > 0).sum() > 4 * (few.qrels.grades > 0).sum() > 0


def test_runs_differ_in_quality_and_retrieve_much_the_same():
    made = gw.simulate.collection(topics=30, runs=6, depth=100, seed=6)
    values = gw.evaluate(made.qrels, made.runs, "AP").mean["value"].sort().to_list()
    assert values[-1] > 1.3 * values[0] > 0
    assert all(high > low for low, high in pairwise(values))
    first, second = list(made.runs.values())[:2]
    shared = [len(set(first.ranking(t)) & set(second.ranking(t))) for t in first.topics]
    assert np.mean(shared) > 40  # of 100; two random draws of 320 would share 31


def ties_of(made: Simulated) -> int:
    return sum(
        len(inner) - len(set(inner.values()))
        for run in made.runs.values()
        for inner in run.to_dict().values()
    )


def test_ties_come_as_often_as_planned():
    rows = 5 * 4 * 200
    none, some, many = (
        ties_of(gw.simulate.collection(5, 4, 200, ties=t, seed=3)) for t in (0.0, 0.1, 0.6)
    )
    assert none < 0.01 * rows  # scores have four digits, so that chance makes a few
    assert 0.07 * rows < some < 0.13 * rows
    assert 0.55 * rows < many < 0.65 * rows


def test_topics_are_missing_as_often_as_planned():
    full = gw.simulate.collection(40, 10, 10, seed=3)
    assert {len(run.topics) for run in full.runs.values()} == {40}
    part = gw.simulate.collection(40, 10, 10, missing=0.3, seed=3)
    sizes = [len(run.topics) for run in part.runs.values()]
    assert 230 < sum(sizes) < 330  # 280 expected, deviation 9
    assert len(set(sizes)) > 1
    assert len(part.qrels.topics) == 40
    scores = gw.evaluate(part.qrels, part.runs, "AP")
    assert scores.coverage.missing.tolist() == [40 - size for size in sizes]


def test_no_run_is_empty_even_if_nearly_all_topics_are_missing(tmp_path):
    made = gw.simulate.collection(3, 20, 10, missing=0.99, seed=1)
    assert all(len(run) > 0 for run in made.runs.values())
    _, paths = simulate_files(tmp_path, Plan(topics=3, runs=20, depth=10, missing=0.99, seed=1))
    assert all(len(gw.read_run(path)) > 0 for path in paths)


def test_a_topic_does_not_depend_on_how_many_there_are():
    few, many = gw.simulate.collection(2, 3, 20, seed=9), gw.simulate.collection(5, 3, 20, seed=9)
    assert tables(few)[0] == {t: tables(many)[0][t] for t in ("101", "102")}
    assert few.runs["run2"].to_dict()["102"] == many.runs["run2"].to_dict()["102"]


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_topics(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_ROWS_AT_ONCE", 1000)
    peaks = []
    for topics in (20, 20, 400):  # the first warms up
        tracemalloc.start()
        simulate_files(tmp_path / str(topics), Plan(topics=topics, runs=2, depth=50, seed=1))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert len((tmp_path / "400" / "run1.txt").read_bytes()) > 500_000
    assert peaks[2] < 3 * peaks[1]  # for 20 times the topics


def test_progress_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_ROWS_AT_ONCE", 2 * 2 * 10)
    told: list[int] = []
    simulate_files(tmp_path, Plan(topics=5, runs=2, depth=10), progress=told.append)
    assert told == [2, 4, 5]


def test_files_that_are_not_complete_do_not_appear(tmp_path):
    (tmp_path / "run1.txt").write_text("old")

    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate_files(tmp_path, Plan(topics=5, runs=2, depth=10), progress=stop)
    assert contents(tmp_path) == {"run1.txt": b"old"}


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("topics", 0),
        ("runs", 0),
        ("depth", -1),
        ("grades", 0),
        ("relevant", 0),
        ("pool_depth", -1),
        ("ties", 1.0),
        ("ties", -0.1),
        ("missing", 1.0),
        ("seed", -1),
        ("collection_size", 0),
    ],
)
def test_plans_that_make_no_sense(option, value):
    with pytest.raises(GradewiseError, match=f"{option} must be .* not {value}"):
        Plan(**{option: value})


def test_a_collection_too_small_for_the_depth():
    with pytest.raises(GradewiseError, match="1000 documents is too small for depth 500"):
        gw.simulate.collection(2, 2, 500, collection_size=1000)
