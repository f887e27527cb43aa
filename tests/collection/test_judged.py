"""The join: which documents of each list were judged, at which rank, with which grade."""

import io
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradewise as gw
from gradewise.collection.coverage import DEPTHS, coverage
from gradewise.collection.ids import Ids
from gradewise.errors import GradewiseError, InputError
from gradewise.kernels import ids, lookup, ranking

often = settings(max_examples=60, deadline=None, derandomize=True)

Grades = dict[str, dict[str, int]]
Scores = dict[str, dict[str, float]]


# A literal join, with dictionaries


@dataclass
class LiteralList:
    """What one run retrieved for one topic: (rank, grade, score) of judged documents, and more."""

    hits: list[tuple[int, int, float]]
    retrieved: int
    unjudged_score: float


def topics_in_order(qrels: Grades) -> list[str]:
    if all(topic.isdigit() for topic in qrels):
        return sorted(qrels, key=lambda topic: (int(topic), topic))
    return sorted(qrels)


def literal_ranking(documents: dict[str, float]) -> list[str]:
    return sorted(documents, key=lambda d: (documents[d], d.encode()), reverse=True)


def literal_list(
    grades: dict[str, int],
    documents: dict[str, float],
    *,
    depth: int = 10**9,
    condense: bool = False,
    negative_is_judged: bool = True,
) -> LiteralList:
    ranked = literal_ranking(documents)[:depth]

    def is_judged(document: str) -> bool:
        return document in grades and (negative_is_judged or grades[document] >= 0)

    if condense:
        ranked = [document for document in ranked if is_judged(document)]
    hits = [
        (rank, grades[document], documents[document])
        for rank, document in enumerate(ranked, 1)
        if document in grades
    ]
    unjudged = [abs(documents[document]) for document in ranked if document not in grades]
    return LiteralList(hits, len(ranked), sum(unjudged))


def check(judged: gw.Judged, qrels: Grades, runs: dict[str, Scores], **options: Any) -> None:
    """Compare every list with the literal join."""
    topics = topics_in_order(qrels)
    scale = sorted({grade for inner in qrels.values() for grade in inner.values() if grade > 0})
    assert judged.runs == tuple(runs)
    assert judged.topics == tuple(topics)
    assert judged.scale.tolist() == scale
    counted = [
        [g for g in qrels[topic].values() if judged.negative == "nonrelevant" or g >= 0]
        for topic in topics
    ]
    assert judged.counts.tolist() == [
        [sum(g <= 0 for g in row), *[row.count(grade) for grade in scale]] for row in counted
    ]
    assert judged.extra_topics.tolist() == [len(set(run) - set(qrels)) for run in runs.values()]
    pairs = [(run, topic) for run in runs for topic in topics]
    assert len(judged) == judged.hits.lists == len(pairs)
    assert judged.topic.tolist() == [topics.index(topic) for _, topic in pairs]
    lists = [literal_list(qrels[t], runs[r].get(t, {}), **options) for r, t in pairs]
    assert judged.retrieved.tolist() == [one.retrieved for one in lists]
    level = {grade: index for index, grade in enumerate(scale, 1)}
    expected = [
        (number, rank, -1 if grade < 0 else level.get(grade, 0))
        for number, one in enumerate(lists)
        for rank, grade, _ in one.hits
    ]
    hits = judged.hits
    found = list(zip(hits.list.tolist(), hits.rank.tolist(), hits.level.tolist(), strict=True))
    assert found == expected
    if judged.hit_scores is not None:
        assert judged.hit_scores.tolist() == [score for one in lists for _, _, score in one.hits]
        np.testing.assert_allclose(
            judged.unjudged_scores, [one.unjudged_score for one in lists], atol=1e-9
        )


TOPICS = st.sampled_from(["1", "2", "3", "10", "007", "7"])
DOCUMENTS = st.sampled_from(
    ["a", "b", "c", "A", "é", "12345678", "12345678a", "x" * 20, "x" * 19 + "y", "NA", "1e5", "d#"]
)
GRADES = st.sampled_from([-2, -1, 0, 0, 1, 1, 2, 5])
SCORES = st.sampled_from([0.0, 0.5, 1.0, 1.0 + 1e-12, -2.0, 7.25])


