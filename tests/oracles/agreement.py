"""Coefficients of agreement, label by label, as their authors define them."""

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement, permutations

Label = int | None
Labels = Sequence[Sequence[Label]]  # of each judge, in the order of documents


def apart(weights: str, a: int, b: int) -> float:
    """How far two grades are apart."""
    return {"plain": float(a != b), "linear": abs(a - b), "quadratic": (a - b) ** 2}[weights]


def cohen(first: Sequence[int], second: Sequence[int], weights: str) -> float:
    """1 - the mean distance of the two labels of a document over that of any two documents."""
    seen = sum(apart(weights, a, b) for a, b in zip(first, second, strict=True)) / len(first)
    pairs = [apart(weights, a, b) for a in first for b in second]
    return 1 - seen / (sum(pairs) / len(pairs))


def krippendorff(labels: Labels, distance: Callable[[int, int], float]) -> float:
    """1 - the mean distance of labels within documents over that of all pairs of labels."""
    units = [[label for label in unit if label is not None] for unit in zip(*labels, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    together = [label for unit in units for label in unit]
    seen = sum(
        sum(distance(a, b) for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in units
    ) / len(together)
    pairs = [distance(a, b) for a, b in permutations(together, 2)]
    return 1 - seen / (sum(pairs) / len(pairs))


def ordinal(labels: Labels) -> Callable[[int, int], float]:
    """Krippendorff's distance of ranks: (the labels between two grades, half of both ends)²."""
    units = [[label for label in unit if label is not None] for unit in zip(*labels, strict=True)]
    together = [label for unit in units if len(unit) > 1 for label in unit]

    def distance(a: int, b: int) -> float:
        low, high = min(a, b), max(a, b)
        between = sum(low <= label <= high for label in together)
        return float((between - (together.count(low) + together.count(high)) / 2) ** 2)

    return distance


def gwet(labels: Labels, grades: int, weights: str) -> float:
    """Gwet's AC: chance agreement from how evenly grades are used."""
    most = max(apart(weights, a, b) for a in range(grades) for b in range(grades))
    alike = [[1 - apart(weights, a, b) / most for b in range(grades)] for a in range(grades)]
    units = [[label for label in unit if label is not None] for unit in zip(*labels, strict=True)]
    units = [unit for unit in units if unit]
    paired = [unit for unit in units if len(unit) > 1]
    seen = sum(
        sum(alike[a][b] for a, b in permutations(unit, 2)) / (len(unit) * (len(unit) - 1))
        for unit in paired
    ) / len(paired)
    shares = [sum(unit.count(k) / len(unit) for unit in units) / len(units) for k in range(grades)]
    total = sum(map(sum, alike))
    chance = total / (grades * (grades - 1)) * sum(share * (1 - share) for share in shares)
    return (seen - chance) / (1 - chance)


def best_monotone_maps(table: Sequence[Sequence[int]]) -> tuple[float, list[tuple[int, ...]]]:
    """The highest quadratic κ of any map of rows to columns that leaves 0 at 0, and such maps."""
    columns, found = len(table[0]), {}
    for places in combinations_with_replacement(range(columns), len(table)):
        if places[0] == 0:
            pairs = [
                (places[a], b)
                for a, row in enumerate(table)
                for b, n in enumerate(row)
                for _ in range(n)
            ]
            first, second = zip(*pairs, strict=True)
            same = len(set(first) | set(second)) == 1
            found[places] = 0.0 if same else cohen(first, second, "quadratic")
    best = max(found.values())
    return best, [places for places, value in found.items() if value > best - 1e-9]
