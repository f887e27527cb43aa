"""Documents in greedy order of what they add for intents, against a literal definition."""

import random
from fractions import Fraction

import numpy as np
import pytest

from gradewise.kernels import covering


def literal(
    topics: list[list[int]], covers: list[list[int]], weights: list[float], kept: float, depth: int
) -> list[int]:
    """Choose documents one by one, with exact fractions."""
    gain = [Fraction(weight) for weight in weights]
    rank = [0] * len(covers)
    for documents in topics:
        left = list(documents)
        for place in range(1, min(depth, len(documents)) + 1):
            best = max(left, key=lambda d: sum((gain[i] for i in covers[d]), Fraction(0)))
            left.remove(best)
            rank[best] = place
            for intent in covers[best]:
                gain[intent] *= Fraction(kept)
    return rank


@pytest.mark.parametrize("seed", range(60))
def test_equals_the_literal_definition(seed: int) -> None:
    rng = random.Random(seed)
    topics: list[list[int]] = []
    covers: list[list[int]] = []
    intents = 0
    for _ in range(rng.randint(1, 4)):
        own = range(intents, intents + rng.randint(1, 5))
        intents += len(own)
        documents = []
        for _ in range(rng.randint(0, 9)):
            documents.append(len(covers))
            covers.append([intent for intent in own if rng.random() < 0.5])
        rng.shuffle(documents)
        topics.append(documents)
    # Halves and quarters are exact, so that equal gains are equal.
    weights = [rng.choice([0.25, 1.0, 2.0]) for _ in range(intents)]
    kept, depth = rng.choice([0.0, 0.25, 0.5, 1.0]), rng.choice([1, 3, 100])
    found = covering.cover_intents(
        np.cumsum([0, *map(len, topics)]),
        np.array([d for documents in topics for d in documents], np.int64),
        np.cumsum([0, *map(len, covers)]),
        np.array([i for own in covers for i in own], np.int64),
        np.array(weights),
        kept,
        depth,
    )
    assert found.tolist() == literal(topics, covers, weights, kept, depth)


def test_weights_are_not_written_to() -> None:
    weights = np.ones(1)
    weights.flags.writeable = False
    one = np.array([0, 1])
    assert covering.cover_intents(one, one[:1], one, one[:1], weights, 0.5, 5).tolist() == [1]
    assert weights.tolist() == [1.0]
