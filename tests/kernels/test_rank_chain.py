"""Exact expected discounts against convolution, and against leaving documents out one by one."""

from typing import Any

import numpy as np
import pytest

from gradewise.kernels.rank_chain import expected_rank_discount
from oracles import sums


def _check(chances: Any, discount: Any) -> None:
    value, slopes = expected_rank_discount(np.asarray(chances, float), np.asarray(discount, float))
    assert value == pytest.approx(sums.expected(list(chances), list(discount)), abs=1e-14)
    expected = sums.slopes(list(chances), list(discount))
    assert slopes == pytest.approx(np.array(expected), abs=1e-13)


@pytest.mark.parametrize("size", [0, 1, 2, 6, 7, 8, 13, 14, 15, 40, 91])
def test_any_number_of_documents_and_any_discounts(size: int) -> None:
    rng = np.random.default_rng(size)
    for reach in (0, 1, 2, size // 2, size, size + 1):
        _check(rng.random(size), rng.normal(size=reach))
        _check(rng.beta(0.1, 0.1, size), rng.normal(size=reach))


@pytest.mark.parametrize("chance", [0.0, 1.0, 0.5, 1e-20, 1 - 1e-16])
def test_chances_that_are_equal_or_sure(chance: float) -> None:
    for size in (1, 7, 20):
        _check(np.full(size, chance), 1 / np.log2(np.arange(size + 1) + 2))
        _check(np.full(size, chance), [1.0, 1.0])
    _check([1.0] * 9 + [0.5] + [0.0] * 9, [0.0] * 9 + [2.0, 5.0])
    _check([1.0] * 9, [1.0] * 9)  # all above, where there is no discount any more


def test_narrow_distributions_among_many_documents() -> None:
    rng = np.random.default_rng(1)
    for chances in (
        np.concatenate([1 - rng.uniform(0, 1e-3, 300), rng.uniform(0, 1e-3, 300)]),
        np.concatenate([np.ones(200), rng.random(5), np.zeros(200)]),
        rng.permutation(np.concatenate([np.full(250, 1e-12), np.full(250, 1 - 1e-12), [0.5]])),
    ):
        discount = 1 / np.log2(np.arange(len(chances) + 1) + 2)
        value, slopes = expected_rank_discount(chances, discount)
        assert value == pytest.approx(sums.expected(chances.tolist(), discount), abs=1e-13)
        some = rng.integers(0, len(chances), 5)
        for i in some:
            rest = np.delete(chances, i)
            with_it, without = (sums.expected([*rest, p], discount) for p in (1.0, 0.0))
            assert slopes[i] == pytest.approx(with_it - without, abs=1e-13)
