"""Two judges on one scale: how often which grades meet, topic by topic."""

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from gradewise.arrays import Bools, Floats, Ints, distinct
from gradewise.choices import Choice
from gradewise.errors import InputError
from gradewise.meta.judging.panel import NONE, Panel, count_table
from gradewise.meta.judging.scales import ScaleMap, fit_map, same_scale
from gradewise.stats.agreement import (
    cohen_kappa,
    gwet_ac,
    krippendorff_alpha,
    overlap,
    raw_agreement,
)

Statistic = Literal[
    "agreement", "kappa", "kappa_linear", "kappa_quadratic", "alpha", "ac1", "ac2", "overlap"
]


@dataclass(frozen=True, eq=False)
class PairLabels:
    """The labels of two judges, as levels of a scale that both have; NONE where there is none.

    The scale is that of the judge with fewer grades, to which the other's grades are mapped.
    """

    names: tuple[str, str]
    scale: Ints
    first: Ints
    second: Ints
    note: str = ""

    @property
    def both(self) -> Bools:
        """Which documents both have labeled."""
        return (self.first != NONE) & (self.second != NONE)

    def tables(self, group: Ints, groups: int) -> Ints:
        """Count pairs of grades for each group of documents, [group, grade, grade]."""
        size, both = len(self.scale), self.both
        cell = (group[both] * size + self.first[both]) * size + self.second[both]
        return np.bincount(cell, minlength=groups * size**2).reshape(groups, size, size)


def pair_labels(panel: Panel, first: str, second: str) -> PairLabels:
    """Return the labels of two judges on the coarser of their scales."""
    a, b = panel.place_of(first), panel.place_of(second)
    scales, labels = (panel.own_scales[a], panel.own_scales[b]), [panel.own[a], panel.own[b]]
    if not ((labels[0] != NONE) & (labels[1] != NONE)).any():
        raise InputError(f"{first} and {second} labeled no documents in common")
    if same_scale(scales[0], scales[1]) or same_scale(scales[1], scales[0]):
        shared = distinct(np.concatenate(scales))
        places = [np.searchsorted(shared, scale) for scale in scales]
        moved = [_moved(*each) for each in zip(labels, places, strict=True)]
        return PairLabels((first, second), shared, moved[0], moved[1])
    finer = 0 if len(scales[0]) >= len(scales[1]) else 1
    coarse = scales[1 - finer]
    table = count_table(labels[finer], labels[1 - finer], len(scales[finer]), len(coarse))
    fitted = fit_map(table)
    labels[finer] = _moved(labels[finer], fitted)
    note = _told((first, second)[finer], scales[finer], coarse[fitted])
    return PairLabels((first, second), coarse, labels[0], labels[1], note)


def _moved(levels: Ints, places: Ints) -> Ints:
    return np.where(levels == NONE, NONE, places[levels])


def _told(name: str, grades: Ints, becomes: Ints) -> str:
    """Say what became of the grades: "grades of people: 0 1 as 0, 2 3 as 1"."""
    held = ScaleMap("fitted", dict(zip(grades.tolist(), becomes.tolist(), strict=True)))
    return f"grades of {name}: {held}"


def _alpha(table: Floats | Ints) -> Floats:
    return krippendorff_alpha(table + np.swapaxes(table, -1, -2))


# Of tables [..., grade, grade]; the overlap is averaged over topics instead.
STATISTICS: dict[Statistic, Choice] = {
    "agreement": Choice(raw_agreement, "share of equal grades"),
    "kappa": Choice(cohen_kappa, "Cohen's kappa"),
    "kappa_linear": Choice(partial(cohen_kappa, weights="linear"), "kappa, linear weights"),
    "kappa_quadratic": Choice(
        partial(cohen_kappa, weights="quadratic"), "kappa, quadratic weights"
    ),
    "alpha": Choice(_alpha, "Krippendorff's alpha for ordinal grades"),
    "ac1": Choice(gwet_ac, "Gwet's AC1"),
    "ac2": Choice(partial(gwet_ac, weights="quadratic"), "Gwet's AC2, quadratic weights"),
    "overlap": Choice(overlap, "relevant for both, of relevant for either; mean over topics"),
}


def describe_tables(tables: Ints, weights: Ints) -> Floats:
    """Return all statistics of samples of groups, [sample, statistic].

    `tables[group]` are those of topics, `weights[sample, group]` how often each is drawn.
    """
    pooled = np.tensordot(weights, tables, axes=1)
    by_topic = overlap(tables)
    known = ~np.isnan(by_topic)
    drawn = weights[:, known].astype(np.float64)
    number = drawn.sum(axis=1)
    mean = np.divide(
        drawn @ by_topic[known], number, out=np.full(len(drawn), np.nan), where=number > 0
    )
    found = [
        mean if name == "overlap" else choice.function(pooled)
        for name, choice in STATISTICS.items()
    ]
    return np.stack(found, axis=1)
