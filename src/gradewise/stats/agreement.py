"""Agreement between judges beyond chance, from tables of how often which grades meet.

Tables and counts are additive over topics, so that one call serves a collection, each of its topics
and any number of bootstrap samples: all functions work along the last axes. A coefficient is NaN
where it is undefined because only one grade occurs.
"""

from typing import Literal

import numpy as np

from gradewise.arrays import Floats, Ints, quotient
from gradewise.choices import Choice, choose

Distances = Literal["plain", "linear", "quadratic"]
Metric = Literal["nominal", "ordinal", "interval"]


def raw_agreement(table: Floats | Ints) -> Floats:
    """Return the share of documents on the diagonal of tables, shape (..., grades, grades).

    Examples
    --------
    >>> import numpy as np
    >>> raw_agreement(np.array([[3, 1], [0, 4]])).item()
    0.875
    """
    return quotient(np.trace(table, axis1=-2, axis2=-1), table.sum(axis=(-2, -1)))


def cohen_kappa(table: Floats | Ints, *, weights: Distances = "plain") -> Floats:
    """Return Cohen's κ of two judges.

    1 minus the observed disagreement over that expected if both kept their shares of each grade but
    judged independently.

    Parameters
    ----------
    table
        How many documents got grade i from one judge and grade j from the other, [..., i, j].
    weights
        How far apart two grades are: "plain" (0 or 1), "linear" (|i - j|) or "quadratic"
        ((i - j)²), counted in steps of the scale.

    Examples
    --------
    >>> import numpy as np
    >>> cohen_kappa(np.array([[20, 5], [10, 15]])).round(4).item()
    0.4
    """
    apart: Floats = choose("weights", weights, DISTANCES).function(table.shape[-1])
    total = table.sum(axis=(-2, -1))
    rows, columns = table.sum(axis=-1), table.sum(axis=-2)
    seen = (table * apart).sum(axis=(-2, -1)) * total
    expected = np.einsum("...i,ij,...j->...", rows, apart, columns)
    return 1 - quotient(seen, expected)


def krippendorff_alpha(coincidences: Floats | Ints, *, metric: Metric = "ordinal") -> Floats:
    """Return Krippendorff's α for any number of judges, with labels missing.

    Parameters
    ----------
    coincidences
        Pairs of labels that meet in a document, from `count_coincidences`; of two judges, the table
        plus its transpose.
    metric
        The squared difference of two grades: "nominal" (0 or 1), "interval" ((i - j)²) or
        "ordinal", (n_i/2 + n_{i+1} + ... + n_j/2)², where n counts the labels of each grade.

    Examples
    --------
    >>> import numpy as np
    >>> table = np.array([[20, 5], [10, 15]])
    >>> krippendorff_alpha(table + table.T).round(4).item()
    0.4
    """
    sizes = coincidences.sum(axis=-1)
    total = sizes.sum(axis=-1)
    apart: Floats = choose("metric", metric, METRICS).function(sizes)
    seen = (coincidences * apart).sum(axis=(-2, -1)) * (total - 1)
    expected = np.einsum("...i,...ij,...j->...", sizes, apart, sizes)
    return 1 - quotient(seen, expected)


def gwet_ac(table: Floats | Ints, *, weights: Distances = "plain") -> Floats:
    """Return Gwet's AC1 of two judges, or AC2 if grades have weights.

    Chance agreement is T/(q(q-1)) · Σ_k π_k(1 - π_k), where π_k is the mean share of grade k, q the
    number of grades and T the sum of the weights, which are 1 minus the distance over the largest.
    Unlike κ, it stays near the raw agreement when almost all documents have one grade.

    Parameters
    ----------
    table, weights
        As for `cohen_kappa`.

    Examples
    --------
    >>> import numpy as np
    >>> gwet_ac(np.array([[118, 5], [2, 0]])).round(4).item()
    0.9408
    """
    likeness = _likeness(table.shape[-1], weights)
    total = table.sum(axis=(-2, -1))
    shares = quotient(table.sum(axis=-1) + table.sum(axis=-2), 2 * total[..., None])
    return _beyond_chance(quotient((table * likeness).sum(axis=(-2, -1)), total), shares, likeness)


