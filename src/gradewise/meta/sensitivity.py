"""Sensitivity: how much a measure changes when one document of a list changes its grade.

Kishida (2005) derives the change for average precision (eq 9-12) and for graded measures (eq 28,
33, 36, 37, 43, 44) with the topic's totals, R and the ideal list, held fixed; and for a newly found
relevant document, where R grows by one (eq 15-17). Here the changed lists are scored, all ranks at
once, so any measure can be studied.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Hits, Judged
from gradewise.errors import OptionError, check_choice
from gradewise.libraries import pl
from gradewise.measures.evaluate import as_measures
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import (
    Measure,
    refuse_intents,
    refuse_preferences,
    refuse_sample,
)
from gradewise.meta.one_list import grades_by_rank
from gradewise.showing import Shown

Totals = Literal["fixed", "moved"]
Grade = int | None

_BLOCK = 1 << 21  # hits that are scored at once
_SINGLE = "sensitivity changes a single grade per document"


@dataclass(frozen=True, eq=False)
class Sensitivity(Shown):
    """How measures change with every change of a grade.

    `values[m]` is the value of the list as it is. Change i puts `to_grades[i]` in place of
    `from_grades[i]` (None: unjudged) at rank `ranks[i]` (0: a document that was not retrieved),
    and `changes[m, i]` is the value after it less the value before.
    """

    measures: tuple[Measure, ...]
    values: Floats
    ranks: Ints
    from_grades: tuple[Grade, ...]
    to_grades: tuple[int, ...]
    changes: Floats

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame with columns measure, rank, from_grade, to_grade, value, change.

        `value` is the value after the change; a document that was not retrieved has no rank.
        """
        number = len(self.measures)
        ranks = [rank or None for rank in self.ranks.tolist()]
        return pl.DataFrame(
            {
                "measure": np.array([str(m) for m in self.measures]).repeat(len(ranks)).tolist(),
                "rank": ranks * number,
                "from_grade": list(self.from_grades) * number,
                "to_grade": list(self.to_grades) * number,
                "value": (self.values[:, None] + self.changes).ravel(),
                "change": self.changes.ravel(),
            },
            schema={
                "measure": pl.String,
                "rank": pl.Int64,
                "from_grade": pl.Int64,
                "to_grade": pl.Int64,
                "value": pl.Float64,
                "change": pl.Float64,
            },
        )


def sensitivity(
    judged: Judged,
    measures: MeasureLike | Iterable[MeasureLike],
    *,
    to: int | None = None,
    totals: Totals = "fixed",
    scores: Sequence[float] | None = None,
) -> Sensitivity:
    """Return how measures change when the document at a rank changes its grade.

    Parameters
    ----------
    judged
        A single list: from `gw.judge_list`, or one of those that `gw.judge` returns, chosen with
        `judged.list_of(run, topic)`.
    measures
        The measures to study.
    to
        The new grade; by default, 0 and every positive grade in turn.
    totals
        What happens to the topic's counts of documents by grade: "fixed" leaves them as they are
        (Kishida); "moved" moves the document from its old grade to its new one, as a new judgment
        would. With fixed totals, a list may end up with more documents of a grade than its topic
        has: measures may then exceed 1, and Bpref, G, ADM and SwetsE are meaningless.
    scores
        The score at each rank, for measures that use scores (ADM).

    Examples
    --------
    The second of two documents becomes relevant: AP gains (1/2) · (2/2).

    >>> import gradewise as gw
    >>> judged = gw.judge_list([1, 0], relevant={1: 2})
    >>> gw.meta.sensitivity(judged, "AP", to=1).frame["change"].to_list()
    [0.5]
    """
    check_choice("totals", totals, ("fixed", "moved"))
    trial = _Trial.of(judged, measures, scores)
    changes = []
    for new in trial.new_grades(to):
        others = [grade for grade in dict.fromkeys(trial.grades) if grade != new]
        changes += [trial.change(old, new, moved=totals == "moved") for old in others]
    return trial.result(changes)


def new_document(
    judged: Judged,
    measures: MeasureLike | Iterable[MeasureLike],
    *,
    to: int | None = None,
    scores: Sequence[float] | None = None,
) -> Sensitivity:
    """Return how measures change when one more relevant document is found (Kishida, eq 15-17).

    The topic then has one more relevant document. It is placed in turn at each rank that has no
    relevant document, and last at none: a relevant document that was not retrieved. Parameters
    are those of `sensitivity`; `to` is the document's grade, by default every positive one in turn.

    Examples
    --------
    Found at rank 2, AP rises from 1/2 to (1 + 1) / 3; not retrieved, it falls to 1/3.

    >>> import gradewise as gw
    >>> found = gw.meta.new_document(gw.judge_list([1, None], relevant={1: 2}), "AP")
    >>> found.frame["rank"].to_list(), found.changes.round(4)
    ([2, None], array([[ 0.1667, -0.1667]]))
    """
    if to is not None and to <= 0:
        raise OptionError(f"the grade of a new relevant document must be positive, not {to}")
    trial = _Trial.of(judged, measures, scores)
    changes = []
    for new in [grade for grade in trial.new_grades(to) if grade > 0]:
        others = [old for old in dict.fromkeys(trial.grades) if old is None or old <= 0]
        changes += [trial.change(old, new, moved=True) for old in others]
        changes.append(trial.not_retrieved(new))
    return trial.result(changes)


@dataclass(frozen=True, eq=False)
class _Change:
    """The values of measures when documents of one grade, a rank at a time, get another."""

    ranks: Ints
    old: Grade
    new: int
    values: Floats


