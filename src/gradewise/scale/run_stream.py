"""One run, read in a stream: lists are joined in threads, and scored when enough are whole."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gradewise.arrays import Bools, Floats
from gradewise.collection.batch import Batch
from gradewise.collection.coverage import DEPTHS
from gradewise.collection.ids import Ids
from gradewise.collection.join import place_lists
from gradewise.collection.judged import Judged
from gradewise.collection.qrels import Qrels
from gradewise.collection.run_join import ListHits, RunJoin, join_batch, open_run, source_parts
from gradewise.collection.sources.arrow import ArrowSource
from gradewise.collection.sources.text import TextSource
from gradewise.errors import InputError, Problem
from gradewise.kernels import ranking
from gradewise.parallel import stream_map
from gradewise.scale.columns import RUN
from gradewise.scale.outcome import EXTRA, LIST, STATUS
from gradewise.scale.settings import Settings

_LISTS = 1 << 12  # lists that are scored at a time
_BLOCK = 1 << 20  # bytes of text that are read at a time
_HITS = 1 << 18  # or hits, if these come first


@dataclass(frozen=True, eq=False)
class Scored:
    """Topics, and the values of their lists, [topic, measure]."""

    topics: tuple[str, ...]
    values: Floats


class StreamJoin(RunJoin):
    """A run on its way through the join, of which nothing can be taken back."""

    def _join(
        self, batch: Batch, first: int, last: int
    ) -> tuple[ListHits, Ids, bool, Batch | None]:
        hits, known, repeated = join_batch(self.qrels, batch, first, last, self.rule)
        if repeated >= 0:
            raise _repeated(self.name, batch, first + repeated)
        return hits, batch.topics.part(first, last).take(np.flatnonzero(~known)), False, None

    def _take(self, hits: ListHits, strangers: Ids, repeated: bool, top: Batch | None) -> None:
        known, counts = np.unique(hits.topic, return_counts=True)
        again = known[self.seen[known] | (counts > 1)]
        super()._take(hits, strangers, repeated, top)
        if self.again is not None:
            topic = f"topic {self.qrels.topics[again[0]]}" if len(again) else "a topic"
            raise InputError(
                f"{self.source.name}: rows of {topic} appear again after those of other topics; "
                "sort the run by topic, or score it with gw.evaluate, Dask or Spark"
            )


def _repeated(run: str, batch: Batch, index: int) -> InputError:
    edges = batch.edges[index : index + 2]
    _, row = ranking.find_repeats(batch.docs.data, batch.docs.offsets, edges)[0]
    document = batch.docs.part(row, row + 1).to_list()[0]
    topic = batch.topics.part(index, index + 1).to_list()[0]
    return InputError(Problem(run, f"document {document} appears twice for topic {topic}"))


class RunStream:
    """One run: rows are read and joined in threads, and scored when enough lists are whole."""

    def __init__(
        self, qrels: Qrels, name: str, source: Any, settings: Settings, chosen: Bools | None
    ):
        self.qrels, self.settings, self.chosen = qrels, settings, chosen
        if isinstance(source, ArrowSource):
            self.join = StreamJoin(qrels, name, source, settings.rule)
        else:
            opened = open_run(qrels, name, source, settings.rule)
            self.join = StreamJoin(qrels, name, opened.source, settings.rule)
            self.join.notes = opened.notes
        if isinstance(self.join.source, TextSource):
            self.join.source.block = _BLOCK
        self.seen = np.zeros(len(DEPTHS), np.int64)
        self.known = np.zeros(len(DEPTHS), np.int64)
        self.matched = 0

    @property
    def notes(self) -> list[str]:
        """What was assumed about the run."""
        return [*self.join.source.notes, *self.join.notes]

    def counts(self) -> list[dict[str, Any]]:
        """Return what `Fit` wants to know of the lists."""
        run = self.join.name
        lists: dict[str, Any] = {RUN: run, STATUS: LIST, "rows": self.matched}
        for place, depth in enumerate(DEPTHS):
            lists |= {f"seen_{depth}": self.seen[place], f"known_{depth}": self.known[place]}
        extra = len(self.join.strangers)
        return [lists, {RUN: run, STATUS: EXTRA, "rows": extra}]

    def scored(self, progress: Callable[[int], None] | None) -> Iterator[Scored]:
        """Give the values of lists, some at a time; those of missing topics come last."""
        run = self.join
        _settle_guess(run)
        for part in stream_map(run.join_part, source_parts([run])):
            run.add(part)
            if progress is not None and part.told.rows:
                progress(part.told.rows)
            if run.faults.count == 0 and _is_enough(run.found):
                yield from self._scored_rest()
        run.end()
        yield from self._scored_rest()
        if self.settings.missing == "zero":
            yield from self._missing()

    def _missing(self) -> Iterator[Scored]:
        left = ~self.join.seen if self.chosen is None else ~self.join.seen & self.chosen
        topics = np.flatnonzero(left)
        for low in range(0, len(topics), _LISTS):
            some = topics[low : low + _LISTS]
            none = np.zeros(0, np.int32)
            zeros = np.zeros(len(some), np.int64)
            lists = ListHits(some, zeros, zeros, none, none, np.zeros(0), np.zeros(len(some)))
            yield self._values(lists)

    def _scored_rest(self) -> Iterator[Scored]:
        """Score the lists that wait, if they belong to judged topics, and let them go."""
        if not self.join.found:
            return
        lists = ListHits.concatenate(self.join.found)
        self.join.found = []
        if self.chosen is not None:
            lists = _kept(lists, self.chosen[lists.topic])
        self.matched += len(lists.topic)
        if len(lists.topic):
            yield self._values(lists, count=True)

    def _values(self, lists: ListHits, *, count: bool = False) -> Scored:
        part = self.qrels.of_topics(lists.topic, documents=False)
        moved = part.offsets[:-1] - self.qrels.offsets[lists.topic]
        rows = lists.row + moved.repeat(lists.counts)
        placed = replace(lists, topic=np.arange(len(lists.topic)), row=rows).in_order(part.place)
        scores = self.settings.rule.scores
        judged = place_lists(part, placed, [self.join.name], with_scores=scores)
        if count:
            self._count(judged)
        scored = judged.condensed if self.settings.judged_only else judged
        values = [measure.values(scored) for measure in self.settings.measures]
        return Scored(judged.topics, np.stack(values, axis=1))

    def _count(self, judged: Judged) -> None:
        for place, depth in enumerate(DEPTHS):
            here = judged.is_judged & (judged.hits.rank <= depth)
            self.known[place] += int(here.sum())
            self.seen[place] += int(np.minimum(judged.retrieved, depth).sum())


def _kept(lists: ListHits, kept: Bools) -> ListHits:
    hits = kept.repeat(lists.counts)
    return ListHits(
        lists.topic[kept],
        lists.retrieved[kept],
        lists.counts[kept],
        lists.rank[hits],
        lists.row[hits],
        lists.scores[hits] if len(lists.scores) else lists.scores,
        lists.unjudged_scores[kept],
    )


def _is_enough(found: Sequence[ListHits]) -> bool:
    lists = sum(len(part.topic) for part in found)
    return lists >= _LISTS or sum(len(part.rank) for part in found) >= _HITS


def _settle_guess(run: RunJoin) -> None:
    """Read a text of three columns once ahead, to tell whether the third is a rank."""
    source = run.source
    if not isinstance(source, TextSource):
        return
    with closing(source.parts()) as parts:
        for part in parts:
            with part as batch:
                if not source.is_guess:
                    return
                if not batch.ranked and not batch.fault_count:
                    source.take_as_scores()
                    return
