"""Prediction-powered intervals of a mean: few trusted values, many predicted ones.

Of N topics, n have a trusted value M and all have a prediction M̂. The estimate is
θ = mean_n(M) + λ (mean_N(M̂) - mean_n(M̂)): what the trusted topics have in common with their
predictions is taken out, to the degree λ, and put back for all topics (Angelopoulos et al. 2023).
λ = 0 is the trusted values alone. The best λ is Cov(M, M̂) / Var(M̂); clipped to [0, 1] it is, with
many topics, never worse than 0, while a fixed λ can be.

If the n topics are drawn from the N, the error for the mean over these N has the variance
(1 - n/N) Var(M - λM̂) / n. For topics to come, the N are a sample themselves, which adds Var(M) / N.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from gradewise.arrays import Floats, quotient
from gradewise.choices import Choice, choose
from gradewise.errors import OptionError, check_between, counted
from gradewise.libraries import special
from gradewise.noise import all_equal

Target = Literal["future", "these"]
TARGETS: dict[Target, Choice] = {
    "future": Choice(lambda own, population: own + population, "future topics"),
    "these": Choice(lambda own, population: own, "these topics"),
}


@dataclass(frozen=True, eq=False)
class PoweredMean:
    """Estimates with their intervals; `weight` is λ, and the shape is that of the rows."""

    mean: Floats
    low: Floats
    high: Floats
    weight: Floats

    @property
    def width(self) -> Floats:
        """How wide the intervals are."""
        return self.high - self.low


def prediction_powered(
    trusted: Floats,
    predicted: Floats,
    others: Floats,
    *,
    target: Target = "future",
    weight: float | None = None,
    level: float = 0.95,
) -> PoweredMean:
    """Return prediction-powered intervals of means over topics.

    Parameters
    ----------
    trusted, predicted
        The trusted and the predicted value of the same topics, along the last axis.
    others
        The predicted values of topics without a trusted one.
    target
        "future" for the mean over future topics, of which all of these are a sample, or "these"
        for the mean over these topics, of which the trusted ones are a sample.
    weight
        λ, from 0 (trusted values alone) to 1; by default, the best one, clipped to [0, 1].
    level
        Confidence level.

    Notes
    -----
    The quantiles are those of Student's t with n - 2 degrees of freedom (n - 1 if λ is given), and
    the residual variance is divided by as many: with few topics, normal ones cover too rarely. The
    doubt about λ adds to the variance what it adds to that of a regression line.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> values = rng.beta(2, 3, 60)
    >>> predictions = 0.8 * values + 0.1 + rng.normal(0, 0.05, 60)
    >>> found = prediction_powered(values[:15], predictions[:15], predictions[15:])
    >>> alone = prediction_powered(values[:15], predictions[:15], predictions[15:], weight=0.0)
    >>> bool(found.low < values.mean() < found.high), round(float(found.width / alone.width), 2)
    (True, 0.58)
    """
    check_between(0, 1, level=level)
    topics, total = _sizes(trusted, predicted, others)
    every = np.concatenate([predicted, others], axis=-1)
    chosen = _best_weight(trusted, predicted, every) if weight is None else _checked(weight)
    given = np.broadcast_to(chosen, trusted.shape[:-1])
    mean = trusted.mean(axis=-1) + given * (every.mean(axis=-1) - predicted.mean(axis=-1))
    freedom = topics - (2 if weight is None else 1)
    residual = trusted - given[..., None] * predicted
    spread = ((residual - residual.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1) / freedom
    own = (1 - topics / total) * spread / topics
    if weight is None:
        own = own + spread * _slope_doubt(predicted, every, given)
    population = trusted.var(axis=-1, ddof=1) / total
    error = np.sqrt(choose("target", target, TARGETS).function(own, population))
    half = special.stdtrit(freedom, (1 + level) / 2) * error
    return PoweredMean(mean, mean - half, mean + half, np.array(given))


def powered_apart(
    trusted: Floats, predicted: Floats, others: Floats, *, weight: float, level: float = 0.95
) -> PoweredMean:
    """Return the interval for predictions on topics apart, for many topics and a given λ.

    The estimate is λ mean(others) + mean(trusted - λ predicted), and its variance the sum of the
    two parts' (Angelopoulos et al. 2023), with normal quantiles and variances divided by the
    numbers of topics. `prediction_powered` uses all predictions for both parts, and t quantiles.

    Examples
    --------
    >>> import numpy as np
    >>> trusted, predicted = np.array([0.2, 0.4, 0.6]), np.array([0.3, 0.4, 0.5])
    >>> found = powered_apart(trusted, predicted, np.array([0.5, 0.7]), weight=0.5)
    >>> round(float(found.mean), 3)  # 0.5 · 0.6 + (0.05 + 0.2 + 0.35) / 3
    0.5
    """
    check_between(0, 1, level=level)
    _sizes(trusted, predicted, others)
    residual = trusted - _checked(weight) * predicted
    mean = weight * others.mean(axis=-1) + residual.mean(axis=-1)
    parts = (weight**2 * others.var(axis=-1) / others.shape[-1]) + (
        residual.var(axis=-1) / trusted.shape[-1]
    )
    half = special.ndtri((1 + level) / 2) * np.sqrt(parts)
    return PoweredMean(mean, mean - half, mean + half, np.full(trusted.shape[:-1], weight))


def topics_alone(
    width: Floats, deviation: Floats, total: int, *, target: Target, level: float = 0.95
) -> Floats:
    """Return how many trusted topics alone would give intervals of some width.

    `deviation` is the standard deviation of trusted values, `total` the number of topics. The
    result need not be whole; it is at most `total`.

    Examples
    --------
    >>> import numpy as np
    >>> topics_alone(np.array([0.2]), np.array([0.2]), 100, target="future").round(1).tolist()
    [17.8]
    """
    choose("target", target, TARGETS)
    low, high = np.full(np.shape(width), 2.0), np.full(np.shape(width), float(total))
    for _ in range(60):
        middle = (low + high) / 2
        share = 1 - middle / total if target == "these" else 1.0
        quantile = special.stdtrit(middle - 1, (1 + level) / 2)
        wide = 2 * quantile * deviation * np.sqrt(share / middle) > width
        low, high = np.where(wide, middle, low), np.where(wide, high, middle)
    return np.asarray(high)


def _best_weight(trusted: Floats, predicted: Floats, every: Floats) -> Floats:
    away = trusted - trusted.mean(axis=-1, keepdims=True)
    other = predicted - predicted.mean(axis=-1, keepdims=True)
    together = (away * other).sum(axis=-1) / (trusted.shape[-1] - 1)
    spread = every.var(axis=-1, ddof=1)
    best = np.where(all_equal(every), 0.0, quotient(together, spread, 0.0))
    return np.clip(best, 0.0, 1.0)


def _slope_doubt(predicted: Floats, every: Floats, weight: Floats) -> Floats:
    """Return what the doubt about λ adds, as a multiple of the residual variance.

    It is (mean_N(M̂) - mean_n(M̂))² / Σ(M̂ - mean_n(M̂))², as for any regression line away from its
    center; nothing where λ was clipped.
    """
    square = predicted.var(axis=-1) * predicted.shape[-1]
    shift = (every.mean(axis=-1) - predicted.mean(axis=-1)) ** 2
    return np.where((weight > 0) & (weight < 1), quotient(shift, square, 0.0), 0.0)


def _checked(weight: float) -> float:
    if not 0 <= weight <= 1:
        raise OptionError(f"weight must be from 0 to 1, not {weight}")
    return weight


def _sizes(trusted: Floats, predicted: Floats, others: Floats) -> tuple[int, int]:
    topics = trusted.shape[-1]
    if predicted.shape != trusted.shape:
        raise OptionError(
            f"trusted and predicted values must belong to the same topics, but their shapes are "
            f"{trusted.shape} and {predicted.shape}"
        )
    if topics < 3:
        raise OptionError(
            f"{counted(topics, 'topic')} with a trusted value; an interval needs at least 3"
        )
    return topics, topics + others.shape[-1]
