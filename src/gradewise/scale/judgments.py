"""The judgments of a bucket: Qrels of an Arrow table, on the scale of the whole collection."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from gradewise.arrays import Ints, distinct
from gradewise.collection.entries import gather
from gradewise.collection.ids import Ids
from gradewise.collection.judging import gather_qrels
from gradewise.collection.qrels import Qrels
from gradewise.collection.sample import Sample
from gradewise.collection.sources.arrow import ArrowSource
from gradewise.collection.sources.columns import find_columns
from gradewise.errors import InputError, OptionError
from gradewise.scale.arrays import pa, to_arrow
from gradewise.scale.columns import DOC, INTENT, NUMBER, PROBABILITY, STRATUM, TOPIC

_GRADE = "grade"


class KeyedSource(ArrowSource):
    """Judgments whose places are named by what they judge: rows of a cluster have no numbers."""

    def __init__(self, table: Any, where: str, number: str = NUMBER):
        self.table, self.where = table, where
        chosen = {TOPIC: TOPIC, DOC: DOC, number: _GRADE}
        if INTENT in table.column_names and number == NUMBER:
            chosen[INTENT] = INTENT
        renamed = table.select(list(chosen)).rename_columns(list(chosen.values()))

        def tables() -> Iterator[Any]:
            yield renamed

        columns = find_columns(renamed.column_names, "judgments", grades=True)
        super().__init__(f"{where}judgments", tables, columns, grades=number == NUMBER)

    def place(self, number: int) -> str:
        """Name a judgment by its keys."""
        row = self.table.select([TOPIC, DOC]).slice(number, 1).to_pylist()[0]
        return f"{self.name} of topic {row[TOPIC]}, document {row[DOC]}"

    def places(self, rows: Ints) -> list[tuple[str, str]]:
        """Return the same place for all; messages on repeated judgments name the keys."""
        return [(self.name, "") for _ in rows]


def read_judgments(table: Any, scale: Ints | None, where: str) -> Qrels:
    """Return the judgments of some topics; `scale` holds the positive grades of all topics."""
    if not table.num_rows:
        return _no_judgments(scale)
    source = KeyedSource(table, where)
    by_intent = INTENT in table.column_names
    found = gather_qrels(source, by_intent=by_intent)
    return replace(found, sample=_read_sample(table, found, where), collection_scale=scale)


def _no_judgments(scale: Ints | None) -> Qrels:
    nothing = Ids(np.zeros(0, np.uint8), np.zeros(1, np.int64))
    empty = np.zeros(0, np.int64) if scale is None else scale
    return Qrels((), np.zeros(1, np.int64), nothing, np.zeros(0), collection_scale=empty)


def _read_sample(table: Any, qrels: Qrels, where: str) -> Sample | None:
    """Return how the documents were drawn, if a column tells it."""
    for column in (STRATUM, PROBABILITY):
        if column in table.column_names:
            numbers = gather(KeyedSource(table, where, column), repeats=True)[0].numbers
            if len(numbers) != len(qrels):
                raise InputError(f"{where}judgments by intent cannot be a sample as well")
            if column == STRATUM:
                return Sample(stratum=numbers.astype(np.int64))
            wrong = np.flatnonzero((numbers <= 0) | (numbers > 1))
            if len(wrong):
                raise InputError(
                    f"{where}judgments: found the probability {numbers[wrong[0]]:g}; it must be "
                    "above 0 and at most 1"
                )
            return Sample(probability=numbers)
    return None


def judgment_table(qrels: Qrels) -> Any:
    """Return judgments that one machine has read as a table that workers read."""
    if qrels.preferences is not None:
        raise OptionError("preference judgments are scored on one machine only; use gw.evaluate")
    if qrels.intents is not None and len(distinct(qrels.intents.weights)) > 1:
        raise OptionError("weights of intents are used on one machine only; use gw.evaluate")
    topic = np.arange(len(qrels.topics)).repeat(qrels.sizes)
    names, docs = pa.array(qrels.topics, pa.string()), to_arrow(qrels.docs)
    if qrels.intents is not None:
        row, intents = qrels.intents.row, qrels.intents
        columns = {
            TOPIC: names.take(pa.array(topic[row])),
            DOC: docs.take(pa.array(row)),
            NUMBER: intents.numbers,
            INTENT: pa.array(intents.names, pa.string()).take(pa.array(intents.intent)),
        }
        return pa.table(columns)
    columns = {TOPIC: names.take(pa.array(topic)), DOC: docs, NUMBER: qrels.numbers}
    if qrels.sample is not None and qrels.sample.stratum is not None:
        columns[STRATUM] = qrels.sample.stratum
    elif qrels.sample is not None:
        columns[PROBABILITY] = qrels.sample.probability
    return pa.table(columns)
