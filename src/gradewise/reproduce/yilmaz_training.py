"""Yilmaz & Robertson 2010, Tables 2, 3 and 4: training for informative measures."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gradewise.learn.nets.algorithms import AlgorithmName
from gradewise.learn.studies.cross_validated import CrossValidation, join_seeds
from gradewise.learn.studies.cross_validation import crossval
from gradewise.learn.studies.folds import Fold
from gradewise.report.figures.reproduced import side_by_side
from gradewise.reproduce.result import Section
from gradewise.reproduce.yilmaz_claims import (
    compare_algorithms,
    gain,
    table_claims,
    was_long_enough,
)
from gradewise.reproduce.yilmaz_figure4 import figure_4
from gradewise.reproduce.yilmaz_figure5 import figure_5
from gradewise.reproduce.yilmaz_footnotes import threshold_section, validation_section
from gradewise.reproduce.yilmaz_printed import PRINTED, TESTS
from gradewise.reproduce.yilmaz_sets import NDCG, OBJECTIVES, QUICK, Sets, Size, Work, short
from gradewise.reproduce.yilmaz_table5 import table_5
from gradewise.tables import Table

_ALGORITHMS: dict[str, AlgorithmName] = {
    "table2": "lambdarank",
    "table3": "softrank",
    "table4": "lambdarank",
}
_TITLES = {"lambdarank": "LambdaRank", "softrank": "SoftRank"}


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
    sets = Sets(folder, size or (QUICK if quick else Size()), seed)
    found: list[Section] = []
    results: dict[str, CrossValidation] = {}
    for part in ("table2", "table3", "table4"):
        if part not in parts:
            continue
        for name, epochs, result in _trained(part, sets, work):
            results.setdefault(part, result)
            found.append(_section(part, name, result, epochs, results.get("table2")))
            if part == "table2":
                found.append(validation_section(name, result))
        if part == "table2":
            found.append(threshold_section(sets, work))
    if "figure4" in parts:
        found += figure_4(sets, work)
    if "figure5" in parts:
        found += figure_5(sets, work)
    if "table5" in parts:
        found += table_5(sets, work)
    return found


def _trained(part: str, sets: Sets, work: Work) -> list[tuple[str, int, CrossValidation]]:
    """Return the name, the number of epochs and the results of each set."""
    algorithm = _ALGORITHMS[part]
    if part == "table4":
        sets = sets.larger

    def train(folds: Sequence[Fold], seeds: Sequence[int], **training: Any) -> CrossValidation:
        options = {"seeds": seeds, "pair": ("AP", NDCG), **training, **work.options}
        return crossval(folds, algorithm, OBJECTIVES, TESTS, **options)

    training = sets.training(algorithm)
    drawn = [train([fold], [seed], **training) for seed, fold in sets.simulated()]
    found = [(sets.title, sets.size.epochs, join_seeds(drawn))]
    if sets.sample:
        training = sets.sample_training(algorithm)
        sample = train(sets.sample, sets.sample_seeds, **training)
        found.append((sets.sample_title, sets.size.sample_epochs, sample))
    return found


def _section(
    part: str, name: str, result: CrossValidation, epochs: int, lambdarank: CrossValidation | None
) -> Section:
    """Return Table 2, 3 or 4, in the paper's scale of 0 to 100."""
    claims = [*table_claims(part, result), was_long_enough(result, epochs)]
    if part == "table3" and lambdarank is not None and result.redrawn:
        claims.append(compare_algorithms(lambdarank, result))
    return Section(
        part,
        f"Yilmaz & Robertson (2010), method of Table {part[-1]} on {name}: "
        f"{_TITLES[result.algorithms[0]]}, standard error over topics in parentheses",
        _table(part, result),
        properties=tuple(claims),
        chart=lambda: _chart(part, result),
    )


def _table(part: str, result: CrossValidation) -> Table:
    header = ["trained for"]
    for test in TESTS:
        header += [f"{short(test)} paper", "ours"]
    rows, marks = [], result.marks[0]
    for n, objective in enumerate(result.train_measures):
        cells = []
        for m, printed in enumerate(PRINTED[part][n]):
            mean, error = 100 * result.mean[0, n, m], 100 * result.error[0, n, m]
            cells += [printed, f"{mean:.2f}{marks[n][m]} ({error:.2f})"]
        rows.append([short(objective), *cells])
    return Table(header, rows)


def _chart(part: str, result: CrossValidation) -> Any:
    """Draw differences; absolute values say little, since the data differ."""
    cases = [(test, objective) for test in TESTS for objective in OBJECTIVES if objective != test]
    gains = [gain(part, result, objective, test) for test, objective in cases]
    return side_by_side(
        [f"{short(test)}: trained for {short(objective)} instead" for test, objective in cases],
        [paper for paper, _ in gains],
        [100 * row["difference"] for _, row in gains],
        [100 * row["standard_error"] for _, row in gains],
        f"Yilmaz & Robertson (2010), Table {part[-1]}, gain over training for the test measure",
    )
