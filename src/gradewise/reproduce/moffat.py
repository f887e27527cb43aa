"""Moffat, Computing Maximized Effectiveness Distance for Recall-Based Metrics: Tables and Figures.

Tables 1-3 need no data. Figures 1-2 use the judgments of a track that is not available here; the
same curves are drawn for other tracks.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.qrels import Qrels
from gradewise.distance.align import Aligned
from gradewise.distance.med import med
from gradewise.distance.normalized import Step, trace
from gradewise.distance.pair import Pair
from gradewise.measures.cumulated_gain import nDCG
from gradewise.measures.evaluate import score
from gradewise.report.figures.judgments import ideal_curves, relevant_curves
from gradewise.reproduce.collections import read_judgments
from gradewise.reproduce.result import Property, Reproduced, Section, numbers_section
from gradewise.tables import Table

PAPER = "moffat"
TABLES = ("table1", "table2", "table3")
FIGURES = ("figure1", "figure2")
PARTS = (*TABLES, *FIGURES)
DEPTH = 20  # of the figures
_ROUNDING = 1e-9
_TRACKS = {
    "TREC 2012 Web": "web.151-200",
    "TREC-COVID round 1": "covid-round1",
    "TREC 2003 Robust": "robust03",
}

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


def tables(parts: Sequence[str] = TABLES) -> list[Section]:
    """Return Tables 1-3, which need no data."""
    made = {
        "table1": ("SDCG weights", table_1),
        "table2": ("the trace of Algorithm 1 for X3 and X4", table_2),
        "table3": ("differences under four assignments, and distances", table_3),
    }
    return [
        numbers_section(part, f"Moffat, Table {part[-1]}: {title}", make())
        for part, (title, make) in made.items()
        if part in parts
    ]


def figures(folder: Path, parts: Sequence[str] = FIGURES) -> list[Section]:
    """Return the curves of Figures 1-2 for the available judgments."""
    found = []
    for name, track in _TRACKS.items():
        qrels = read_judgments(folder, track)
        if "figure1" in parts:
            found.append(_figure_1(name, qrels))
        if "figure2" in parts:
            found.append(_figure_2(name, qrels))
    return found


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
    first, second = _runs()
    for name, text in _DISTANCES.items():
        found = med(first, second, {"t": _JUDGED}, _MEASURES[name])
        rows.append(_exact("3", f"MED({name})", text, found.value))
    return rows


def _exact(table: str, what: str, printed: str, ours: float) -> Reproduced:
    return Reproduced(PAPER, table, what, printed, float(ours), exact=True)


def _runs() -> list[dict[str, dict[str, float]]]:
    return [{"t": {d: -float(rank) for rank, d in enumerate(x)}} for x in (_X3, _X4)]


def _example() -> tuple[Pair, list[str]]:
    """Return X3 and X4 as a pair, and the names of its documents."""
    named = list(zip(("X3", "X4"), _runs(), strict=True))
    (lists,) = Aligned.of(named, {"t": _JUDGED}).lists()
    pair, numbers = lists.pair(0, 1)
    return pair, lists.names(numbers)


def _figure_1(name: str, qrels: Qrels) -> Section:
    """Return how many documents are relevant at each threshold, topics sorted for each alone."""
    counts = {
        int(grade): np.sort([_at_least(qrels, topic, int(grade)) for topic in qrels.topics])[::-1]
        for grade in qrels.scale
    }
    rows = [
        [
            f"{grade}+",
            str(int(number.max())),
            f"{np.median(number):g}",
            str(int(number.min())),
            str(int((number >= DEPTH).sum())),
        ]
        for grade, number in counts.items()
    ]
    top = list(counts)[-1]
    few = int((counts[top] > DEPTH).sum())
    claim = Property(
        f"only a minority of topics have more than {DEPTH} documents of the highest grade",
        few < len(qrels.topics) / 2,
        f"{few} of {len(qrels.topics)}",
        necessary=False,
    )
    return Section(
        "figure1",
        f"Moffat, Figure 1 for {name}: relevant documents of {len(qrels.topics)} topics",
        Table(["grades", "most", "median", "fewest", f"topics with {DEPTH} or more"], rows),
        properties=(claim,),
        chart=lambda: relevant_curves(counts, name),
    )


def _figure_2(name: str, qrels: Qrels) -> Section:
    """Return ideal DCG@20 of topics, and what SDCG divides by."""
    gains = _gains(qrels)
    ideal = np.sort([_ideal(qrels, topic, gains) for topic in qrels.topics])[::-1]
    constants = scaling_constants(gains)
    rows = [
        [label, f"{value:.2f}", f"{int((ideal < value - _ROUNDING).sum())} of {len(ideal)}"]
        for label, value in constants.items()
    ]
    claims = [
        Property(
            f"ideal DCG@{DEPTH} is below that of {label}, in all topics",
            bool((ideal < value - _ROUNDING).all()),
            f"{ideal.min():.2f} to {ideal.max():.2f} and {value:.2f}",
            necessary=False,
        )
        for label, value in constants.items()
    ]
    return Section(
        "figure2",
        f"Moffat, Figure 2 for {name}: ideal DCG@{DEPTH} of {len(ideal)} topics",
        Table(["scaling by", "constant", "topics below"], rows),
        properties=tuple(claims),
        chart=lambda: ideal_curves(ideal, constants, name),
    )


def scaling_constants(gains: Floats) -> dict[str, float]:
    """Return DCG@20 of all documents of the highest grade, and of one and 19 of the next.

    `gains` are those of grades 0 to the highest. With grades up to 4 the second is the line at
    3.58 of the paper's Figure 2.
    """
    discounts = 1 / np.log2(np.arange(2, DEPTH + 2))
    return {
        f"{DEPTH} of the highest grade": float(gains[-1] * discounts.sum()),
        f"1 of the highest and {DEPTH - 1} of the next": float(
            gains[-1] * discounts[0] + gains[-2] * discounts[1:].sum()
        ),
    }


def _gains(qrels: Qrels) -> Floats:
    """Return (2^r - 1) / 2^max for grades 0 to the highest (equation 12)."""
    grades = np.arange(int(qrels.scale.max(initial=0)) + 1)
    return np.asarray((np.exp2(grades) - 1) / np.exp2(grades[-1]))


def _ideal(qrels: Qrels, topic: str, gains: Floats) -> float:
    grades = np.sort(np.maximum(qrels.grades[qrels.rows_of(topic)], 0))[::-1][:DEPTH]
    return float(gains[grades] @ (1 / np.log2(np.arange(2, len(grades) + 2))))


def _at_least(qrels: Qrels, topic: str, grade: int) -> int:
    return int((qrels.grades[qrels.rows_of(topic)] >= grade).sum())
