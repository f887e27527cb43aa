"""What fitting a click model takes, and what it finds."""

from dataclasses import dataclass, field

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import OptionError, check_least


@dataclass(frozen=True)
class Options:
    """How a click model is fitted; see `fit`."""

    iterations: int = 200
    tolerance: float = 1e-4
    prior: float = 1.0
    go_on: float | None = None

    def __post_init__(self) -> None:
        check_least(1, iterations=self.iterations)
        check_least(0, tolerance=self.tolerance, prior=self.prior)
        if self.go_on is not None and not 0 < self.go_on <= 1:
            raise OptionError(f"go_on must be above 0 and at most 1, not {self.go_on}")


def _nothing() -> Floats:
    return np.zeros(0)


@dataclass(frozen=True, eq=False)
class Fitted:
    """The parameters of a click model.

    `appeal` and `satisfaction` have a value for each pair of the log; `seen[r, l]` is the
    examination of rank r if the last click above was at rank l, with a single column if that makes
    no difference; `go_on` is the chance to go on from a document that did not satisfy.
    `identified` is False if the log cannot tell examination from appeal.
    """

    appeal: Floats
    steps: int
    converged: bool
    seen: Floats = field(default_factory=_nothing)
    satisfaction: Floats = field(default_factory=_nothing)
    go_on: float = 1.0
    identified: bool = True
