"""How runs resemble each other and how good they are, from dictionaries and by definition."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
from scipy.stats import kendalltau

Graded = Mapping[str, Mapping[str, int]]
Ranked = Mapping[str, Mapping[str, list[str]]]
ROWS = (
    "mean AP",
    "deviation of runs",
    "deviation of topics",
    "τ of runs over topics",
    "overlap at 10",
    "overlap at 100",
    "nonrelevant overlap at 100",
    "unjudged at 10",
    "unjudged at 100",
)


def likeness(qrels: Graded, runs: Ranked, *, seed: int = 0, pairs: int = 60) -> dict[str, float]:
    """Return the figures in `ROWS` for the better three quarters of the runs, by mean AP.

    Overlaps are means over random pairs of runs.
    """
    values = {
        name: np.array([_ap(grades, run.get(topic, [])) for topic, grades in qrels.items()])
        for name, run in runs.items()
    }
    least = np.quantile([row.mean() for row in values.values()], 0.25)
    values = {name: row for name, row in values.items() if row.mean() >= least}
    means = [row.mean() for row in values.values()]
    taus = [kendalltau(a, b)[0] for a, b in combinations(values.values(), 2)]
    rng = np.random.default_rng(seed)
    overlaps = np.mean(
        [
            _overlaps(qrels[topic], *(runs[name][topic] for name in pair))
            for pair in (rng.choice(list(values), 2, replace=False) for _ in range(pairs))
            for topic in qrels
            if all(topic in runs[name] for name in pair)
        ],
        axis=0,
    )
    unjudged = [
        np.mean(
            [
                document not in qrels[topic]
                for name in values
                for topic in qrels
                for document in runs[name].get(topic, [])[:depth]
            ]
        )
        for depth in (10, 100)
    ]
    topics = float(np.mean([row.std() for row in values.values()]))
    figures = (np.mean(means), np.std(means), topics, np.mean(taus), *overlaps, *unjudged)
    return dict(zip(ROWS, map(float, figures), strict=True))


def _ap(grades: Mapping[str, int], ranking: list[str]) -> float:
    hits = [rank for rank, document in enumerate(ranking, 1) if grades.get(document, 0) > 0]
    relevant = sum(grade > 0 for grade in grades.values())
    return sum(count / rank for count, rank in enumerate(hits, 1)) / relevant if relevant else 0.0


def _overlaps(grades: Mapping[str, int], a: list[str], b: list[str]) -> tuple[float, ...]:
    """Return the shares of documents in common at 10 and at 100, and of nonrelevant ones."""
    tops = [len(set(a[:k]) & set(b[:k])) / k for k in (10, 100)]
    first, second = ({d for d in x[:100] if grades.get(d, 0) <= 0} for x in (a, b))
    total = len(first) + len(second)
    return (*tops, 2 * len(first & second) / total if total else 0.0)
