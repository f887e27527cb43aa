"""What blocks earn adds up to the sum of precisions, and to ERR, whatever is relevant."""

import random

import numpy as np
import pytest

from gradewise.kernels.charges import earn_precisions, earn_satisfaction

FREE = -1


class Case:
    """A list of n ranks, some documents of it known, some free, and others that it lacks."""

    def __init__(self, rng: random.Random, n: int) -> None:
        self.n = n
        self.at = [rng.choice([FREE, FREE, 0, 1, 2, 3]) for _ in range(n)]  # levels by rank
        self.grid = [
            t for t in range(1, n + 1) if self.at[t - 1] == FREE and rng.random() < 0.8
        ]  # some free documents are not in the grid, and never relevant
        documents = [*range(1, n + 1), *[0] * rng.choice([0, 3])]  # their ranks
        rng.shuffle(documents)
        self.rank = np.array(documents, np.int64)
        self.level = np.array(
            [self.at[t - 1] if t else rng.choice([FREE, 0, 2]) for t in documents], np.int64
        )
        falling = sorted((rng.random() for _ in range(n)), reverse=True)
        self.discount = np.array(rng.choice([falling, [1 / t for t in range(1, n + 1)]]))

    def earned(self, table: np.ndarray, relevant: set[int]) -> float:
        """The sum over blocks when documents of the grid at some ranks are relevant."""
        return sum(
            table[y * (y + 1) // 2 + sum(t in relevant for t in self.grid[:y])]
            for y in range(len(self.grid) + 1)
        )


def _cases() -> list[tuple[random.Random, Case]]:
    rng = random.Random(5)
    return [(rng, Case(rng, n)) for n in [0, 1, 1, 2, 3, *[rng.randint(4, 25) for _ in range(60)]]]


def _subsets(rng: random.Random, grid: list[int]) -> list[set[int]]:
    return [set(), set(grid), *[{t for t in grid if rng.random() < 0.5} for _ in range(5)]]


def test_sum_of_precisions() -> None:
    for rng, case in _cases():
        levels = sorted(rng.sample([1, 2, 3], rng.randint(1, 3)))
        shares = [rng.random() for _ in levels]
        table = earn_precisions(
            case.rank, case.level, np.array(case.grid, np.int64), case.discount,
            np.array(levels), np.array(shares),
        )  # fmt: skip
        assert table.shape == ((len(case.grid) + 1) * (len(case.grid) + 2) // 2,)
        for relevant in _subsets(rng, case.grid):
            truth = 0.0
            for level, share in zip(levels, shares, strict=True):
                above = 0
                for t in range(1, case.n + 1):  # Σ_n d(n) [r_n relevant] c_n
                    if case.at[t - 1] >= level or t in relevant:
                        above += 1
                        truth += share * case.discount[t - 1] * above
            assert case.earned(table, relevant) == pytest.approx(truth, abs=1e-12)


@pytest.mark.parametrize("highest", [0.0, 0.9375, 1.0])
def test_expected_reciprocal_rank(highest: float) -> None:
    satisfied = [0.0, 0.1, 0.4, highest]
    for rng, case in _cases():
        table = earn_satisfaction(
            case.rank, case.level, np.array(case.grid, np.int64), case.discount,
            np.array(satisfied),
        )  # fmt: skip
        assert table.shape == ((len(case.grid) + 1) * (len(case.grid) + 2) // 2,)
        for relevant in _subsets(rng, case.grid):
            truth, unsatisfied = 0.0, 1.0
            for t in range(1, case.n + 1):  # Σ_n d(n) times the chance to stop at n
                stop = highest if t in relevant else satisfied[max(case.at[t - 1], 0)]
                truth += case.discount[t - 1] * unsatisfied * stop
                unsatisfied *= 1 - stop
            assert case.earned(table, relevant) == pytest.approx(truth, abs=1e-12)
