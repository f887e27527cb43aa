"""Running sums within lists, against Python's own, one value after the other."""

import random
from itertools import accumulate

import numpy as np
import pytest

from gradewise.kernels.running import running_sums


@pytest.mark.parametrize("seed", range(20))
def test_sums_are_those_of_each_list_alone(seed: int) -> None:
    rng = random.Random(seed)
    sizes = [rng.randint(1, 9) for _ in range(rng.randint(0, 7))]
    lists = [[rng.uniform(-1, 1) for _ in range(size)] for size in sizes]
    owner = np.repeat(np.arange(len(lists)), [len(values) for values in lists]).astype(np.int64)
    values = np.array([value for values in lists for value in values], np.float64)
    expected = [total for values in lists for total in accumulate(values)]
    assert running_sums(owner, values).tolist() == expected


def test_sizes_must_fit() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        running_sums(np.zeros(2, np.int64), np.zeros(3))
