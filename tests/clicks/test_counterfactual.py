"""What runs are worth by a log of another run: literal estimates, truth, and intervals."""

import math
from typing import get_args

import numpy as np
import pytest

import gradewise as gw
from gradewise.clicks.estimators import METHODS, Method

THETA = [1.0, 0.6, 0.4]
ROWS = [
    ("s1", "q", "a", 1, 1),
    ("s1", "q", "b", 2, 1),
    ("s1", "q", "c", 3, 0),
    ("s2", "q", "a", 1, 0),
    ("s2", "q", "b", 2, 0),
    ("s2", "q", "c", 3, 1),
    ("s3", "r", "d", 1, 1),
    ("s3", "r", "e", 2, 1),
]
RUN = {"q": ["c", "a", "x"], "r": ["e", "d"]}


def test_names_are_those_of_the_table() -> None:
    assert get_args(Method) == tuple(METHODS)


def discount(topic: str, doc: str) -> float:
    """Return the discount of DCG for a document of RUN."""
    return 1 / math.log2(RUN[topic].index(doc) + 2) if doc in RUN[topic] else 0.0


def test_inverse_propensities_by_hand() -> None:
    above = sum(c * discount(q, d) / THETA[k - 1] for _, q, d, k, c in ROWS)
    below = sum(c / THETA[k - 1] for _, _, _, k, c in ROWS)
    found = gw.clicks.estimate(ROWS, {"mine": RUN}, "DCG", method="ips", examination=THETA)
    assert found.values.item() == pytest.approx(above / 3)
    found = gw.clicks.estimate(ROWS, {"mine": RUN}, "DCG", method="snips", examination=THETA)
    assert found.values.item() == pytest.approx(above / below)
    clipped = sum(c * discount(q, d) * min(1 / THETA[k - 1], 2) for _, q, d, k, c in ROWS)
    found = gw.clicks.estimate(
        ROWS, {"mine": RUN}, "DCG", method="ips", examination=THETA, clip=2.0
    )
    assert found.values.item() == pytest.approx(clipped / 3)
    weights = [discount("q", d) for d in RUN["q"]] + [discount("r", d) for d in RUN["r"]]
    assert found.coverage.item() == pytest.approx(1 - weights[2] / sum(weights))


def test_doubly_robust_estimates_by_hand() -> None:
    sessions = ["s1", "s2", "s3"]
    half = dict(zip(sessions, np.random.default_rng(0).permutation(3) % 2, strict=True))
    topics, pairs = {"s1": "q", "s2": "q", "s3": "r"}, {(q, d) for _, q, d, _, _ in ROWS}
    relevance = {}
    for h in (0, 1):
        others = [row for row in ROWS if half[row[0]] != h]
        mean = sum(row[4] for row in others) / sum(THETA[row[3] - 1] for row in others)
        for pair in pairs:
            mine = [row for row in others if row[1:3] == pair]
            clicks, seen = sum(r[4] for r in mine), sum(THETA[r[3] - 1] for r in mine)
            relevance[h, pair] = (clicks + mean) / (seen + 1)
    direct = sum(
        discount(*pair) * relevance[half[s], pair]
        for s in sessions
        for pair in pairs
        if pair[0] == topics[s]
    )
    size = {"q": 2, "r": 1}
    examined = {
        pair: sum(THETA[k - 1] for _, q, d, k, _ in ROWS if (q, d) == pair) / size[pair[0]]
        for pair in pairs
    }
    correction = sum(
        discount(q, d) * (c - THETA[k - 1] * relevance[half[s], (q, d)]) / examined[q, d]
        for s, q, d, k, c in ROWS
    )
    for method, expected in (("direct", direct), ("dr", direct + correction)):
        found = gw.clicks.estimate(
            ROWS, {"mine": RUN}, "DCG", method=method, examination=THETA, replicates=2
        )
        assert found.values.item() == pytest.approx(expected / 3)


