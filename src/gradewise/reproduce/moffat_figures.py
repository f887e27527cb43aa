"""Moffat, Figures 1-2: the judgments of TREC 2013 Web, and of TREC 2014 Web beside them.

The published counts of Figure 1 come out from the file that TREC 2013 gave with its judgments for
diversity: one line for each document and intent. A document that serves two intents counts twice
there. Both ways of counting are shown.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.report.figures.judgments import ideal_curves, relevant_curves
from gradewise.reproduce.collections import read_grades
from gradewise.reproduce.result import Property, Reproduced, Section
from gradewise.tables import Table

FIGURES = ("figure1", "figure2")
DEPTH = 20  # of the metrics of that track
LONG = 100  # the cutoff of SSP and AP in the text
_ROUNDING = 1e-9
_OWN = "TREC 2013 Web, lines of documents and intents"
_TRACKS = {
    _OWN: "web.201-250.ndeval",
    "TREC 2013 Web, documents": "web.201-250",
    "TREC 2014 Web, documents": "web.251-300",
}


def figures(folder: Path, parts: Sequence[str] = FIGURES) -> list[Section]:
    """Return the curves of Figures 1-2, and the counts that the text states."""
    found = []
    for name, track in _TRACKS.items():
        grades = read_grades(folder, track)
        if "figure1" in parts:
            found.append(_figure_1(name, grades))
        if "figure2" in parts:
            found.append(_figure_2(name, grades))
    return found


def _figure_1(name: str, grades: list[Ints]) -> Section:
    """Return how many judgments are relevant at each threshold, topics sorted for each alone."""
    counts = {
        grade: np.sort([int((topic >= grade).sum()) for topic in grades])[::-1]
        for grade in (1, 2, 3)
    }
    rows = [
        [
            f"{grade}+",
            *[f"{value:g}" for value in (number.max(), np.median(number), number.min())],
            str(int((number >= DEPTH).sum())),
            str(int((number < LONG).sum())),
        ]
        for grade, number in counts.items()
    ]
    ours = float((counts[2] >= DEPTH).sum())
    label = "topics with 20 or more judgments of grade 2 or above"
    printed = Reproduced("moffat", "figure1", label, "30", ours, exact=True)
    header = ["grades", "most", "median", "fewest", f"topics >= {DEPTH}", f"topics < {LONG}"]
    return Section(
        "figure1",
        f"Moffat, Figure 1: {name}, {len(grades)} topics",
        Table(header, rows),
        stated=(printed,) if name == _OWN else (),
        properties=_counted(counts, len(grades)),
        chart=lambda: relevant_curves(counts, name),
    )


def _counted(counts: dict[int, Ints], topics: int) -> tuple[Property, ...]:
    """Check what the text says of Figure 1; the paper says it of TREC 2014 too."""
    key, high, all_ = (int((counts[grade] > DEPTH).sum()) for grade in (3, 2, 1))
    few = int((counts[1] < LONG).sum())
    factor = LONG / max(int(counts[1].min()), 1)
    return (
        Property(
            f"a small minority of topics, fewer than a fifth, have more than {DEPTH} judgments of "
            "grade 3 or above",
            key < topics / 5,
            f"{key} of {topics}; {high} of grade 2 or above, {all_} of grade 1 or above",
            necessary=False,
        ),
        Property(
            f"SSP@{LONG} is below AP@{LONG} for more than 20 topics, those with R < {LONG}",
            few > 20,
            f"{few} of {topics}",
            necessary=False,
        ),
        Property(
            "for some topics, it is lower by a factor of 5 or more",
            factor >= 5,
            f"up to {factor:g}",
            necessary=False,
        ),
    )


def _figure_2(name: str, grades: list[Ints]) -> Section:
    """Return ideal DCG@20 of topics, and what SDCG divides by."""
    gains = gains_of(4)
    ideal = np.sort([_ideal(topic, gains) for topic in grades])[::-1]
    constants = scaling_constants(gains)
    rows = [
        [label, f"{value:.4f}", f"{int((ideal < value - _ROUNDING).sum())} of {len(ideal)}"]
        for label, value in constants.items()
    ]
    claims = [
        Property(
            f"the constant for {label} is above ideal DCG@{DEPTH} in every topic",
            bool((ideal < value - _ROUNDING).all()),
            f"{value:.2f}; ideal {ideal.min():.2f} to {ideal.max():.2f}, "
            f"at or above it in {int((ideal >= value - _ROUNDING).sum())} of {len(ideal)} topics",
            necessary=False,
        )
        for label, value in constants.items()
    ]
    spread = float(ideal.max() / ideal.min())
    claims.append(
        Property(
            "the ratio of the constants to ideal DCG varies across topics",
            spread > 1 + _ROUNDING,
            f"by a factor of {spread:.1f}",
            necessary=False,
        )
    )
    return Section(
        "figure2",
        f"Moffat, Figure 2: {name}, ideal DCG@{DEPTH} of {len(ideal)} topics",
        Table(["scaling by", "constant", "topics below"], rows),
        stated=_printed(gains, constants) if name == _OWN else (),
        properties=tuple(claims),
        chart=lambda: ideal_curves(ideal, constants, name),
    )


def _printed(gains: Floats, constants: dict[str, float]) -> tuple[Reproduced, ...]:
    """Return the gains of equation 12 and the line that the text names."""
    shown = zip(("0.000", "0.063", "0.188", "0.438", "0.938"), gains, strict=True)
    rows = [
        Reproduced("moffat", "figure2", f"gain of grade {grade}", text, float(gain), exact=True)
        for grade, (text, gain) in enumerate(shown)
    ]
    line = list(constants.values())[1]
    return (*rows, Reproduced("moffat", "figure2", "lower line", "3.58", line, exact=True))


def gains_of(highest: int) -> Floats:
    """Return (2^r - 1) / 2^max for grades 0 to the highest (equation 12)."""
    grades = np.arange(highest + 1)
    return np.asarray((np.exp2(grades) - 1) / np.exp2(highest))


def scaling_constants(gains: Floats) -> dict[str, float]:
    """Return DCG@20 of all documents of the highest grade, and of one and 19 of the next.

    `gains` are those of grades 0 to the highest. With grades up to 4, the first is S_20 times 15/16
    and the second the line at 3.58 of the paper's Figure 2.
    """
    discounts = 1 / np.log2(np.arange(2, DEPTH + 2))
    return {
        f"{DEPTH} of the highest grade": float(gains[-1] * discounts.sum()),
        f"1 of the highest and {DEPTH - 1} of the next": float(
            gains[-1] * discounts[0] + gains[-2] * discounts[1:].sum()
        ),
    }


def _ideal(grades: Ints, gains: Floats) -> float:
    best = np.sort(np.maximum(grades, 0))[::-1][:DEPTH]
    return float(gains[best] @ (1 / np.log2(np.arange(2, len(best) + 2))))
