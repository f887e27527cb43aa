"""Tiers: the ranking of many runs, cut into a few parts that can be read.

Letters show every pair that does not differ, but many runs need more letters than anybody reads:
of 20 runs drawn from TREC-COVID, the one with most letters has 6 on average, of 30 runs 14. Tiers
show less. The first tier is the best run and all that follow down to the first that is
significantly worse than it; that run begins the second tier, and so on. So a tier answers the
question that is asked of a leaderboard, "which runs might be as good as the best one?", and asks it
again of the rest. Each comparison is between the first run of a tier and a run below it, by the
same corrected p-values as letters.

A tier is a part of the ranking, not a group of equals. Not to differ significantly is not
transitive, so no partition can show all pairs: the last run of a tier need not differ from the
first of the next, and two runs of one tier may differ if neither is its first. `tier_agreement`
says how often.
"""

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np

from gradewise.arrays import Bools, Ints
from gradewise.errors import check_choice

Groups = Literal["auto", "letters", "tiers"]
MOST_LETTERED: Final = 20  # runs; more are shown in tiers

RULE: Final = (
    "A tier starts at the first run that is significantly worse than the best run of the tier above"
)


def find_tiers(differs: Bools) -> Ints:
    """Return the tier of each run, from 1, given which pairs differ; runs come best first.

    Examples
    --------
    >>> import numpy as np
    >>> apart = np.zeros((4, 4), bool)
    >>> apart[0, 2:] = apart[2:, 0] = True
    >>> find_tiers(apart).tolist()
    [1, 1, 2, 2]
    """
    runs = len(differs)
    tiers = np.zeros(runs, np.int64)
    first, tier = 0, 0
    while first < runs:
        tier += 1
        worse = np.flatnonzero(differs[first, first:])
        after = first + int(worse[0]) if len(worse) else runs
        tiers[first:after] = tier
        first = after
    return tiers


@dataclass(frozen=True)
class TierAgreement:
    """How many pairs of runs lie in different tiers or in one, and how many of these differ."""

    apart: int
    apart_differing: int
    together: int
    together_differing: int


def tier_agreement(tiers: Ints, differs: Bools) -> TierAgreement:
    """Count the pairs in different tiers and in one tier, and those that differ significantly.

    Examples
    --------
    >>> import numpy as np
    >>> apart = np.zeros((3, 3), bool)
    >>> apart[0, 2] = apart[2, 0] = True
    >>> tier_agreement(find_tiers(apart), apart)
    TierAgreement(apart=2, apart_differing=1, together=1, together_differing=0)
    """
    pairs = np.triu_indices(len(tiers), 1)
    apart, differing = tiers[pairs[0]] != tiers[pairs[1]], differs[pairs]
    return TierAgreement(
        int(apart.sum()),
        int((apart & differing).sum()),
        int((~apart).sum()),
        int((~apart & differing).sum()),
    )


class GroupRule(NamedTuple):
    """How runs that do not differ are shown."""

    title: str


GROUPS: Final[dict[Groups, GroupRule]] = {
    "auto": GroupRule(f"letters for up to {MOST_LETTERED} runs, otherwise tiers"),
    "letters": GroupRule("runs that share a letter do not differ significantly"),
    "tiers": GroupRule("the ranking, cut at runs significantly worse than the best of a tier"),
}


def choose_groups(groups: Groups, runs: int) -> Literal["letters", "tiers"]:
    """Return what shows which of so many runs do not differ."""
    check_choice("groups", groups, GROUPS)
    if groups == "auto":
        return "letters" if runs <= MOST_LETTERED else "tiers"
    return groups
