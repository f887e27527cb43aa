"""The documents of several qrels side by side, a row for each document of each topic."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Bools, Ints
from gradewise.collection.ids import Ids
from gradewise.collection.qrels import Qrels, report_order
from gradewise.kernels import ids


@dataclass(frozen=True, eq=False)
class Aligned:
    """Rows in the order of topics and, within a topic, of first appearance.

    `grades[judge, row]` is 0 where `labeled[judge, row]` is False.
    """

    topics: tuple[str, ...]
    topic: Ints
    docs: Ids
    grades: Ints
    labeled: Bools


def align_qrels(tables: Sequence[Qrels]) -> Aligned:
    """Put the grades of qrels side by side; negative grades become 0."""
    topics, place = _number_topics(tables)
    docs = Ids.concatenate([table.docs for table in tables])
    documents = ids.Numbering()
    number = documents.add(docs.data, docs.offsets)
    key = place * len(documents) + number
    order = np.argsort(key, kind="stable")
    begins = np.ones(len(key), np.bool_)
    np.not_equal(key[order[1:]], key[order[:-1]], out=begins[1:])
    first = order[begins]  # where each pair of topic and document appears first
    by_topic = np.lexsort((first, place[first]))
    rank = np.empty(len(first), np.int64)
    rank[by_topic] = np.arange(len(first))
    row = np.empty(len(key), np.int64)
    row[order] = rank[np.cumsum(begins) - 1]
    judge = np.arange(len(tables)).repeat([len(table) for table in tables])
    grades = np.zeros((len(tables), len(first)), np.int64)
    labeled = np.zeros(grades.shape, np.bool_)
    grades[judge, row] = np.maximum(np.concatenate([table.grades for table in tables]), 0)
    labeled[judge, row] = True
    kept = first[by_topic]
    return Aligned(topics, place[kept], docs.take(kept), grades, labeled)


def _number_topics(tables: Sequence[Qrels]) -> tuple[tuple[str, ...], Ints]:
    """Return all topics in the order of reporting, and the place of each row's topic."""
    names = list(dict.fromkeys(topic for table in tables for topic in table.topics))
    topics = tuple(names[index] for index in report_order(names))
    places = {topic: place for place, topic in enumerate(topics)}
    columns = [
        np.array([places[topic] for topic in table.topics], np.int64).repeat(table.sizes)
        for table in tables
    ]
    return topics, np.concatenate(columns)