def tables(numbers: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, dict[str, Any]]]:
    inner = st.dictionaries(DOCUMENTS, numbers, min_size=1, max_size=8)
    return st.dictionaries(TOPICS, inner, min_size=1, max_size=5)


NAMED_RUNS = st.lists(tables(SCORES), min_size=1, max_size=3).map(
    lambda runs: {f"run{index}": run for index, run in enumerate(runs)}
)


def read_runs(runs: dict[str, Scores]) -> list[gw.Run]:
    return [gw.read_run(table, name=name) for name, table in runs.items()]


def as_qrels(table: Grades) -> io.BytesIO:
    rows = [(t, d, g) for t, inner in table.items() for d, g in inner.items()]
    return io.BytesIO("".join(f"{t} 0 {d} {g}\n" for t, d, g in rows).encode())


def as_run(table: Scores) -> io.BytesIO:
    rows = [(t, d, s) for t, inner in table.items() for d, s in inner.items()]
    return io.BytesIO("".join(f"{t} Q0 {d} 1 {s!r} x\n" for t, d, s in rows).encode())


def make_tables(seed: int) -> tuple[Grades, dict[str, Scores]]:
    """Draw qrels and runs whose topics and documents match in part."""
    rng = np.random.default_rng(seed)
    topics = [str(n) for n in range(6)]
    documents = [f"doc-{n:04d}" if n % 3 else f"{'x' * (n % 20)}{n}" for n in range(60)]

    def draw(numbers: list[Any], most: int) -> dict[str, dict[str, Any]]:
        return {
            topic: {
                str(document): numbers[int(rng.integers(len(numbers)))]
                for document in rng.choice(documents, int(rng.integers(1, most)), replace=False)
            }
            for topic in rng.choice(topics, 4, replace=False).tolist()
        }

    runs = {f"run{n}": draw([0.0, 1.0, 2.5, -3.0], 40) for n in range(3)}
    return draw([-1, 0, 1, 2], 30), runs


# Properties


@often
@given(tables(GRADES), NAMED_RUNS, st.sampled_from(["nonrelevant", "unjudged"]))
def test_hits_are_those_of_a_literal_join(qrels, runs, negative):
    judged = gw.judge(gw.read_qrels(qrels), read_runs(runs), negative=negative, scores=True)
    check(judged, qrels, runs)


@often
@given(tables(GRADES), NAMED_RUNS)
def test_hits_of_texts_are_those_of_a_literal_join(qrels, runs):
    judged = gw.judge(as_qrels(qrels), {name: as_run(run) for name, run in runs.items()})
    assert judged.hit_scores is None
    check(judged, qrels, runs)


@often
@given(tables(GRADES), NAMED_RUNS, st.integers(1, 9))
def test_cut_lists(qrels, runs, depth):
    judged = gw.judge(gw.read_qrels(qrels), read_runs(runs))
    check(judged.cut(depth), qrels, runs, depth=depth)
    check(judged, qrels, runs)  # the whole lists are as before


@often
@given(tables(GRADES), NAMED_RUNS, st.sampled_from(["nonrelevant", "unjudged"]))
def test_condensed_lists(qrels, runs, negative):
    judged = gw.judge(gw.read_qrels(qrels), read_runs(runs), negative=negative, scores=True)
    options = {"condense": True, "negative_is_judged": negative == "nonrelevant"}
    check(judged.condensed, qrels, runs, **options)
    check(judged, qrels, runs)


@often
@given(tables(GRADES), NAMED_RUNS, st.integers(1, 9))
def test_cut_and_condensed_lists(qrels, runs, depth):
    judged = gw.judge(gw.read_qrels(qrels), read_runs(runs)).cut(depth).condensed
    check(judged, qrels, runs, depth=depth, condense=True)


@pytest.mark.parametrize("depth", [1, 2, 5, 20])
def test_cut_lists_with_scores(depth):
    qrels, runs = make_tables(seed=depth)
    judged = gw.judge(qrels, runs, depth=depth, scores=True)
    check(judged, qrels, runs, depth=depth)


def test_lists_that_were_joined_with_scores_are_not_cut_afterwards():
    """The scores of their unjudged documents are known as a sum only."""
    judged = gw.judge({"1": {"a": 1}}, {"run": {"1": {"a": 2.0, "b": 1.0}}}, scores=True)
    with pytest.raises(GradewiseError, match="can be cut only when they are joined"):
        judged.cut(1)


