"""Objectives and metrics for boosted trees, called as LightGBM and XGBoost call them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Judged, Lists
from gradewise.errors import InputError, OptionError
from gradewise.kernels import boosted_pairs, seeded_orders
from gradewise.learn.gradients import EVERYTHING
from gradewise.learn.objectives import Grades, Tables, check_trainable, graded_lists, tables_of
from gradewise.measures.evaluate import MeasureLike
from gradewise.measures.grammar import parse_measure
from gradewise.measures.measure import Measure
from gradewise.measures.scores import summarise
from gradewise.parallel import thread_count, thread_map

_KEPT = 4  # data sets whose tables an object remembers
_FEW = 4_000_000  # pairs, for which starting threads takes longer than it saves
_WORD = (1 << 64) - 1  # kernels take a seed of 64 bits
_PARTS = 4  # of the lists for each thread, so that none waits long for another


def objective(
    measure: MeasureLike,
    *,
    sigma: float = 1.0,
    truncation: int | None = None,
    normalize: bool = True,
    grades: Grades = None,
    seed: int = 0,
) -> "Objective":
    """Return an objective for LightGBM and XGBoost that trains trees for a measure (LambdaMART).

    It is called by `LGBMRanker(objective=...)` with labels, scores, weights and groups, by
    `lgb.train({"objective": ...}, ...)` with scores and a Dataset, and by
    `xgb.train(..., obj=...)` with scores and a DMatrix. It can be pickled.

    Parameters
    ----------
    measure
        Any pivot or gain-discount measure, RR or ERR: "GAP(g=[0.5,0.5])", "nDCG@10", ...
    sigma
        The slope of the logistic function of score differences, LightGBM's `sigmoid`.
    truncation
        Leave out pairs of which neither document stands so high, as LightGBM's
        `lambdarank_truncation_level`; all pairs count if not given.
    normalize
        Scale the gradients of each list, as LightGBM's `lambdarank_norm`.
    grades
        The positive grades of the collection, or the highest of 1, 2, ...; as the numbers of g
        tell, or those that occur, if not given.
    seed
        For the order of documents with equal scores, which is random.

    Examples
    --------
    >>> from gradewise.learn import objective
    >>> gap = objective("GAP(g=[0.5,0.5])", normalize=False)
    >>> gradient, hessian = gap([0, 2], [1.0, 0.0], None, [2])
    >>> gradient.round(4)  # the swap is worth 1/2, and the pair is wrong by 1: 1/2 · 1/(1 + e^-1)
    array([ 0.3655, -0.3655])
    """
    if not sigma > 0:
        raise OptionError(f"sigma must be above 0, not {sigma}")
    if truncation is not None and truncation < 1:
        raise OptionError(f"truncation must be at least 1, not {truncation}")
    parsed = parse_measure(measure)
    check_trainable(parsed)
    return Objective(parsed, float(sigma), truncation, bool(normalize), _plain(grades), seed)


def metric(measure: MeasureLike, *, grades: Grades = None, seed: int = 0) -> "Metric":
    """Return a metric for LightGBM and XGBoost: the mean of a measure over topics.

    It is called as an objective is (`eval_metric`, `feval`, `custom_metric`), and returns a name,
    a value and whether higher is better, or for XGBoost, which cannot be told, only the former two.
    Topics without a relevant document count 0, as everywhere in gradewise; with weights, the mean
    is weighted.

    Parameters
    ----------
    measure
        Any measure.
    grades, seed
        As for `objective`.

    Examples
    --------
    >>> from gradewise.learn import metric
    >>> metric("P@1")([0, 1, 2, 0], [0.2, 0.1, 0.4, 0.3], None, [2, 2])
    ('P@1', 0.5, True)
    """
    return Metric(parse_measure(measure), _plain(grades), seed)


def _plain(grades: Grades) -> Grades:
    if grades is None or isinstance(grades, int):
        return grades
    return tuple(int(grade) for grade in grades)


@dataclass(frozen=True, eq=False)
class _Called:
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


def _read_call(first: Any, second: Any, weight: Any, group: Any) -> _Called:
    """Understand (labels, scores, weight, group), or (scores, Dataset or DMatrix)."""
    by_xgboost = hasattr(second, "get_uint_info")
    if by_xgboost or hasattr(second, "get_label"):
        scores, labels, weight = first, second.get_label(), second.get_weight()
        group = np.diff(second.get_uint_info("group_ptr")) if by_xgboost else second.get_group()
    else:
        labels, scores = first, second
    if group is None or not len(group):
        raise InputError(
            "the data say nothing of topics: give group, the number of rows of each (or qid)"
        )
    scores = np.ascontiguousarray(scores, np.float64).ravel()
    labels, sizes = np.asarray(labels, np.float64), np.asarray(group).astype(np.int64)
    if (sizes < 1).any():
        raise InputError("group must be whole numbers from 1 on, the rows of each topic")
    if not len(scores) == len(labels) == int(sizes.sum()):
        raise InputError(
            f"there are {len(labels)} labels and {len(scores)} scores, and the sizes in group sum "
            f"to {int(sizes.sum())}"
        )
    weights = None if weight is None or not len(weight) else np.asarray(weight, np.float64)
    if weights is not None and len(weights) not in (len(labels), len(sizes)):
        raise InputError(f"there are {len(weights)} weights for {len(labels)} rows")
    return _Called(scores, labels, weights, sizes, by_xgboost)


@dataclass(frozen=True, eq=False)
class _Prepared:
    """Lists and levels of a data set, with a measure's tables if it is trained for."""

    labels: Floats
    sizes: Ints
    lists: Lists
    levels: Ints
    offsets: Ints
    parts: Sequence[tuple[int, int]]
    tables: Tables | None

    def of(self, call: _Called) -> bool:
        """Whether a call is about this data set."""
        return np.array_equal(self.sizes, call.sizes) and np.array_equal(self.labels, call.labels)


