"""Two lists as documents with ranks, and the places of free ones, equal what dictionaries say."""

import random

import numpy as np
import pytest

from gradewise.kernels.pairing import count_further, pair_lists, place_free

FREE = -1


def _ints(values: list[int]) -> np.ndarray:
    return np.array(values, np.int64)


def _lists(seed: int) -> tuple[list[int], list[int], int]:
    rng = random.Random(seed)
    number = rng.choice([1, 2, 5, 20])
    first, second = (rng.sample(range(number), rng.randint(0, number)) for _ in range(2))
    return first, second, number


CASES = [*[_lists(seed) for seed in range(60)], ([], [], 0), ([2, 0], [], 3), ([1], [1], 2)]


@pytest.mark.parametrize(("first", "second", "number"), CASES)
def test_documents_and_ranks(first: list[int], second: list[int], number: int) -> None:
    room = np.zeros(number, np.int64)
    documents, rank = pair_lists(_ints(first), _ints(second), room)
    assert documents.tolist() == [*first, *[d for d in second if d not in first]]
    for listed, ranks in zip((first, second), rank, strict=True):
        expected = {d: n for n, d in enumerate(listed, 1)}
        assert ranks.tolist() == [expected.get(d, 0) for d in documents.tolist()]
    assert not room.any()


@pytest.mark.parametrize(("first", "second", "number"), CASES)
def test_further_documents(first: list[int], second: list[int], number: int) -> None:
    rng = random.Random(number)
    level = [rng.choice([FREE, FREE, 0, 1]) for _ in range(number)]
    given = rng.sample(range(number), number // 3)
    room = np.zeros(number, np.int64)
    found = count_further(_ints(given), _ints(first), _ints(second), _ints(level), room)
    further = {d for d in [*first, *second] if d not in given and level[d] == FREE}
    assert found == len(further)
    assert not room.any()


@pytest.mark.parametrize(("first", "second", "number"), CASES)
def test_places_of_free_documents(first: list[int], second: list[int], number: int) -> None:
    rng = random.Random(f"{first} {second}")
    everything = [*first, *[d for d in second if d not in first]]
    rng.shuffle(everything)
    level = {d: rng.choice([FREE, FREE, 0, 2]) for d in everything}
    rank = [[listed.index(d) + 1 if d in listed else 0 for d in everything]
            for listed in (first, second)]  # fmt: skip
    found = place_free(_ints(rank[0]), _ints(rank[1]), _ints([level[d] for d in everything]))
    rows = [d for d in first if level[d] == FREE]
    columns = [d for d in second if level[d] == FREE and d in first]
    assert [everything[i] for i in found[0]] == rows
    assert [everything[i] for i in found[1]] == columns
    assert found[2].tolist() == [
        columns.index(d) + 1 if d in columns else len(columns) + 1 for d in rows
    ]
    assert found[3].tolist() == [rows.index(d) + 1 for d in columns]
