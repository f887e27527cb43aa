"""A run joined with judgments as it is read: batches come in, hits stay.

A list is known to be complete when rows of another topic follow. So the lists inside a batch are
joined in the thread that has read it, and only the first and the last wait for the neighboring
batches. Memory holds the judgments, the hits, and the list that is not yet complete.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Bools, Floats, Ints, distinct, joined, rows_of_lists
from gradewise.collection.batch import Batch, Stretch, Told, join_stretches
from gradewise.collection.entries import MemorySource, entries_source, gather
from gradewise.collection.ids import Ids
from gradewise.collection.ordering import list_seeds
from gradewise.collection.qrels import Qrels
from gradewise.collection.reading import gather_run
from gradewise.collection.run import Run
from gradewise.collection.sources.opening import open_source
from gradewise.collection.sources.several import RunOf, split_runs
from gradewise.collection.sources.source import Faults, Part, Source
from gradewise.collection.sources.text import TextSource
from gradewise.collection.ties import TIES, Ties
from gradewise.kernels import ids, joining, ranking

_ANY_DEPTH = 2**62


@dataclass(frozen=True)
class JoinRule:
    """How lists are ordered and cut, and what is kept besides the hits.

    `scores` keeps the scores of judged documents, `top` the first documents of each list, judged
    or not, or of the lists of topics `top_of`, by number; `hashed` the digests of files.
    """

    ties: Ties = "trec"
    seed: int = 0
    depth: int | None = None
    scores: bool = False
    top: int = 0
    top_of: Bools | None = None
    hashed: bool = False


@dataclass(frozen=True, eq=False)
class ListHits:
    """The hits of some lists: list l belongs to topic `topic[l]` and has `counts[l]` of them.

    `rank` and `row` tell the rank of each hit and the row of its document in the qrels.
    """

    topic: Ints
    retrieved: Ints
    counts: Ints
    rank: NDArray[np.int32]
    row: NDArray[np.int32]
    scores: Floats
    unjudged_scores: Floats

    def in_order(self, place: Ints) -> "ListHits":
        """Return the lists by the place of their topics, which stand for them from now on."""
        places = place[self.topic]
        if (places[1:] > places[:-1]).all():
            return replace(self, topic=places)
        order = np.argsort(places, kind="stable")
        first = np.concatenate([[0], np.cumsum(self.counts)])
        hits = rows_of_lists(first, order)
        return ListHits(
            places[order],
            self.retrieved[order],
            self.counts[order],
            self.rank[hits],
            self.row[hits],
            self.scores[hits] if len(self.scores) else self.scores,
            self.unjudged_scores[order],
        )

    @staticmethod
    def concatenate(parts: list["ListHits"]) -> "ListHits":
        """Put lists one behind the other."""
        return ListHits(
            *(
                joined([getattr(part, name) for part in parts])
                for name in ListHits.__dataclass_fields__
            )
        )


@dataclass(frozen=True, eq=False)
class JoinedPart:
    """What a batch leaves: hits of complete lists, rows of those that may go on, faults.

    `strangers` are the topics of complete lists that nobody judged. `repeated` says that a list
    has a document twice.
    """

    told: Told
    hits: ListHits | None = None
    strangers: Ids | None = None
    repeated: bool = False
    top: Batch | None = None
    first: Stretch | None = None
    last: Stretch | None = None


class RunJoin:
    """One run on its way through the join."""

    def __init__(self, qrels: Qrels, name: str, source: Source, rule: JoinRule):
        self.qrels, self.name, self.source, self.rule = qrels, name, source, rule
        self.faults = Faults(source)
        self.found: list[ListHits] = []
        self.seen = np.zeros(len(qrels.topics), np.bool_)
        self.strangers = ids.Numbering()
        self.waiting: list[Stretch] = []
        self.rows = 0
        self.hits: ListHits
        self.top: list[Batch] = []  # the first documents of lists
        self.again: str | None = None  # why the run has to be read again
        self.notes: list[str] = []

    def join_part(self, part: Part) -> JoinedPart:
        """Join the lists inside a part; in any thread."""
        with part as batch:
            return self.join_batch(batch)

    def join_batch(self, batch: Batch) -> JoinedPart:
        """Join the lists inside a batch; in any thread."""
        told = batch.told()
        if batch.fault_count or self.again or self.faults.count:
            return JoinedPart(told)
        if isinstance(self.source, TextSource) and self.source.is_guess and not batch.ranked:
            self.again = "guess"
            return JoinedPart(told)
        lists = len(batch.topics)
        low, high = 0 if batch.begins else 1, lists if batch.ends else lists - 1
        if low > high or not lists:
            return JoinedPart(told, first=batch.stretch(0) if lists else None)
        return JoinedPart(
            told,
            *self._join(batch, low, high),
            first=batch.stretch(0) if low else None,
            last=batch.stretch(high) if high < lists else None,
        )

    def add(self, part: JoinedPart) -> None:
        """Take the next part, in order."""
        self.faults.add(part.told)
        self.rows += part.told.rows
        if part.first is not None:
            self._go_on(part.first)
        if part.hits is not None and part.strangers is not None:
            self._take(part.hits, part.strangers, part.repeated, part.top)
        if part.last is not None:
            self._go_on(part.last)

    def finish(self) -> None:
        """Complete `hits`: all lists, by the place of their topics in the order of reporting."""
        if not self.faults.count:
            self._close()
        if self.again is not None:
            self._read_again()
            return
        self.end()
        self.notes = [*self.source.assumptions(), *self.notes]
        self.hits = ListHits.concatenate(self.found).in_order(self.qrels.place)

    def end(self) -> None:
        """Join the last list; raise an InputError if rows are faulty, or if there are none."""
        if not self.faults.count:
            self._close()
        self.faults.check()
        if not self.rows:
            raise self.source.no_rows()

    def _join(
        self, batch: Batch, first: int, last: int
    ) -> tuple[ListHits, Ids, bool, Batch | None]:
        """Join lists of a batch with the judgments; return what is judged, and strange topics."""
        hits, known, repeated = join_batch(self.qrels, batch, first, last, self.rule)
        strangers = batch.topics.part(first, last).take(np.flatnonzero(~known))
        return hits, strangers, repeated >= 0, self._top(batch, first, last)

    def _top(self, batch: Batch, first: int, last: int) -> Batch | None:
        """Return the first documents of lists, if they are wanted."""
        if not self.rule.top:
            return None
        if self.rule.top_of is None:
            return _first_documents(batch, first, last, self.rule)
        topics = batch.topics.part(first, last)
        number = self.qrels.topic_numbers.find(topics.data, topics.offsets)
        wanted = np.flatnonzero((number >= 0) & self.rule.top_of[np.maximum(number, 0)]) + first
        chosen = _of_lists(batch, wanted)
        return _first_documents(chosen, 0, len(wanted), self.rule) if len(wanted) else None

    def top_run(self) -> Run:
        """Return the run with only the first documents of its lists."""
        entries, _ = gather(MemorySource(self.name, self.top))
        return Run(entries.topics, entries.offsets, entries.docs, entries.numbers, self.name)

    def _go_on(self, stretch: Stretch) -> None:
        """Add rows to the list that they belong to."""
        if self.waiting and self.waiting[0].topic != stretch.topic:
            self._close()
        self.waiting.append(stretch)

    def _close(self) -> None:
        """Join the list that was waiting for more rows."""
        if self.waiting and self.again is None:
            self._take(*self._join(join_stretches(self.waiting), 0, 1))
        self.waiting = []

    def _take(self, hits: ListHits, strangers: Ids, repeated: bool, top: Batch | None) -> None:
        before = len(self.strangers)
        self.strangers.add(strangers.data, strangers.offsets)
        comes_back = (
            bool(self.seen[hits.topic].any())
            or len(distinct(hits.topic)) < len(hits.topic)
            or len(self.strangers) < before + len(strangers)
        )
        self.seen[hits.topic] = True
        self.found.append(hits)
        if top is not None:
            self.top.append(top)
        if repeated or comes_back:
            self.again = "order"

    def _read_again(self) -> None:
        """Join the run once more: with scores for ranks, or whole, with rows brought together."""
        source = self.source
        if self.again == "guess":
            assert isinstance(source, TextSource)
            source.take_as_scores()
            once_more = RunJoin(self.qrels, self.name, source, self.rule)
        else:
            run = gather_run(source, self.name)
            once_more = RunJoin(self.qrels, self.name, entries_source(self.name, run), self.rule)
            note = "the rows of a topic are not contiguous, so the whole run was kept in memory"
            once_more.notes = [*run.notes, note]
        for part in source_parts([once_more]):
            once_more.add(once_more.join_part(part))
        once_more.finish()
        self.hits = once_more.hits
        self.notes, self.strangers, self.top = once_more.notes, once_more.strangers, once_more.top


def join_batch(
    qrels: Qrels, batch: Batch, first: int, last: int, rule: JoinRule
) -> tuple[ListHits, Bools, int]:
    """Join the lists first:last of a batch with judgments.

    Returns what is judged, which of the lists belong to a judged topic, and the first list that
    has a document twice, -1 if there is none; behind such a list nothing is joined.
    """
    topics, edges = batch.topics.part(first, last), batch.edges[first : last + 1]
    topic = qrels.topic_numbers.find(topics.data, topics.offsets)
    counts, rank, row, place, absolute, repeated = joining.join_lists(
        qrels.documents,
        batch.docs.data,
        batch.docs.offsets,
        batch.numbers,
        edges,
        topic,
        TIES[rule.ties].code,
        list_seeds(topics, rule.ties, rule.seed),
        _ANY_DEPTH if rule.depth is None else rule.depth,
    )
    known = topic >= 0
    scores = batch.numbers[place] if rule.scores else np.empty(0)
    if rule.scores:
        lists = np.arange(len(topic)).repeat(counts)
        absolute -= np.bincount(lists, np.abs(scores), len(topic))
    sizes = np.diff(edges)
    retrieved = sizes if rule.depth is None else np.minimum(sizes, rule.depth)
    hits = ListHits(
        topic[known], retrieved[known], counts[known], rank, row, scores, absolute[known]
    )
    return hits, known, repeated


def _of_lists(batch: Batch, lists: Ints) -> Batch:
    """Return some lists of a batch."""
    rows = rows_of_lists(batch.edges, lists)
    edges = np.concatenate([[0], np.cumsum(np.diff(batch.edges)[lists])])
    return Batch(
        batch.topics.take(lists), edges, batch.docs.take(rows), batch.numbers[rows], size=len(rows)
    )


def _first_documents(batch: Batch, first: int, last: int, rule: JoinRule) -> Batch:
    """Return the first `rule.top` documents of lists of a batch, best first."""
    topics, edges = batch.topics.part(first, last), batch.edges[first : last + 1]
    order = ranking.order_lists(
        batch.docs.data,
        batch.docs.offsets,
        batch.numbers,
        edges,
        TIES[rule.ties].code,
        list_seeds(topics, rule.ties, rule.seed),
    )
    begins, sizes = edges[:-1] - edges[0], np.minimum(np.diff(edges), rule.top)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    rows = order[np.arange(offsets[-1]) + (begins - offsets[:-1]).repeat(sizes)]
    return Batch(
        topics.copied(), offsets, batch.docs.take(rows), batch.numbers[rows], size=len(rows)
    )


def source_parts(runs: Sequence[RunJoin]) -> Iterator[Part]:
    """Give the parts of a run, or of runs that share a source, until all must be read again."""
    source = runs[0].source
    if isinstance(source, RunOf) and len(runs) > 1:
        source = source.shared.source
    with closing(source.parts()) as parts:
        for part in parts:
            if all(run.again is not None for run in runs):
                return
            yield part


def join_side_by_side(runs: Sequence[RunJoin], part: Part) -> list[JoinedPart]:
    """Join the lists inside a part of a run, or of a source that runs share; in any thread."""
    if len(runs) == 1:
        return [runs[0].join_part(part)]
    with part as batch:
        split = split_runs(batch, [cast(RunOf, run.source).run for run in runs])
        return [run.join_batch(mine) for run, mine in zip(runs, split, strict=True)]


def open_run(qrels: Qrels, name: str, source: Any, rule: JoinRule) -> RunJoin:
    """Begin to join a run, given as anything that `read_run` takes."""
    if isinstance(source, Run):
        join = RunJoin(qrels, name, entries_source(name, source), rule)
        join.notes = list(source.notes)
        return join
    opened = open_source(source, grades=False, hashed=rule.hashed)
    return RunJoin(qrels, name, opened, rule)
