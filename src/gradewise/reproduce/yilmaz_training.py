"""Yilmaz & Robertson 2010, Tables 2, 3 and 5 and Figure 4: training for what informs.

The paper's data are those of a commercial web search engine: 2,000 topics to train on, 1,000 for
validation and 2,000 to test on, 382 features, 5 grades. The protocol is applied to a simulated set
of the same size, and to a public sample of MSLR-WEB, which is small.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from gradewise.learn.cross_validation import CrossValidation, crossval
from gradewise.learn.folds import Fold, rotated, split
from gradewise.learn.net_ranker import NetRanker
from gradewise.learn.normalise import normalised
from gradewise.learn.optimality import LocalOptimality, local_optimality
from gradewise.learn.simulate import simulate_features
from gradewise.learn.study import DataStudy, data_study
from gradewise.learn.training import Algorithm
from gradewise.report.figures.learning import study_curves
from gradewise.report.figures.reproduced import side_by_side
from gradewise.reproduce.collections import mslr_sample
from gradewise.reproduce.result import Property, Section
from gradewise.tables import Table

OBJECTIVES = ("AP", "P@10", "nDCG", "nDCG@10")
TESTS = ("AP", "P@10", "nDCG@10")
PAIRS = (("AP", "P@10"), ("nDCG", "nDCG@10"))
_PRINTED = {
    "table2": (
        ("62.91°", "54.96•", "63.03•"),
        ("62.28", "54.44", "62.24"),
        ("62.82", "54.92•", "62.98•"),
        ("62.30", "54.72•", "62.41"),
    ),
    "table3": (
        ("61.95°", "54.21°", "61.29"),
        ("59.99", "52.73", "61.81"),
        ("61.30", "53.27•", "62.90°"),
        ("60.82", "52.77", "62.37"),
    ),
}
_OPTIMA = {"AP": (325, 0, 271, 0), "P@10": (252, 0, 539, 15)}
_OPTIMA |= {"nDCG": (226, 0, 590, 17), "nDCG@10": (150, 0, 670, 22)}
SIGNIFICANT = "•"


@dataclass(frozen=True)
class Work:
    """How the work is done: processes, a folder for results, and who watches."""

    jobs: int = 1
    keep: str | None = None
    progress: Callable[[int], None] | None = None

    @property
    def options(self) -> dict[str, Any]:
        """The same as arguments."""
        return {"jobs": self.jobs, "keep": self.keep, "progress": self.progress}


@dataclass(frozen=True)
class Size:
    """How much of everything: topics to train, validate and test; documents, features, epochs."""

    topics: tuple[int, int, int] = (2000, 1000, 2000)
    documents: int = 40
    features: int = 382
    epochs: int = 300
    seeds: int = 1
    folds: int = 6  # of the sample of MSLR-WEB, with as many seeds as in
    sample_seeds: int = 5
    rates: bool = True  # whether learning rates are chosen by the validation topics
    few: tuple[int, int] = (9, 2)
    shares: tuple[float, ...] = (0.1, 0.25, 0.5, 1.0)
    directions: int = 460


QUICK = Size(
    topics=(30, 15, 30),
    documents=20,
    features=20,
    epochs=2,
    folds=3,
    sample_seeds=1,
    rates=False,
    shares=(0.5, 1.0),
    directions=10,
)
RATES: dict[Algorithm, tuple[float, ...]] = {
    "lambdarank": (0.001, 0.003, 0.01),
    "softrank": (0.03, 0.1, 0.3),
}


@dataclass(frozen=True)
class _Sets:
    """The two sets: a fold of simulated topics, and folds of MSLR-WEB's."""

    folder: Path
    size: Size
    seed: int

    def training(self, algorithm: Algorithm) -> dict[str, Any]:
        """Return epochs and learning rates."""
        rates = RATES[algorithm] if self.size.rates else None
        return {"epochs": self.size.epochs, "learning_rate": rates}

    @cached_property
    def simulated(self) -> Fold:
        parts = [
            simulate_features(
                topics, self.size.documents, self.size.features, seed=3 * self.seed + place
            )
            for place, topics in enumerate(self.size.topics)
        ]
        return Fold(*[normalised(part, "zscore") for part in parts])

    @cached_property
    def sample(self) -> list[Fold]:
        data = normalised(mslr_sample(self.folder), "zscore")
        return rotated(split(data, self.size.folds, seed=self.seed))


