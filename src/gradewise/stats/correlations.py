"""Rank correlations between scores, for any number of pairs of scorings at once.

Items, usually runs, lie along the last axis, and higher scores are better. Scores that differ only
by the noise of the computation are tied. A correlation is NaN where it is undefined because a
scoring gives all items the same score.
"""

from functools import partial
from typing import Literal

import numpy as np

from gradewise.arrays import Floats
from gradewise.choices import Choice, choose
from gradewise.errors import OptionError, check_between, check_choice
from gradewise.noise import merge_ties
from gradewise.stats.resampling import topic_weights

Correlation = Literal["tau", "tau_a", "tau_ap", "spearman", "pearson"]


def kendall_tau(x: Floats, y: Floats, *, variant: Literal["a", "b"] = "b") -> Floats:
    """Return Kendall's τ along the last axis.

    Concordant minus discordant pairs, divided by the number of pairs (variant "a"), or by
    √(pairs not tied in x · pairs not tied in y) (variant "b", which is 1 for equal rankings with
    ties). Pairs tied in x or y are neither concordant nor discordant.

    Examples
    --------
    >>> import numpy as np
    >>> kendall_tau(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])).round(4).item()
    0.3333
    """
    check_choice("variant", variant, ("a", "b"))
    x, y = _same_items(x, y, tied=True)
    a, b = np.triu_indices(x.shape[-1], 1)
    up, right = np.sign(x[..., a] - x[..., b]), np.sign(y[..., a] - y[..., b])
    agreeing = (up * right).sum(axis=-1)
    if variant == "a":
        return agreeing / len(a)
    return _divide(agreeing, np.sqrt((up != 0).sum(axis=-1) * (right != 0).sum(axis=-1)))


def tau_matrix(scorings: Floats) -> Floats:
    """Return Kendall's τ-b between all pairs of scorings, given as (scorings, items).

    It is one matrix product of the signs of all differences, not a call for each pair.
    """
    scorings = merge_ties(scorings)
    a, b = np.triu_indices(scorings.shape[1], 1)
    signs = np.sign(scorings[:, a] - scorings[:, b])
    apart = (signs != 0).sum(axis=1)
    return _divide(signs @ signs.T, np.sqrt(np.outer(apart, apart)))


def ap_tau(x: Floats, y: Floats) -> Floats:
    """Return the AP correlation of x with the reference y (Yilmaz, Aslam and Robertson 2008).

    τ_AP = 2/(N-1) · Σ_{i=2..N} C(i)/(i-1) - 1, where C(i) counts the items above rank i of x that
    y also ranks above it: mistakes at the top weigh more. It is not symmetric. For items tied in
    x, the mean over all their orders is returned; a pair tied in y counts one half.

    Examples
    --------
    >>> import numpy as np
    >>> ap_tau(np.array([3.0, 2.0, 1.0]), np.array([2.0, 3.0, 1.0])).item()
    0.0
    """
    x, y = _same_items(x, y, tied=True)
    items = x.shape[-1]
    right = (np.sign(y[..., :, None] - y[..., None, :]) + 1) / 2  # of j above i, [..., j, i]
    above = x[..., :, None] > x[..., None, :]
    tied = (x[..., :, None] == x[..., None, :]) & ~np.eye(items, dtype=bool)
    higher, group = above.sum(axis=-2), tied.sum(axis=-2) + 1
    sure, chance = (above * right).sum(axis=-2), (tied * right).sum(axis=-2)
    # An item of a tied group stands at rank higher + p for p = 1..group with even chances, with
    # p - 1 of its group above: [sure + (p-1)/(group-1) · chance] / (higher + p - 1).
    inverse = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, items + 1))])
    ranks = np.maximum(higher, 1)
    sums = inverse[higher + group - 1] - inverse[ranks - 1]  # Σ_p 1/(higher + p - 1)
    places = np.where(higher == 0, group - 1, group)  # the first rank of all has nothing above
    weighted = places - ranks * sums + np.where(higher == 0, sums, 0.0)
    share = chance / np.maximum(group - 1, 1)
    total = ((sure * sums + share * weighted) / group).sum(axis=-1)
    return 2 / (items - 1) * total - 1


