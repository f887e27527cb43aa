"""A bucket of whole topics: judgments and rows of all runs come in, values of topics go out.

This is what every engine computes; all the rest moves data to it. A value does not depend on which
other topics are in its bucket, nor on the order of rows.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.coverage import DEPTHS
from gradewise.collection.ids import Ids
from gradewise.collection.join import place_lists
from gradewise.collection.judged import Judged
from gradewise.collection.qrels import Qrels
from gradewise.collection.run_join import ListHits, join_batch
from gradewise.collection.ties import Ties
from gradewise.errors import GradewiseError, InputError
from gradewise.kernels import ids
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.missing import Missing
from gradewise.scale.arrays import as_table, pa, to_floats, to_ids
from gradewise.scale.columns import (
    INTENT,
    NUMBER,
    ORDER,
    PROBABILITY,
    RUN,
    STRATUM,
    TOPIC,
    Chosen,
    judgment_columns,
    row_columns,
)
from gradewise.scale.judgments import read_judgments
from gradewise.scale.lists import Lists, Names, group_lists, told_repeats
from gradewise.scale.outcome import Found, long_table, problem_table, wide_table
from gradewise.scale.settings import Settings

CELLS = 1 << 17  # lists that are scored at a time, missing ones among them
_ROWS = 1 << 19  # rows that are scored at a time, unless a topic has more


def evaluate_bucket(
    judgments: Any,
    rows: Any,
    measures: MeasureLike | Iterable[MeasureLike],
    *,
    runs: Sequence[str] | None = None,
    grades: Sequence[int] | None = None,
    ties: Ties = "trec",
    seed: int = 0,
    depth: int | None = None,
    judged_only: bool = False,
    missing: Missing = "zero",
) -> Any:
    """Score the lists of a bucket of whole topics.

    Parameters
    ----------
    judgments
        Arrow batches, or a table of any library that speaks Arrow, with columns such as topic, doc,
        grade; and intent, stratum or probability, if there are any.
    rows
        The same, with columns such as run, topic, doc, score, in any order.
    measures
        Names such as "nDCG@10" or "GAP(g=[0.5,0.5])", or measures.
    runs
        The runs of the whole collection, so that a topic of the bucket that a run misses is
        scored; those in the bucket by default.
    grades
        The positive grades of the whole collection, on which some measures depend; those in the
        bucket by default.
    ties, seed, depth, judged_only, missing
        As for `gradewise.evaluate`. `ties="input"` needs a column `order`, or `rank` beside
        `score`.

    Returns
    -------
    pyarrow.Table
        Columns run, topic, measure, value; a row for each judged topic.

    Examples
    --------
    >>> import gradewise as gw
    >>> import pyarrow as pa
    >>> judgments = pa.table({"topic": ["t", "t"], "doc": ["a", "b"], "grade": [1, 0]})
    >>> rows = {"run": ["x", "x"], "topic": ["t", "t"], "doc": ["b", "a"], "score": [2.0, 1.0]}
    >>> gw.scale.evaluate_bucket(judgments, pa.table(rows), "AP").to_pylist()
    [{'run': 'x', 'topic': 't', 'measure': 'AP', 'value': 0.5}]
    """
    settings = Settings.of(
        measures, ties=ties, seed=seed, depth=depth, judged_only=judged_only, missing=missing
    )
    judged, given = as_table(judgments), as_table(rows)
    judged = _renamed(judged, judgment_columns(judged.column_names))
    given = _renamed(given, row_columns(given.column_names, ties, "rows", run=True))
    if runs is None:
        runs = sorted(str(name) for name in given[RUN].unique().to_pylist() if name is not None)
    scale = None if grades is None else np.unique(np.asarray(grades, np.int64))
    found = score_bucket(judged, given, Collection(tuple(runs), scale), settings)
    return long_table(found, settings)


def _renamed(table: Any, chosen: Chosen) -> Any:
    found = table.select(list(chosen.columns.values())).rename_columns(list(chosen.columns))
    if chosen.negated:
        place = found.column_names.index(NUMBER)
        found = found.set_column(place, NUMBER, [-to_floats(found[NUMBER], "rank")])
    return found


@dataclass(frozen=True, eq=False)
class Collection:
    """What a bucket must know of the whole: the runs, and the positive grades (if they differ)."""

    runs: tuple[str, ...]
    scale: Ints | None = None


def score_partition(table: Any, whole: Collection, settings: Settings, where: str) -> Iterator[Any]:
    """Give wide tables for judgments and rows of whole topics, in any order, some at a time.

    Judgments are the rows without a run.
    """
    topics = to_ids(table[TOPIC], TOPIC)
    number = ids.Numbering().add(topics.data, topics.offsets)
    sizes = np.bincount(number)
    bucket_of = np.maximum(
        np.cumsum(sizes) // _ROWS, np.arange(len(sizes)) * len(whole.runs) // CELLS
    )
    bucket = bucket_of[number]
    order = np.argsort(bucket, kind="stable")
    edges = np.searchsorted(bucket[order], np.unique(bucket))
    for low, high in itertools.pairwise([*edges.tolist(), table.num_rows]):
        part = table if len(edges) == 1 else table.take(pa.array(order[low:high]))
        yield score_bucket(*split_judgments(part), whole, settings, where)


def split_judgments(table: Any) -> tuple[Any, Any]:
    """Return judgments, which have no run, and rows of runs, each with its columns."""
    import pyarrow.compute as pc

    is_judgment = pc.is_null(table[RUN])
    judgments, rows = table.filter(is_judgment), table.filter(pc.invert(is_judgment))
    without = [name for name in table.column_names if name not in (RUN, ORDER)]
    sampling = [name for name in (INTENT, STRATUM, PROBABILITY) if name in table.column_names]
    return judgments.select(without), rows.drop_columns(sampling)


def score_bucket(
    judgments: Any, rows: Any, whole: Collection, settings: Settings, where: str = ""
) -> Any:
    """Return the wide table of a bucket; columns are called as in `columns`."""
    try:
        bucket = Bucket(read_judgments(judgments, whole.scale, where), whole, settings, where)
        if rows.num_rows:
            bucket.add(rows)
        return bucket.finish()
    except InputError as error:
        if settings.strict:
            raise
        return problem_table(error, settings)


class Bucket:
    """Judgments of some topics, and what was found in the lists of these topics so far."""

    def __init__(self, qrels: Qrels, whole: Collection, settings: Settings, where: str = ""):
        self.qrels, self.settings, self.where = qrels, settings, where
        self.names = Names(whole.runs)
        self.found: list[ListHits] = []
        self.strangers: list[tuple[Ids, Ints, Ints]] = []  # topics, runs and sizes of lists
        if not whole.runs:
            raise InputError("runs: there are no rows")
        qrels.prepare()

    def add(self, rows: Any) -> None:
        """Take whole lists; no list comes twice."""
        self.join(group_lists(rows, self.names, self.settings.ties, self.where))

    def join(self, lists: Lists) -> None:
        """Take whole lists that are checked."""
        hits, known, repeated = join_batch(
            self.qrels, lists.batch, 0, len(lists), self.settings.rule
        )
        if repeated >= 0:
            raise told_repeats(lists, self.names, self.where)
        number = lists.run[known] * len(self.qrels.topics) + self.qrels.place[hits.topic]
        self.found.append(replace(hits, topic=number))
        if not known.all():
            self._note_strangers(lists, np.flatnonzero(~known))

    def _note_strangers(self, lists: Lists, places: Ints) -> None:
        sizes = np.diff(lists.batch.edges)[places]
        self.strangers.append((lists.batch.topics.take(places), lists.run[places], sizes))

    def finish(self) -> Any:
        """Return what was found, as a wide table."""
        found = self._measured() if self.qrels.topics else None
        return wide_table(found, self.strangers, self.names.names, self.settings)

    def _measured(self) -> Found:
        judged = place_lists(
            self.qrels,
            self._lists(len(self.qrels.topics) * len(self.names)),
            self.names.names,
            with_scores=self.settings.rule.scores,
        )
        return _measure(judged, self.settings)

    def _lists(self, size: int) -> ListHits:
        none, few = np.zeros(0, np.int64), np.zeros(0, np.int32)
        empty = ListHits(none, none, none, few, few, np.zeros(0), np.zeros(0))
        lists = ListHits.concatenate([empty, *self.found]).in_order(np.arange(size))
        if len(lists.topic) and (np.diff(lists.topic) == 0).any():
            raise GradewiseError(f"{self.where}a list came in two parts")
        return lists


def _measure(judged: Judged, settings: Settings) -> Found:
    """Return the values of all lists, and how well they fit the judgments."""
    shape = (len(judged.runs), len(judged.topics))
    seen = np.stack(
        [judged.hits.counts(judged.is_judged & (judged.hits.rank <= depth)) for depth in DEPTHS], 1
    )
    relevant = judged.relevant()
    retrieved = judged.retrieved.reshape(shape)
    scored = judged.condensed if settings.judged_only else judged
    values: list[Floats] = [measure.values(scored).reshape(shape) for measure in settings.measures]
    return Found(judged.topics, relevant, retrieved, seen.reshape(*shape, len(DEPTHS)), values)
