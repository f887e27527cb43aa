"""Ranks: by score, and by the stated rule where scores are equal."""

import io
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradewise as gw
from gradewise.collection.ordering import ranked_rows
from gradewise.errors import GradewiseError

often = settings(max_examples=120, deadline=None, derandomize=True)

# Few values, so that many are equal; two differ beyond float32 only, two are the same number.
SCORES = st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-12, -1.5, 1e300, -1e300, 5e-324, 2.5])
DOCUMENTS = st.one_of(
    st.text("ab", min_size=1, max_size=4),
    st.text("ab", min_size=1, max_size=4).map(lambda text: "12345678" + text),
    st.text("ab", min_size=1, max_size=2).map(lambda text: "x" * 70 + text),
    st.text("zéß日\U0001f600\uffff", min_size=1, max_size=3),
)
TOPICS = st.sampled_from(["1", "2", "10", "topic"])
ROWS = st.lists(
    st.tuples(TOPICS, DOCUMENTS, SCORES), min_size=1, max_size=40, unique_by=lambda row: row[:2]
)


def run_of(rows: list[tuple[str, str, float]]) -> gw.Run:
    """Read rows, in this order, as a run."""
    text = "".join(f"{topic} Q0 {document} 0 {score!r} t\n" for topic, document, score in rows)
    return gw.read_run(io.BytesIO(text.encode()))


def rankings(run: gw.Run, **options) -> dict[str, list[str]]:
    return {topic: run.ranking(topic, **options) for topic in run.topics}


def literal(rows: list[tuple[str, str, float]], ties: str) -> dict[str, list[str]]:
    """Sort each topic's documents by the words of the rule."""
    result = {}
    for topic in dict.fromkeys(topic for topic, _, _ in rows):
        mine = [(score, document) for name, document, score in rows if name == topic]
        if ties == "trec":
            mine.sort(key=lambda row: row[1].encode("utf-8"), reverse=True)
        mine.sort(key=lambda row: -row[0])  # stable
        result[topic] = [document for _, document in mine]
    return result


@pytest.mark.parametrize("ties", ["trec", "input"])
@often
@given(rows=ROWS)
def test_ranks_are_those_of_a_literal_sort(ties, rows):
    assert rankings(run_of(rows), ties=ties) == literal(rows, ties)


@often
@given(ROWS, st.randoms(use_true_random=False))
def test_sorted_and_shuffled_input_give_the_same_ranks(rows, rng):
    topics = list(dict.fromkeys(topic for topic, _, _ in rows))
    by_score = sorted(rows, key=lambda row: (topics.index(row[0]), -row[2]))
    shuffled = rows.copy()
    rng.shuffle(shuffled)
    expected = literal(rows, "trec")
    assert rankings(run_of(by_score)) == expected
    assert rankings(run_of(shuffled)) == expected


@often
@given(ROWS, st.randoms(use_true_random=False), st.integers(0, 2**64 - 1))
def test_random_ties_depend_on_the_seed_and_not_on_the_order_of_rows(rows, rng, seed):
    shuffled = rows.copy()
    rng.shuffle(shuffled)
    drawn = rankings(run_of(rows), ties="random", seed=seed)
    assert rankings(run_of(rows), ties="random", seed=seed) == drawn
    assert rankings(run_of(shuffled), ties="random", seed=seed) == drawn
    for topic, documents in drawn.items():
        score_of = {document: score for name, document, score in rows if name == topic}
        assert sorted(documents) == sorted(score_of)
        scores = [score_of[document] for document in documents]
        assert scores == sorted(scores, reverse=True)


@often
@given(ROWS, ROWS, st.integers(0, 1000))
def test_random_ties_of_a_topic_do_not_depend_on_other_topics(rows, others, seed):
    mine = [row for row in rows if row[0] == "1"] or [("1", "a", 1.0)]
    mixed = mine + [row for row in others if row[0] != "1"]
    random.Random(seed).shuffle(mixed)
    alone = run_of(mine).ranking("1", ties="random", seed=seed)
    assert run_of(mixed).ranking("1", ties="random", seed=seed) == alone


def test_every_order_of_tied_documents_is_drawn_about_as_often():
    run = gw.read_run({"1": dict.fromkeys("abc", 1.0)})
    drawn = Counter("".join(run.ranking("1", ties="random", seed=seed)) for seed in range(1200))
    assert set(drawn) == {"abc", "acb", "bac", "bca", "cab", "cba"}
    assert 150 < min(drawn.values()) <= max(drawn.values()) < 250  # 200 expected, deviation 13


def test_topics_are_drawn_independently():
    documents = dict.fromkeys(map(str, range(10)), 1.0)
    run = gw.read_run({str(topic): documents for topic in range(20)})
    drawn = rankings(run, ties="random", seed=5)
    assert len(set(map(tuple, drawn.values()))) == 20


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_out_of_range_is_refused_by_name_or_works(seed):
    run = gw.read_run({"1": {"a": 1, "b": 1}})
    ranked, told = [], ""
    try:
        ranked = run.ranking("1", ties="random", seed=seed)
    except GradewiseError as error:
        told = str(error)
    assert sorted(ranked) == ["a", "b"] or "seed" in told


def test_ties_at_the_ends_of_the_range_of_doubles():
    scores = {"a": 1.7e308, "b": 1.7e308, "c": -1.7e308, "d": -1.7e308}
    assert gw.read_run({"1": scores}).ranking("1") == ["b", "a", "d", "c"]


def test_rows_of_a_run_best_first():
    rows = [("1", "a", 1.0), ("2", "x", 0.5), ("1", "b", 2.0), ("1", "c", 1.0), ("2", "y", 0.5)]
    run = run_of(rows)  # grouped: a b c, then x y
    assert ranked_rows(run).tolist() == [1, 2, 0, 4, 3]
    assert ranked_rows(run, ties="input").tolist() == [1, 0, 2, 3, 4]


def test_a_list_of_one_and_a_run_of_one():
    assert rankings(run_of([("1", "a", 1.0)])) == {"1": ["a"]}
    assert gw.read_run({"1": {"a": 1}}).ranking("2") == []


def test_equal_scores_of_neighboring_topics_are_no_ties():
    rows = [("1", "a", 1.0), ("2", "b", 1.0), ("2", "a", 1.0), ("3", "z", 1.0)]
    assert rankings(run_of(rows)) == {"1": ["a"], "2": ["b", "a"], "3": ["z"]}


def test_long_lists_with_many_ties():
    rng = random.Random(3)
    rows = [
        (str(n % 7), f"doc-{rng.randrange(10**9):09d}-{n}", float(rng.randrange(40)))
        for n in range(5000)
    ]
    assert rankings(run_of(rows)) == literal(rows, "trec")
    assert rankings(run_of(rows), ties="input") == literal(rows, "input")
