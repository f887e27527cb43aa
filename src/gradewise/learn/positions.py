"""Clicks depend on where a document was shown: biases of positions, and inverse propensities."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import InputError, OptionError

Propensity = Mapping[int, float] | Sequence[float] | Floats | None
_SOFTEN = 0.001  # LightGBM adds this to the second derivative that it divides by


def checked_positions(position: Any, rows: int) -> Ints:
    """Return the position of each row, a whole number."""
    given = np.asarray(position)
    if given.shape != (rows,):
        raise InputError(
            f"position must have one number for each of {rows} rows, but has shape {given.shape}"
        )
    numbers = np.asarray(given, np.float64)
    wrong = ~np.isfinite(numbers) | (numbers != np.rint(numbers))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InputError(f"the position of row {row} is {given[row]}, not a whole number")
    return numbers.astype(np.int64)


class PositionBias:
    """What each position adds to the scores of training, learned along with them.

    The score and the bias of its position go into the gradients. After each iteration the bias of a
    position with n rows takes a Newton step, as in LightGBM:

        b += rate (-Σ gradient - n b regularization) / (|Σ hessian + n regularization| + .001)
    """

    def __init__(
        self,
        position: Ints,
        *,
        rate: float,
        regularization: float,
        start: Mapping[int, float] | None = None,
    ) -> None:
        self.positions, place = np.unique(position, return_inverse=True)
        self.place = np.ascontiguousarray(place, np.int64)
        self.counts = np.bincount(self.place, minlength=len(self.positions))
        self.rate, self.regularization = rate, regularization
        given = {} if start is None else start
        self.values = np.array([float(given.get(int(p), 0.0)) for p in self.positions])
        self.history: list[Floats] = []

    def after(self, iterations: int | None = None) -> dict[int, float]:
        """Return the bias of each position, now or after some iterations."""
        values = self.values if iterations is None else self.history[iterations - 1]
        pairs = zip(self.positions.tolist(), values.tolist(), strict=True)
        return {int(position): float(value) for position, value in pairs}

    def shift(self, scores: Floats) -> Floats:
        """Return scores with the biases of their positions."""
        return scores + self.values[self.place]

    def update(self, gradient: Floats, hessian: Floats) -> None:
        """Take a step, given the derivatives of each row."""
        size, extra = len(self.positions), self.regularization * self.counts
        first = np.bincount(self.place, gradient, size) + self.values * extra
        second = np.bincount(self.place, hessian, size) + extra
        self.values = self.values - self.rate * first / (np.abs(second) + _SOFTEN)
        self.history.append(self.values)


def inverse_propensities(position: Ints, propensity: Propensity) -> Floats:
    """Return 1 / propensity of each row's position.

    Parameters
    ----------
    position
        The rank at which each document was shown, from 1.
    propensity
        The chance that a user looks at rank 1, 2, ...; or a dictionary {position: chance}.

    Examples
    --------
    >>> import numpy as np
    >>> inverse_propensities(np.array([1, 3, 1]), [1.0, 0.5, 0.25]).tolist()
    [1.0, 4.0, 1.0]
    """
    if isinstance(propensity, Mapping):
        curve = {int(place): float(chance) for place, chance in propensity.items()}
    else:
        curve = {n: float(chance) for n, chance in enumerate(np.asarray(propensity).tolist(), 1)}
    wrong = [place for place, chance in curve.items() if not 0 < chance < np.inf]
    if wrong:
        raise OptionError(
            f"the propensity of position {wrong[0]} is {curve[wrong[0]]}; it must be above 0"
        )
    places, found = np.unique(position, return_inverse=True)
    missing = [int(place) for place in places if int(place) not in curve]
    if missing:
        raise OptionError(f"propensity has no number for position {missing[0]}")
    return np.array([1 / curve[int(place)] for place in places])[found.ravel()]


def plain_curve(propensity: Propensity) -> dict[str, float] | list[float] | None:
    """Return propensities as JSON can hold them."""
    if isinstance(propensity, Mapping):
        return {str(place): float(chance) for place, chance in propensity.items()}
    return None if propensity is None else [float(chance) for chance in propensity]


def check_regularization(value: float) -> None:
    """Raise an OptionError unless biases can be regularized by a number."""
    if not 0 <= value < np.inf:
        raise OptionError(f"bias_regularization must be 0 or more, not {value}")


class Debiasing:
    """Positions of training rows, and what is done about them.

    With `propensity`, pairs are weighed by inverse propensities (`pull`); without, biases are
    learned (`bias`), from `start` on.
    """

    def __init__(
        self,
        position: Ints,
        *,
        propensity: Propensity = None,
        rate: float = 0.1,
        regularization: float = 0.0,
        start: Mapping[int, float] | None = None,
    ) -> None:
        check_regularization(regularization)
        self._given = (position, propensity, rate, regularization, start)
        self.pull: Floats = np.empty(0)
        self.bias: PositionBias | None = None
        if propensity is None:
            options: dict[str, Any] = {"rate": rate, "regularization": regularization}
            self.bias = PositionBias(position, **options, start=start)
        else:
            self.pull = inverse_propensities(position, propensity)

    def __reduce__(self) -> tuple[Any, ...]:
        return _debiasing, self._given

    def __deepcopy__(self, _: Any) -> "Debiasing":
        return self  # LightGBM trains with a deep copy, whose biases are to be seen here

    def copy(self) -> "Debiasing":
        """Return the same, before training."""
        return _debiasing(*self._given)

    def check_rows(self, rows: int) -> None:
        """Raise an InputError unless there is a position for each row."""
        if len(self._given[0]) != rows:
            raise InputError(
                f"there are {rows} rows, but position was given for {len(self._given[0])}"
            )


def _debiasing(
    position: Ints,
    propensity: Propensity,
    rate: float,
    regularization: float,
    start: Mapping[int, float] | None,
) -> Debiasing:
    options = {"rate": rate, "regularization": regularization, "start": start}
    return Debiasing(position, propensity=propensity, **options)  # type: ignore[arg-type]
