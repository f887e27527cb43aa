"""Dawid and Skene's model (1979): each judge confuses grades in a way of their own.

A document has a true grade, drawn with chances p; a judge gives it grade l with chance π(g, l) if
its true grade is g, independently of other judges. Expectation maximization finds p and π from the
labels alone, and with them the chances of each document's true grade. Documents with the same
labels have the same chances, so that the work depends on how many different ones there are.
"""

from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.meta.judging.panel import NONE

_SMALLEST = 1e-10  # chances below that count as that
_ROUNDS = 2000


@dataclass(frozen=True, eq=False)
class Estimate:
    """What was found: `chances[row, grade]`, the shares of grades, and π, [judge, true, given].

    Judges whose labels were tempered by T count as 1/T of their number.
    """

    chances: Floats
    prior: Floats
    confusion: Floats
    rounds: int
    temperature: float = 1.0


def dawid_skene(
    labels: Ints,
    grades: int,
    *,
    known: Ints | None = None,
    smoothing: float = 0.0,
    tolerance: float = 1e-9,
) -> Estimate:
    """Return the chances of each document's true grade.

    Parameters
    ----------
    labels
        The grades 0, 1, ... that judges gave, [judge, document]; NONE where there is none.
    grades
        How many grades there are.
    known
        The true grade of documents for which it is known; NONE for others.
    smoothing
        Added to every count of a judge's confusions.
    tolerance
        Stop when no chance changes by more than that.

    Notes
    -----
    It starts from the shares of votes for each grade.

    Examples
    --------
    The third judge contradicts the others, and is believed when saying the opposite:

    >>> import numpy as np
    >>> labels = np.array([[0, 0, 1, 1, -1], [0, 0, 1, 1, -1], [1, 1, 0, 0, 0]])
    >>> dawid_skene(labels, 2).chances.round(2)[-1].tolist()
    [0.0, 1.0]
    """
    fixed = np.full(labels.shape[1], NONE) if known is None else known
    patterns, times, which = _distinct(np.vstack([labels, fixed]))
    given, fixed = patterns[:-1], patterns[-1]
    chances = _pin(votes(given, grades), fixed)
    for rounds in range(1, _ROUNDS + 1):  # noqa: B007 - the last one is told
        prior = times @ chances / times.sum()
        confusion = confusions(given, chances * times[:, None], smoothing)
        found = _pin(_posterior(given, prior, confusion), fixed)
        moved = float(np.abs(found - chances).max())
        chances = found
        if moved <= tolerance:
            break
    return Estimate(chances[which], prior, confusion, rounds)


def votes(labels: Ints, grades: int, weights: Floats | None = None) -> Floats:
    """Return the shares of judges who gave each grade, [document, grade].

    Judges may have weights. A document without labels gets the mean of the others.
    """
    counts = np.zeros((labels.shape[1], grades))
    weights = np.ones(len(labels)) if weights is None else weights
    for row, weight in zip(labels, weights, strict=True):
        labeled = row != NONE
        counts[labeled, row[labeled]] += weight
    total = counts.sum(axis=1)
    shares = np.divide(counts, total[:, None], out=counts, where=total[:, None] > 0)
    shares[total == 0] = shares[total > 0].mean(axis=0) if (total > 0).any() else 1 / grades
    return shares


def _distinct(columns: Ints) -> tuple[Ints, Floats, Ints]:
    """Return the distinct columns, how often each occurs, and which of them each column is."""
    patterns, which, times = np.unique(columns, axis=1, return_inverse=True, return_counts=True)
    return patterns, times.astype(np.float64), which.ravel()


def _pin(chances: Floats, fixed: Ints) -> Floats:
    sure = fixed != NONE
    chances[sure] = 0.0
    chances[sure, fixed[sure]] = 1.0
    return chances


def confusions(given: Ints, weights: Floats, smoothing: float) -> Floats:
    """Return π of each judge from weights[document, true grade]."""
    grades = weights.shape[1]
    tables = np.zeros((len(given), grades, grades))
    for table, row in zip(tables, given, strict=True):
        for grade in range(grades):
            table[:, grade] = weights[row == grade].sum(axis=0)
    tables = np.maximum(tables + smoothing, _SMALLEST)
    return np.asarray(tables / tables.sum(axis=2, keepdims=True))


def _posterior(given: Ints, prior: Floats, confusion: Floats) -> Floats:
    logs = np.tile(np.log(np.maximum(prior, _SMALLEST)), (given.shape[1], 1))
    for row, table in zip(given, np.log(confusion), strict=True):
        labeled = row != NONE
        logs[labeled] += table.T[row[labeled]]
    logs -= logs.max(axis=1, keepdims=True)
    chances = np.exp(logs)
    return np.asarray(chances / chances.sum(axis=1, keepdims=True))
