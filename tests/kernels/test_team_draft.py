"""Team-draft interleaving, against the algorithm as its authors write it."""

import random

import numpy as np
import pytest

from gradewise.kernels.team_draft import draft_teams
from oracles import clicks as oracle


@pytest.mark.parametrize("seed", range(20))
def test_lists_are_those_of_the_algorithm(seed: int) -> None:
    rng = random.Random(seed)
    depth, lists = rng.randint(1, 6), rng.randint(1, 4)
    first, second = (
        [rng.sample(range(8), rng.randint(0, 7)) for _ in range(lists)] for _ in range(2)
    )
    coins = np.array([[rng.randint(0, 1) for _ in range(depth)] for _ in range(lists)], np.uint8)
    offsets = [np.cumsum([0, *map(len, side)]) for side in (first, second)]
    flat = [np.array([doc for docs in side for doc in docs], np.int64) for side in (first, second)]
    sizes, docs, teams = draft_teams(offsets[0], flat[0], offsets[1], flat[1], coins, 8)
    expected = [
        oracle.draft(list(map(str, a)), list(map(str, b)), c.tolist(), depth)
        for a, b, c in zip(first, second, coins, strict=True)
    ]
    assert sizes.tolist() == [len(each[0]) for each in expected]
    assert docs.tolist() == [int(doc) for each in expected for doc in each[0]]
    assert teams.tolist() == [team for each in expected for team in each[1]]


def test_sizes_must_fit() -> None:
    one, coins = np.zeros(1, np.int64), np.zeros((1, 3), np.uint8)
    with pytest.raises(ValueError, match="do not fit"):
        draft_teams(np.array([0, 2]), one, np.array([0, 1]), one, coins, 1)
    with pytest.raises(ValueError, match="do not fit"):
        draft_teams(np.array([0, 1]), one + 1, np.array([0, 1]), one, coins, 1)
