"""Test material: swaps, every list of a length, expectations by enumeration, random cases."""

import itertools
import random
from collections.abc import Callable, Iterator, Sequence


def swapped(ranking: Sequence[int | None], a: int, b: int) -> list[int | None]:
    """The ranking with the documents at ranks a and b (1-based) exchanged."""
    result = list(ranking)
    result[a - 1] = ranking[b - 1]
    result[b - 1] = ranking[a - 1]
    return result


def enumerate_lists(levels: Sequence[int], length: int) -> Iterator[tuple[int, ...]]:
    """Every list of `length` documents whose grades are among `levels`: len(levels)^length."""
    return itertools.product(levels, repeat=length)


def expectation(
    value: Callable[[Sequence[int]], float],
    p: Sequence[Sequence[float]],
    grades: Sequence[int],
) -> float:
    """Expected value over all lists when rank n+1 holds grades[i] with probability p[n][i].

    Ranks are independent, grades[0] is 0, and the lists have len(p) ranks.
    """
    total = 0.0
    for choice in itertools.product(range(len(grades)), repeat=len(p)):
        probability = 1.0
        for n in range(len(p)):
            probability *= p[n][choice[n]]
        total += probability * value([grades[i] for i in choice])
    return total


def random_case(
    rng: random.Random,
    max_grade: int = 3,
    *,
    max_count: int = 4,
    max_unjudged: int = 5,
    gaps: bool = True,
) -> tuple[list[int | None], dict[int, int]]:
    """A random (ranking, judged) in which no grade is retrieved more often than it is judged.

    Among the cases are empty lists, lists without judged documents, topics without relevant
    documents, without judged non-relevant ones or with negative grades, unused grades of the
    scale and, with `gaps`, scales that skip grades (the highest grade is always in the scale).
    """
    scale = list(range(1, max_grade + 1))
    if gaps and rng.random() < 0.3:
        scale = [grade for grade in scale if grade == max_grade or rng.random() < 0.5]
    no_relevant = rng.random() < 0.1
    judged: dict[int, int] = {}
    for grade in scale:
        unused = no_relevant or rng.random() < 0.25
        judged[grade] = 0 if unused else rng.randint(1, max_count)
    if rng.random() < 0.85:
        judged[0] = rng.randint(0, 2 * max_count)
    if rng.random() < 0.3:
        judged[-rng.randint(1, 2)] = rng.randint(1, max_count)

    documents: list[int] = []
    for grade, count in judged.items():
        documents.extend([grade] * count)
    kind = rng.random()
    if kind < 0.08:
        return [], judged
    retrieved: list[int | None] = []
    if kind < 0.25:
        retrieved.extend(documents)
    elif kind < 0.95:
        retrieved.extend(rng.sample(documents, rng.randint(0, len(documents))))
    if rng.random() < 0.75:
        retrieved.extend([None] * rng.randint(0, max_unjudged))
    rng.shuffle(retrieved)
    return retrieved, judged


def random_thresholds(rng: random.Random, levels: int) -> list[float]:
    """Random threshold probabilities g_1..g_levels that sum to 1, some of them 0."""
    weights = [0 if rng.random() < 0.25 else rng.randint(1, 10) for _ in range(levels)]
    if sum(weights) == 0:
        weights[rng.randrange(levels)] = 1
    return [weight / sum(weights) for weight in weights]
