"""Qrels: which documents were judged for which topic, and how they were graded."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Ints, distinct
from gradewise.collection.entries import Entries
from gradewise.collection.ids import Ids
from gradewise.collection.levels import to_levels
from gradewise.errors import counted
from gradewise.kernels import ids, lookup
from gradewise.showing import Shown


@dataclass(frozen=True, eq=False, repr=False)
class Qrels(Shown, Entries):
    """Judged documents with their grades, grouped by topic.

    Grades are whole numbers. Positive ones are degrees of relevance, 0 and negative ones mean
    judged and not relevant.

    Examples
    --------
    >>> import gradewise as gw
    >>> qrels = gw.read_qrels({"t1": {"a": 2, "b": 0}, "t2": {"a": 1}})
    >>> qrels
    Qrels(2 topics, 3 judged documents, grades 0 1 2)
    >>> qrels.to_dict()["t1"]
    {'a': 2, 'b': 0}
    """

    @cached_property
    def grades(self) -> Ints:
        """The grade of every row; not to be written to."""
        grades = self.numbers.astype(np.int64)
        grades.flags.writeable = False
        return grades

    @cached_property
    def scale(self) -> Ints:
        """The positive grades that occur, ascending; level i is the i-th of them, from 1."""
        grades = distinct(self.numbers)
        return grades[grades > 0].astype(np.int64)

    @cached_property
    def levels(self) -> NDArray[np.int32]:
        """The level of every row: 0 if not relevant, NEGATIVE if its grade is below 0."""
        return to_levels(self.numbers, self.scale).astype(np.int32)

    @cached_property
    def documents(self) -> lookup.Lookup:
        """The judged documents, ready to be looked up."""
        return lookup.Lookup(self.docs.data, self.docs.offsets, self.offsets)

    @cached_property
    def topic_numbers(self) -> ids.Numbering:
        """The topics, ready to be looked up."""
        topics, numbering = Ids.from_strings(self.topics), ids.Numbering()
        numbering.add(topics.data, topics.offsets)
        return numbering

    @cached_property
    def topic_order(self) -> Ints:
        """The order in which topics are reported: as numbers if all are, else as text."""
        keys: list[Any] = list(self.topics)
        if all(topic.isascii() and topic.isdigit() for topic in self.topics):
            digits = [topic.lstrip("0") for topic in self.topics]
            keys = list(zip(map(len, digits), digits, self.topics, strict=True))
        return np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int64)

    @cached_property
    def place(self) -> Ints:
        """The place of each topic in the order of reporting."""
        place = np.empty(len(self.topics), np.int64)
        place[self.topic_order] = np.arange(len(self.topics))
        return place

    def prepare(self) -> None:
        """Make what runs are joined with, once, before threads share it."""
        _ = self.documents, self.topic_numbers, self.levels

    def to_dict(self) -> dict[str, dict[str, int]]:
        """Return the grades as a dictionary of dictionaries, {topic: {document: grade}}."""
        documents, grades = self.docs.to_list(), self.grades.tolist()
        return {
            topic: dict(zip(documents[rows], grades[rows], strict=True))
            for topic, rows in ((topic, self.rows_of(topic)) for topic in self.topics)
        }

    def __repr__(self) -> str:
        grades = " ".join(str(grade) for grade in np.unique(self.grades))
        topics, documents = (
            counted(len(self.topics), "topic"),
            counted(len(self), "judged document"),
        )
        return f"Qrels({topics}, {documents}, grades {grades})"
