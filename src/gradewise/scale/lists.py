"""Rows of many runs, in any order, grouped into lists: what one run retrieved for one topic."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.batch import Batch
from gradewise.collection.ids import Ids
from gradewise.collection.sources.rows import wrong_row
from gradewise.collection.ties import Ties
from gradewise.errors import SHOWN_PROBLEMS, InputError, Problem, did_you_mean
from gradewise.kernels import ids, ranking
from gradewise.scale.arrays import missing_ids, to_floats, to_ids
from gradewise.scale.columns import DOC, NUMBER, ORDER, RUN, TOPIC


class Names:
    """The runs that are scored, in the order of reporting."""

    def __init__(self, names: tuple[str, ...]):
        self.names = names

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def numbering(self) -> ids.Numbering:
        """The names, ready to be looked up."""
        column, numbering = Ids.from_strings(self.names), ids.Numbering()
        numbering.add(column.data, column.offsets)
        return numbering

    def numbers(self, column: Ids) -> Ints:
        """Return the number of each run; an InputError for one that is not among them."""
        found = self.numbering.find(column.data, column.offsets)
        if len(found) and found.min() < 0:
            name = column.part(*(int(found.argmin()) + np.arange(2)).tolist()).to_list()[0]
            raise InputError(
                f"found rows of the run {name!r}, which is not among the named runs"
                + did_you_mean(name, self.names)
            )
        return found


@dataclass(frozen=True, eq=False)
class Lists:
    """Lists one after the other, and the run of each; neighbors may share their topic."""

    batch: Batch
    run: Ints

    def __len__(self) -> int:
        return len(self.run)


def group_lists(table: Any, names: Names, ties: Ties, where: str) -> Lists:
    """Group the rows of a table by topic and run.

    Rows of a list that are neighbors already stay as they are. `where` begins the messages.
    """
    runs, topics, docs = (to_ids(table[name], name) for name in (RUN, TOPIC, DOC))
    scores = to_floats(table[NUMBER], "score")
    _refuse_faults(table, (runs, topics, docs), scores, where)
    heads = _union(
        ids.find_changes(topics.data, topics.offsets), ids.find_changes(runs.data, runs.offsets)
    )
    lengths = np.diff(heads, append=len(scores))
    topic_of, run_of = topics.take(heads), names.numbers(runs.take(heads))
    key: Ints = ids.Numbering().add(topic_of.data, topic_of.offsets) * len(names) + run_of
    order = _order(key, lengths, ties, table)
    if order is not None:
        docs, scores = docs.take(order), scores[order]
        key, first, sizes = _merged(key, lengths)
        topic_of, run_of, lengths = topic_of.take(first), run_of[first], sizes
    if ties == "input":
        _refuse_same_order(table, order, scores, key.repeat(lengths), where)
    edges = np.concatenate([[0], np.cumsum(lengths)])
    batch = Batch(topic_of, edges, docs, scores, size=len(scores), begins=True, ends=True)
    return Lists(batch, run_of)


def single_list(topic: str, run: str, docs: Ids, scores: Floats, names: Names) -> Lists:
    """Return the rows of one list, which are clean."""
    size = len(scores)
    edges = np.array([0, size])
    batch = Batch(Ids.from_strings([topic]), edges, docs, scores, size, begins=True, ends=True)
    return Lists(batch, names.numbers(Ids.from_strings([run])))


def _union(first: Ints, second: Ints) -> Ints:
    return np.union1d(first, second)


def _order(key: Ints, lengths: Ints, ties: Ties, table: Any) -> Ints | None:
    """Return the order that brings lists together; None if they are together."""
    if ties == "input":
        return np.lexsort((to_floats(table[ORDER], ORDER), key.repeat(lengths)))
    if len(np.unique(key)) == len(key):
        return None
    return np.argsort(key.repeat(lengths), kind="stable")


def _merged(key: Ints, lengths: Ints) -> tuple[Ints, Ints, Ints]:
    """Return distinct keys, ascending, the first stretch of each, and the rows of all of them."""
    known, first, place = np.unique(key, return_index=True, return_inverse=True)
    return known, first, np.bincount(place, lengths, len(known)).astype(np.int64)


def _refuse_faults(table: Any, columns: tuple[Ids, ...], scores: Floats, where: str) -> None:
    """Raise an InputError for rows without ids or with a score that is no number."""
    wrong: Bools = ~np.isfinite(scores)
    for name, column in zip((RUN, TOPIC, DOC), columns, strict=True):
        if table[name].null_count or ids_are_blank(column):
            wrong = wrong | missing_ids(table[name], column)
    rows = np.flatnonzero(wrong)
    if len(rows):
        shown = table.select([RUN, TOPIC, DOC, NUMBER]).take(rows[:SHOWN_PROBLEMS]).to_pylist()
        raise InputError([_row_problem(row, where) for row in shown], len(rows))


def ids_are_blank(column: Ids) -> bool:
    """Tell whether one of the ids is blank."""
    from gradewise.kernels import strings

    return strings.find_blank(column.data, column.offsets) >= 0


def _row_problem(row: dict[str, Any], where: str) -> Problem:
    known = {"run": row[RUN], "topic": row[TOPIC], "document": row[DOC]}
    place = ", ".join(f"{kind} {name}" for kind, name in known.items() if str(name or "").strip())
    score = row[NUMBER]
    reason = wrong_row("topic", row[TOPIC] or "", row[DOC] or "", score, grades=False)
    if score is None or math.isnan(score):
        reason = "the score is missing, or not a number"
    return Problem(f"{where}{place}", reason or "the run is not named")


def _refuse_same_order(
    table: Any, order: Ints | None, scores: Floats, key: Ints, where: str
) -> None:
    """Raise an InputError if a list has documents whose order nothing tells."""
    given = to_floats(table[ORDER], ORDER)
    given = given if order is None else given[order]
    same = (key[1:] == key[:-1]) & (given[1:] == given[:-1]) & (scores[1:] == scores[:-1])
    rows = np.flatnonzero(same | ~np.isfinite(given[1:]))
    if len(rows):
        moved = rows + 1 if order is None else order[rows + 1]
        shown = table.select([RUN, TOPIC, DOC]).take(moved[:SHOWN_PROBLEMS]).to_pylist()
        problems = [
            Problem(
                f"{where}run {row[RUN]}, topic {row[TOPIC]}, document {row[DOC]}",
                "another document has the same score and the same place in the input order, or "
                "its place is missing",
            )
            for row in shown
        ]
        raise InputError(problems, len(rows))


def told_repeats(lists: Lists, names: Names, where: str) -> InputError:
    """Return the error for lists that have a document twice."""
    batch = lists.batch
    pairs = ranking.find_repeats(batch.docs.data, batch.docs.offsets, batch.edges)
    problems = []
    for _, row in pairs[:SHOWN_PROBLEMS]:
        index = int(np.searchsorted(batch.edges, row, "right")) - 1
        document = batch.docs.part(row, row + 1).to_list()[0]
        topic = batch.topics.part(index, index + 1).to_list()[0]
        run = names.names[lists.run[index]]
        reason = f"document {document} appears twice for topic {topic}"
        problems.append(Problem(f"{where}run {run}", reason))
    return InputError(problems, len(pairs))
