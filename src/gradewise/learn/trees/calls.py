"""What a booster hands over when it calls an objective or a metric, and what is kept of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradewise.arrays import Floats, Ints, offsets_of
from gradewise.collection.judged import Lists
from gradewise.errors import InputError, OptionError
from gradewise.learn.objectives import Grades, Tables, graded_lists, tables_of
from gradewise.learn.own_gains import OwnGains, is_whole, own_gains
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
    if not np.isfinite(scores).all():
        row = int(np.argmin(np.isfinite(scores)))
        raise InputError(
            f"the score of row {row} is {scores[row]}; scores must be finite: lower the learning "
            "rate, or check the initial scores"
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
    lists: Lists | None
    levels: Ints
    offsets: Ints
    parts: Sequence[tuple[int, int]]
    tables: Tables | None
    own: OwnGains | None = None

    def of(self, call: Call) -> bool:
        """Whether a call is about this data set."""
        return np.array_equal(self.sizes, call.sizes) and np.array_equal(self.labels, call.labels)


def threads_of(n_jobs: int | None) -> int:
    """Return how many threads to use: as many as given; from the last core back if below 0.

    Examples
    --------
    >>> threads_of(3)
    3
    """
    if n_jobs is None:
        return thread_count()
    if n_jobs == 0:
        raise OptionError("n_jobs must be a number of threads, or below 0 for all cores, not 0")
    return n_jobs if n_jobs > 0 else max(thread_count() + 1 + n_jobs, 1)


def _parts(sizes: Ints, threads: int) -> list[tuple[int, int]]:
    """Divide lists into ranges with about the same number of pairs."""
    done = np.cumsum(sizes.astype(np.float64) ** 2)
    if threads == 1 or done[-1] < _FEW:
        return [(0, len(sizes))]
    count = _PARTS * threads
    cuts = np.searchsorted(done, done[-1] * np.arange(1, count) / count) + 1
    ends = np.unique(np.concatenate([[0], np.minimum(cuts, len(sizes)), [len(sizes)]]))
    return list(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True))


def recall(
    kept: list[Prepared],
    measure: Measure | None,
    grades: Grades,
    call: Call,
    *,
    trained: bool,
    n_jobs: int | None = None,
) -> Prepared:
    """Return what is known about a data set, computed at its first call.

    Where labels are not whole numbers, or there is no measure, documents have gains of their own.
    """
    for prepared in list(kept):
        if prepared.of(call):
            return prepared
    rows = call.labels.copy(), call.sizes
    offsets, parts = offsets_of(call.sizes), _parts(call.sizes, threads_of(n_jobs))
    if trained and (measure is None or not is_whole(call.labels)):
        own = own_gains(measure, call.labels, call.sizes)
        prepared = Prepared(*rows, None, own.marks, offsets, parts, None, own)
    else:
        assert measure is not None
        lists, levels = graded_lists(measure, call.labels, call.sizes, grades)
        tables = tables_of(measure, lists, levels) if trained else None
        prepared = Prepared(*rows, lists, levels, offsets, parts, tables)
    kept.insert(0, prepared)
    del kept[_KEPT:]
    return prepared


def plain_grades(grades: Grades) -> Grades:
    """Return grades in a form that can be compared and pickled."""
    if grades is None or isinstance(grades, int):
        return grades
    return tuple(int(grade) for grade in grades)
