"""Values of pivot measures under assignments equal the double sum that defines them."""

import random

import numpy as np
import pytest

from gradewise.kernels.pivots import count_levels, score_pivots


def _value(levels: list[int], table: np.ndarray, discount: np.ndarray) -> float:
    """Σ_n d(n) Σ_{m<=n} K(r_n, r_m) over relevant documents, `levels` being those by rank."""
    total = 0.0
    for n, pivot in enumerate(levels):
        for above in levels[: n + 1]:
            if pivot > 0 and above > 0:
                total += discount[n] * table[pivot - 1, above - 1]
    return total


@pytest.mark.parametrize("c", [0, 1, 2, 4])
@pytest.mark.parametrize(("documents", "length"), [(0, 0), (1, 1), (3, 0), (9, 9), (14, 8)])
def test_random_assignments(c: int, documents: int, length: int) -> None:
    rng = random.Random(f"{c} {documents} {length}")
    order = rng.sample(range(documents), length)
    topics, assignments = 3, 12
    levels = np.array(
        [[rng.randint(-1, c) for _ in range(documents)] for _ in range(assignments)], np.int64
    ).reshape(assignments, documents)
    topic = np.array([rng.randrange(topics) for _ in range(assignments)], np.int64)
    table = np.array([rng.gauss(0, 1) for _ in range(topics * c * c)]).reshape(topics, c, c)
    discount = np.array([rng.random() for _ in range(topics * length)]).reshape(topics, length)
    found = score_pivots(levels, np.array(order, np.int64), topic, table, discount)
    assert found.shape == (assignments,)
    for a in range(assignments):
        ranked = [int(levels[a, d]) for d in order]
        truth = _value(ranked, table[topic[a]], discount[topic[a]])
        assert found[a] == pytest.approx(truth, abs=1e-12)
    counts = count_levels(levels, c + 1)
    assert counts.tolist() == [[row.count(l) for l in range(c + 1)] for row in levels.tolist()]  # noqa: E741


def test_no_assignment() -> None:
    nothing = np.zeros((0, 3), np.int64)
    ints = np.zeros(0, np.int64)
    assert score_pivots(nothing, ints, ints, np.ones((1, 1, 1)), np.ones((1, 0))).shape == (0,)
    assert count_levels(nothing, 2).shape == (0, 2)


def test_extreme_values() -> None:
    levels = np.array([[1, 2, 1], [2, 2, 2]])
    order = np.array([2, 0, 1])
    table = np.array([[[1e300, 0.0], [-1e300, 1e-300]]])
    discount = np.array([[1.0, 1e-5, 0.0]])
    found = score_pivots(levels, order, np.zeros(2, np.int64), table, discount)
    assert found == pytest.approx([1e300 + 2e295, 1e-300 + 2e-305], rel=1e-12)
