"""How many random samples a test takes, and what so many can decide.

With B samples the smallest p is 1 / (B + 1). Corrected for m pairs, it is m times as large (Holm,
Bonferroni; Benjamini and Hochberg if it is the only small one), so below m / α samples no
difference can be significant. By default twice as many are taken, at least 10,000 and at most
1,000,000: B = min(max(10,000, 2 m / α), 1,000,000).
"""

from math import ceil

import numpy as np

from gradewise.choices import Choice
from gradewise.errors import counted
from gradewise.stats.resampling import REPLICATES
from gradewise.stats.tests import SignificanceTest

MOST_REPLICATES = 1_000_000


def choose_replicates(correction: Choice, pairs: int, alpha: float) -> int:
    """Return how many samples let the smallest p survive a correction for so many pairs.

    Examples
    --------
    >>> from gradewise.stats.corrections import CORRECTIONS
    >>> choose_replicates(CORRECTIONS["holm"], 861, 0.05)
    34440
    >>> choose_replicates(CORRECTIONS["none"], 861, 0.05)
    10000
    """
    enough = ceil(2 * _penalty(correction, pairs) / alpha - 1e-6)
    return min(max(REPLICATES, enough), MOST_REPLICATES)


def note_on_power(
    test: SignificanceTest,
    correction: Choice,
    *,
    pairs: int,
    topics: int,
    replicates: int,
    alpha: float,
) -> str | None:
    """Return a sentence if no difference, or no single one, can be significant."""
    least = test.least(topics, replicates)
    penalty = _penalty(correction, pairs)
    if least * penalty <= alpha:
        return None
    family = f"with {counted(pairs, 'pair')} and {correction.title}"
    draws = test.draws(topics, replicates)
    few = f"{replicates:,} replicates" if draws else f"a {test.title}"
    where = "" if draws else f" over {counted(topics, 'topic')}, whose p is at least {least:.2g},"
    fix = (
        f"; use {ceil(penalty / alpha - 1e-6) - 1:,} replicates or more"
        if draws
        else "; use more topics, fewer runs or another test"
    )
    if float(correction.function(np.full(pairs, least))[0]) > alpha:
        return f"{family}, {few}{where} cannot show any difference{fix}"
    together = ceil(least * pairs / alpha - 1e-6)
    return f"{family}, {few}{where} cannot show fewer than {together} differences{fix}"


def _penalty(correction: Choice, pairs: int) -> float:
    """Return the factor by which a correction raises a p that alone is small."""
    p = np.ones(pairs)
    p[0] = 1 / (2 * pairs)
    return float(correction.function(p)[0] / p[0])
