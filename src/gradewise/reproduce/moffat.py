"""Moffat, Computing Maximized Effectiveness Distance for Recall-Based Metrics: Tables and Figures.

Tables 1-3 need no data. Figures 1-2 are in `moffat_figures`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gradewise.distance.align import Aligned
from gradewise.distance.med import med
from gradewise.distance.normalized import Step, trace
from gradewise.distance.pair import Pair
from gradewise.measures.cumulated_gain import nDCG
from gradewise.measures.evaluate import score
from gradewise.reproduce.moffat_claims import about_distances, about_maximal_grades, about_weights
from gradewise.reproduce.moffat_figures import FIGURES, figures
from gradewise.reproduce.moffat_theory import (
    about_algorithm,
    about_cutoffs,
    about_heuristic,
    as_run,
    heuristic_on_runs,
)
from gradewise.reproduce.result import Reproduced, Section, numbers_section

PAPER = "moffat"
TABLES = ("table1", "table2", "table3")
PARTS = (*TABLES, *FIGURES)

# k: S_k, then W(1)..W(k)
_TABLE_1 = {
    1: ("1.000", "1.000"),
    2: ("1.631", "0.613 0.387"),
    3: ("2.131", "0.469 0.296 0.235"),
    4: ("2.562", "0.390 0.246 0.195 0.168"),
    5: ("2.948", "0.339 0.214 0.170 0.146 0.131"),
    6: ("3.305", "0.303 0.191 0.151 0.130 0.117 0.108"),
}

_X3, _X4 = "ABCDEFGHJK", "ADBECGFJLH"  # equation 6: A is relevant, E is not
_JUDGED = {"A": 1, "E": 0}

# Document, wY, wZ, diff, R, numer, denom, numer/denom; the negative differences come second.
_TABLE_2 = (
    (
        "- 0.000 0.000 0.000 1 0.000 1.000 0.000",
        "K 0.289 0.000 0.289 2 0.289 1.631 0.177",
        "B 0.631 0.500 0.131 3 0.420 2.131 0.197",
        "C 0.500 0.387 0.113 4 0.533 2.562 0.208",
        "H 0.315 0.289 0.026 5 0.560 2.948 0.190",
        "F 0.356 0.333 0.023 6 0.582 3.305 0.176",
    ),
    (
        "- 0.000 0.000 0.000 1 0.000 1.000 0.000",
        "L 0.000 0.301 -0.301 2 0.301 1.631 0.185",
        "D 0.431 0.631 -0.200 3 0.501 2.131 0.235",
        "G 0.333 0.356 -0.023 4 0.524 2.562 0.205",
        "J 0.301 0.315 -0.014 5 0.539 2.948 0.183",
    ),
)
_COLUMNS = ("wY", "wZ", "diff", "R", "numer", "denom", "ratio")

# Relevant documents; R, then differences by SDCG, NDCG, SSP and AP. The largest are the MEDs.
_TABLE_3 = {
    "BCFHK": "6 0.128 0.176 0.155 0.259",
    "DL": "3 0.110 0.235 0.083 0.278",
    "BCFGHJK": "8 0.120 0.138 0.161 0.201",
    "BCK": "4 0.117 0.208 0.113 0.283",
}
_MEASURES = {"SDCG": "SDCG@10", "NDCG": "nDCG@10", "SSP": "SSP@10", "AP": "AP@10"}
_DISTANCES = {"SDCG": "0.128", "NDCG": "0.235", "SSP": "0.161", "AP": "0.283"}


def sections(
    folder: Path | None,
    parts: Sequence[str] = PARTS,
    *,
    quick: bool = False,
    seed: int = 0,
    **unused: Any,
) -> list[Section]:
    """Return Tables 1-3, and Figures 1-2 if there is a folder of judgments."""
    found = tables(parts, quick=quick, seed=seed)
    if folder is None:
        return found
    if "table3" in parts:
        found.append(heuristic_on_runs(folder, quick=quick))
    return found + figures(folder, parts)


def tables(parts: Sequence[str] = TABLES, *, quick: bool = False, seed: int = 0) -> list[Section]:
    """Return Tables 1-3, which need no data."""
    made = {
        "table1": ("SDCG weights", table_1, about_weights),
        "table2": (
            "the trace of Algorithm 1 for X3 and X4",
            table_2,
            lambda: (*about_algorithm(quick=quick, seed=seed), *about_maximal_grades()),
        ),
        "table3": (
            "differences under four assignments, and distances",
            table_3,
            lambda: (
                *about_distances(_X3, _X4, _JUDGED),
                *about_cutoffs(),
                about_heuristic(quick=quick, seed=seed),
            ),
        ),
    }
    return [
        numbers_section(part, f"Moffat, Table {part[-1]}: {title}", make(), check())
        for part, (title, make, check) in made.items()
        if part in parts
    ]


def table_1() -> list[Reproduced]:
    """Return scaling factors and weights of SDCG: what one relevant document scores."""
    rows = []
    for k, (factor, weights) in _TABLE_1.items():
        alone = [
            score(f"SDCG@{k}", [int(rank == place) for rank in range(k)], {1: 1})
            for place in range(k)
        ]
        rows.append(_exact("1", f"k={k} S", factor, 1 / alone[0]))
        rows += [
            _exact("1", f"k={k} W({place})", printed, weight)
            for place, (printed, weight) in enumerate(zip(weights.split(), alone, strict=True), 1)
        ]
    return rows


def table_2() -> list[Reproduced]:
    """Return the trace of Algorithm 1, line by line."""
    pair, names = _example()
    rows = []
    for side, lines in zip((pair, pair.swapped()), _TABLE_2, strict=True):
        steps = trace(nDCG(cutoff=10), side)
        sign = 1 if side is pair else -1
        for line, step in zip(lines, steps, strict=True):
            document, *printed = line.split()
            found = "-" if step.document < 0 else names[step.document]
            where = f"{'positive' if sign > 0 else 'negative'} {document}"
            if found != document:
                where += f" (ours: {found})"
            rows += [
                _exact("2", f"{where} {column}", text, value)
                for column, text, value in zip(_COLUMNS, printed, _line(step, sign), strict=True)
            ]
    return rows


def _line(step: Step, sign: int) -> tuple[float, ...]:
    first, second = step.weights[::sign]
    numbers = (step.relevant, step.numerator, step.denominator, step.ratio)
    return (first, second, first - second, *numbers)


def table_3() -> list[Reproduced]:
    """Return differences under assignments, and the distances."""
    rows = []
    for relevant, line in _TABLE_3.items():
        number, *printed = line.split()
        grades = {**_JUDGED, **dict.fromkeys(relevant, 1)}
        counts = {1: sum(grades.values())}
        rows.append(_exact("3", f"{relevant} R", number, counts[1]))
        for (name, measure), text in zip(_MEASURES.items(), printed, strict=True):
            both = [score(measure, [grades.get(d, 0) for d in x], counts) for x in (_X3, _X4)]
            rows.append(_exact("3", f"{relevant} {name}", text, abs(both[0] - both[1])))
    first, second = map(as_run, (_X3, _X4))
    for name, text in _DISTANCES.items():
        found = med(first, second, {"t": _JUDGED}, _MEASURES[name])
        rows.append(_exact("3", f"MED({name})", text, found.value))
    return rows


def _exact(table: str, what: str, printed: str, ours: float) -> Reproduced:
    return Reproduced(PAPER, table, what, printed, float(ours), exact=True)


def _example() -> tuple[Pair, list[str]]:
    """Return X3 and X4 as a pair, and the names of its documents."""
    named = [("X3", as_run(_X3)), ("X4", as_run(_X4))]
    (lists,) = Aligned.of(named, {"t": _JUDGED}).lists()
    pair, numbers = lists.pair(0, 1)
    return pair, lists.names(numbers)
