"""The order of majorities: no document is beaten by the next, nor by way of others."""

import itertools

import numpy as np
import pytest

from gradewise.kernels.majority import order_by_majority

ABSENT = np.iinfo(np.int32).max


def _votes(ranks: np.ndarray, weights: np.ndarray, a: int, b: int) -> float:
    return float(weights[ranks[a] < ranks[b]].sum() - weights[ranks[a] > ranks[b]].sum())


def _reaches(ranks: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Which document beats, or ties, which by way of others: the closure of the majorities."""
    size = len(ranks)
    found = np.array(
        [[_votes(ranks, weights, a, b) >= 0 for b in range(size)] for a in range(size)]
    )
    for _ in range(size):
        found |= found @ found
    return found


@pytest.mark.parametrize("seed", range(30))
def test_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes, runs = rng.integers(0, 9, 3), int(rng.integers(1, 6))
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    ranks = np.concatenate(
        [rng.permuted(np.tile(np.arange(1, n + 1), (runs, 1)), axis=1).T for n in sizes]
    ).astype(np.int32)
    ranks[rng.random(ranks.shape) < 0.3] = ABSENT
    weights = rng.integers(1, 4, runs).astype(np.float64)
    start = np.concatenate(
        [rng.permutation(n) + low for n, low in zip(sizes, offsets, strict=False)]
    )
    order = order_by_majority(np.ascontiguousarray(ranks), weights, offsets, start)
    for low, high in itertools.pairwise(offsets):
        part = order[low:high].tolist()
        assert sorted(part) == list(range(low, high))
        for a, b in itertools.pairwise(part):
            assert _votes(ranks, weights, a, b) >= 0
        reach = _reaches(ranks[low:high], weights)
        for a, b in itertools.combinations(part, 2):
            assert reach[a - low, b - low]


def test_without_a_majority_the_order_stays() -> None:
    ranks = np.array([[1, 3], [2, 2], [3, 1]], np.int32)
    for start in itertools.permutations(range(3)):
        order = order_by_majority(ranks, np.ones(2), np.array([0, 3]), np.array(start))
        assert tuple(order) == start


def test_rounding_of_weights_decides_nothing() -> None:
    ranks = np.array([[1, 1, 2], [2, 2, 1]], np.int32)  # 0.1 + 0.2 is a little more than 0.3
    for start in ((0, 1), (1, 0)):
        order = order_by_majority(
            ranks, np.array([0.1, 0.2, 0.3]), np.array([0, 2]), np.array(start)
        )
        assert tuple(order) == start


def test_nothing_to_order() -> None:
    assert not len(
        order_by_majority(
            np.empty((0, 2), np.int32), np.ones(2), np.zeros(3, int), np.empty(0, int)
        )
    )
