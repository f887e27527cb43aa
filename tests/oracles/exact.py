"""Tests and correlations of values given as fractions: nothing is rounded before p.

What is tied, zero or as extreme as what was observed is a question of equality, and fractions
answer it without a tolerance. Random numbers are drawn as in `statistics`.
"""

from fractions import Fraction
from itertools import product
from math import comb, erfc, sqrt

import numpy as np

Fractions = list[Fraction]


def wilcoxon(differences: Fractions) -> float:
    """Signed ranks by hand: zeros left out, mean ranks, exact up to 50 topics (13 with ties)."""
    nonzero = [d for d in differences if d]
    if not nonzero:
        return 1.0
    sizes = [abs(d) for d in nonzero]
    ranks = [
        Fraction(sum(s < size for s in sizes)) + Fraction(sum(s == size for s in sizes) + 1, 2)
        for size in sizes
    ]
    positive = sum((r for r, d in zip(ranks, nonzero, strict=True) if d > 0), Fraction(0))
    plain = len(set(sizes)) == len(differences)
    if len(differences) <= (50 if plain else 13):
        return _exact_signed_rank(positive, ranks)
    mean, variance = sum(ranks) / 2, sum(r * r for r in ranks) / 4
    return erfc(abs(float(positive - mean)) / sqrt(2 * variance))


def _exact_signed_rank(positive: Fraction, ranks: Fractions) -> float:
    ways = {Fraction(0): 1}
    for rank in ranks:
        new = dict(ways)
        for total, number in ways.items():
            new[total + rank] = new.get(total + rank, 0) + number
        ways = new
    smaller = min(positive, sum(ranks) - positive)
    tail = sum(number for total, number in ways.items() if total <= smaller)
    return min(1.0, float(Fraction(2 * tail, 2 ** len(ranks))))


def sign(differences: Fractions) -> float:
    up, down = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
    tail = sum(comb(up + down, k) for k in range(min(up, down) + 1))
    return min(1.0, float(Fraction(2 * tail, 2 ** (up + down))))


def randomization(differences: Fractions, replicates: int, seed: int) -> float:
    observed, topics = abs(sum(differences)), len(differences)
    if 2**topics <= replicates:
        signs = list(product((1, 0), repeat=topics))
        count = sum(_far(differences, row, observed) for row in signs)
        return float(Fraction(count, 2**topics))
    drawn = np.random.default_rng(seed).integers(0, 2, (replicates, topics)).tolist()
    count = sum(_far(differences, row, observed) for row in drawn)
    return float(Fraction(count + 1, replicates + 1))


def _far(differences: Fractions, signs: tuple[int, ...], observed: Fraction) -> bool:
    total = sum(d if up else -d for d, up in zip(differences, signs, strict=True))
    return abs(total) >= observed


def bootstrap(differences: Fractions, replicates: int, seed: int) -> float:
    """Sakai's test with squares of studentized means, mean² / variance, as fractions."""
    if not any(differences):
        return 1.0
    topics = len(differences)
    mean = sum(differences) / topics
    shifted = [d - mean for d in differences]
    spread = sum(d * d for d in shifted) / topics
    draws = np.random.default_rng(seed).multinomial(topics, [1 / topics] * topics, size=replicates)
    count = 0
    for draw in draws.tolist():
        center = sum(n * d for n, d in zip(draw, shifted, strict=True)) / topics
        around = sum(n * (d - center) ** 2 for n, d in zip(draw, shifted, strict=True)) / topics
        count += center != 0 and center**2 * spread >= mean**2 * around
    return float(Fraction(count + 1, replicates + 1))


def tukey(values: list[Fractions], replicates: int, seed: int) -> list[list[float]]:
    rng, runs, topics = np.random.default_rng(seed), len(values), len(values[0])
    places = np.tile(np.arange(runs)[:, None], (1, topics))
    widest = []
    for _ in range(replicates):
        order = rng.permuted(places, axis=0).tolist()
        sums = [sum(values[order[r][t]][t] for t in range(topics)) for r in range(runs)]
        widest.append(max(sums) - min(sums))
    sums = [sum(row) for row in values]
    return [
        [(1 + sum(w >= abs(a - b) for w in widest)) / (replicates + 1) for b in sums] for a in sums
    ]


def tau(x: Fractions, y: Fractions) -> float:
    """Kendall's tau-b."""
    pairs = [(a, b) for a in range(len(x)) for b in range(a)]
    signs = [(_sign(x[a] - x[b]), _sign(y[a] - y[b])) for a, b in pairs]
    apart = sum(bool(u) for u, _ in signs) * sum(bool(v) for _, v in signs)
    return sum(u * v for u, v in signs) / sqrt(apart)


def spearman(x: Fractions, y: Fractions) -> float:
    left, right = _ranks(x), _ranks(y)
    center = Fraction(len(x) + 1, 2)
    product_sum = sum((a - center) * (b - center) for a, b in zip(left, right, strict=True))
    spread = sum((a - center) ** 2 for a in left) * sum((b - center) ** 2 for b in right)
    return float(product_sum) / sqrt(spread)


def _ranks(x: Fractions) -> Fractions:
    return [
        Fraction(sum(other < own for other in x))
        + Fraction(sum(other == own for other in x) + 1, 2)
        for own in x
    ]


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)