@pytest.mark.parametrize("measure", ["ADM", "AP", "nDCG", "NumRet"])
def test_a_depth_is_as_if_the_rest_of_the_list_were_not_there(measure):
    qrels = {"1": {"a": 1}}
    whole, first = {"1": {"a": 0.9, "b": 0.5, "c": 0.4}}, {"1": {"a": 0.9, "b": 0.5}}
    cut = gw.evaluate(qrels, {"run": whole}, measure, depth=2)
    short = gw.evaluate(qrels, {"run": first}, measure)
    assert cut.mean["value"].to_list() == pytest.approx(short.mean["value"].to_list())


@often
@given(tables(GRADES), NAMED_RUNS, st.sampled_from(["nonrelevant", "unjudged"]))
def test_coverage(qrels, runs, negative):
    judged = gw.judge(gw.read_qrels(qrels), read_runs(runs), negative=negative)
    summary = coverage(judged)
    assert summary.topics == len(qrels)
    assert summary.without_relevant == sum(max(inner.values()) <= 0 for inner in qrels.values())
    rows = summary.frame().rows(named=True)
    assert [row["run"] for row in rows] == list(runs)
    for row, run in zip(rows, runs.values(), strict=True):
        assert row["judged_topics"] == len(qrels)
        assert row["matched"] == len(set(run) & set(qrels))
        assert row["missing"] == len(set(qrels) - set(run))
        assert row["extra"] == len(set(run) - set(qrels))
        for depth in DEPTHS:
            seen = [(t, d) for t in set(run) & set(qrels) for d in literal_ranking(run[t])[:depth]]
            unknown = [
                (t, d)
                for t, d in seen
                if d not in qrels[t] or (negative == "unjudged" and qrels[t][d] < 0)
            ]
            share = len(unknown) / len(seen) if seen else 0.0
            assert row[f"unjudged@{depth}"] == pytest.approx(share, abs=1e-12)


def test_coverage_to_be_checked_by_hand():
    qrels = {"1": {"a": 1, "b": 0}, "2": {"c": 0}, "3": {"d": 1}}
    deep = {f"x{n:02d}": -float(n) for n in range(1, 10)}  # ranks 2 to 10
    runs = {"deep": {"1": {"a": 1.0} | deep, "9": {"a": 1.0}}, "none": {"8": {"a": 1.0}}}
    summary = coverage(gw.judge(gw.read_qrels(qrels), read_runs(runs)))
    assert summary.notes() == [
        "deep: 2 of 3 judged topics are missing from the run",
        "deep: ignored 1 topic without judgments",
        "none: 3 of 3 judged topics are missing from the run",
        "none: ignored 1 topic without judgments",
        "1 judged topic without a relevant document",
    ]
    assert summary.unjudged.tolist() == [pytest.approx([0.8, 0.9, 0.9, 0.9]), [0, 0, 0, 0]]
    assert summary.table(digits=2).to_markdown().splitlines()[2].split(" | ")[1:4] == [
        "1",
        "2",
        "1",
    ]


def test_all_that_fits_needs_no_notes():
    judged = gw.judge(gw.read_qrels({"1": {"a": 1}}), gw.read_run({"1": {"a": 1}}))
    assert coverage(judged).notes() == []


def test_options_and_runs_that_are_refused():
    qrels, run = gw.read_qrels({"1": {"a": 1}}), gw.read_run({"1": {"a": 1}})
    with pytest.raises(GradewiseError, match="ties must be one of"):
        gw.judge(qrels, run, ties="docid")
    with pytest.raises(GradewiseError, match="negative must be one of"):
        gw.judge(qrels, run, negative="relevant")
    with pytest.raises(InputError, match="no runs were given"):
        gw.judge(qrels, [])


def test_topics_are_reported_as_numbers_or_as_text():
    run = gw.read_run({"1": {"a": 1}})
    numbers = {topic: {"a": 1} for topic in ("10", "9", "1", "01")}
    assert gw.judge(gw.read_qrels(numbers), run).topics == ("01", "1", "9", "10")
    mixed = {topic: {"a": 1} for topic in ("10", "9", "x", "-1")}
    assert gw.judge(gw.read_qrels(mixed), run).topics == ("-1", "10", "9", "x")


