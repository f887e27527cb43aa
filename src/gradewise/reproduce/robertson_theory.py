"""Robertson, Kanoulas & Yilmaz 2010, sections 2-3: what the text proves about GAP."""

from itertools import combinations, product

import numpy as np

from gradewise.measures.evaluate import score
from gradewise.noise import NOISE
from gradewise.reproduce.result import Property, Section
from gradewise.tables import Table

_LENGTH = 5
_COUNTS = {1: 3, 2: 2}
_G = (0.5, 0.5)
_GAP = f"GAP(g={list(_G)})"


def about_gap() -> Section:
    """Check the properties of GAP on all lists of five documents with three grades."""
    lists = [list(grades) for grades in product((0, 1, 2), repeat=_LENGTH)]
    lists = [x for x in lists if all(x.count(k) <= n for k, n in _COUNTS.items())]
    values = {tuple(x): score(_GAP, x, _COUNTS) for x in lists}
    ideal = [2, 2, 1, 1, 1]
    rows = [["".join(map(str, x)), f"{values[tuple(x)]:.4f}"] for x in (ideal, [1, 1, 1, 2, 2])]
    return Section(
        "table1",
        f"Robertson et al. (2010), sections 2-3: GAP with g = (.5, .5) on all {len(lists)} lists "
        f"of {_LENGTH} documents, 3 of grade 1 and 2 of grade 2 in the collection",
        Table(["list", "GAP"], rows),
        properties=(
            _binary(lists),
            _swaps(values),
            _ignored(lists),
            Property(
                "GAP has its maximum, 1, when documents are ordered by grade",
                max(values, key=values.__getitem__) == tuple(ideal)
                and abs(values[tuple(ideal)] - 1) < 1e-12,
                f"{values[tuple(ideal)]:.4f}",
            ),
            _experiment(values),
            _area(values),
            _absent_grade(),
        ),
    )


def _binary(lists: list[list[int]]) -> Property:
    apart = 0.0
    for threshold, g in ((1, [1.0, 0.0]), (2, [0.0, 1.0])):
        for x in lists:
            gap, ap = score(f"GAP(g={g})", x, _COUNTS), score(f"AP(rel={threshold})", x, _COUNTS)
            apart = max(apart, abs(gap - ap))
    return Property(
        "GAP equals AP if all users share one threshold",
        apart < 1e-12,
        f"largest difference {apart:.1e}",
    )


def _swaps(values: dict[tuple[int, ...], float]) -> Property:
    """Swap each pair of documents of which the lower has the higher grade."""
    gains = []
    for x, value in values.items():
        pairs = combinations(range(_LENGTH), 2)
        for a, b in (pair for pair in pairs if x[pair[0]] < x[pair[1]]):
            y = list(x)
            y[a], y[b] = y[b], y[a]
            gains.append(values[tuple(y)] - value)
    return Property(
        "GAP rises if a document moves above one of a lower grade",
        min(gains) > 0,
        f"all {len(gains)} swaps; smallest gain {min(gains):.4f}",
    )


def _ignored(lists: list[list[int]]) -> Property:
    """Count the swaps of documents of different positive grades that measures ignore."""
    unchanged = {"AP": 0, _GAP: 0}
    swaps = 0
    for x in lists:
        for a, b in combinations(range(_LENGTH), 2):
            if {x[a], x[b]} != {1, 2}:
                continue
            y = list(x)
            y[a], y[b] = y[b], y[a]
            swaps += 1
            for measure in unchanged:
                apart = abs(score(measure, x, _COUNTS) - score(measure, y, _COUNTS))
                unchanged[measure] += apart <= NOISE
    return Property(
        "AP ignores swaps of documents of different positive grades, GAP none",
        unchanged == {"AP": swaps, _GAP: 0},
        f"{unchanged['AP']} and {unchanged[_GAP]} of {swaps} swaps",
    )


def _chance(grade: int) -> float:
    return sum(_G[:grade])


def _experiment(values: dict[tuple[int, ...], float]) -> Property:
    """Enumerate the experiment of section 3.1: a pivot, then a document at or above it."""
    total = sum(number * _chance(grade) for grade, number in _COUNTS.items())
    apart = 0.0
    for x, value in values.items():
        expected = 0.0
        for n, pivot in enumerate(x, 1):
            above = [_chance(min(pivot, other)) / _chance(pivot) for other in x[:n] if pivot]
            expected += _chance(pivot) / total * sum(above) / n
        apart = max(apart, abs(expected - value))
    return Property(
        "GAP is the expected outcome of the random experiment",
        apart < 1e-12,
        f"largest difference {apart:.1e}",
    )


def _area(values: dict[tuple[int, ...], float]) -> Property:
    """Add up graded precision times the step in graded recall (section 3.2)."""
    total = sum(number * _chance(grade) for grade, number in _COUNTS.items())
    apart = 0.0
    for x, value in values.items():
        recall = np.cumsum([_chance(grade) for grade in x]) / total
        steps = np.diff(recall, prepend=0.0)
        precision = [
            sum(_chance(min(pivot, other)) for other in x[:n]) / (n * (_chance(pivot) or 1))
            for n, pivot in enumerate(x, 1)
        ]
        apart = max(apart, abs(float(steps @ precision) - value))
    return Property(
        "GAP is the sum of graded precision times steps of graded recall",
        apart < 1e-12,
        f"largest difference {apart:.1e}",
    )


def _absent_grade() -> Property:
    """Check why the mean of AP over thresholds, which is eGAP, was not chosen."""
    gap, mean = (score(f"{name}(g={list(_G)})", [1, 1], {1: 2, 2: 0}) for name in ("GAP", "eGAP"))
    return Property(
        "if a grade is absent, the mean of AP over thresholds is below 1 for an ideal list, but "
        "GAP is 1",
        abs(gap - 1) < 1e-12 and mean < 1,
        f"GAP {gap:.2f}, mean of AP {mean:.2f}",
    )
