"""Kishida 2005, Property of Average Precision and its Generalization, NII-2005-014E: Tables 1-5."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gradewise.collection.one_list import judge_list
from gradewise.meta.artificial_noise import artificial_noise
from gradewise.meta.sensitivity import new_document
from gradewise.reproduce.kishida_claims import CLAIMS
from gradewise.reproduce.kishida_patterns import INDICATORS, list_patterns, score_patterns
from gradewise.reproduce.result import Reproduced, Section, numbers_section

PAPER = "kishida-2005"

_REPEATS = 30  # of the paper's simulation

_TABLE_1 = {
    10: ("0.00081", "-0.01737", "-0.03555"),
    50: ("0.00794", "0.00402", "0.00010"),
    100: ("0.00891", "0.00693", "0.00495"),
}
_TABLE_2 = {
    0.9: ("0.62396", "0.01660", "0.01314", "0.02974", "0.03006"),
    0.5: ("0.60679", "0.00004", "0.03674", "0.03678", "0.03687"),
}
_TABLE_3 = {
    "average": (".488", ".443", ".503", ".410"),
    "std. dev.": (".245", ".250", ".240", ".228"),
}
_TABLE_4 = {
    "MSR": ("1.000",),
    "AnDCG": ("0.969", "1.000"),
    "Q": ("0.885", "0.840", "1.000"),
    "GenAP": ("0.963", "0.940", "0.961", "1.000"),
    "AP": ("0.857", "0.829", "0.928", "0.894"),
}
_TABLE_5 = {
    "32000": ("0.923", "0.933", "0.667", "0.733"),
    "00123": ("0.331", "0.184", "0.513", "0.304"),
    "00123/32000": ("0.358", "0.197", "0.770", "0.415"),
    "03210": ("0.558", "0.610", "0.750", "0.622"),
    "03210/32000": ("0.604", "0.654", "1.125", "0.848"),
    "30000": ("0.692", "0.640", "0.333", "0.400"),
    "30000/32000": ("0.750", "0.686", "0.500", "0.545"),
    "00003": ("0.138", "0.046", "0.121", "0.080"),
    "00003/30000": ("0.200", "0.072", "0.364", "0.200"),
}


_TITLES = {
    "1": "Change of AP when a new relevant document is found (eq 17)",
    "2": "Variance between topics and between judgments, by simulation",
    "3": "Indicators over the 136 patterns of 3 2 1 0 0",
    "4": "Correlations of indicators over the 136 patterns",
    "5": "Indicators for some patterns",
}

PARTS = tuple(f"table{number}" for number in _TITLES)


def sections(
    folder: Path | None = None, parts: Sequence[str] = PARTS, *, seed: int = 0, **unused: Any
) -> list[Section]:
    """Return Tables 1-5 next to ours; they need no data."""
    wanted = [number for number in _TITLES if f"table{number}" in parts]
    return [_section(number, seed) for number in wanted]


def _section(number: str, seed: int) -> Section:
    rows = table_2(seed=seed) if number == "2" else _EXACT[number]()
    title = f"Kishida (2005), Table {number}: {_TITLES[number]}"
    return numbers_section(f"table{number}", title, rows, CLAIMS[number](rows))


def tables(*, seed: int = 0) -> list[Reproduced]:
    """Return every number of Kishida's tables next to ours.

    Table 2 is a simulation: ours is the mean of several repetitions with random `seed`.

    Examples
    --------
    >>> rows = tables()
    >>> len(rows), all(row.agrees for row in rows)
    (77, True)
    """
    return [*table_1(), *table_2(seed=seed), *table_3(), *table_4(), *table_5()]


def table_1() -> list[Reproduced]:
    """Change of AP after a new relevant document is found at rank 101, below all others.

    Eq 17 takes any old value v with any R. Few lists have that value, so the change is that of a
    real list, corrected for its own value: the change is linear in v.
    """
    rows = []
    for relevant, printed in _TABLE_1.items():
        grades = [1] * relevant + [None] * (101 - relevant)
        found = new_document(judge_list(grades, {1: relevant}), "AP")
        change = float(found.changes[0, found.ranks == 101][0])
        for v, number in zip((0.1, 0.3, 0.5), printed, strict=True):
            ours = change + (float(found.values[0]) - v) / (relevant + 1)
            rows.append(Reproduced(PAPER, "1", f"R={relevant} v={v}", number, ours, exact=True))
    return rows


def table_2(*, seed: int = 0) -> list[Reproduced]:
    """Mean and variances of AP under repeated judgments, by simulation.

    The error is that of one simulation of the paper's size, as theirs was, and of our mean.
    """
    names = ("mean", "sigma_mu^2", "sigma_d^2", "sum", "mean observed variance")
    rows = []
    for theta, printed in _TABLE_2.items():
        repeats = np.array([_simulated(theta, seed + repeat) for repeat in range(_REPEATS)])
        error = repeats.std(axis=0, ddof=1) * np.sqrt(1 + 1 / _REPEATS)
        for index, name in enumerate(names):
            ours = float(repeats[:, index].mean())
            what = f"theta={theta} {name}"
            rows.append(
                Reproduced(PAPER, "2", what, printed[index], ours, False, float(error[index]))
            )
    return rows


def _simulated(theta: float, seed: int) -> list[float]:
    noise = artificial_noise(theta, topics=50, documents=10, replicates=1000, seed=seed)
    parts = (noise.mean, noise.sigma_mu2, noise.sigma_d2, noise.total, noise.observed)
    return [float(part[0]) for part in parts]


def table_3() -> list[Reproduced]:
    """Average and standard deviation of the indicators over all patterns."""
    values = score_patterns(list_patterns())
    ours = {"average": values.mean(axis=1), "std. dev.": values.std(axis=1, ddof=1)}
    return [
        Reproduced(PAPER, "3", f"{name} {indicator}", number, float(ours[name][index]), exact=True)
        for name, printed in _TABLE_3.items()
        for index, (indicator, number) in enumerate(zip(INDICATORS, printed, strict=True))
    ]


def table_4() -> list[Reproduced]:
    """Correlation of the indicators, and of AP with them, over all patterns."""
    matrix = np.asarray(np.corrcoef(score_patterns(list_patterns())))
    return [
        Reproduced(PAPER, "4", f"{row} {INDICATORS[j]}", number, float(matrix[i, j]), exact=True)
        for i, (row, printed) in enumerate(_TABLE_4.items())
        for j, number in enumerate(printed)
    ]


def table_5() -> list[Reproduced]:
    """Scores of the indicators for single patterns, and ratios of these."""
    rows = []
    for name, printed in _TABLE_5.items():
        patterns = [[int(digit) for digit in pattern] for pattern in name.split("/")]
        values = score_patterns(patterns)
        for index, (indicator, number) in enumerate(zip(INDICATORS, printed, strict=True)):
            ours = values[index, 0] / (values[index, 1] if len(patterns) == 2 else 1)
            what = f"{name} {indicator}"
            rows.append(Reproduced(PAPER, "5", what, number, float(ours), exact=True))
    return rows


_EXACT = {"1": table_1, "3": table_3, "4": table_4, "5": table_5}
