"""Robertson, Kanoulas & Yilmaz 2010, Tables 1 and 2: nets trained for nDCG, GAP and AP.

The paper's Web queries, 5,000 of a commercial search engine with 382 features and 3 grades, are not
public: Table 1 is trained on simulated topics of that size. Table 2 is trained on OHSUMED, where
documents with equal scores are in random order, in training and in testing: the files are sorted so
that a constant scorer would get an AP of .426. The paper leaves the other generalizations of AP to
future work; on OHSUMED, eGAP and xGAP are trained for too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from gradewise.learn.features import FeatureSet
from gradewise.learn.nets.algorithms import AlgorithmName
from gradewise.learn.normalization import normalize
from gradewise.learn.studies.cross_validated import CrossValidation, join_seeds
from gradewise.learn.studies.cross_validation import crossval
from gradewise.learn.studies.folds import Fold
from gradewise.report.figures.reproduced import side_by_side
from gradewise.reproduce.collections import ohsumed
from gradewise.reproduce.result import Property, Section
from gradewise.simulate import documents
from gradewise.tables import Table

ALGORITHMS: tuple[AlgorithmName, ...] = ("softrank", "lambdarank")
# The paper's nDCG has gains of 2^grade - 1 in all experiments (its footnote 1).
OBJECTIVES = {
    "nDCG": "nDCG(dcg='exp-log2')",
    "GAP": "GAP(g=[0.5,0.5])",
    "AP": "AP",
    "eGAP": "eGAP(g=[0.5,0.5])",
    "xGAP": "xGAP(g=[0.5,0.5])",
}
# LETOR's nDCG has no discount at the second rank.
TESTS = {"nDCG@10": "nDCG(dcg='jk',gains='exp')@10", "AP": "AP", "P@10": "P@10"}
WEB_TESTS = {"nDCG@10": "nDCG(dcg='exp-log2')@10", "AP": "AP", "P@10": "P@10"}
SEEDS, EPOCHS = 5, 100
WEB_SEEDS, WEB_EPOCHS = 3, 30  # each seed draws topics anew; an epoch has 2,000, OHSUMED's 63
WEB_TOPICS = (2000, 1000, 2000)  # to train, validate and test on: 5,000 in all
_THREE_GRADES = np.array([0, 1, 1, 2, 2])  # of simulated grades 0 to 4
_PRINTED = {
    "table1": {
        ("softrank", "nDCG"): ("0.6162", "0.6084", "0.5329"),
        ("softrank", "GAP"): ("0.6290", "0.6276", "0.5478"),
        ("softrank", "AP"): ("0.6129", "0.6195", "0.5421"),
        ("lambdarank", "nDCG"): ("0.6301", "0.6158", "0.5355"),
        ("lambdarank", "GAP"): ("0.6363", "0.6287", "0.5388"),
        ("lambdarank", "AP"): ("0.6296", "0.6217", "0.5360"),
    },
    "table2": {
        ("softrank", "nDCG"): ("0.4665", "0.4452", "0.4986"),
        ("softrank", "GAP"): ("0.4747", "0.4478", "0.5001"),
        ("softrank", "AP"): ("0.4601", "0.4448", "0.4900"),
        ("lambdarank", "nDCG"): ("0.4585", "0.4397", "0.5005"),
        ("lambdarank", "GAP"): ("0.4665", "0.4432", "0.5042"),
        ("lambdarank", "AP"): ("0.4528", "0.4408", "0.4881"),
    },
}


@dataclass(frozen=True)
class Trained:
    """Nets trained for some objectives: the part of the paper, and what came of them."""

    part: str
    objectives: tuple[str, ...]
    tests: tuple[str, ...]
    result: CrossValidation

    @property
    def rows(self) -> list[tuple[str, str, int, int]]:
        """Algorithm, name of the objective, and their places."""
        return [
            (algorithm, objective, a, n)
            for a, algorithm in enumerate(self.result.algorithms)
            for n, objective in enumerate(self.objectives)
        ]

    def printed(self, algorithm: str, objective: str) -> tuple[str, ...]:
        """Return the paper's values; dashes if it has none."""
        return _PRINTED[self.part].get((algorithm, objective), ("-",) * len(self.tests))


def table_1(*, quick: bool = False, seed: int = 0, **work: Any) -> Section:
    """Train on simulated topics, and compare with the paper's numbers for Web queries."""
    sizes = (30, 15, 30) if quick else WEB_TOPICS
    drawn = [
        crossval(
            [_simulated(sizes, quick, each)],
            ALGORITHMS,
            list(OBJECTIVES.values())[:3],
            list(WEB_TESTS.values()),
            seeds=[each],
            epochs=2 if quick else WEB_EPOCHS,
            **work,
        )
        for each in range(seed, seed + (2 if quick else WEB_SEEDS))
    ]
    shown = Trained("table1", tuple(OBJECTIVES)[:3], tuple(WEB_TESTS), join_seeds(drawn))
    topics = "/".join(f"{size:,}" for size in sizes)
    return _section(shown, f"{topics} simulated topics for each of", ())


