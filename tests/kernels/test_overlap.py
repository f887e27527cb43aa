"""The overlaps of lists equal their definition on prefixes so long that the rest weighs nothing."""

import itertools
import math
import random

import numpy as np
import pytest
from numpy.typing import NDArray

from gradewise.kernels.overlap import overlap_from
from oracles.overlap import Groups, rbo_extrapolated, rbo_maximum, rbo_minimum

CLOSE = 1e-12


def _tables(p: float, depth: int) -> NDArray[np.float64]:
    """Weight, power and rest by depth; the rest is summed until terms no longer matter."""
    far = range(1, math.ceil(math.log(1e-20) / math.log(p)) + depth)
    return np.array(
        [
            [(1 - p) * p ** (d - 1) for d in range(depth + 1)],
            [p**d for d in range(depth + 1)],
            [
                (1 - p) / p * math.fsum(p**e / e for e in far if e > d)
                for d in range(depth + 1)
            ],
        ]
    )  # fmt: skip


def _all_pairs(lists: list[Groups], p: float) -> dict[tuple[int, int], NDArray[np.float64]]:
    """What the kernel finds for lists of groups of documents; a group is tied."""
    names = sorted({document for groups in lists for group in groups for document in group})
    documents, ranks, edges = [], [], [0]
    for groups in lists:
        for group in groups:
            rank = len(documents) - edges[-1] + 1
            documents += [names.index(document) for document in group]
            ranks += [rank] * len(group)
        edges.append(len(documents))
    deepest = max(np.diff(edges), default=0)
    arrays = [np.array(column, np.int64) for column in (documents, ranks, edges)]
    tables = _tables(p, 2 * int(deepest))
    found = {}
    for one in range(len(lists)):
        values = overlap_from(*arrays, one, tables, len(names))
        assert values.shape == (3, len(lists) - one)
        found.update({(one, one + i): values[:, i] for i in range(len(lists) - one)})
    return found


def _check(lists: list[Groups], p: float) -> None:
    found = _all_pairs(lists, p)
    for i, j in itertools.combinations_with_replacement(range(len(lists)), 2):
        truth = [
            each(lists[i], lists[j], p) for each in (rbo_extrapolated, rbo_minimum, rbo_maximum)
        ]
        assert found[i, j] == pytest.approx(truth, abs=CLOSE)


def _random_list(rng: random.Random, ties: float) -> Groups:
    groups: list[list[str]] = []
    for document in rng.sample("abcdefghijklmnop", rng.choice([0, 1, 2, 5, 9, 16])):
        if groups and rng.random() < ties:
            groups[-1].append(document)
        else:
            groups.append([document])
    return groups


@pytest.mark.slow
@pytest.mark.parametrize("ties", [0.0, 0.3, 0.9])
@pytest.mark.parametrize("p", [0.2, 0.8, 0.97])
def test_random_lists(p: float, ties: float) -> None:
    rng = random.Random(f"{p} {ties}")
    for _ in range(2 if p > 0.9 else 8):  # the oracle goes far down for patient users
        _check([_random_list(rng, ties) for _ in range(6)], p)


def test_empty_and_single() -> None:
    _check([[], [["a"]], [["a"]], [["b"]], [], [["b"], ["a"]]], 0.7)
    _check([[], []], 0.7)
    assert _all_pairs([[]], 0.7)[0, 0].tolist() == [0, 0, 1]


def test_everything_tied() -> None:
    _check([["abcdef"], ["abcdef"], ["abc"], ["fed"], ["xyz"], [*"abcdef"]], 0.9)


@pytest.mark.slow
def test_long_lists() -> None:
    # Equal, reversed, disjoint and half as long; the persistence reaches beyond their ends.
    long = [[f"d{i}"] for i in range(120)]
    other = [[f"e{i}"] for i in range(120)]
    _check([long, long[::-1], other, long[:60], [*other[:40], *long[:20]]], 0.985)


def test_extreme_persistence() -> None:
    lists = [[["a"], ["b"], ["c"]], [["b"], ["a"]], [["c"], ["d"]]]
    for i, j in itertools.combinations(range(3), 2):
        found = _all_pairs(lists, 1e-9)[i, j]
        top = float(lists[i][0] == lists[j][0])  # only the first rank weighs
        assert found == pytest.approx([top, top, top], abs=1e-8)