def spearman(x: Floats, y: Floats) -> Floats:
    """Return Spearman's ρ along the last axis: the correlation of mean ranks.

    Examples
    --------
    >>> import numpy as np
    >>> spearman(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])).round(4).item()
    0.5
    """
    x, y = _same_items(x, y, tied=True)
    return _product_moment(_centered_ranks(x), _centered_ranks(y))


def pearson(x: Floats, y: Floats) -> Floats:
    """Return Pearson's r along the last axis: the linear correlation of the scores themselves.

    Examples
    --------
    >>> import numpy as np
    >>> pearson(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 5.0])).round(4).item()
    0.9608
    """
    x, y = _same_items(x, y, tied=True)
    alike = [(side == side[..., :1]).all(axis=-1, keepdims=True) for side in (x, y)]
    centered = [
        np.where(same, 0.0, side - side.mean(axis=-1, keepdims=True))
        for side, same in zip((x, y), alike, strict=True)
    ]
    return np.clip(_product_moment(*centered), -1.0, 1.0)


def rms_difference(x: Floats, y: Floats) -> Floats:
    """Return the root mean square of x - y along the last axis."""
    x, y = _same_items(x, y)
    return np.sqrt(((x - y) ** 2).mean(axis=-1))


def correlate(x: Floats, y: Floats, kind: Correlation = "tau") -> Floats:
    """Return a correlation by name: "tau" (τ-b), "tau_a", "tau_ap", "spearman" or "pearson"."""
    found: Floats = choose("correlation", kind, CORRELATIONS).function(x, y)
    return found


def correlation_interval(
    x: Floats,
    y: Floats,
    *,
    kind: Correlation = "tau",
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> tuple[float, float]:
    """Return a bootstrap interval, over topics, of the correlation between two measures' means.

    Parameters
    ----------
    x, y
        Values of two measures for the same runs and topics, shape (runs, topics).
    kind
        "tau" (τ-b), "tau_a", "tau_ap", "spearman" or "pearson".
    level, replicates, seed
        Confidence level, number of bootstrap samples of topics, and random seed.
    """
    check_between(0, 1, level=level)
    weights = topic_weights(x.shape[1], replicates=replicates, seed=seed) / x.shape[1]
    found = np.concatenate(
        [
            correlate(part @ x.T, part @ y.T, kind)
            for part in np.array_split(weights, max(1, len(weights) * len(x) ** 2 >> 22))
        ]
    )
    found = found[~np.isnan(found)]
    if not len(found):
        return np.nan, np.nan
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _same_items(x: Floats, y: Floats, *, tied: bool = False) -> tuple[Floats, Floats]:
    """Return two scorings, checked, and with ties merged if asked."""
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if x.shape[-1] != y.shape[-1]:
        raise OptionError(
            f"the two scorings must have the same items, but have {x.shape[-1]} and {y.shape[-1]}"
        )
    if x.shape[-1] < 2:
        raise OptionError(f"a correlation needs at least 2 items, not {x.shape[-1]}")
    return (merge_ties(x), merge_ties(y)) if tied else (x, y)


def _product_moment(left: Floats, right: Floats) -> Floats:
    """Return the correlation of centered values."""
    spread = np.sqrt((left**2).sum(axis=-1) * (right**2).sum(axis=-1))
    return _divide((left * right).sum(axis=-1), spread)


def _centered_ranks(values: Floats) -> Floats:
    ordered = np.sort(values, axis=-1)
    flat, sides = values.reshape(-1, values.shape[-1]), ordered.reshape(-1, values.shape[-1])
    ranks = [
        np.searchsorted(s, v, "left") + np.searchsorted(s, v, "right")
        for s, v in zip(sides, flat, strict=True)
    ]
    doubled = np.array(ranks, np.float64).reshape(values.shape)
    return doubled - doubled.mean(axis=-1, keepdims=True)


def _divide(value: Floats, by: Floats) -> Floats:
    return np.divide(value, by, out=np.full(np.shape(value), np.nan), where=by > 0)


CORRELATIONS: dict[Correlation, Choice] = {
    "tau": Choice(kendall_tau, "Kendall's tau-b"),
    "tau_a": Choice(partial(kendall_tau, variant="a"), "Kendall's tau-a"),
    "tau_ap": Choice(ap_tau, "AP correlation"),
    "spearman": Choice(spearman, "Spearman's rho"),
    "pearson": Choice(pearson, "Pearson's r, of the values"),
}
