"""Qrels from a source: one row for each judged document, and its grades for each intent."""

from dataclasses import replace

import numpy as np

from gradewise.arrays import Ints, distinct
from gradewise.collection.entries import (
    Entries,
    Rows,
    group_rows,
    read_rows,
    refuse_repeats,
    told_repeats,
)
from gradewise.collection.ids import Ids
from gradewise.collection.intents import Intents
from gradewise.collection.qrels import Qrels, report_order
from gradewise.collection.sources.source import Source
from gradewise.collection.ties import TIES
from gradewise.kernels import ids, ranking


def gather_qrels(source: Source, *, by_intent: bool = False) -> Qrels:
    """Read all judgments of a source.

    What stands in the column for intents is read only where it seems to vary, or where a topic
    has a document more than once: to read it takes a second pass over the source. With `by_intent`
    it is read in any case, even if no topic has more than one intent.
    """
    entries, order = group_rows(read_rows(source))
    if by_intent or source.names_intents or _has_repeats(entries):
        found = _with_intents(entries, order, source, fewest=1 if by_intent else 2)
        if found is not None:
            return replace(found, assumed=source.assumptions())
        refuse_repeats(entries, order, source)
    return Qrels(
        entries.topics,
        entries.offsets,
        entries.docs,
        entries.numbers,
        assumed=source.assumptions(),
    )


def _has_repeats(entries: Entries) -> bool:
    return bool(ranking.find_repeats(entries.docs.data, entries.docs.offsets, entries.offsets))


def _with_intents(
    entries: Entries, order: Ints | None, source: Source, *, fewest: int
) -> Qrels | None:
    """Return the judgments with their intents; None if no topic has so many."""
    named = source.intents()
    if named is None:
        return None
    names, number = _intent_column(read_rows(named))
    if order is not None:
        number = number[order]
    owner = np.arange(len(entries.topics)).repeat(entries.sizes)
    place = Qrels(entries.topics, entries.offsets, entries.docs, entries.numbers).place
    key = place[owner] * len(names) + number
    known = distinct(key)
    begins = np.searchsorted(known, np.arange(len(place) + 1) * len(names))
    if np.diff(begins).max() < fewest:
        return None
    first, row = _number_documents(entries, owner)
    intent = np.searchsorted(known, key)
    by_row = np.lexsort((intent, row))
    row, intent = row[by_row], intent[by_row]
    again = np.flatnonzero((row[1:] == row[:-1]) & (intent[1:] == intent[:-1]))
    if len(again):
        pairs = np.stack([by_row[again], by_row[again + 1]], axis=1)
        raise told_repeats(pairs, entries, order, source, "one intent of topic")
    offsets = np.searchsorted(row, np.arange(len(first) + 1))
    numbers = entries.numbers[by_row]
    docs = entries.docs.take(first)
    edges = np.searchsorted(owner[first], np.arange(len(entries.topics) + 1))
    intents = Intents(
        begins=begins,
        names=tuple(names[index] for index in (known % len(names)).tolist()),
        weights=np.ones(len(known)),
        offsets=offsets,
        intent=intent,
        numbers=numbers,
        by_id=_order_by_id(docs, edges),
    )
    highest = np.maximum.reduceat(numbers, offsets[:-1])
    return Qrels(entries.topics, edges, docs, highest, intents)


def _intent_column(rows: Rows) -> tuple[list[str], Ints]:
    """Return the names of intents in the order of reporting, and the number of each row's."""
    numbering = ids.Numbering()
    number = numbering.add(rows.topics.data, rows.topics.offsets)
    names = Ids(*numbering.column()).to_list()
    order = report_order(names)
    place = np.empty(len(names), np.int64)
    place[order] = np.arange(len(names))
    lengths = np.diff(rows.heads, append=len(rows.numbers))
    return [names[index] for index in order], place[number].repeat(lengths)


def _number_documents(entries: Entries, owner: Ints) -> tuple[Ints, Ints]:
    """Return the first row of each document of a topic, and the document of each row."""
    numbering = ids.Numbering()
    key = owner * len(entries) + numbering.add(entries.docs.data, entries.docs.offsets)
    order = np.argsort(key, kind="stable")
    is_new = np.ones(len(key), np.bool_)
    np.not_equal(key[order[1:]], key[order[:-1]], out=is_new[1:])
    first = order[is_new]
    place = np.empty(len(first), np.int64)
    by_appearance = np.argsort(first)
    place[by_appearance] = np.arange(len(first))
    row = np.empty(len(key), np.int64)
    row[order] = place[np.cumsum(is_new) - 1]
    return first[by_appearance], row


def _order_by_id(docs: Ids, edges: Ints) -> Ints:
    """Return the rows topic by topic, the greatest id first."""
    alike, no_seeds = np.zeros(len(docs)), np.empty(0, np.uint64)
    return ranking.order_lists(docs.data, docs.offsets, alike, edges, TIES["trec"].code, no_seeds)
