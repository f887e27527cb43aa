"""Judged under other judgments of the same documents, without a second join."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradewise as gw
from gradewise.errors import GradewiseError

often = settings(max_examples=60, deadline=None, derandomize=True)

MEASURES = ["AP", "AP(rel=2)", "nDCG@10", "Bpref", "GAP(g=[0.3,0.7])", "Judged@10", "infAP", "R@5"]
Grades = dict[str, dict[str, int]]


def rows_of(qrels: Grades) -> list[tuple[str, str]]:
    return [(topic, document) for topic, inner in qrels.items() for document in inner]


def altered(qrels: Grades, grades: list[int], kept: list[bool]) -> Grades:
    """Write the judgments anew: other grades, and only the documents that are kept."""
    result: Grades = {}
    for (topic, document), grade, keep in zip(rows_of(qrels), grades, kept, strict=True):
        if keep:
            result.setdefault(topic, {})[document] = grade
    return result


def judged_again(qrels: Grades, runs: Any, grades: list[int], kept: list[bool]) -> gw.Judged:
    judged = gw.judge(gw.read_qrels(qrels), runs)
    return judged.with_grades(np.array(grades)).with_judgments(np.array(kept))


@st.composite
def collections_judged_again(draw: st.DrawFn) -> tuple[Grades, Any, list[int], list[bool]]:
    documents = st.sampled_from([f"d{number}" for number in range(12)])
    grade = st.sampled_from([-1, 0, 0, 1, 2])
    names = draw(st.permutations(["9", "10", "101"]))
    qrels = {name: draw(st.dictionaries(documents, grade, min_size=1)) for name in names}
    lists = st.dictionaries(documents, st.integers(0, 6).map(float), min_size=1)
    runs = {
        name: draw(st.dictionaries(st.sampled_from(["9", "10", "101", "7"]), lists, min_size=1))
        for name in ("first", "second")
    }
    # Both grades of the scale occur before and after, so that a new reading has the same scale.
    qrels["1"] = {"two": 2, "one": 1}
    rows = len(rows_of(qrels))
    grades = [*draw(st.lists(grade, min_size=rows - 2, max_size=rows - 2)), 2, 1]
    kept = [*draw(st.lists(st.booleans(), min_size=rows - 2, max_size=rows - 2)), True, True]
    return qrels, runs, grades, kept


@often
@given(case=collections_judged_again())
def test_equals_reading_the_altered_judgments(
    case: tuple[Grades, Any, list[int], list[bool]],
) -> None:
    qrels, runs, grades, kept = case
    expected = gw.evaluate(altered(qrels, grades, kept), runs, MEASURES)
    scores = gw.score_judged(judged_again(qrels, runs, grades, kept), MEASURES)
    assert set(scores.topics) == set(qrels)
    places = [scores.topics.index(topic) for topic in expected.topics]
    np.testing.assert_allclose(scores.values[:, places], expected.values, rtol=0, atol=1e-15)
    emptied = [place for place in range(len(scores.topics)) if place not in places]
    assert not scores.values[:, emptied].any()


def test_without_change_it_is_the_join() -> None:
    made = gw.simulate.collection(
        topics=5, runs=4, depth=60, pool_depth=20, missing=0.3, ties=0.2, seed=3
    )
    plain = gw.evaluate(made.qrels, made.runs, MEASURES)
    again = gw.judge(made.qrels, made.runs).with_grades(made.qrels.grades)
    scores = gw.score_judged(again, MEASURES)
    assert (scores.runs, scores.topics) == (plain.runs, plain.topics)
    assert (scores.values == plain.values).all()
    assert scores.notes == plain.notes


@pytest.mark.parametrize("ties", ["trec", "input", "random"])
def test_equal_scores_follow_the_rule_of_evaluate(ties: Any) -> None:
    made = gw.simulate.collection(topics=3, runs=2, depth=40, ties=0.5, seed=5)
    plain = gw.evaluate(made.qrels, made.runs, "AP", ties=ties, seed=8)
    joined = gw.judge(made.qrels, made.runs, ties=ties, seed=8)
    again = joined.with_grades(made.qrels.grades)
    assert (gw.score_judged(again, "AP").values == plain.values).all()


def test_scale_stays_when_a_grade_is_gone() -> None:
    """With no document of grade 2 left, g_2 still belongs to grade 2."""
    qrels = {"t": {"a": 2, "b": 1}}
    judged = judged_again(qrels, {"r": {"t": {"b": 2.0, "a": 1.0}}}, [1, 1], [True, True])
    assert judged.scale.tolist() == [1, 2]
    value = gw.score_judged(judged, "eGAP(g=[0.3,0.7])").values.item()
    assert value == pytest.approx(0.3, abs=1e-15)  # the ideal list without its upper threshold


def test_a_topic_without_judgments_stays() -> None:
    qrels = {"t": {"a": 1}, "u": {"a": 1}}
    run = {"r": {"t": {"a": 1.0}, "u": {"a": 1.0}}}
    judged = judged_again(qrels, run, [1, 1], [False, True])
    assert judged.topics == ("t", "u")
    assert judged.counts.tolist() == [[0, 0], [0, 1]]
    assert gw.score_judged(judged, "AP").values.ravel().tolist() == [0.0, 1.0]


def test_topic_of_rows_is_the_place_in_the_order_of_reporting() -> None:
    qrels = gw.read_qrels({"10": {"a": 1, "b": 0}, "9": {"a": 1}})
    judged = gw.judge(qrels, {"r": {"9": {"a": 1.0}}})
    assert judged.known_pool.topic.tolist() == [1, 1, 0]


def test_runs_of_any_source(tmp_path: Any) -> None:
    qrels = {"t": {"a": 1, "b": 0}}
    path = tmp_path / "mine.run"
    path.write_text("t Q0 a 1 2.0 x\nt Q0 b 2 1.0 x\n", encoding="utf-8")
    run = gw.read_run(path)
    for runs in (run, [run], path, str(path), [path], {"mine": run}):
        judged = gw.judge(qrels, runs).with_grades(np.array([0, 1]))
        assert judged.runs == ("mine",)
        assert gw.score_judged(judged, "AP").values.item() == 0.5


def test_what_cannot_be() -> None:
    judged = gw.judge({"t": {"a": 1, "b": 3}}, {"r": {"t": {"a": 1.0}}})
    with pytest.raises(GradewiseError, match=r"grade 2 does not occur .*positive grades: 1, 3\)"):
        judged.with_grades(np.array([2, 0]))
    with pytest.raises(GradewiseError, match=r"grades must have 2 values.*shape is \(1,\)"):
        judged.with_grades(np.array([1]))
    with pytest.raises(GradewiseError, match="kept must have 2 values"):
        judged.with_judgments(np.array([True]))
    with pytest.raises(GradewiseError, match=r"cannot be changed; make them with gw\.judge"):
        replace(judged, pool=None).with_grades(np.array([0, 1]))


@often
@given(case=collections_judged_again())
def test_scores_of_documents_follow_their_judgments(
    case: tuple[Grades, Any, list[int], list[bool]],
) -> None:
    qrels, runs, _, kept = case
    joined = gw.judge(qrels, runs, scores=True).with_judgments(np.array(kept))
    found = gw.score_judged(joined, "ADM")
    grades = [grade for inner in qrels.values() for grade in inner.values()]
    expected = gw.evaluate(altered(qrels, grades, kept), runs, "ADM")
    places = [found.topics.index(topic) for topic in expected.topics]
    np.testing.assert_allclose(found.values[:, places], expected.values, rtol=0, atol=1e-12)


def test_judgments_change_more_than_once() -> None:
    """The lists know the judgments that they have now."""
    made = gw.simulate.collection(topics=4, runs=3, depth=30, seed=2)
    joined = gw.judge(made.qrels, made.runs)
    kept = np.arange(len(made.qrels)) % 3 > 0
    fewer = joined.with_judgments(kept)
    low = np.minimum(fewer.known_pool.grades, 1)
    direct = joined.with_grades(np.minimum(made.qrels.grades, 1)).with_judgments(kept)
    first, second = (gw.score_judged(j, MEASURES).values for j in (fewer.with_grades(low), direct))
    assert (first == second).all()


def test_one_list_of_many() -> None:
    made = gw.simulate.collection(topics=4, runs=3, depth=30, missing=0.2, seed=2)
    joined = gw.judge(made.qrels, made.runs, scores=True)
    scores = gw.score_judged(joined, [*MEASURES, "ADM"])
    grades = np.minimum(made.qrels.grades, 1)
    again = gw.score_judged(joined.with_grades(grades), MEASURES)
    for r, run in enumerate(joined.runs):
        for t, topic in enumerate(joined.topics):
            one = joined.list_of(run, topic)
            assert (one.runs, one.topics, len(one)) == ((run,), (topic,), 1)
            alone = gw.score_judged(one, [*MEASURES, "ADM"]).values[0, 0]
            assert alone == pytest.approx(scores.values[r, t], abs=1e-12)
            other = one.with_grades(np.minimum(one.known_pool.grades, 1))
            changed = gw.score_judged(other, MEASURES).values[0, 0]
            assert changed == pytest.approx(again.values[r, t], abs=1e-12)


def test_a_list_of_grades_under_other_judgments() -> None:
    judged = gw.judge_list([2, None, -1, 1], {1: 5, 2: 3})
    other = judged.with_grades(np.array([0, 2, 1]))
    expected = gw.judge_list([0, None, 2, 1], {0: 1, 1: 5, 2: 3})
    assert other.counts.tolist() == expected.counts.tolist() == [[1, 5, 3]]
    assert other.hits.level.tolist() == expected.hits.level.tolist()


def test_rankings_of_documents_with_features_under_other_judgments() -> None:
    data = gw.simulate.features(6, 15, 10, seed=4)
    scores = np.random.default_rng(1).random((2, len(data.grades)))
    joined = gw.judge(data.qrels(), {str(r): data.run(row) for r, row in enumerate(scores)})
    grades = np.minimum(data.grades, 1)
    values = [
        gw.score_judged(judged.with_grades(grades), ["AP", "nDCG@10", "GAP"])
        for judged in (data.judged(scores), joined)
    ]
    order = [values[0].topics.index(topic) for topic in values[1].topics]
    np.testing.assert_allclose(values[0].values[:, order], values[1].values, rtol=0, atol=1e-12)
    taus = [
        gw.meta.incompleteness(judged, ["AP", "nDCG"], rates=[1.0], replicates=1).tau
        for judged in (data.judged(scores), joined)
    ]
    assert (taus[0] == taus[1]).all()
