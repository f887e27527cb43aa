"""Swap tables against swapping and valuing the list again."""

from itertools import combinations

import numpy as np
import pytest

from gradewise.kernels.swaps import swap_tables
from kernels.cases import FAMILIES, random_case


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("size", [0, 1, 2, 3, 17])
def test_every_swap_is_what_valuing_again_says(family: str, size: int) -> None:
    rng = np.random.default_rng(size)
    for width in (2, 3, 5):
        case = random_case(family, size, width, rng)
        levels = rng.integers(0, width, size)
        above, below, factor = swap_tables(case.code, levels, case.kernel, case.gain, case.weight)
        before = case.value(levels.tolist())
        for a, b in combinations(range(size), 2):
            x, y = levels[a], levels[b]
            swapped = levels.copy()
            swapped[a], swapped[b] = y, x
            found = above[a, y] - above[a, x] + factor[a] * (below[b, y] - below[b, x])
            assert found == pytest.approx(case.value(swapped.tolist()) - before, abs=1e-12)


@pytest.mark.parametrize("family", FAMILIES)
def test_lists_of_one_level_and_weights_of_zero(family: str) -> None:
    rng = np.random.default_rng(7)
    for level in (0, 2):
        case = random_case(family, 6, 3, rng)
        levels = np.full(6, level)
        tables = swap_tables(case.code, levels, case.kernel, case.gain, case.weight)
        assert all(np.isfinite(table).all() for table in tables)
        nothing = swap_tables(case.code, levels, case.kernel, case.gain, np.zeros(6))
        assert not nothing[0].any()
        assert not nothing[1].any()
