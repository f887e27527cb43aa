"""Objectives of boosted trees: LambdaMART for any measure, called by LightGBM and XGBoost."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import OptionError
from gradewise.kernels import boosted_gains, boosted_pairs
from gradewise.learn.list_losses import EVERYTHING, NO_PULL
from gradewise.learn.objectives import Grades, check_pair_weights, check_trainable
from gradewise.learn.positions import Debiasing, Propensity, checked_positions
from gradewise.learn.trees.calls import (
    WORD,
    Prepared,
    plain_grades,
    read_call,
    recall,
    threads_of,
)
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.measures.measure import Measure
from gradewise.parallel import thread_map

PAIRWISE = "pairwise"  # RankNet's loss, which knows no measure


def objective(
    measure: MeasureLike,
    *,
    sigma: float = 1.0,
    truncation: int | None = None,
    normalize_gradients: bool | None = None,
    grades: Grades = None,
    seed: int = 0,
    n_jobs: int | None = None,
    position: Any = None,
    propensity: Propensity = None,
    bias_rate: float = 0.1,
    bias_regularization: float = 0.0,
    position_bias: Mapping[int, float] | None = None,
) -> "Objective":
    """Return an objective for LightGBM and XGBoost that trains trees for a measure (LambdaMART).

    Pass it as `LGBMRanker(objective=...)`, `lgb.train({"objective": ...}, ...)` or
    `xgb.train(..., obj=...)`. It can be pickled.

    Parameters
    ----------
    measure
        Any pivot or gain-discount measure, RR or ERR: "GAP(g=[0.5,0.5])", "nDCG@10", ...; or
        "pairwise" for RankNet's loss, in which every pair has the same weight. Labels that are not
        whole numbers, such as a teacher's scores, train for nDCG, DCG, RBP or "pairwise".
    sigma
        Slope of the logistic function of score differences, like LightGBM's `sigmoid`.
    truncation
        Ignore pairs in which both documents rank below this, like LightGBM's
        `lambdarank_truncation_level`. By default, all pairs count.
    normalize_gradients
        Scale the gradients of each list, like LightGBM's `lambdarank_norm`. By default, they are
        scaled unless `propensity` is given, since lists then differ in weight for a reason.
    grades
        The positive grades of the collection, or the highest of 1, 2, ... By default, they follow
        from the numbers of g, or from the data.
    seed
        Orders documents with equal scores, which is done at random.
    n_jobs
        Number of threads that compute gradients; by default, one for each core, at most 8.
    position
        For labels from clicks: the rank at which the document of each training row was shown. A
        bias is learned for each position and added to the scores in training only, as LightGBM
        does for nDCG with its `position` field. Make a new objective for each training.
    propensity
        The probabilities that users look at rank 1, 2, ..., if they are known; or a dictionary
        {position: probability}. No bias is learned then; a pair is weighted by the inverse of the
        probability at the position of its better document.
    bias_rate
        Learning rate of the biases; give the learning rate of the trees, as LightGBM does.
    bias_regularization
        Weight of the squared biases, like LightGBM's `lambdarank_position_bias_regularization`.
    position_bias
        Biases to start from, {position: bias}, to continue a training; 0 by default.

    Examples
    --------
    >>> from gradewise.learn import objective
    >>> gap = objective("GAP(g=[0.5,0.5])", normalize_gradients=False)
    >>> gradient, hessian = gap([0, 2], [1.0, 0.0], None, [2])
    >>> gradient.round(4)  # the swap is worth 1/2, and the pair is wrong by 1: 1/2 · 1/(1 + e^-1)
    array([ 0.3655, -0.3655])
    """
    check_pair_weights(sigma, truncation)
    threads_of(n_jobs)
    parsed = None if measure == PAIRWISE else parse_measure(measure)
    if parsed is not None:
        check_trainable(parsed)
    debiasing = None
    if position is not None:
        debiasing = Debiasing(
            checked_positions(position, len(position)),
            propensity=propensity,
            rate=bias_rate,
            regularization=bias_regularization,
            start=position_bias,
        )
    elif propensity is not None:
        raise OptionError("propensity needs position, the rank at which each document was shown")
    return Objective(
        parsed,
        float(sigma),
        truncation,
        propensity is None if normalize_gradients is None else bool(normalize_gradients),
        plain_grades(grades),
        seed,
        n_jobs,
        debiasing,
    )


@dataclass(frozen=True)
class Objective:
    """A measure to train trees for; see `objective` for the parts. None stands for "pairwise"."""

    measure: Measure | None
    sigma: float = 1.0
    truncation: int | None = None
    normalize_gradients: bool = True
    grades: Grades = None
    seed: int = 0
    n_jobs: int | None = field(default=None, compare=False)
    debiasing: Debiasing | None = field(default=None, repr=False, compare=False)
    _kept: list[Prepared] = field(default_factory=list, init=False, repr=False, compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out what is remembered about data sets."""
        return type(self), tuple(getattr(self, part.name) for part in fields(self) if part.init)

    def __str__(self) -> str:
        return PAIRWISE if self.measure is None else str(self.measure)

    @property
    def position_bias(self) -> dict[int, float] | None:
        """The bias of each position that was learned so far; None without positions."""
        bias = None if self.debiasing is None else self.debiasing.bias
        return None if bias is None else bias.after()

    def fresh(self, debiasing: Debiasing | None, n_jobs: int | None) -> "Objective":
        """Return the same objective before any training."""
        own = None if self.debiasing is None else self.debiasing.copy()
        threads = self.n_jobs if n_jobs is None else n_jobs
        return replace(self, debiasing=own if debiasing is None else debiasing, n_jobs=threads)

    # LightGBM chooses the form of the call by the number of parameters.
    def __call__(
        self, y_true: Any, y_pred: Any, weight: Any = None, group: Any = None
    ) -> tuple[Floats, Floats]:
        """Return the gradient and the Hessian of each row."""
        call = read_call(y_true, y_pred, weight, group)
        data = recall(self._kept, self.measure, self.grades, call, trained=True, n_jobs=self.n_jobs)
        self._check_positions(y_pred, len(call.scores))
        bias = None if self.debiasing is None else self.debiasing.bias
        scores = call.scores if bias is None else bias.shift(call.scores)
        gradient, hessian = self._derivatives(data, scores)
        weights = call.row_weights
        if weights is not None:
            gradient *= weights
            np.maximum(hessian * weights, boosted_pairs.SMALLEST_HESSIAN, out=hessian)
        if bias is not None:
            bias.update(gradient, hessian)
        return gradient, hessian

    def _check_positions(self, given: Any, rows: int) -> None:
        if self.debiasing is not None:
            self.debiasing.check_rows(rows)
        elif getattr(given, "position", None) is not None:
            raise OptionError(
                "the Dataset has positions, which only LightGBM's lambdarank reads from there; "
                "give them to the objective, too: gw.learn.objective(..., position=...)"
            )

    def _derivatives(self, data: Prepared, scores: Floats) -> tuple[Floats, Floats]:
        """Return the derivatives of each row, by threads that take some lists each."""
        gradient, hessian = np.empty(len(scores)), np.empty(len(scores))
        pull = NO_PULL if self.debiasing is None else self.debiasing.pull

        def fill(part: tuple[int, int]) -> None:
            if data.own is not None:
                self._fill_by_gains(data, scores, part, pull, gradient, hessian)
            else:
                self._fill_by_levels(data, scores, part, pull, gradient, hessian)

        thread_map(fill, data.parts, threads=threads_of(self.n_jobs))
        return gradient, hessian

    @property
    def _depth(self) -> int:
        return EVERYTHING if self.truncation is None else self.truncation

    def _fill_by_levels(
        self,
        data: Prepared,
        scores: Floats,
        part: tuple[int, int],
        pull: Floats,
        gradient: Floats,
        hessian: Floats,
    ) -> None:
        tables = data.tables
        assert tables is not None
        boosted_pairs.boost_lists(
            scores,
            tables.levels,
            tables.offsets,
            *part,
            tables.code,
            tables.kernel,
            tables.gain,
            tables.weight,
            self.sigma,
            self._depth,
            self.normalize_gradients,
            pull,
            int(self.seed) & WORD,
            gradient,
            hessian,
        )

    def _fill_by_gains(
        self,
        data: Prepared,
        scores: Floats,
        part: tuple[int, int],
        pull: Floats,
        gradient: Floats,
        hessian: Floats,
    ) -> None:
        own = data.own
        assert own is not None
        boosted_gains.boost_gains(
            scores,
            own.gains,
            own.marks,
            own.weight,
            data.offsets,
            *part,
            self.sigma,
            self._depth,
            self.normalize_gradients,
            self.measure is None,
            pull,
            int(self.seed) & WORD,
            gradient,
            hessian,
        )
