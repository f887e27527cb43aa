"""Objectives of boosted trees: LambdaMART for any measure, called by LightGBM and XGBoost."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import OptionError
from gradewise.kernels import boosted_pairs
from gradewise.learn.list_losses import EVERYTHING
from gradewise.learn.objectives import Grades, check_trainable
from gradewise.learn.trees.calls import WORD, Prepared, plain_grades, read_call, recall
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.measures.measure import Measure
from gradewise.parallel import thread_map


def objective(
    measure: MeasureLike,
    *,
    sigma: float = 1.0,
    truncation: int | None = None,
    normalize_gradients: bool = True,
    grades: Grades = None,
    seed: int = 0,
) -> "Objective":
    """Return an objective for LightGBM and XGBoost that trains trees for a measure (LambdaMART).

    Pass it as `LGBMRanker(objective=...)`, `lgb.train({"objective": ...}, ...)` or
    `xgb.train(..., obj=...)`. It can be pickled.

    Parameters
    ----------
    measure
        Any pivot or gain-discount measure, RR or ERR: "GAP(g=[0.5,0.5])", "nDCG@10", ...
    sigma
        Slope of the logistic function of score differences, like LightGBM's `sigmoid`.
    truncation
        Ignore pairs in which both documents rank below this, like LightGBM's
        `lambdarank_truncation_level`. By default, all pairs count.
    normalize_gradients
        Scale the gradients of each list, like LightGBM's `lambdarank_norm`.
    grades
        The positive grades of the collection, or the highest of 1, 2, ... By default, they follow
        from the numbers of g, or from the data.
    seed
        Orders documents with equal scores, which is done at random.

    Examples
    --------
    >>> from gradewise.learn import objective
    >>> gap = objective("GAP(g=[0.5,0.5])", normalize_gradients=False)
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
    return Objective(
        parsed, float(sigma), truncation, bool(normalize_gradients), plain_grades(grades), seed
    )


@dataclass(frozen=True)
class Objective:
    """A measure to train trees for; see `objective` for the parts."""

    measure: Measure
    sigma: float = 1.0
    truncation: int | None = None
    normalize_gradients: bool = True
    grades: Grades = None
    seed: int = 0
    _kept: list[Prepared] = field(default_factory=list, init=False, repr=False, compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out what is remembered about data sets."""
        parts = (
            self.measure,
            self.sigma,
            self.truncation,
            self.normalize_gradients,
            self.grades,
            self.seed,
        )
        return type(self), parts

    # LightGBM chooses the form of the call by the number of parameters.
    def __call__(
        self, y_true: Any, y_pred: Any, weight: Any = None, group: Any = None
    ) -> tuple[Floats, Floats]:
        """Return the gradient and the Hessian of each row."""
        call = read_call(y_true, y_pred, weight, group)
        data = recall(self._kept, self.measure, self.grades, call, trained=True)
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
                self.normalize_gradients,
                int(self.seed) & WORD,
                gradient,
                hessian,
            )

        thread_map(fill, data.parts)
        weights = call.row_weights
        if weights is not None:
            gradient *= weights
            np.maximum(hessian * weights, boosted_pairs.SMALLEST_HESSIAN, out=hessian)
        return gradient, hessian