def trained_sections(
    folder: Path,
    parts: Sequence[str],
    work: Work,
    *,
    quick: bool = False,
    seed: int = 0,
    size: Size | None = None,
) -> list[Section]:
    """Return the parts asked for, on both sets."""
    size = size or (QUICK if quick else Size())
    sets = _Sets(folder, size, seed)
    found = []
    if "table2" in parts:
        found += _trained("table2", "lambdarank", sets, work)
    if "table3" in parts:
        found += _trained("table3", "softrank", sets, work)
    if "figure4" in parts:
        found += _figure_4(sets, work)
    if "table5" in parts:
        found += _table_5(sets, work)
    return found


def _named(sets: _Sets) -> list[tuple[str, Sequence[Fold], int]]:
    """Return what each set is called, its folds, and how many seeds it gets."""
    train, held, test = sets.size.topics
    simulated = f"{train:,}/{held:,}/{test:,} simulated topics"
    topics = sum(len(fold.test) for fold in sets.sample)
    return [
        (simulated, [sets.simulated], sets.size.seeds),
        (f"{topics} topics of MSLR-WEB", sets.sample, sets.size.sample_seeds),
    ]


def _trained(part: str, algorithm: Algorithm, sets: _Sets, work: Work) -> list[Section]:
    """Return Table 2 (LambdaRank) or 3 (SoftRank), in the papers' scale of 0 to 100."""
    found = []
    for name, folds, seeds in _named(sets):
        result = crossval(
            folds,
            algorithm,
            OBJECTIVES,
            TESTS,
            seeds=[sets.seed + n for n in range(seeds)],
            pair=("AP", "nDCG"),
            **sets.training(algorithm),
            **work.options,
        )
        found.append(
            Section(
                part,
                f"Yilmaz & Robertson (2010), method of Table {part[-1]} on {name}: {algorithm}, in "
                "brackets the standard error over topics",
                _table(part, result),
                properties=tuple(_claims(result)),
                chart=lambda result=result, part=part: _chart(part, result),  # type: ignore[misc]
            )
        )
    return found


def _table(part: str, result: CrossValidation) -> Table:
    header = ["trained for"]
    for test in TESTS:
        header += [f"{test} paper", "ours"]
    rows, marks = [], result.marks[0]
    for n, objective in enumerate(result.train_measures):
        cells = []
        for m, printed in enumerate(_PRINTED[part][n]):
            mean, error = 100 * result.mean[0, n, m], 100 * result.error[0, n, m]
            cells += [printed, f"{mean:.2f}{marks[n][m]} ({error:.2f})"]
        rows.append([objective, *cells])
    return Table(header, rows)


def _claims(result: CrossValidation) -> list[Property]:
    """Return whether the more informative objective gives the better test value, with its test."""
    claims = []
    for informative, test in PAIRS:
        frame = result.against(informative, test)
        row = frame.filter(test_measure=test).row(0, named=True)
        sure = "significant" if row["significant"] else "not significant"
        claims.append(
            Property(
                f"training for {informative} gives a higher {test} than training for {test}, as in "
                "the paper",
                row["difference"] > 0,
                f"{100 * row['difference']:+.2f}, standard error {100 * row['standard_error']:.2f},"
                f" p = {row['p']:.3f}, {sure}",
                necessary=False,
            )
        )
    return claims


def _chart(part: str, result: CrossValidation) -> Any:
    places = [(n, m) for n in range(len(OBJECTIVES)) for m in range(len(TESTS))]
    return side_by_side(
        [f"{OBJECTIVES[n]}: {TESTS[m]}" for n, m in places],
        [float(_PRINTED[part][n][m].rstrip("•°")) for n, m in places],
        [100 * float(result.mean[0, n, m]) for n, m in places],
        [100 * float(result.error[0, n, m]) for n, m in places],
        f"Yilmaz & Robertson (2010), Table {part[-1]}; other data",
    )


