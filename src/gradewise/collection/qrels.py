"""Qrels: which documents were judged for which topic, and how they were graded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Ints, distinct, rows_of_lists
from gradewise.collection.entries import Entries
from gradewise.collection.ids import Ids
from gradewise.collection.intents import Intents
from gradewise.collection.levels import to_levels
from gradewise.collection.preferences import Preferences
from gradewise.collection.sample import Sample
from gradewise.collection.sources.ranx import import_ranx
from gradewise.errors import InputError, counted
from gradewise.kernels import ids, lookup
from gradewise.showing import Shown

HIGHEST_GRADE = (
    "the qrels name intents; measures without intents use a document's highest grade over its "
    "intents"
)


@dataclass(frozen=True, eq=False, repr=False)
class Qrels(Shown, Entries):
    """Judged documents with their grades, grouped by topic.

    Grades are whole numbers. Positive ones are degrees of relevance, 0 and negative ones mean
    judged and not relevant; in a pool with strata, negative ones mean not judged. Where the
    judgments name intents, `intents` holds the grades of a document for each of them, and its
    grade here is the highest of these.

    Examples
    --------
    >>> import gradewise as gw
    >>> qrels = gw.read_qrels({"t1": {"a": 2, "b": 0}, "t2": {"a": 1}})
    >>> qrels
    Qrels(2 topics, 3 judged documents, grades 0 1 2)
    >>> qrels.to_dict()["t1"]
    {'a': 2, 'b': 0}
    """

    intents: Intents | None = None
    sample: Sample | None = None  # how documents were drawn, if the pool was sampled
    preferences: Preferences | None = None  # judged in place of grades
    assumed: tuple[str, ...] = ()  # when they were read
    collection_scale: Ints | None = None  # if these are some topics of a larger collection

    @cached_property
    def grades(self) -> Ints:
        """The grade of every row; not to be written to."""
        grades = self.numbers.astype(np.int64)
        grades.flags.writeable = False
        return grades

    @property
    def notes(self) -> tuple[str, ...]:
        """What was assumed about the judgments."""
        assumed = tuple(f"qrels: {note}" for note in self.assumed)
        if self.intents is None or len(self.intents.numbers) == len(self):
            return assumed
        return (*assumed, HIGHEST_GRADE)

    @cached_property
    def scale(self) -> Ints:
        """The positive grades that occur, ascending; level i is the i-th of them, from 1."""
        if self.collection_scale is not None:
            return self.collection_scale
        grades = distinct(self.numbers if self.intents is None else self.intents.numbers)
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
        return report_order(self.topics)

    @cached_property
    def place(self) -> Ints:
        """The place of each topic in the order of reporting."""
        place = np.empty(len(self.topics), np.int64)
        place[self.topic_order] = np.arange(len(self.topics))
        return place

    def of_topics(self, numbers: Ints, *, documents: bool = True) -> "Qrels":
        """Return the judgments of some topics, by number, on the same scale.

        Without `documents`, their ids are left out: for lists that have been joined already.
        """
        rows = rows_of_lists(self.offsets, numbers)
        no_ids = Ids(np.zeros(0, np.uint8), np.zeros(1, np.int64))
        part = Qrels(
            tuple(self.topics[number] for number in numbers.tolist()),
            np.concatenate([[0], np.cumsum(self.sizes[numbers])]),
            self.docs.take(rows) if documents else no_ids,
            self.numbers[rows],
            sample=None if self.sample is None else self.sample.take(rows),
            preferences=None if self.preferences is None else self.preferences.of_rows(rows),
            collection_scale=self.scale,
        )
        if self.intents is None:
            return part
        places = self.place[numbers][part.topic_order]
        return replace(part, intents=self.intents.of_topics(places, rows))

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

    def to_ranx(self) -> Any:
        """Return the judgments as ranx's Qrels."""
        return import_ranx().Qrels(self.to_dict())

    def __repr__(self) -> str:
        grades = " ".join(str(grade) for grade in np.unique(self.grades))
        topics, documents = (
            counted(len(self.topics), "topic"),
            counted(len(self), "judged document"),
        )
        intents = "" if self.intents is None else f", {counted(len(self.intents), 'intent')}"
        return f"Qrels({topics}, {documents}, grades {grades}{intents})"

    def weigh_intents(self, weights: Mapping[str, Mapping[str, float]]) -> "Qrels":
        """Return the same judgments with a weight for each intent, {topic: {intent: weight}}.

        A weight is the share of users who mean the intent, on any scale; `read_intent_weights`
        reads them from a file. Intents without a relevant document need none. Topics that are not
        named keep their weights, which are equal at first.

        Examples
        --------
        >>> import gradewise as gw
        >>> qrels = gw.read_qrels({"java": {"island": {"a": 1}, "language": {"b": 1}}})
        >>> likely = qrels.weigh_intents({"java": {"island": 0.25, "language": 0.75}})
        >>> run = {"java": {"b": 2.0, "x": 1.0}}
        >>> [float(gw.evaluate(judged, run, "P_IA@1")) for judged in (qrels, likely)]
        [0.5, 0.75]
        """
        if self.intents is None:
            raise InputError("these judgments have no intents that could be given weights")
        topics = tuple(self.topics[index] for index in self.topic_order)
        return replace(self, intents=self.intents.weighted(topics, weights))


def report_order(names: Sequence[str]) -> Ints:
    """Return the order in which names are reported: as numbers if all are, else as text."""
    keys: list[Any] = list(names)
    if all(name.isascii() and name.isdigit() for name in names):
        digits = [name.lstrip("0") for name in names]
        keys = list(zip(map(len, digits), digits, names, strict=True))
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int64)
