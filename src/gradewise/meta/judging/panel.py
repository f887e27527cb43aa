"""A panel: what several judges, people or models, said about the same documents."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from gradewise.arrays import Bools, Ints, distinct
from gradewise.collection.accepted import RunsLike
from gradewise.collection.ids import Ids
from gradewise.collection.join import judge as join_runs
from gradewise.collection.judged import Judged
from gradewise.collection.qrels import Qrels
from gradewise.errors import OptionError, counted, did_you_mean
from gradewise.meta.judging.scales import ScaleMap
from gradewise.showing import Shown

NONE = -1  # the level of a document that a judge has not labeled


@dataclass(frozen=True, eq=False)
class Panel(Shown):
    """The labels of judges, `levels[judge, row]`, a row for each document of each topic.

    A level is the place of a grade on `scale`, which begins with 0, not relevant; NONE where a
    judge has no label. `topic[row]` is the place of the row's topic among `topics`. `own[judge]`
    holds the levels on a judge's own scale, `own_scales[judge]`, before it was mapped.
    """

    judges: tuple[str, ...]
    reference: str
    topics: tuple[str, ...]
    topic: Ints
    docs: Ids
    scale: Ints
    levels: Ints
    own: tuple[Ints, ...]
    own_scales: tuple[Ints, ...]
    maps: tuple[ScaleMap, ...]

    def __len__(self) -> int:
        return len(self.topic)

    def place_of(self, judge: str) -> int:
        """Return the place of a judge; an error names the nearest one."""
        if judge not in self.judges:
            raise OptionError(f"there is no judge {judge!r}{did_you_mean(judge, self.judges)}")
        return self.judges.index(judge)

    @property
    def others(self) -> list[str]:
        """The judges other than the reference."""
        return [name for name in self.judges if name != self.reference]

    @cached_property
    def labeled(self) -> Bools:
        """Which documents a judge has labeled, [judge, row]."""
        return self.levels != NONE

    @cached_property
    def offsets(self) -> Ints:
        """Where the rows of each topic begin; one more at the end."""
        return np.searchsorted(self.topic, np.arange(len(self.topics) + 1))

    @cached_property
    def labels_of_topics(self) -> Ints:
        """How many documents of a topic each judge has labeled, [judge, topic]."""
        sums = np.concatenate(
            [np.zeros((len(self.judges), 1), np.int64), np.cumsum(self.labeled, axis=1)], axis=1
        )
        return np.diff(sums[:, self.offsets], axis=1)

    @property
    def notes(self) -> tuple[str, ...]:
        """Which labels were mapped to another scale, and how."""
        told = {
            "given": "by the map that was given",
            "fitted": "by the monotone map with the highest quadratic kappa",
        }
        return tuple(
            f"grades of {name}: {scale_map}, {told[scale_map.rule]}"
            for name, scale_map in zip(self.judges, self.maps, strict=True)
            if scale_map.rule != "same"
        )

    def qrels(self, judge: str) -> Qrels:
        """Return the labels of a judge, on the panel's scale, as qrels."""
        return self.qrels_of(self.levels[self.place_of(judge)])

    def qrels_of(self, levels: Ints) -> Qrels:
        """Return levels of all rows as qrels; those that are NONE are left out."""
        rows = np.flatnonzero(levels != NONE)
        topic = self.topic[rows]
        here = distinct(topic)
        offsets = np.append(np.searchsorted(topic, here), len(rows))
        names = tuple(self.topics[place] for place in here.tolist())
        return Qrels(names, offsets, self.docs.take(rows), self.scale[levels[rows]].astype(float))

    def join(self, runs: RunsLike, **rules: Any) -> Judged:
        """Join runs with all documents of the panel; `rules` are those of `gw.judge`.

        Grades are those of the reference, and 0 where it has none. `under` returns the same lists
        as a judge sees them.
        """
        joined = join_runs(self.qrels_of(np.zeros(len(self), np.int64)), runs, **rules)
        reference = np.maximum(self.levels[self.place_of(self.reference)], 0)
        return self.under_levels(replace(joined, scale=self.scale[1:]), reference)

    def under(self, judged: Judged, judge: str) -> Judged:
        """Return lists that `join` made as they are under the labels of a judge."""
        return self.under_levels(judged, self.levels[self.place_of(judge)])

    def under_levels(self, judged: Judged, levels: Ints) -> Judged:
        """Return lists that `join` made under levels of all rows; NONE makes a row unjudged."""
        if len(judged.known_pool) != len(self):
            raise OptionError("these lists were not made by the panel's join")
        known = levels != NONE
        graded = judged.with_grades(self.scale[np.where(known, levels, 0)])
        return graded if known.all() else graded.with_judgments(known)

    def __repr__(self) -> str:
        sizes = f"{counted(len(self.topics), 'topic')}, {counted(len(self), 'document')}"
        scale = " ".join(map(str, self.scale.tolist()))
        return f"Panel({', '.join(self.judges)}; {sizes}, grades {scale})"


def count_table(first: Ints, second: Ints, rows: int, columns: int) -> Ints:
    """Count the documents that two judges gave each pair of levels; NONE is left out."""
    both = (first != NONE) & (second != NONE)
    cell = first[both] * columns + second[both]
    return np.bincount(cell, minlength=rows * columns).reshape(rows, columns)