def _simulated(sizes: Sequence[int], quick: bool, seed: int) -> Fold:
    """Return topics with three grades to train, validate and test on."""
    shape = (20, 20) if quick else (40, 382)
    parts = [documents.features(n, *shape, seed=3 * seed + k) for k, n in enumerate(sizes)]
    return Fold(*[normalize(_with_three_grades(part), "zscore") for part in parts])


def _with_three_grades(data: FeatureSet) -> FeatureSet:
    return replace(data, grades=_THREE_GRADES[data.grades])


def table_2(folder: Path, *, quick: bool = False, seed: int = 0, **work: Any) -> Section:
    """Train over OHSUMED's five folds, and compare with the paper's numbers."""
    seeds = [seed] if quick else list(range(seed, seed + SEEDS))
    result = crossval(
        ohsumed(folder),
        ALGORITHMS,
        list(OBJECTIVES.values()),
        list(TESTS.values()),
        seeds=seeds,
        epochs=1 if quick else EPOCHS,
        **work,
    )
    shown = Trained("table2", tuple(OBJECTIVES), tuple(TESTS), result)
    what = f"OHSUMED, five folds, {len(result.topics)} topics,"
    return _section(shown, what, _levels(shown))


def _section(shown: Trained, what: str, levels: Sequence[Property]) -> Section:
    seeds = len(shown.result.seeds)
    return Section(
        shown.part,
        f"Robertson et al. (2010), Table {shown.part[-1]}: {what} {seeds} "
        f"seed{'s' if seeds > 1 else ''}; standard error over topics in parentheses",
        _table(shown),
        properties=(*levels, *_claims(shown)),
        chart=lambda: _chart(shown),
    )


def _table(shown: Trained) -> Table:
    header = ["", "trained for"]
    for test in shown.tests:
        header += [f"{test} paper", "ours"]
    rows = []
    for algorithm, objective, a, n in shown.rows:
        cells = []
        for m, printed in enumerate(shown.printed(algorithm, objective)):
            mean, error = shown.result.mean[a, n, m], shown.result.error[a, n, m]
            cells += [printed, f"{mean:.4f} ({error:.4f})"]
        rows.append([algorithm, objective, *cells])
    return Table(header, rows, labels=2)


def _levels(shown: Trained) -> list[Property]:
    """Check that training reaches the level of AP that the paper prints."""
    claims = []
    for algorithm, objective, a, n in shown.rows:
        printed = shown.printed(algorithm, objective)[1]
        if printed == "-":
            continue
        ours, error = shown.result.mean[a, n, 1], shown.result.error[a, n, 1]
        claims.append(
            Property(
                f"{algorithm} for {objective}: AP agrees with the paper within 2 standard errors",
                bool(abs(ours - float(printed)) <= 2 * error),
                f"{ours:.4f}, standard error {error:.4f}; {printed} in the paper",
                necessary=False,
            )
        )
    return claims


def _claims(shown: Trained) -> list[Property]:
    """Check the paper's claim, GAP ahead of nDCG and AP, for each test measure."""
    claims, sure = [], []
    for other in ("nDCG", "AP"):
        compared = shown.result.against(OBJECTIVES["GAP"], OBJECTIVES[other])
        for place, row in enumerate(compared.iter_rows(named=True)):
            m = place % len(shown.tests)
            paper = float(shown.printed(row["algorithm"], "GAP")[m]) - float(
                shown.printed(row["algorithm"], other)[m]
            )
            word = "significant" if row["significant"] else "not significant"
            sure.append(row["significant"] and row["difference"] > 0)
            claims.append(
                Property(
                    f"{row['algorithm']}: training for GAP gives a higher {shown.tests[m]} than "
                    f"for {other}",
                    row["difference"] > 0,
                    f"{row['difference']:+.4f}; over topics, standard error "
                    f"{row['standard_error']:.4f} and p = {row['p']:.3f}, {word}{_of_seeds(row)}; "
                    f"{paper:+.4f} in the paper",
                    necessary=False,
                )
            )
    most = Property(
        "most of these gains are significant",
        sum(sure) > len(sure) / 2,
        f"{sum(sure)} of {len(sure)}",
        necessary=False,
    )
    return [*claims, most]


def _of_seeds(row: dict[str, Any]) -> str:
    """Return the error and the p-value over seeds, if there are several."""
    if np.isnan(row["p_of_seeds"]):
        return ""
    return f"; over seeds, {row['error_of_seeds']:.4f} and p = {row['p_of_seeds']:.3f}"


def _chart(shown: Trained) -> Any:
    names, printed, ours, errors = [], [], [], []
    for algorithm, objective, a, n in shown.rows:
        for m, number in enumerate(shown.printed(algorithm, objective)):
            if number != "-":
                names.append(f"{algorithm}, {objective}: {shown.tests[m]}")
                printed.append(float(number))
                ours.append(float(shown.result.mean[a, n, m]))
                errors.append(float(shown.result.error[a, n, m]))
    title = f"Robertson et al. (2010), Table {shown.part[-1]}"
    return side_by_side(names, printed, ours, errors, title)
