"""Measures of preferences, pair by pair, as their papers and their tool state them.

A ranking holds document ids; `pairs` holds (better, worse) documents.
"""

import math
from collections.abc import Collection, Mapping, Sequence

from oracles.sampled import as_pool

Pairs = Collection[tuple[str, str]]


def _ranks(ranking: Sequence[str], pairs: Pairs) -> list[tuple[float, float]]:
    rank = {document: n for n, document in enumerate(ranking, 1)}
    return [(rank.get(b, math.inf), rank.get(w, math.inf)) for b, w in pairs]


def ppref(ranking: Sequence[str], pairs: Pairs, *, cutoff: float | None = None) -> float:
    """Correctly ordered pairs, of those with a document at rank k or above."""
    k = len(ranking) if cutoff is None else cutoff
    seen = [(b, w) for b, w in _ranks(ranking, pairs) if b <= k or w <= k]
    return sum(b < w for b, w in seen) / len(seen) if seen else 0.0


def rpref(ranking: Sequence[str], pairs: Pairs, *, cutoff: float | None = None) -> float:
    """Correctly ordered pairs with the better document at rank k or above, of all pairs."""
    k = len(ranking) if cutoff is None else cutoff
    return sum(b < w and b <= k for b, w in _ranks(ranking, pairs)) / len(pairs) if pairs else 0.0


def wpref(ranking: Sequence[str], pairs: Pairs, *, cutoff: float | None = None) -> float:
    """The same pairs, each discounted by the rank of the better document."""
    k = len(ranking) if cutoff is None else cutoff
    return sum(1 / (math.log2(b) + 1) for b, w in _ranks(ranking, pairs) if b < w and b <= k)


def nwpref(ranking: Sequence[str], pairs: Pairs, *, cutoff: float | None = None) -> float:
    """Divided by what all pairs would add if they were ordered correctly."""
    k = len(ranking) if cutoff is None else cutoff
    firsts = [min(b, w) for b, w in _ranks(ranking, pairs) if min(b, w) <= k]
    best = sum(1 / (math.log2(first) + 1) for first in firsts)
    return wpref(ranking, pairs, cutoff=cutoff) / best if best else 0.0


def ap_pref(ranking: Sequence[str], pairs: Pairs) -> float:
    """ppref averaged over all preferred documents, beyond the end of the list if not retrieved."""
    preferred = {better for better, _ in pairs}
    if not preferred:
        return 0.0
    ranks = [ranking.index(d) + 1 if d in ranking else math.inf for d in preferred]
    return sum(ppref(ranking, pairs, cutoff=rank) for rank in ranks) / len(preferred)


def of_grades(measure):  # type: ignore[no-untyped-def]
    """Give a measure for a ranking of grades: a higher grade is preferred to a lower one."""

    def value(ranking: Sequence[int | None], judged: Mapping[int, int], **options: float) -> float:
        names, grades = as_pool(ranking, judged)
        level = {document: max(grade, 0) for document, grade in grades.items()}
        pairs = [(b, w) for b in level for w in level if level[b] > level[w]]
        return float(measure(names, pairs, **options))

    return value
