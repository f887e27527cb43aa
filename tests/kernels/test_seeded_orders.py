"""Orders by score: sorted, and equal scores in random order that follows from a seed."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from gradewise.kernels.seeded_orders import order_lists


def _order(scores: Any, levels: Any, seed: int = 0) -> list[int]:
    scores = np.asarray(scores, float)
    order = np.full(len(scores), -1, np.int64)
    offsets = np.array([0, len(scores)])
    order_lists(scores, np.asarray(levels, np.int64), offsets, 0, 1, seed, order)
    return order.tolist()


@pytest.mark.parametrize("size", [0, 1, 2, 7, 8, 9, 16, 17, 31, 64, 100, 1000])
def test_scores_fall(size: int) -> None:
    rng = np.random.default_rng(size)
    scores = rng.permutation(size) * 1.0
    assert _order(scores, np.zeros(size)) == sorted(range(size), key=lambda i: -scores[i])
    tied = rng.integers(0, 4, size).astype(float)
    order = _order(tied, np.zeros(size))
    assert sorted(order) == list(range(size))
    assert (np.diff(tied[order]) <= 0).all()


def test_scores_of_any_size() -> None:
    scores = [0.0, np.inf, -0.0, -np.inf, 5e-324, 1e308, -1e308]
    order = _order(scores, np.zeros(7))
    assert order[:3] == [1, 5, 4]
    assert set(order[3:5]) == {0, 2}
    assert order[5:] == [6, 3]


def test_equal_scores_come_in_every_order_alike() -> None:
    seen = Counter(tuple(_order([1.0, 1.0, 1.0], [0, 1, 2], seed)) for seed in range(6000))
    assert len(seen) == 6
    assert min(seen.values()) > 850  # 1000 expected, with a deviation of 29


def test_the_order_follows_from_seed_ranking_and_levels() -> None:
    tied, levels = [2.0] * 10 + [1.0] * 10, [0, 1] * 10
    usual = _order(tied, levels)
    assert usual == _order(tied, levels)
    assert usual == _order([20.0] * 10 + [-3.0] * 10, levels)
    assert usual != _order(tied, levels, seed=1)
    assert usual != _order(tied, [1, 0] * 10)
    assert usual[:10] != _order([2.0] * 10 + [1.0] * 9 + [3.0], levels)[1:11]


def test_lists_are_ordered_alike_in_any_place_and_others_left_alone() -> None:
    rng = np.random.default_rng(3)
    sizes = [4, 0, 13, 9]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    scores = rng.integers(0, 3, 26).astype(float)
    levels = rng.integers(0, 3, 26)
    order = np.full(26, -1, np.int64)
    order_lists(scores, levels, offsets, 1, 3, 5, order)
    assert (order[:4] == -1).all()
    assert (order[17:] == -1).all()
    alone = _order(scores[4:17], levels[4:17], seed=5)
    assert (order[4:17] - 4).tolist() == alone
