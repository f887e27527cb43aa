"""Yilmaz & Robertson 2010, Table 5: whether nets are local optima of measures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradewise.arrays import Floats
from gradewise.jobs import Tell, do_all
from gradewise.learn.nets.ranker import NetRanker
from gradewise.learn.studies.folds import Fold
from gradewise.learn.studies.local_optimality import local_optimality
from gradewise.learn.studies.trials import name_of
from gradewise.report.figures.reproduced import side_by_side
from gradewise.reproduce.result import Property, Section
from gradewise.reproduce.yilmaz_sets import PAIRS, Sets, Work, named
from gradewise.tables import Table

_OPTIMA = {"AP": (325, 0, 271, 0), "P@10": (252, 0, 539, 15)}
_OPTIMA |= {"nDCG": (226, 0, 590, 17), "nDCG@10": (150, 0, 670, 22)}


@dataclass(frozen=True)
class _Search:
    """Train for an objective, and search around the net for points that a measure prefers."""

    objective: str
    measure: str
    options: tuple[tuple[str, Any], ...]
    directions: int
    seed: int

    @property
    def _ranker(self) -> NetRanker:
        return NetRanker(
            "lambdarank",
            self.objective,
            eval_measure=self.objective,
            random_state=self.seed,
            **dict(self.options),
        )

    @property
    def amount(self) -> int:
        """Epochs, and directions in the training set and in the test set."""
        return len(self._ranker.rates()) * self._ranker.epochs + 2 * self.directions

    def name(self, shared: Fold) -> str:
        """Return a name that changes with all of this and with the data."""
        return name_of(self, shared)

    def do(self, shared: Fold, tell: Tell) -> dict[str, Floats]:
        """Return how many points are better, and much better, in both sets; and the cases."""
        ranker = self._ranker.fit(shared.train, eval_set=[shared.validation], progress=tell)
        found = [
            local_optimality(
                ranker,
                part,
                self.measure,
                directions=self.directions,
                seed=self.seed,
                progress=tell,
            )
            for part in (shared.train, shared.test)
        ]
        better = [number for each in found for number in (each.better, each.much_better)]
        return {"better": np.array(better, np.float64), "cases": np.array([found[0].change.size])}


def table_5(sets: Sets, work: Work) -> list[Section]:
    """Return how many points around the weights are better, on both sets."""
    options = tuple(sets.training("lambdarank").items())
    searches = [
        _Search(objective, pair[1], options, sets.size.directions, sets.seed)
        for pair in PAIRS
        for objective in pair
    ]
    return [
        _optimality_section(name, searches, do_all(searches, folds[0], **work.options))
        for name, folds, _ in named(sets)
    ]


def _optimality_section(
    name: str, searches: Sequence[_Search], results: Sequence[dict[str, Floats]]
) -> Section:
    """Return counts of better points around the weights, in training and in testing."""
    rows, names, printed, ours = [], [], [], []
    counts = {}
    for search, result in zip(searches, results, strict=True):
        objective, found = search.objective, [int(number) for number in result["better"]]
        counts[objective] = found
        cells = [f"{p} / {o}" for p, o in zip(_OPTIMA[objective], found, strict=True)]
        rows.append([objective, search.measure, *cells])
        for place, where in ((0, "train"), (2, "test")):
            names.append(f"{objective}, {where}")
            printed.append(float(_OPTIMA[objective][place]))
            ours.append(float(found[place]))
    cases = int(results[0]["cases"][0])
    claims = [
        Property(
            f"in the test set, fewer points are better by {test} around the net trained for "
            f"{informative} than around that trained for {test}, as in the paper",
            counts[informative][2] < counts[test][2],
            f"{counts[informative][2]:,} and {counts[test][2]:,} of {cases:,}",
            necessary=False,
        )
        for informative, test in PAIRS
    ]
    title = f"Yilmaz & Robertson (2010), method of Table 5 on {name}: better points, paper / ours"
    return Section(
        "table5",
        f"{title}, of 4,600 and {cases:,}",
        Table(
            ["trained for", "tested with", "train > 0", "> .003", "test > 0", "> .003"],
            rows,
            labels=2,
        ),
        properties=tuple(claims),
        chart=lambda: side_by_side(names, printed, ours, [None] * len(names), title),
    )
