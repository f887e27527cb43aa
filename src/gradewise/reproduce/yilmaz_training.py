"""Yilmaz & Robertson 2010, Tables 2 and 3: training for informative measures."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gradewise.learn.nets.algorithms import AlgorithmName
from gradewise.learn.studies.cross_validated import CrossValidation
from gradewise.learn.studies.cross_validation import crossval
from gradewise.report.figures.reproduced import side_by_side
from gradewise.reproduce.result import Property, Section
from gradewise.reproduce.yilmaz_figure4 import figure_4
from gradewise.reproduce.yilmaz_sets import PAIRS, QUICK, Sets, Size, Work, named
from gradewise.reproduce.yilmaz_table5 import table_5
from gradewise.tables import Table

OBJECTIVES = ("AP", "P@10", "nDCG", "nDCG@10")
TESTS = ("AP", "P@10", "nDCG@10")
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


def trained_sections(
    folder: Path | None,
    parts: Sequence[str],
    work: Work,
    *,
    quick: bool = False,
    seed: int = 0,
    size: Size | None = None,
) -> list[Section]:
    """Return the requested parts on both sets, or only on the simulated one without a folder."""
    size = size or (QUICK if quick else Size())
    sets = Sets(folder, size, seed)
    found = []
    if "table2" in parts:
        found += _trained("table2", "lambdarank", sets, work)
    if "table3" in parts:
        found += _trained("table3", "softrank", sets, work)
    if "figure4" in parts:
        found += figure_4(sets, work)
    if "table5" in parts:
        found += table_5(sets, work)
    return found


def _trained(part: str, algorithm: AlgorithmName, sets: Sets, work: Work) -> list[Section]:
    """Return Table 2 (LambdaRank) or 3 (SoftRank), in the papers' scale of 0 to 100."""
    found = []
    for name, folds, seeds in named(sets):
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
                properties=tuple(_claims(part, result)),
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


def _printed(part: str, objective: str, test: str) -> float:
    """Return the paper's value."""
    return float(_PRINTED[part][OBJECTIVES.index(objective)][TESTS.index(test)].rstrip("•°"))


def _gain(part: str, result: CrossValidation, objective: str, test: str) -> tuple[float, Any]:
    """Return the gain over training for the test measure: the paper's, and ours."""
    row = result.against(objective, test).filter(test_measure=test).row(0, named=True)
    return _printed(part, objective, test) - _printed(part, test, test), row


def _claims(part: str, result: CrossValidation) -> list[Property]:
    """Check whether the more informative objective gives the higher test value."""
    claims = []
    for informative, test in PAIRS:
        paper, row = _gain(part, result, informative, test)
        sure = "significant" if row["significant"] else "not significant"
        claims.append(
            Property(
                f"training for {informative} gives a higher {test} than training for {test}, as in "
                "the paper",
                row["difference"] > 0,
                f"{100 * row['difference']:+.2f}, standard error {100 * row['standard_error']:.2f},"
                f" p = {row['p']:.3f}, {sure}; {paper:+.2f} in the paper",
                necessary=False,
            )
        )
    return claims


def _chart(part: str, result: CrossValidation) -> Any:
    """Draw differences; absolute values say little, since the data differ."""
    cases = [(test, objective) for test in TESTS for objective in OBJECTIVES if objective != test]
    gains = [_gain(part, result, objective, test) for test, objective in cases]
    return side_by_side(
        [f"{test}: trained for {objective} instead" for test, objective in cases],
        [paper for paper, _ in gains],
        [100 * row["difference"] for _, row in gains],
        [100 * row["standard_error"] for _, row in gains],
        f"Yilmaz & Robertson (2010), Table {part[-1]}, gain over training for the test measure",
    )
