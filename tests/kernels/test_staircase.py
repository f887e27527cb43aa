"""The walk finds the best staircase of each size: all of them are listed and added up."""

import itertools
import random

import numpy as np
import pytest
from numpy.typing import NDArray

from gradewise.kernels.staircase import best_set, best_sums

Table = NDArray[np.float64]


def _case(rng: random.Random, rows: int, columns: int) -> tuple[list[int], list[int]]:
    """Positions in the second list of `rows` documents, of which `columns` are there; and back."""
    there = sorted(rng.sample(range(rows), columns))
    order = rng.sample(there, columns)
    place = [order.index(i) + 1 if i in there else columns + 1 for i in range(rows)]
    return place, [i + 1 for i in order]


def _tables(rng: random.Random, rows: int, columns: int) -> tuple[Table, Table]:
    """Any earnings, rising or not; above the diagonal is nothing that counts."""
    tables = []
    for size in (rows + 1, columns + 1):
        table = np.array([[rng.gauss(0, 1) for _ in range(size)] for _ in range(size)])
        table[np.triu_indices(size, 1)] = np.nan
        tables.append(table)
    return tables[0], tables[1]


def _packed(table: Table) -> Table:
    """What stands on the diagonal and below it, row by row."""
    return np.array(table[np.tril_indices(len(table))])


def _is_staircase(chosen: set[int], place: list[int]) -> bool:
    """With a document goes who ranks no lower in the first list and no higher in the second."""
    return all(
        other in chosen
        for one in chosen
        for other in range(len(place))
        if other <= one and place[other] >= place[one]
    )


def _sum(chosen: set[int], place: list[int], first: Table, second: Table) -> float:
    """What the first list earns less what the second one earns, position by position."""
    total = 0.0
    for y in range(len(first)):
        total += first[y, sum(i < y for i in chosen)]
    for z in range(len(second)):
        total -= second[z, sum(place[i] <= z for i in chosen)]
    return total


def _check(place: list[int], back: list[int], first: Table, second: Table) -> None:
    arrays = np.array(place, np.int64), np.array(back, np.int64)
    packed = _packed(first), _packed(second)
    found, left = best_sums(*arrays, *packed)
    assert found.shape == left.shape == (len(place) + 1,)
    for size in range(len(place) + 1):
        sets = map(set, itertools.combinations(range(len(place)), size))
        truth = max(_sum(s, place, first, second) for s in sets if _is_staircase(s, place))
        assert found[size] == pytest.approx(truth, abs=1e-12)
        for room in (1 << 20, 0):  # for all steps, and for none: then by halves down to a row
            marks = best_set(*arrays, *packed, size, int(left[size]), room)
            assert marks.dtype == np.bool_
            chosen = set(np.flatnonzero(marks).tolist())
            assert len(chosen) == size
            assert _is_staircase(chosen, place)
            assert _sum(chosen, place, first, second) == pytest.approx(truth, abs=1e-12)


@pytest.mark.parametrize("rows", range(8))
def test_random_grids(rows: int) -> None:
    rng = random.Random(rows)
    for columns in range(rows + 1):
        for _ in range(6):
            place, back = _case(rng, rows, columns)
            _check(place, back, *_tables(rng, rows, columns))


@pytest.mark.parametrize("order", ["same", "reversed"])
def test_orders(order: str) -> None:
    rng = random.Random(order)
    place = [*range(1, 10)] if order == "same" else [*range(9, 0, -1)]
    _check(place, place, *_tables(rng, 9, 9))  # either order is its own inverse


def test_extreme_values() -> None:
    rng = random.Random(1)
    place, back = _case(rng, 6, 4)
    for scale in (1e-300, 1e300 / 64):
        first, second = (scale * table for table in _tables(rng, 6, 4))
        packed = _packed(first), _packed(second)
        found, _ = best_sums(np.array(place), np.array(back), *packed)
        again, _ = best_sums(np.array(place), np.array(back), *(each / scale for each in packed))
        assert found / scale == pytest.approx(again, rel=1e-12)
    _check(place, back, np.zeros((7, 7)), np.zeros((5, 5)))  # all sets are equally good


@pytest.mark.parametrize("room", [1 << 20, 1000, 0])
def test_many_bytes_of_steps(room: int) -> None:
    # More sizes than fit a byte or two; a set of each of several sizes attains the sum found.
    rng = random.Random(2)
    place, back = _case(rng, 60, 41)
    first, second = _tables(rng, 60, 41)
    given = np.array(place), np.array(back), _packed(first), _packed(second)
    found, left = best_sums(*given)
    for size in (0, 1, 7, 8, 9, 16, 31, 32, 40, 41, 42, 59, 60):
        chosen = set(np.flatnonzero(best_set(*given, size, int(left[size]), room)).tolist())
        assert len(chosen) == size
        assert _is_staircase(chosen, place)
        assert _sum(chosen, place, first, second) == pytest.approx(found[size], abs=1e-11)


def test_who_waits_is_told_of_every_sum() -> None:
    rng = random.Random(3)
    place, back = _case(rng, 30, 20)
    given = np.array(place), np.array(back), *map(_packed, _tables(rng, 30, 20))
    told: list[int] = []
    _, left = best_sums(*given, told.append)
    # At (y, z), there is a sum for each number of documents within both.
    within = [sum(p <= z for p in place[:y]) for y in range(1, 31) for z in range(1, 21)]
    assert sum(told) == sum(within) + len(within)
    told.clear()
    best_set(*given, 15, int(left[15]), 0, told.append)
    assert sum(told) > 0
