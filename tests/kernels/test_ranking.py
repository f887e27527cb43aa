"""The order of lists, and ids that repeat, against Python's sort and dictionaries."""

import numpy as np
import pytest
from columns import IDS, column
from hypothesis import given, settings
from hypothesis import strategies as st

from gradewise.kernels.ids import hash_ids
from gradewise.kernels.ranking import find_repeats, order_lists

often = settings(max_examples=200, deadline=None, derandomize=True)
TREC, INPUT, RANDOM = 0, 1, 2
SCORES = st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-12, -1.5, 1e300, 5e-324])
LISTS = st.lists(st.lists(st.tuples(IDS, SCORES), max_size=30), max_size=4)


def edges_of(lists: list[list[tuple[str, float]]]) -> np.ndarray:
    return np.cumsum([0, *map(len, lists)]).astype(np.int64)


def ordered(lists: list[list[tuple[str, float]]], ties: int, seed: int = 0) -> list[int]:
    rows = [row for listed in lists for row in listed]
    names = column([name for name, _ in rows])
    scores = np.array([score for _, score in rows], np.float64)
    seeds = np.full(len(lists), seed, np.uint64)
    return order_lists(*names, scores, edges_of(lists), ties, seeds).tolist()


def literal(lists: list[list[tuple[str, float]]], ties: int, seed: int = 0) -> list[int]:
    """Sort the rows of each list by the words of the rule."""
    result, first = [], 0
    for listed in lists:
        rows = list(range(len(listed)))
        if ties != INPUT:
            rows.sort(key=lambda row: listed[row][0].encode(), reverse=True)
        if ties == RANDOM:
            keys = hash_ids(*column([name for name, _ in listed]), seed).tolist()
            rows.sort(key=lambda row: -keys[row])
        rows.sort(key=lambda row: -listed[row][1])
        result += [first + row for row in rows]
        first += len(listed)
    return result


def without_repeats(lists: list[list[tuple[str, float]]]) -> list[list[tuple[str, float]]]:
    return [list(dict(listed).items()) for listed in lists]


@pytest.mark.parametrize("ties", [TREC, INPUT, RANDOM])
@often
@given(lists=LISTS.map(without_repeats), seed=st.integers(0, 2**64 - 1))
def test_lists_are_ordered_as_by_a_literal_sort(ties, lists, seed):
    assert ordered(lists, ties, seed) == literal(lists, ties, seed)


@pytest.mark.parametrize("size", [0, 1, 2, 7, 8, 9, 15, 16, 17, 64, 1000, 4099])
@pytest.mark.parametrize("kinds", [1, 3, 10_000])
def test_long_lists(size, kinds):
    rng = np.random.default_rng(size + kinds)
    names = [f"d{n}" for n in rng.permutation(size)]
    listed = list(zip(names, rng.integers(0, kinds, size).astype(float).tolist(), strict=True))
    falling = sorted(listed, key=lambda row: -row[1])
    for ties in (TREC, INPUT, RANDOM):
        assert ordered([listed, falling], ties) == literal([listed, falling], ties)


@often
@given(LISTS)
def test_repeats_are_those_of_a_dictionary(lists):
    rows = [name for listed in lists for name, _ in listed]
    expected, first_row = [], 0
    for listed in lists:
        seen: dict[str, int] = {}
        for row, (name, _) in enumerate(listed, first_row):
            if name in seen:
                expected.append((seen[name], row))
            else:
                seen[name] = row
        first_row += len(listed)
    assert find_repeats(*column(rows), edges_of(lists)) == expected


def test_lists_in_the_middle_of_a_column():
    names = column(["x", "a", "b", "a", "x"])
    edges = np.array([1, 3, 4])
    scores = np.array([9.0, 1.0, 2.0, 3.0, 9.0])
    assert order_lists(*names, scores, edges, TREC, np.empty(0, np.uint64)).tolist() == [2, 1, 3]
    assert find_repeats(*names, edges) == []


@pytest.mark.parametrize("edges", [[], [0, 3], [-1, 1], [1, 0]])
def test_edges_that_do_not_fit_are_refused(edges):
    names, limits = column(["a", "b"]), np.array(edges, np.int64)
    with pytest.raises(ValueError, match="edges"):
        find_repeats(*names, limits)
    with pytest.raises(ValueError, match="edges"):
        order_lists(*names, np.zeros(2), limits, TREC, np.empty(0, np.uint64))