def test_a_topic_of_very_many_digits():
    topic = "1" * 5000
    judged = gw.judge(gw.read_qrels({topic: {"a": 1}, "2": {"a": 1}}), gw.read_run({"2": {"a": 1}}))
    assert judged.topics == ("2", topic)


def test_a_join_of_many_rows():
    """More rows than one block of the search, and lists of different lengths."""
    rng = np.random.default_rng(2)
    runs: dict[str, Scores] = {"run": {}}
    qrels: Grades = {}
    for topic in range(300):
        numbers = rng.choice(5000, 700 if topic % 3 else 350, replace=False)
        runs["run"][str(topic)] = {f"doc{n}": float(n % 50) for n in numbers.tolist()}
        pool = rng.choice(5000, 40, replace=False)
        qrels[str(topic + 5)] = {f"doc{n}": int(n % 4) - 1 for n in pool.tolist()}
    judged = gw.judge(gw.read_qrels(qrels), read_runs(runs), scores=True)
    assert sum(map(len, runs["run"].values())) > 1 << 17
    check(judged, qrels, runs)


# Hashes that collide


@pytest.fixture
def colliding_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all ids of 8 bytes have the same hash.

    A factor of it is (seed ^ a) * b ^ length modulo 2^64, which one seed makes 0.
    """
    a, b = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9
    seed = 8 * pow(b, -1, 2**64) % 2**64 ^ a
    for kernel in (ids, lookup, ranking):
        monkeypatch.setattr(kernel, "HASH_SEED", seed)
    column = Ids.from_strings(["doc-0001", "doc-0002", "another!", "short", "a long one"])
    hashes = ids.hash_ids(column.data, column.offsets, seed).tolist()
    assert len(set(hashes[:3])) == 1
    assert len(set(hashes)) == 3


@pytest.mark.usefixtures("colliding_hashes")
@pytest.mark.parametrize("seed", range(8))
def test_colliding_hashes_change_no_hit(seed):
    qrels, runs = make_tables(seed)
    judged = gw.judge(gw.read_qrels(qrels), read_runs(runs), scores=True)
    check(judged, qrels, runs)
    judged = gw.judge(as_qrels(qrels), {name: as_run(run) for name, run in runs.items()})
    check(judged, qrels, runs)


@pytest.mark.usefixtures("colliding_hashes")
@pytest.mark.parametrize("length", [1, 7, 8, 16, 24])
def test_ids_that_begin_alike(length):
    short, long = "x" * length, "x" * (length + 1)
    for judged, other in ((short, long), (long, short)):
        qrels, runs = {"1": {judged: 1}}, {"run": {"1": {other: 2.0, "y": 1.0}}}
        check(gw.judge(gw.read_qrels(qrels), read_runs(runs)), qrels, runs)


@pytest.mark.usefixtures("colliding_hashes")
@pytest.mark.parametrize("same_sizes", [True, False])
def test_colliding_hashes_hide_no_duplicate_and_make_none(same_sizes):
    rows = [f"{topic} 0 doc-000{n} 1" for topic in (1, 2, 3) for n in range(10)]
    if not same_sizes:
        rows.append("2 0 other 1")
    clean = gw.read_qrels(io.BytesIO("\n".join(rows).encode()))
    assert len(clean) == len(rows)
    with pytest.raises(InputError) as caught:
        gw.read_qrels(io.BytesIO("\n".join([*rows, "3 0 doc-0004 1", "1 0 doc-0009 0"]).encode()))
    twice = "document doc-000{} appears twice for topic {}, first at stream:{}: {}"
    assert str(caught.value).splitlines() == [
        f"stream:{len(rows) + 1}: " + twice.format(4, 3, 25, "3 0 doc-0004 1"),
        f"stream:{len(rows) + 2}: " + twice.format(9, 1, 10, "1 0 doc-0009 0"),
    ]


@pytest.mark.usefixtures("colliding_hashes")
def test_colliding_hashes_and_the_same_document_in_several_topics():
    a, b = "aaaaaaaa", "bbbbbbbb"
    qrels = {"1": {a: 1}, "2": {a: 2, b: 1}, "3": {b: 1}}
    runs = {"run": {"3": {a: 1.0, b: 0.5}, "1": {b: 1.0}, "2": {b: 1.0, a: 2.0}}}
    check(gw.judge(gw.read_qrels(qrels), read_runs(runs)), qrels, runs)
