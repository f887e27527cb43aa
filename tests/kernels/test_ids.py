"""Columns of ids: numbers in the order of first appearance, rows taken, changes, hashes."""

import numpy as np
import pytest
from columns import IDS, column, strings_of
from hypothesis import given, settings
from hypothesis import strategies as st

from gradewise.kernels.ids import Numbering, find_changes, hash_ids, take_ids

often = settings(max_examples=150, deadline=None, derandomize=True)


@often
@given(st.lists(st.lists(IDS, max_size=30), max_size=6), st.lists(IDS, max_size=20))
def test_numbers_are_those_of_a_dictionary(batches, others):
    numbering, expected = Numbering(), {}
    for batch in batches:
        numbers = [expected.setdefault(name, len(expected)) for name in batch]
        assert numbering.add(*column(batch)).tolist() == numbers
    assert len(numbering) == len(expected)
    assert strings_of(*numbering.column()) == list(expected)
    assert numbering.find(*column(others)).tolist() == [expected.get(name, -1) for name in others]


def test_very_many_ids():
    names = [f"{n * 7919 % 100_003}" for n in range(150_000)]
    place: dict[str, int] = {}
    expected = [place.setdefault(name, len(place)) for name in names]
    numbering = Numbering()
    found = [numbering.add(*column(names[low : low + 999])) for low in range(0, len(names), 999)]
    assert np.concatenate(found).tolist() == expected


def test_a_column_that_begins_in_the_middle_of_its_data():
    data, offsets = column(["left", "out", "a", "b", "a"])
    assert Numbering().add(data, offsets[2:]).tolist() == [0, 1, 0]
    assert strings_of(*take_ids(data, offsets[2:], np.array([2, 1]))) == ["a", "b"]


@often
@given(st.lists(IDS, min_size=1, max_size=20), st.data())
def test_rows_are_taken(names, data):
    rows = data.draw(st.lists(st.integers(0, len(names) - 1), max_size=30))
    taken = take_ids(*column(names), np.array(rows, np.int64))
    assert strings_of(*taken) == [names[row] for row in rows]


@often
@given(st.lists(st.sampled_from(["a", "b", "", "é", "aa"]), max_size=30))
def test_changes(names):
    expected = [row for row in range(len(names)) if row == 0 or names[row] != names[row - 1]]
    assert find_changes(*column(names)).tolist() == expected


@often
@given(st.lists(IDS, max_size=20), st.integers(0, 2**64 - 1))
def test_equal_ids_have_equal_hashes_and_others_do_not(names, seed):
    hashes = hash_ids(*column(names), seed).tolist()
    assert len(set(hashes)) == len(set(names))
    assert hash_ids(*column(names), seed).tolist() == hashes


def test_hashes_are_spread_over_all_bits():
    """Of 60,000 ids that differ in few bits, each bit is set in about one half."""
    names = [f"doc-{n:08d}" for n in range(60_000)]
    bits = np.unpackbits(hash_ids(*column(names), 1).view(np.uint8)).reshape(len(names), 64)
    assert np.abs(bits.mean(axis=0) - 0.5).max() < 0.012  # six standard deviations


@pytest.mark.parametrize("offsets", [[], [0, 9], [-1, 2], [2, 1]])
def test_offsets_that_do_not_fit_are_refused(offsets):
    with pytest.raises(ValueError, match="offsets"):
        hash_ids(np.zeros(4, np.uint8), np.array(offsets, np.int64), 0)


def test_a_row_that_there_is_not():
    for row in (-1, 2):
        with pytest.raises(IndexError, match="no row"):
            take_ids(*column(["a", "b"]), np.array([row]))
