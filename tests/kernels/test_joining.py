"""Lists joined with judged documents, and the documents looked up, against dictionaries."""

import numpy as np
import pytest
from columns import IDS, column
from hypothesis import given, settings
from hypothesis import strategies as st

from gradewise.kernels.joining import join_lists
from gradewise.kernels.lookup import Lookup

often = settings(max_examples=200, deadline=None, derandomize=True)
NO_SEEDS = np.empty(0, np.uint64)
ANY_DEPTH = 2**62

JUDGED = st.lists(st.lists(IDS, max_size=12, unique=True), max_size=4)
LISTS = st.lists(
    st.lists(st.tuples(IDS, st.sampled_from([0.5, 1.0, 2.0])), max_size=12), max_size=6
)


def lookup_of(judged: list[list[str]]) -> Lookup:
    edges = np.cumsum([0, *map(len, judged)]).astype(np.int64)
    return Lookup(*column([name for names in judged for name in names]), edges)


def literal_join(judged, lists, topics, depth):
    """Return counts, (rank, row in the lookup, row in the lists), sums of |score|."""
    first_judged = np.cumsum([0, *map(len, judged)]).tolist()
    counts, hits, sums, first = [], [], [], 0
    for listed, topic in zip(lists, topics, strict=True):
        rows = sorted(range(len(listed)), key=lambda row: listed[row][0].encode(), reverse=True)
        rows = sorted(rows, key=lambda row: -listed[row][1])[:depth]
        found = [
            (rank, first_judged[topic] + judged[topic].index(listed[row][0]), first + row)
            for rank, row in enumerate(rows, 1)
            if topic >= 0 and listed[row][0] in judged[topic]
        ]
        counts.append(len(found))
        hits += found
        sums.append(sum(abs(listed[row][1]) for row in rows) if topic >= 0 else 0)
        first += len(listed)
    return counts, hits, sums


@often
@given(JUDGED, LISTS, st.data(), st.sampled_from([1, 2, 5, ANY_DEPTH]))
def test_hits_are_those_of_a_literal_join(judged, lists, data, depth):
    lists = [list(dict(listed).items()) for listed in lists]
    topics = [data.draw(st.integers(-1, len(judged) - 1)) for _ in lists]
    rows = [row for listed in lists for row in listed]
    edges = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    counts, rank, row, place, absolute, repeated = join_lists(
        lookup_of(judged),
        *column([name for name, _ in rows]),
        np.array([score for _, score in rows], np.float64),
        edges,
        np.array(topics, np.int64),
        0,
        NO_SEEDS,
        depth,
    )
    expected = literal_join(judged, lists, topics, depth)
    assert counts.tolist() == expected[0]
    assert list(zip(rank.tolist(), row.tolist(), place.tolist(), strict=True)) == expected[1]
    assert absolute.tolist() == expected[2]
    assert repeated == -1


@often
@given(LISTS)
def test_the_first_list_with_a_repeated_id_is_named(lists):
    rows = [row for listed in lists for row in listed]
    edges = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    wrong = [n for n, listed in enumerate(lists) if len(dict(listed)) < len(listed)]
    *_, repeated = join_lists(
        lookup_of([["a"]]),
        *column([name for name, _ in rows]),
        np.array([score for _, score in rows], np.float64),
        edges,
        np.full(len(lists), -1),
        0,
        NO_SEEDS,
        ANY_DEPTH,
    )
    assert repeated == (wrong[0] if wrong else -1)


@often
@given(JUDGED, st.lists(st.tuples(st.integers(0, 3), IDS), max_size=20))
def test_documents_are_found_by_topic_and_id(judged, asked):
    asked = [(topic, name) for topic, name in asked if topic < len(judged)]
    first = np.cumsum([0, *map(len, judged)]).tolist()
    expected = [
        first[topic] + judged[topic].index(name) if name in judged[topic] else -1
        for topic, name in asked
    ]
    names, topics = column([name for _, name in asked]), np.array([t for t, _ in asked], np.int64)
    assert lookup_of(judged).find(topics, *names).tolist() == expected


def test_what_does_not_fit_is_refused():
    lookup, names = lookup_of([["a"], ["b"]]), column(["a", "b"])
    one_list = np.array([0, 2])
    for topics, scores, edges in (
        ([2], [1.0, 2.0], one_list),
        ([0], [1.0], one_list),
        ([0, 1], [1.0, 2.0], one_list),
        ([0], [1.0, 2.0], np.array([0, 3])),
        ([0, 0], [1.0, 2.0], np.array([0, 2, 1])),
    ):
        with pytest.raises(ValueError, match="do not fit"):
            join_lists(lookup, *names, np.array(scores), edges, np.array(topics), 0, NO_SEEDS, 9)
    with pytest.raises(ValueError, match="seeds"):
        join_lists(lookup, *names, np.ones(2), one_list, np.array([0]), 2, NO_SEEDS, 9)
    with pytest.raises(ValueError, match="edges"):
        Lookup(*names, np.array([0, 1]))