def gwet_ac_of_counts(
    agreeing: Floats, pairs: Floats | Ints, shares: Floats, *, weights: Distances = "plain"
) -> Floats:
    """Return Gwet's AC for any number of judges, from sums over documents.

    Parameters
    ----------
    agreeing
        The sum over documents with at least two labels of how alike two of them are on average.
    pairs
        How many such documents there are.
    shares
        The sum over all documents of the share of each grade among their labels, [..., grade].
    weights
        As for `cohen_kappa`.
    """
    likeness = _likeness(shares.shape[-1], weights)
    mean = quotient(shares, shares.sum(axis=-1)[..., None])
    return _beyond_chance(quotient(agreeing, pairs), mean, likeness)


def count_coincidences(counts: Ints) -> Floats:
    """Return the pairs of labels that meet in each document, [document, grade, grade].

    `counts[d, k]` says how many judges gave document d grade k. A document with m labels adds m
    pairs' worth: each ordered pair of its labels counts 1/(m - 1); with one label it adds none.
    """
    labels = counts.sum(axis=1)
    pairs = counts[:, :, None] * counts[:, None, :].astype(np.float64)
    grade = np.arange(counts.shape[1])
    pairs[:, grade, grade] -= counts
    return pairs * quotient(1.0, labels - 1.0, 0.0)[:, None, None]


def likeness_of_labels(counts: Ints, *, weights: Distances = "plain") -> Floats:
    """Return how alike two labels of each document are on average; NaN if it has fewer than two."""
    likeness = _likeness(counts.shape[1], weights)
    labels = counts.sum(axis=1)
    alike = np.einsum("di,ij,dj->d", counts, likeness, counts) - labels
    return quotient(alike, labels * (labels - 1.0))


def overlap(table: Floats | Ints) -> Floats:
    """Return how many documents both judges call relevant, as a share of those that either does.

    Examples
    --------
    >>> import numpy as np
    >>> overlap(np.array([[50, 10], [20, 20]])).item()
    0.4
    """
    return quotient(
        table[..., 1:, 1:].sum(axis=(-2, -1)), table.sum(axis=(-2, -1)) - table[..., 0, 0]
    )


def _beyond_chance(seen: Floats, shares: Floats, likeness: Floats) -> Floats:
    grades = shares.shape[-1]
    if grades < 2:
        return np.full(np.shape(seen), np.nan)
    chance = likeness.sum() / (grades * (grades - 1)) * (shares * (1 - shares)).sum(axis=-1)
    return quotient(seen - chance, 1 - chance)


def _likeness(grades: int, weights: Distances) -> Floats:
    apart: Floats = choose("weights", weights, DISTANCES).function(grades)
    return 1 - apart / max(float(apart.max(initial=0.0)), 1.0)


def _steps(grades: int) -> Floats:
    grade = np.arange(grades, dtype=np.float64)
    return np.abs(grade[:, None] - grade)


def _ordinal(sizes: Floats) -> Floats:
    """Return (labels from one grade to another, half of those at the ends)²."""
    middle = np.cumsum(sizes, axis=-1) - sizes / 2
    return np.asarray((middle[..., :, None] - middle[..., None, :]) ** 2)


DISTANCES: dict[Distances, Choice] = {
    "plain": Choice(lambda grades: 1 - np.eye(grades), "equal or not"),
    "linear": Choice(_steps, "steps between grades"),
    "quadratic": Choice(lambda grades: _steps(grades) ** 2, "squared steps between grades"),
}
METRICS: dict[Metric, Choice] = {
    "nominal": Choice(lambda sizes: 1 - np.eye(sizes.shape[-1]), "equal or not"),
    "ordinal": Choice(_ordinal, "labels between grades"),
    "interval": Choice(lambda sizes: _steps(sizes.shape[-1]) ** 2, "squared steps"),
}