def _figure_4(sets: _Sets, work: Work) -> list[Section]:
    found = []
    for name, folds, seeds in _named(sets):
        result = data_study(
            folds[0],
            "lambdarank",
            PAIRS,
            features=[None, *sets.size.few],
            shares=sets.size.shares,
            seeds=[sets.seed + n for n in range(max(seeds, 1))],
            **sets.training("lambdarank"),
            **work.options,
        )
        found.append(
            Section(
                "figure4",
                f"Yilmaz & Robertson (2010), method of Figure 4 on {name}: LambdaRank, "
                f"{result.values.shape[-1]} topics to test on",
                _study_table(result),
                properties=tuple(_study_claims(result)),
                chart=lambda result=result: study_curves(result),  # type: ignore[misc]
            )
        )
    return found


def _study_table(result: DataStudy) -> Table:
    rows = []
    for pair in result.pairs:
        frame = result.frame.filter(test_measure=pair[1])
        for width in result.features:
            for share in result.shares:
                cells = [
                    frame.filter(features=width, share=share, objective=objective).row(
                        0, named=True
                    )
                    for objective in pair
                ]
                means = [f"{100 * cell['mean']:.2f}" for cell in cells]
                gap = 100 * (cells[0]["mean"] - cells[1]["mean"])
                mark = SIGNIFICANT if cells[0]["significant"] else ""
                label = f"{pair[1]}: {pair[0]} or itself"
                rows.append([label, str(width), f"{share:.0%}", *means, f"{gap:+.2f}{mark}"])
    header = ["tested with: trained for", "features", "topics", "informative", "itself"]
    return Table([*header, "difference"], rows)


def _study_claims(result: DataStudy) -> list[Property]:
    """Return how often the informative objective is ahead, with all features and with few.

    The paper finds it ahead for all shares of topics with 382 features, no significant difference
    with 9 features and all topics, and none at all with 2.
    """
    claims = []
    means = result.values.mean(axis=(4, 5))
    ahead = means[..., 0] > means[..., 1]
    significant = result.p <= result.alpha
    for place, width in enumerate(result.features):
        here, sure = ahead[:, place], significant[:, place]
        detail = (
            f"ahead in {int(here.sum())} of {here.size} cases, significantly different in "
            f"{int(sure.sum())}"
        )
        if place == 0:
            what = f"with {width} features the informative objective is ahead everywhere"
            holds = bool(here.all())
        elif width > 2:
            what = f"with {width} features and all topics nothing differs significantly"
            holds = not sure[:, result.shares.index(max(result.shares))].any()
        else:
            what, holds = f"with {width} features nothing differs significantly", not sure.any()
        claims.append(Property(f"{what}, as in the paper", holds, detail, necessary=False))
    return claims


def _table_5(sets: _Sets, work: Work) -> list[Section]:
    found = []
    for name, folds, _ in _named(sets):
        fold = folds[0]
        optima = {}
        for informative, test in PAIRS:
            for objective in (informative, test):
                ranker = NetRanker(
                    "lambdarank",
                    objective,
                    validation_measure=objective,
                    seed=sets.seed,
                    **sets.training("lambdarank"),
                )
                ranker.fit(fold.train, validation=fold.validation, progress=work.progress)
                optima[objective] = [
                    local_optimality(
                        ranker,
                        part,
                        test,
                        directions=sets.size.directions,
                        seed=sets.seed,
                        progress=work.progress,
                    )
                    for part in (fold.train, fold.test)
                ]
        found.append(_optimality_section(name, optima))
    return found


def _optimality_section(name: str, optima: dict[str, list[LocalOptimality]]) -> Section:
    """Return counts of better points around the weights, in training and in testing."""
    rows, names, printed, ours = [], [], [], []
    counts = {
        objective: [number for each in pair for number in (each.better, each.much_better)]
        for objective, pair in optima.items()
    }
    for objective, found in counts.items():
        cells = [f"{p} / {o}" for p, o in zip(_OPTIMA[objective], found, strict=True)]
        rows.append([objective, optima[objective][0].measure, *cells])
        for place, where in ((0, "train"), (2, "test")):
            names.append(f"{objective}, {where}")
            printed.append(float(_OPTIMA[objective][place]))
            ours.append(float(found[place]))
    cases = next(iter(optima.values()))[0].change.size
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
