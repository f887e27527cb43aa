"""A run joined with judgments as it is read: batches come in, hits stay.

A list is known to be complete when rows of another topic follow. So the lists inside a batch are
joined in the thread that has read it, and only the first and the last wait for the neighboring
batches. Memory holds the judgments, the hits, and the list that is not yet complete.
"""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Floats, Ints, distinct, joined, rows_of_lists
from gradewise.collection.batch import Batch, Stretch, Told, join_stretches
from gradewise.collection.entries import MemorySource, entries_source, gather
from gradewise.collection.ids import Ids
from gradewise.collection.ordering import list_seeds
from gradewise.collection.qrels import Qrels
from gradewise.collection.reading import gather_run
from gradewise.collection.run import Run
from gradewise.collection.sources.opening import open_source
from gradewise.collection.sources.source import Faults, Part, Source
from gradewise.collection.sources.text import TextSource
from gradewise.collection.ties import TIES, Ties
from gradewise.kernels import ids, joining, ranking

_ANY_DEPTH = 2**62


@dataclass(frozen=True)
class JoinRule:
    """How lists are ordered and cut, and what is kept besides the hits.

    `scores` keeps the scores of judged documents, `top` the first documents of each list, judged
    or not, `hashed` the digests of files.
    """

    ties: Ties = "trec"
    seed: int = 0
    depth: int | None = None
    scores: bool = False
    top: int = 0
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
        """Join the lists inside a batch; in any thread."""
        with part as batch:
            told = batch.told()
            if batch.fault_count or self.again or self.faults.count:
                return JoinedPart(told)
            if isinstance(self.source, TextSource) and self.source.is_guess and not batch.whole:
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
        self.faults.check()
        if not self.rows:
            raise self.source.no_rows()
        self.notes = [*self.source.notes, *self.notes]
        self.hits = ListHits.concatenate(self.found).in_order(self.qrels.place)

    def _join(
        self, batch: Batch, first: int, last: int
    ) -> tuple[ListHits, Ids, bool, Batch | None]:
        """Join lists of a batch with the judgments; return what is judged, and strange topics."""
        topics, edges, rule = (
            batch.topics.part(first, last),
            batch.edges[first : last + 1],
            self.rule,
        )
        topic = self.qrels.topic_numbers.find(topics.data, topics.offsets)
        counts, rank, row, place, absolute, repeated = joining.join_lists(
            self.qrels.documents,
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
        top = _first_documents(batch, first, last, rule) if rule.top else None
        return hits, topics.take(np.flatnonzero(~known)), repeated >= 0, top

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
        for part in source_parts(once_more):
            once_more.add(once_more.join_part(part))
        once_more.finish()
        self.hits = once_more.hits
        self.notes, self.strangers, self.top = once_more.notes, once_more.strangers, once_more.top


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


def source_parts(run: RunJoin) -> Iterator[Part]:
    """Give the parts of a run until it is clear that it must be read again."""
    with closing(run.source.parts()) as parts:
        for part in parts:
            if run.again is not None:
                return
            yield part


def open_run(qrels: Qrels, name: str, source: Any, rule: JoinRule) -> RunJoin:
    """Begin to join a run, given as anything that `read_run` takes."""
    if isinstance(source, Run):
        join = RunJoin(qrels, name, entries_source(name, source), rule)
        join.notes = list(source.notes)
        return join
    opened = open_source(source, grades=False, hashed=rule.hashed)
    return RunJoin(qrels, name, opened, rule)