def _prepare(measure: Measure, grades: Grades, call: _Called, *, trained: bool) -> _Prepared:
    lists, levels = graded_lists(measure, call.labels, call.sizes, grades)
    offsets = np.concatenate([[0], np.cumsum(call.sizes)]).astype(np.int64)
    tables = tables_of(measure, lists, levels) if trained else None
    return _Prepared(
        call.labels.copy(), call.sizes, lists, levels, offsets, _parts(call.sizes), tables
    )


def _parts(sizes: Ints) -> list[tuple[int, int]]:
    """Cut lists into stretches of about the same number of pairs."""
    threads = thread_count()
    done = np.cumsum(sizes.astype(np.float64) ** 2)
    if threads == 1 or done[-1] < _FEW:
        return [(0, len(sizes))]
    count = _PARTS * threads
    cuts = np.searchsorted(done, done[-1] * np.arange(1, count) / count) + 1
    ends = np.unique(np.concatenate([[0], np.minimum(cuts, len(sizes)), [len(sizes)]]))
    return list(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True))


def _remembered(
    kept: list[_Prepared], measure: Measure, grades: Grades, call: _Called, *, trained: bool
) -> _Prepared:
    """Return what is known of a data set, made when it is first met."""
    for prepared in list(kept):
        if prepared.of(call):
            return prepared
    prepared = _prepare(measure, grades, call, trained=trained)
    kept.insert(0, prepared)
    del kept[_KEPT:]
    return prepared


@dataclass(frozen=True)
class Objective:
    """A measure to train trees for; `objective` describes the parts."""

    measure: Measure
    sigma: float = 1.0
    truncation: int | None = None
    normalize: bool = True
    grades: Grades = None
    seed: int = 0
    _kept: list[_Prepared] = field(default_factory=list, init=False, repr=False, compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out what is remembered of data sets."""
        parts = (self.measure, self.sigma, self.truncation, self.normalize, self.grades, self.seed)
        return type(self), parts

    # LightGBM chooses the form of the call by the number of parameters.
    def __call__(
        self, y_true: Any, y_pred: Any, weight: Any = None, group: Any = None
    ) -> tuple[Floats, Floats]:
        """Return the gradient and the Hessian of each row."""
        call = _read_call(y_true, y_pred, weight, group)
        data = _remembered(self._kept, self.measure, self.grades, call, trained=True)
        tables = data.tables
        assert tables is not None
        gradient, hessian = np.empty(len(call.scores)), np.empty(len(call.scores))

        def fill(part: tuple[int, int]) -> None:
            boosted_pairs.boost_lists(
                call.scores,
                tables.levels,
                tables.offsets,
                *part,
                tables.code,
                tables.kernel,
                tables.gain,
                tables.weight,
                self.sigma,
                EVERYTHING if self.truncation is None else self.truncation,
                self.normalize,
                int(self.seed) & _WORD,
                gradient,
                hessian,
            )

        thread_map(fill, data.parts)
        weights = call.row_weights
        if weights is not None:
            gradient *= weights
            np.maximum(hessian * weights, boosted_pairs.SMALLEST_HESSIAN, out=hessian)
        return gradient, hessian


@dataclass(frozen=True)
class Metric:
    """A measure to watch the training of trees by; `metric` describes the parts."""

    measure: Measure
    grades: Grades = None
    seed: int = 0
    _kept: list[_Prepared] = field(default_factory=list, init=False, repr=False, compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out what is remembered of data sets."""
        return type(self), (self.measure, self.grades, self.seed)

    @property
    def name(self) -> str:
        """What boosters call it; XGBoost splits its messages at colons."""
        return str(self.measure).replace(":", "=")

    def __call__(
        self, y_true: Any, y_pred: Any, weight: Any = None, group: Any = None
    ) -> tuple[str, float, bool] | tuple[str, float]:
        """Return name, value and whether higher is better; for XGBoost, name and value."""
        call = _read_call(y_true, y_pred, weight, group)
        values = self.values(call)
        if call.weight is None or self.measure.aggregate != "mean":
            counted = np.ones((1, len(values)), np.bool_)
            value = float(summarise(self.measure, values[None], counted)[0])
        else:
            starts = np.cumsum(call.sizes) - call.sizes
            rows = call.row_weights
            assert rows is not None
            value = float(np.average(values, weights=np.add.reduceat(rows, starts) / call.sizes))
        return (
            (self.name, value)
            if call.by_xgboost
            else (
                self.name,
                value,
                self.measure.higher_is_better,
            )
        )

    def values(self, call: _Called) -> Floats:
        """Return the value of every list."""
        data = _remembered(self._kept, self.measure, self.grades, call, trained=False)
        order = np.empty(len(call.scores), np.int64)

        def fill(part: tuple[int, int]) -> None:
            seeded_orders.order_lists(
                call.scores, data.levels, data.offsets, *part, int(self.seed) & _WORD, order
            )

        thread_map(fill, data.parts)
        judged = Judged.of_levels(data.lists, data.levels[order], scores=call.scores[order])
        return self.measure.values(judged)