def simulated(seed: int, sessions: int = 20000) -> tuple:
    rng = np.random.default_rng(7)
    qrels = {f"q{t}": {f"d{d}": int(rng.integers(0, 4)) for d in range(10)} for t in range(30)}
    logged = {topic: {doc: rng.random() for doc in docs} for topic, docs in qrels.items()}
    other = {
        topic: {doc: grade + rng.random() for doc, grade in docs.items()}
        for topic, docs in qrels.items()
    }
    log = gw.simulate.clicks(qrels, logged, sessions, seed=seed)
    return qrels, {"logged": logged, "other": other}, log


def worth(qrels: dict, run: dict, log: gw.clicks.ClickLog, discounts: list[float]) -> float:
    """Return the mean over sessions of Σ discount · relevance, with the simulated relevance."""
    values = []
    for topic in log.topics:
        ranked = sorted(run[topic], key=lambda doc: -run[topic][doc])
        relevance = [0.03 + 0.87 * qrels[topic][doc] / 3 for doc in ranked]
        values.append(sum(d * r for d, r in zip(discounts, relevance, strict=False)))
    return float(np.average(values, weights=log.lists_of_topic))


@pytest.mark.parametrize("method", ["ips", "direct", "dr"])
def test_estimates_are_near_the_truth(method: Method) -> None:
    qrels, runs, log = simulated(1)
    theta = np.arange(1, 11) ** -0.6
    found = gw.clicks.estimate(
        log, runs, ["DCG@10", "P@3", "RBP(p=0.5)"], method=method, examination=theta
    )
    discounts = [
        [1 / math.log2(n + 2) for n in range(10)],
        [1 / 3] * 3,
        [0.5 ** (n + 1) for n in range(10)],
    ]
    for r, run in enumerate(runs.values()):
        for m, weights in enumerate(discounts):
            truth = worth(qrels, run, log, weights)
            assert found.values[r, m] == pytest.approx(truth, rel=0.03)
    assert (found.low <= found.values).all()
    assert (found.values <= found.high).all()
    assert found.coverage.min() == 1


def test_examination_may_be_a_model_or_propensities() -> None:
    qrels, runs, _ = simulated(1)
    log = gw.simulate.clicks(qrels, runs["logged"], 20000, shuffle="swap", seed=3)
    known = np.arange(1, 11) ** -0.6
    given = [known, gw.clicks.fit(log, iterations=500), gw.clicks.propensities(log, replicates=2)]
    values = [
        gw.clicks.estimate(log, runs, "DCG", examination=each, replicates=2).values
        for each in (*given, None)
    ]
    for each in values[1:]:
        assert np.abs(each / values[0] - 1).max() < 0.1


def test_differences_of_runs() -> None:
    _, runs, log = simulated(1, 5000)
    found = gw.clicks.estimate(log, runs, "DCG@10", examination=np.arange(1, 11) ** -0.6)
    (row,) = found.pairs.rows(named=True)
    assert (row["run_a"], row["run_b"]) == ("logged", "other")
    assert row["difference"] == pytest.approx(found.values[0, 0] - found.values[1, 0])
    assert row["low"] < row["difference"] < row["high"] < 0
    assert found.frame.columns == ["run", "measure", "value", "low", "high", "coverage"]


@pytest.mark.parametrize("measure", ["nDCG@10", "AP", "ERR", "R@10"])
def test_measures_that_are_not_additive_are_refused(measure: str) -> None:
    with pytest.raises(gw.MeasureError, match="is not additive"):
        gw.clicks.estimate(ROWS, {"mine": RUN}, measure)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(gw.GradewiseError, match="a number for each of 3 ranks, not 2"):
        gw.clicks.estimate(ROWS, {"mine": RUN}, "DCG", examination=[1, 0.5])
    with pytest.raises(gw.GradewiseError, match="examination of rank 2 must be positive"):
        gw.clicks.estimate(ROWS, {"mine": RUN}, "DCG", examination=[1, 0, 1])
    with pytest.raises(gw.InputError, match="none of its topics are in the log"):
        gw.clicks.estimate(ROWS, {"mine": {"z": ["a"]}}, "DCG", examination=THETA)