@dataclass(frozen=True, eq=False)
class _Trial:
    """A list and the measures that are tried on it."""

    measures: tuple[Measure, ...]
    grades: Sequence[Grade]
    judged: Judged
    scores: Floats | None

    @staticmethod
    def of(
        judged: Judged,
        measures: MeasureLike | Iterable[MeasureLike],
        scores: Sequence[float] | None,
    ) -> "_Trial":
        parsed = as_measures(measures)
        for measure in parsed:
            refuse_intents(measure, _SINGLE)
            refuse_sample(measure, judged.pool, _SINGLE)
        refuse_preferences(judged.pool, _SINGLE)
        grades = grades_by_rank(judged)
        if scores is None:
            return _Trial(parsed, grades, judged, None)
        given = np.asarray(scores, np.float64)
        if len(given) != len(grades):
            raise OptionError(f"there are {len(grades)} documents but {len(given)} scores")
        own = given[judged.hits.rank - 1]
        unjudged = np.array([np.abs(given).sum() - np.abs(own).sum()])
        judged = replace(judged, hit_scores=own, unjudged_scores=unjudged)
        return _Trial(parsed, grades, judged, given)

    def new_grades(self, to: int | None) -> list[int]:
        """Return the grades that a document may get, checked if one is given."""
        known = [0, *self.judged.scale.tolist()]
        if to is None:
            return known
        if to not in known:
            raise OptionError(
                f"grade {to} does not occur in the judgments (grades: {', '.join(map(str, known))})"
            )
        return [to]

    def change(self, old: Grade, new: int, *, moved: bool) -> _Change:
        """Score the lists in which one document of grade `old` has grade `new`."""
        ranks = np.array([n for n, grade in enumerate(self.grades, 1) if grade == old], np.int64)
        counts = self._counts(old, new) if moved else self.judged.counts
        parts = [self._values(part) for part in self._changed_lists(ranks, old, new, counts)]
        return _Change(ranks, old, new, np.concatenate(parts, axis=1))

    def not_retrieved(self, new: int) -> _Change:
        """Score the list when the topic has one more document, which is not in it."""
        judged = replace(self.judged, counts=self._counts(None, new))
        return _Change(np.zeros(1, np.int64), None, new, self._values(judged))

    def result(self, changes: Sequence[_Change]) -> Sensitivity:
        """Put changes side by side, by new grade and rank, documents not retrieved last."""
        ranks = np.concatenate([c.ranks for c in changes] or [np.zeros(0, np.int64)])
        news = np.concatenate([np.full(len(c.ranks), c.new) for c in changes] or [ranks])
        olds = [c.old for c in changes for _ in range(len(c.ranks))]
        before = self._values(self.judged)
        after = np.concatenate([before[:, :0], *[c.values for c in changes]], axis=1)
        order = np.lexsort((ranks, ranks == 0, news))
        return Sensitivity(
            self.measures,
            before[:, 0],
            ranks[order],
            tuple(olds[place] for place in order.tolist()),
            tuple(news[order].tolist()),
            after[:, order] - before,
        )

    def _values(self, judged: Judged) -> Floats:
        # With fixed totals a list may hold more than its topic; few measures have no value then.
        with np.errstate(all="ignore"):
            values = np.stack([measure.values(judged) for measure in self.measures])
        return np.where(np.isfinite(values), values, np.nan)

    def _counts(self, old: Grade, new: int) -> Ints:
        counts = self.judged.counts.copy()
        if old is not None:
            counts[0, self._level(old)] -= 1
        counts[0, self._level(new)] += 1
        return counts

    def _level(self, grade: int) -> int:
        return self.judged.first_level(grade) if grade > 0 else 0

    def _changed_lists(self, ranks: Ints, old: Grade, new: int, counts: Ints) -> Iterator[Judged]:
        """Make the changed lists, a block at a time: one topic, and a run for each rank."""
        hits = self.judged.hits
        size = max(1, _BLOCK // (len(hits.rank) + 1))
        for start in range(0, len(ranks), size):
            block = ranks[start : start + size]
            place = np.searchsorted(hits.rank, block)
            rank, level = (np.tile(column, (len(block), 1)) for column in (hits.rank, hits.level))
            if old is None:  # the document was no hit; now it is one
                rank, level = _with_room(rank, place), _with_room(level, place)
            each = np.arange(len(block))
            rank[each, place], level[each, place] = block, self._level(new)
            yield self._lists(rank, level, counts, block if old is None else block[:0])

    def _lists(self, rank: Ints, level: Ints, counts: Ints, newly_judged: Ints) -> Judged:
        number, width = rank.shape
        given = self.scores
        unjudged = self.judged.unjudged_scores
        if given is not None and unjudged is not None:
            unjudged = unjudged.repeat(number)
            if len(newly_judged):
                unjudged -= np.abs(given[newly_judged - 1])
        return replace(
            self.judged,
            counts=counts,
            topic=np.zeros(number, np.int64),
            retrieved=self.judged.retrieved.repeat(number),
            runs=tuple(map(str, range(number))),
            pool=None,
            hits=Hits(np.arange(number).repeat(width), rank.ravel(), level.ravel(), number),
            hit_scores=None if given is None else given[rank.ravel() - 1],
            unjudged_scores=unjudged,
        )


def _with_room(rows: Ints, place: Ints) -> Ints:
    """Widen rows by a column each, after those before `place`."""
    number, width = rows.shape
    column = np.arange(width + 1)
    source = np.clip(column - (column > place[:, None]), 0, max(width - 1, 0))
    if not width:
        return np.zeros((number, 1), rows.dtype)
    return np.take_along_axis(rows, source, axis=1)
