"""What Kishida's text derives, on all lists of a few documents."""

from itertools import product

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.one_list import judge_list
from gradewise.measures.grammar import parse_measure
from gradewise.measures.measure import lists_of_levels
from gradewise.meta.derivatives import derivatives
from gradewise.noise import NOISE
from gradewise.reproduce.kishida_patterns import INDICATORS, list_patterns
from gradewise.reproduce.result import Property

_LENGTH, _HALF = 8, 4  # of the binary lists that are enumerated; R for R-precision
_JUDGED = 10  # documents whose judgments are enumerated, as many as the paper simulates
_PATTERNS = np.array(list(product((0, 1), repeat=_LENGTH)))


def about_added_documents() -> list[Property]:
    """Check section 2.2: what a document adds if it becomes relevant, by its rank."""
    gains = _gains_by_rank("AP", _LENGTH)
    falls = gains[:, :-1] - gains[:, 1:]
    falls = falls[np.isfinite(falls)]
    last = [_gain_at_last_rank(relevant) for relevant in range(1, _LENGTH + 1)]
    apart = max(float(np.abs(part - 1 / _LENGTH).max()) for part in last)
    precision = _gains_by_rank("Rprec", _HALF)
    above, below = np.split(precision, [_HALF], axis=1)
    return [
        Property(
            "a relevant document adds more to AP at rank j than at rank j + 1 (eq 11)",
            bool((falls > 0).all()),
            f"all {len(falls)} cases in lists of {_LENGTH}; smallest difference {falls.min():.4f}",
        ),
        Property(
            "at the last rank N, below all others, it adds 1/N to AP",
            apart <= NOISE,
            f"{sum(map(len, last))} lists of {_LENGTH}; off by {apart:.1e}",
        ),
        Property(
            "to R-precision it adds 1/R at every rank down to R",
            bool(np.nanmax(np.abs(above - 1 / _HALF)) <= NOISE),
            f"{np.nanmin(above):.3f} to {np.nanmax(above):.3f} with R = {_HALF}",
        ),
        Property(
            "it does so whatever its rank, as the text says",
            bool(np.nanmax(np.abs(below - 1 / _HALF)) <= NOISE),
            f"{np.nanmax(below):.3f} at ranks {_HALF + 1} to {_LENGTH} with R = {_HALF}",
            necessary=False,
        ),
    ]


def _values(measure: str, relevant: int, patterns: Floats) -> Floats:
    lists = lists_of_levels(judge_list([], {1: relevant}), patterns.astype(np.int64))
    return parse_measure(measure).values(lists)


def _gains_by_rank(measure: str, relevant: int) -> Floats:
    """Return what making rank j relevant adds, for all lists; not a number where it is already.

    R stays the same, as the paper assumes.
    """
    before = _values(measure, relevant, _PATTERNS)
    gains = np.full(_PATTERNS.shape, np.nan)
    for rank in range(_LENGTH):
        changed = _PATTERNS.copy()
        changed[:, rank] = 1
        after = _values(measure, relevant, changed)
        gains[:, rank] = np.where(_PATTERNS[:, rank] == 0, after - before, np.nan)
    return gains


def _gain_at_last_rank(relevant: int) -> Floats:
    """Return what the last rank adds if R documents are relevant with it."""
    before = _PATTERNS[(_PATTERNS.sum(axis=1) == relevant - 1) & (_PATTERNS[:, -1] == 0)]
    after = before.copy()
    after[:, -1] = 1
    return _values("AP", relevant, after) - _values("AP", relevant, before)


def about_total_variance() -> Property:
    """Check eq 24: all probabilities of relevance, and all judgments, of ten documents.

    A document is relevant with chance θ or 1 - θ, at even odds. Whatever θ is, all judgments are
    then equally likely, and the two variances add up to the same.
    """
    lists = np.array(list(product((0, 1), repeat=_JUDGED)))
    values = np.array([_average_precision(pattern) for pattern in lists])
    sums = []
    for theta in (0.9, 0.5):
        chance = np.where(lists == 1, theta, 1 - theta)
        weight = np.stack([np.where(x == 1, chance, 1 - chance).prod(axis=1) for x in lists], 1)
        mean = weight @ values
        within = weight @ values**2 - mean**2
        sums.append(float(within.mean() + mean.var()))
    apart = float(np.abs(np.array(sums) - values.var()).max())
    return Property(
        "the two variances add up to the whole one (eq 24), the same for every theta",
        apart <= NOISE,
        f"{sums[0]:.6f}, {sums[1]:.6f} and {values.var():.6f} over all lists of {_JUDGED}; "
        f"off by {apart:.1e}",
    )


def _average_precision(pattern: Floats) -> float:
    """Return AP if the relevant documents of a list are all that there are."""
    ranks = np.flatnonzero(pattern) + 1
    return float((np.arange(1, len(ranks) + 1) / ranks).mean()) if len(ranks) else 0.0


def about_derivatives() -> Property:
    """Check sections 4.1.2 to 4.2: derivatives (eq 28, 33, 36 and 43) fall with the rank."""
    falls = []
    for pattern in list_patterns():
        frame = derivatives(judge_list(pattern, {1: 1, 2: 1, 3: 1}), INDICATORS)
        for (_,), part in frame.group_by("measure", maintain_order=True):
            found = part["derivative"].drop_nulls().to_numpy()
            falls.append(found[:-1] - found[1:])
    steps = np.concatenate(falls)
    return Property(
        "for each indicator, the derivative by the gain of a document falls with its rank",
        bool((steps > 0).all()),
        f"all {len(steps)} steps in {len(list_patterns())} patterns; smallest {steps.min():.4f}",
    )
