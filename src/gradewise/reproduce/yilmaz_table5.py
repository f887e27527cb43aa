"""Yilmaz & Robertson 2010, Table 5: whether nets are local optima of measures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.jobs import Tell, do_all
from gradewise.learn.nets.ranker import NetRanker
from gradewise.learn.studies.folds import Fold
from gradewise.learn.studies.local_optimality import local_optimality
from gradewise.learn.studies.trials import name_of
from gradewise.report.figures.reproduced import side_by_side
from gradewise.reproduce.result import Property, Section
from gradewise.reproduce.yilmaz_printed import OPTIMA
from gradewise.reproduce.yilmaz_sets import PAIRS, Sets, Work, short
from gradewise.tables import Table

LONGER, RATES = 3, (0.001, 0.003)  # training goes on until the training set is learned


@dataclass(frozen=True)
class _Search:
    """Train for an objective, and search around the net for points that a measure prefers.

    The net is the best one in the training set, as in the paper; there is no validation.
    """

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
        ranker = self._ranker.fit(shared.train, progress=tell)
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
    drawn = [_counts(_some(fold, sets), seed, sets, work) for seed, fold in sets.simulated()]
    searched = min(sets.size.searched, sets.size.topics[2])
    name = f"{sets.title}, {searched} test topics of each"
    found = [_section(name, np.array(drawn), sets.size.directions)]
    if sets.sample:
        counts = [_counts(sets.sample[0], seed, sets, work) for seed in sets.sample_seeds]
        name = f"{len(sets.sample[0].test)} test topics of MSLR-WEB"
        found.append(_section(name, np.array(counts), sets.size.directions))
    return found


def _some(fold: Fold, sets: Sets) -> Fold:
    """Return a fold with fewer test topics, since searching takes long."""
    searched = range(min(sets.size.searched, len(fold.test)))
    return Fold(fold.train, fold.validation, fold.test.take(searched))


def _counts(fold: Fold, seed: int, sets: Sets, work: Work) -> Ints:
    """Return how many points are better, [objective, column of the paper]."""
    epochs = LONGER * sets.size.epochs
    options = (("epochs", epochs), ("learning_rate", RATES if sets.size.rates else None))
    searches = [
        _Search(objective, pair[1], options, sets.size.directions, seed)
        for pair in PAIRS
        for objective in pair
    ]
    results = do_all(searches, fold, **work.options)
    return np.array([result["better"] for result in results]).astype(np.int64)


def _section(name: str, counts: Ints, directions: int) -> Section:
    """Return means over seeds of `counts[seed, objective, column]`, with their range."""
    rows, names, printed, ours = [], [], [], []
    objectives = [objective for pair in PAIRS for objective in pair]
    for n, objective in enumerate(objectives):
        cells = [
            f"{paper} / {_mean(counts[:, n, column])}"
            for column, paper in enumerate(OPTIMA[objective])
        ]
        rows.append([short(objective), short(PAIRS[n // 2][1]), *cells])
        for column, where in ((0, "train"), (2, "test")):
            names.append(f"{short(objective)}, {where}")
            printed.append(float(OPTIMA[objective][column]))
            ours.append(float(counts[:, n, column].mean()))
    title = f"Yilmaz & Robertson (2010), method of Table 5 on {name}: better points, paper / ours"
    return Section(
        "table5",
        f"{title}, of 4,600 and {10 * directions:,}; mean over seeds, lowest and highest in "
        "brackets",
        Table(
            ["trained for", "tested with", "train > 0", "> .003", "test > 0", "> .003"],
            rows,
            labels=2,
        ),
        properties=(*_optimal(counts), *_compared(counts)),
        chart=lambda: side_by_side(names, printed, ours, [None] * len(names), title),
    )


def _mean(counts: Ints) -> str:
    return f"{counts.mean():,.0f} [{counts.min():,}, {counts.max():,}]"


def _optimal(counts: Ints) -> list[Property]:
    """Check that no point is better by more than .003, in training; and, for AP, in testing."""
    train, test = counts[:, :, 1], counts[:, 0, 3]
    return [
        Property(
            "in the training set, no point is better by more than .003 for any objective, as in "
            "the paper",
            not train.any(),
            f"{int((train == 0).sum())} of {train.size} nets have none, the worst has "
            f"{int(train.max()):,}",
            necessary=False,
        ),
        Property(
            "in the test set, there is none around the net trained for AP either, as in the paper",
            not test.any(),
            f"{int((test == 0).sum())} of {test.size} nets have none, the worst has "
            f"{int(test.max()):,}",
            necessary=False,
        ),
    ]


def _compared(counts: Ints) -> list[Property]:
    """Check that the informative objective has more better points in training, fewer in testing."""
    claims = []
    sides: Sequence[tuple[int, str, str]] = (
        (0, "training set, more points are better", "more"),
        (2, "test set, fewer points are better", "fewer"),
        (3, "test set, fewer points are better by more than .003", "fewer"),
    )
    for n, (informative, test) in enumerate(PAIRS):
        for column, where, sense in sides:
            first, second = counts[:, 2 * n, column], counts[:, 2 * n + 1, column]
            sign = 1 if sense == "more" else -1
            wins = sign * (first - second) > 0
            claims.append(
                Property(
                    f"by {short(test)} in the {where} around the net trained for "
                    f"{short(informative)} than for {short(test)}, as in the paper",
                    bool(sign * (first.mean() - second.mean()) > 0),
                    f"{first.mean():,.0f} and {second.mean():,.0f} on average, in "
                    f"{int(wins.sum())} of {len(wins)} seeds",
                    necessary=False,
                )
            )
    return claims
