"""Compatibility with an ideal list, written out as its paper states it."""

from collections.abc import Mapping, Sequence

from oracles.sampled import as_pool


def _overlap(first: Sequence[str], second: Sequence[str], p: float, depth: int) -> float:
    """Rank-biased overlap of two lists down to a depth: Webber, Moffat & Zobel 2010."""
    total, weights = 0.0, 0.0
    for n in range(1, depth + 1):
        total += p ** (n - 1) * len({*first[:n]} & {*second[:n]}) / n
        weights += p ** (n - 1)
    return total / weights if weights else 0.0


def compat(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    p: float = 0.95,
    normalize: bool = True,
) -> float:
    """Clarke, Vtyurina & Smucker 2021: the ideal list that is nearest to the ranking."""
    names, grades = as_pool(ranking, judged)
    place = {name: n for n, name in enumerate(names)}
    relevant = [document for document in grades if grades[document] > 0]
    ideal = sorted(relevant, key=lambda d: (-grades[d], place.get(d, len(names))))
    depth = max(len(names), len(ideal))
    value, best = _overlap(names, ideal, p, depth), _overlap(ideal, ideal, p, depth)
    return value / best if normalize and best else value
