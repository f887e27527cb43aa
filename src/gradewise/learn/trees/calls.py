"""What a booster hands over when it calls an objective or a metric, and what is kept of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Lists
from gradewise.errors import InputError
from gradewise.learn.objectives import Grades, Tables, graded_lists, tables_of
from gradewise.measures.measure import Measure
from gradewise.parallel import thread_count

WORD = (1 << 64) - 1  # kernels take a seed of 64 bits
_KEPT = 4  # data sets whose tables an object remembers
_FEW = 4_000_000  # pairs, for which starting threads takes longer than it saves
_PARTS = 4  # of the lists for each thread, so that none waits long for another


@dataclass(frozen=True, eq=False)
class Call:
    """What a booster hands over, in whatever form: one row for each document."""

    scores: Floats
    labels: Floats
    weight: Floats | None
    sizes: Ints
    by_xgboost: bool

    @property
    def row_weights(self) -> Floats | None:
        """The weight of each row; XGBoost has one for each list."""
        if self.weight is None or len(self.weight) == len(self.labels):
            return self.weight
        return self.weight.repeat(self.sizes)


def read_call(first: Any, second: Any, weight: Any, group: Any) -> Call:
    """Understand (labels, scores, weight, group), or (scores, Dataset or DMatrix)."""
    by_xgboost = hasattr(second, "get_uint_info")
    if by_xgboost or hasattr(second, "get_label"):
        scores, labels, weight = first, second.get_label(), second.get_weight()
        group = np.diff(second.get_uint_info("group_ptr")) if by_xgboost else second.get_group()
    else:
        labels, scores = first, second
    if group is None or not len(group):
        raise InputError(
            "the data have no topics; give group (the number of rows of each topic) or qid"
        )
    scores = np.ascontiguousarray(scores, np.float64).ravel()
    labels, sizes = np.asarray(labels, np.float64), np.asarray(group).astype(np.int64)
    if (sizes < 1).any():
        raise InputError(
            "group must hold whole numbers of 1 or more: the number of rows of each topic"
        )
    if not len(scores) == len(labels) == int(sizes.sum()):
        raise InputError(
            f"there are {len(labels)} labels and {len(scores)} scores, but the sizes in group sum "
            f"to {int(sizes.sum())}"
        )
    weights = None if weight is None or not len(weight) else np.asarray(weight, np.float64)
    if weights is not None and len(weights) not in (len(labels), len(sizes)):
        raise InputError(f"there are {len(labels)} rows but {len(weights)} weights")
    return Call(scores, labels, weights, sizes, by_xgboost)


@dataclass(frozen=True, eq=False)
class Prepared:
    """Lists and levels of a data set, with a measure's tables if it is trained for."""

    labels: Floats
    sizes: Ints
    lists: Lists
    levels: Ints
    offsets: Ints
    parts: Sequence[tuple[int, int]]
    tables: Tables | None

    def of(self, call: Call) -> bool:
        """Whether a call is about this data set."""
        return np.array_equal(self.sizes, call.sizes) and np.array_equal(self.labels, call.labels)


def _prepare(measure: Measure, grades: Grades, call: Call, *, trained: bool) -> Prepared:
    lists, levels = graded_lists(measure, call.labels, call.sizes, grades)
    offsets = np.concatenate([[0], np.cumsum(call.sizes)]).astype(np.int64)
    tables = tables_of(measure, lists, levels) if trained else None
    return Prepared(
        call.labels.copy(), call.sizes, lists, levels, offsets, _parts(call.sizes), tables
    )


def _parts(sizes: Ints) -> list[tuple[int, int]]:
    """Divide lists into ranges with about the same number of pairs."""
    threads = thread_count()
    done = np.cumsum(sizes.astype(np.float64) ** 2)
    if threads == 1 or done[-1] < _FEW:
        return [(0, len(sizes))]
    count = _PARTS * threads
    cuts = np.searchsorted(done, done[-1] * np.arange(1, count) / count) + 1
    ends = np.unique(np.concatenate([[0], np.minimum(cuts, len(sizes)), [len(sizes)]]))
    return list(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True))


def recall(
    kept: list[Prepared], measure: Measure, grades: Grades, call: Call, *, trained: bool
) -> Prepared:
    """Return what is known about a data set, computed at its first call."""
    for prepared in list(kept):
        if prepared.of(call):
            return prepared
    prepared = _prepare(measure, grades, call, trained=trained)
    kept.insert(0, prepared)
    del kept[_KEPT:]
    return prepared


def plain_grades(grades: Grades) -> Grades:
    """Return grades in a form that can be compared and pickled."""
    if grades is None or isinstance(grades, int):
        return grades
    return tuple(int(grade) for grade in grades)
