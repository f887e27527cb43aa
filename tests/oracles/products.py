"""What products count, pair by pair and label by label.

A ranking holds the grade at each rank (None = unjudged, grades <= 0 = judged, not relevant).
`judged` counts the topic's judged documents by grade and names every positive grade of the scale.
"""

import math
from collections.abc import Mapping, Sequence

Ranking = Sequence[int | None]
Counts = Mapping[int, int]


def _is_relevant(grade: int | None, rel: int) -> bool:
    return grade is not None and grade >= rel


def f1(ranking: Ranking, judged: Counts, *, cutoff: int, rel: int = 1) -> float:
    """The harmonic mean of precision and recall."""
    found = sum(_is_relevant(grade, rel) for grade in ranking[:cutoff])
    relevant = sum(count for grade, count in judged.items() if grade >= rel)
    if found == 0:
        return 0.0
    precision, recall = found / cutoff, found / relevant
    return 2 / (1 / precision + 1 / recall)


def accuracy(ranking: Ranking, judged: Counts, *, rel: int = 1, cutoff: int | None = None) -> float:
    """The share of pairs of retrieved documents in the right order."""
    seen = ranking if cutoff is None else ranking[:cutoff]
    right, pairs = 0, 0
    for a, first in enumerate(seen):
        for b, second in enumerate(seen):
            if _is_relevant(first, rel) and not _is_relevant(second, rel):
                pairs += 1
                right += a < b
    return right / pairs if pairs else math.nan


def auc(ranking: Ranking, judged: Counts, *, rel: int = 1) -> float:
    """The share of pairs of judged documents in the right order; missed documents are tied."""
    missed = dict(judged)
    placed: list[tuple[int, int]] = []
    for n, grade in enumerate(ranking):
        if grade is not None:
            placed.append((n, grade))
            missed[grade] -= 1
    for grade, count in missed.items():
        placed.extend([(len(ranking), grade)] * count)
    right, pairs = 0.0, 0
    for rank, grade in placed:
        for other_rank, other in placed:
            if grade >= rel and other < rel:
                pairs += 1
                right += 1.0 if rank < other_rank else 0.5 if rank == other_rank else 0.0
    return right / pairs if pairs else math.nan


def _propensity(frequency: int, points: int, a: float, b: float) -> float:
    constant = (math.log(points) - 1) * (b + 1) ** a
    return 1 / (1 + constant * math.exp(-a * math.log(frequency + b)))


def psp(
    ranking: Ranking,
    judged: Counts,
    *,
    points: int,
    cutoff: int,
    A: float = 0.55,
    B: float = 1.5,
) -> float:
    """Propensity-scored precision; the grade is the frequency of a label."""
    total = 0.0
    for grade in ranking[:cutoff]:
        if grade is not None and grade > 0:
            total += 1 / _propensity(grade, points, A, B)
    return total / cutoff


def ps_ndcg(
    ranking: Ranking,
    judged: Counts,
    *,
    points: int,
    cutoff: int,
    A: float = 0.55,
    B: float = 1.5,
) -> float:
    """Propensity-scored nDCG; the grade is the frequency of a label."""
    labels = sum(count for grade, count in judged.items() if grade > 0)
    total = 0.0
    for n, grade in enumerate(ranking[:cutoff], 1):
        if grade is not None and grade > 0:
            total += 1 / (_propensity(grade, points, A, B) * math.log2(n + 1))
    best = sum(1 / math.log2(n + 1) for n in range(1, min(cutoff, labels) + 1))
    return total / best if labels else 0.0
