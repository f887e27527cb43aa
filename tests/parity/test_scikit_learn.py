"""AP, DCG and nDCG as scikit-learn has them: all documents retrieved, no ties; and ties."""

import math
import random
from collections import Counter
from collections.abc import Callable

import pytest
from sklearn.metrics import average_precision_score, dcg_score, ndcg_score

import gradewise as gw

Graded = tuple[list[int], list[float]]  # the grade and the score of each document


def _documents(seed: int, *, grades: tuple[int, ...]) -> Graded:
    """Draw documents in no order, at least two of them and one relevant, with distinct scores."""
    rng = random.Random(seed)
    drawn = [rng.choice(grades) for _ in range(rng.randint(1, 40))]
    drawn.insert(rng.randrange(len(drawn) + 1), max(grades))
    scores = [score / 7 for score in rng.sample(range(-500, 500), len(drawn))]
    return drawn, scores


def _score(measure: str, documents: Graded) -> float:
    """Score with gradewise from the grades in rank order."""
    grades, scores = documents
    order = sorted(range(len(scores)), key=lambda place: -scores[place])
    return gw.score(measure, [grades[place] for place in order], Counter(grades))


def _evaluate(measure: str, documents: Graded, *, seed: int) -> float:
    """Score with gradewise from qrels and a run, with documents named at random."""
    grades, scores = documents
    names = [f"d{number}" for number in range(len(grades))]
    random.Random(seed).shuffle(names)
    qrels = {"t": dict(zip(names, grades, strict=True))}
    run = {"t": dict(zip(names, scores, strict=True))}
    return float(gw.evaluate(qrels, {"run": run}, measure).values[0, 0, 0])


@pytest.mark.parametrize("seed", range(50))
def test_average_precision(seed: int) -> None:
    documents = _documents(seed, grades=(0, 1))
    expected = average_precision_score(*documents)
    assert _score("AP", documents) == pytest.approx(expected, abs=1e-12)
    assert _evaluate("AP", documents, seed=seed) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("rel", [1, 2, 3])
def test_average_precision_at_a_level(rel: int) -> None:
    for seed in range(30):
        grades, scores = _documents(seed, grades=(0, 1, 2, 3))
        expected = average_precision_score([grade >= rel for grade in grades], scores)
        assert _score(f"AP(rel={rel})", (grades, scores)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("cutoff", [None, 1, 2, 5, 10, 100])
@pytest.mark.parametrize(("name", "theirs"), [("DCG", dcg_score), ("nDCG", ndcg_score)])
def test_cumulated_gain(name: str, theirs: Callable[..., float], cutoff: int | None) -> None:
    measure = name if cutoff is None else f"{name}@{cutoff}"
    for seed in range(20):
        documents = _documents(seed, grades=(0, 0, 1, 2, 5))
        grades, scores = documents
        expected = theirs([grades], [scores], k=cutoff)
        assert _score(measure, documents) == pytest.approx(expected, abs=1e-12)
        assert _evaluate(measure, documents, seed=seed) == pytest.approx(expected, abs=1e-12)


def test_exponential_gain_is_theirs_with_other_labels() -> None:
    for seed in range(20):
        grades, scores = _documents(seed, grades=(0, 1, 2, 4))
        expected = ndcg_score([[2**grade - 1 for grade in grades]], [scores], k=10)
        value = _score("nDCG(dcg='exp-log2')@10", (grades, scores))
        assert value == pytest.approx(expected, abs=1e-12)


TIED = ([1, 0], [1.0, 1.0])  # one relevant document and one that is not, with equal scores
# Expected disagreements on TIED: their value, and ours if the relevant document's id is the greater
# or the smaller one. trec_eval puts the greater id first.
DISAGREEMENTS = {
    "AP": (1 / 2, 1.0, 1 / 2),  # equal scores are one step there, at which precision is 1/2
    "nDCG": ((1 + 1 / math.log2(3)) / 2, 1.0, 1 / math.log2(3)),  # the mean of both orders there
}


@pytest.mark.parametrize("measure", DISAGREEMENTS)
def test_ties_are_averaged_there_and_ordered_by_id_here(measure: str) -> None:
    theirs, greater, smaller = DISAGREEMENTS[measure]
    grades, scores = TIED
    if measure == "AP":
        assert average_precision_score(grades, scores) == pytest.approx(theirs, abs=1e-12)
    else:
        assert ndcg_score([grades], [scores]) == pytest.approx(theirs, abs=1e-12)
    for relevant, other, ours in (("b", "a", greater), ("a", "b", smaller)):
        qrels = {"t": {relevant: 1, other: 0}}
        run = {"t": {relevant: 1.0, other: 1.0}}
        value = gw.evaluate(qrels, {"run": run}, measure).values[0, 0, 0]
        assert value == pytest.approx(ours, abs=1e-12)
