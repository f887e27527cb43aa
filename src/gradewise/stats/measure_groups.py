"""How runs compare on groups of topics under one measure: the numbers and what they say."""

from dataclasses import dataclass, field

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.attributes import Attribute
from gradewise.errors import counted
from gradewise.libraries import pl
from gradewise.measures.measure import Measure


@dataclass(frozen=True, eq=False)
class MeasureGroups:
    """How runs compare on groups of topics by one measure.

    Runs are ordered best first over all topics. Pair k consists of the runs `first[k]` and
    `second[k]`; arrays are [pair, group], with the groups of all attributes one after the other.
    `mean` is [run, group]. P-values are corrected for `tested` groups and `family` pairs.
    `interaction` is [pair, attribute]. `winners` are the best run of each group, and p of its lead
    over the best run of all topics.
    """

    measure: Measure
    runs: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    first: Ints
    second: Ints
    family: int
    tested: int
    topics: Ints
    mean: Floats
    difference: Floats
    low: Floats
    high: Floats
    p: Floats
    corrected: Floats
    wins: Ints
    ties: Ints
    losses: Ints
    interaction: Floats
    interaction_corrected: Floats
    alpha: float
    winners: tuple[Ints, Floats] = field(repr=False)

    @property
    def significant(self) -> Bools:
        """Which differences are significant, [pair, group]."""
        return np.asarray(self.corrected <= self.alpha)

    @property
    def depends(self) -> Bools:
        """Which differences depend on which attribute, [pair, attribute]."""
        return np.asarray(self.interaction_corrected <= self.alpha)

    @property
    def group_names(self) -> list[tuple[str, str]]:
        """The attribute and the group in each column."""
        return [(each.name, group) for each in self.attributes for group in each.groups]

    def findings(self, pair: int = 0) -> tuple[str, str]:
        """Say where the first run of a pair is better, and whether it depends on an attribute."""
        return _where_better(self, pair), _dependence(self, pair)

    def groups_frame(self) -> "pl.DataFrame":
        """Return a row for each pair and group."""
        pairs, groups = self.difference.shape
        pair, group = (each.ravel() for each in np.indices((pairs, groups)))
        names = self.group_names
        first, second = self.first[pair], self.second[pair]
        return pl.DataFrame(
            {
                "measure": [str(self.measure)] * len(pair),
                "attribute": [names[place][0] for place in group],
                "group": [names[place][1] for place in group],
                "size": self.topics[group],
                "run_a": [self.runs[place] for place in first],
                "run_b": [self.runs[place] for place in second],
                "mean_a": self.mean[first, group],
                "mean_b": self.mean[second, group],
                **{name: getattr(self, name).ravel() for name in _NUMBERS},
                "p_corrected": self.corrected.ravel(),
                "significant": self.significant.ravel(),
            }
        )

    def interactions_frame(self) -> "pl.DataFrame":
        """Return a row for each pair and attribute."""
        pair, attribute = (each.ravel() for each in np.indices(self.interaction.shape))
        return pl.DataFrame(
            {
                "measure": [str(self.measure)] * len(pair),
                "attribute": [self.attributes[place].name for place in attribute],
                "run_a": [self.runs[place] for place in self.first[pair]],
                "run_b": [self.runs[place] for place in self.second[pair]],
                "p": self.interaction.ravel(),
                "p_corrected": self.interaction_corrected.ravel(),
                "significant": self.depends.ravel(),
            }
        )

    def winners_frame(self) -> "pl.DataFrame":
        """Return a row for each group: its best run, and its lead over the best run of all."""
        best, p = self.winners
        group, names = np.arange(len(best)), self.group_names
        pairs = len(self.runs) * (len(self.runs) - 1) // 2
        corrected = np.minimum(p * self.tested * pairs, 1.0)
        return pl.DataFrame(
            {
                "measure": [str(self.measure)] * len(best),
                "attribute": [attribute for attribute, _ in names],
                "group": [each for _, each in names],
                "size": self.topics,
                "best": [self.runs[place] for place in best],
                "mean": self.mean[best, group],
                "overall": [self.runs[0]] * len(best),
                "overall_mean": self.mean[0],
                "p_corrected": corrected,
                "significant": corrected <= self.alpha,
            }
        )


_NUMBERS = ("difference", "low", "high", "wins", "ties", "losses", "p")


def _where_better(part: MeasureGroups, pair: int) -> str:
    a, b = part.runs[part.first[pair]], part.runs[part.second[pair]]
    ahead = (part.difference[pair] > 0) == part.measure.higher_is_better
    real = part.significant[pair]
    up, down = int((real & ahead).sum()), int((real & ~ahead).sum())
    told = f"{part.measure}: {a} is significantly better than {b} in {up or 'none'} of "
    told += counted(part.tested, "group")
    return told + (f", and significantly worse in {down}." if down else ".")


def _dependence(part: MeasureGroups, pair: int) -> str:
    a, b = part.runs[part.first[pair]], part.runs[part.second[pair]]
    corrected = part.interaction_corrected[pair]
    family = counted(len(part.attributes), "attribute")
    family += "" if len(part.first) == 1 else f" and {counted(len(part.first), 'pair')}"
    test = f"Welch's test, corrected for {family}"
    named = [
        f"{each.name} (p {_equals(p)})"
        for each, p, real in zip(part.attributes, corrected, part.depends[pair], strict=True)
        if real
    ]
    if named:
        return f"The difference between {a} and {b} depends on {' and '.join(named)}; {test}."
    if np.isnan(corrected).all():
        return "Groups are too small to test whether the difference depends on them."
    return (
        f"No attribute changes the difference between {a} and {b} significantly: that it varies "
        f"from group to group may be due to the choice of topics ({test}; smallest p "
        f"{_equals(float(np.nanmin(corrected)))})."
    )


def _equals(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"= {p:.4f}"
