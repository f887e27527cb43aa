"""Fusion by the definitions of the papers, with dictionaries and lists.

A run's list for a topic is {document: score}; a ranking is its documents, best first. Sums run over
the lists that hold a document.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

Scored = Mapping[str, float]


def ranking(scored: Scored) -> list[str]:
    """Documents by falling score; the greater id, as bytes, comes first where scores are equal."""
    by_id = sorted(scored, key=lambda document: document.encode(), reverse=True)
    return sorted(by_id, key=lambda document: -scored[document])


def _documents(lists: Sequence[Scored]) -> list[str]:
    return sorted({document for scored in lists for document in scored})


def _ranks(lists: Sequence[Scored], document: str) -> list[tuple[int, int]]:
    """(list, rank) wherever the document is."""
    return [
        (number, ranking(scored).index(document) + 1)
        for number, scored in enumerate(lists)
        if document in scored
    ]


# Normalizations: Lee 1997 (min-max); Montague and Aslam 2001 (sum, ZMUV); Renda and Straccia 2003
# (rank, Borda). All have one list in and one list out, except Borda's.


def min_max(scored: Scored) -> dict[str, float]:
    low, high = min(scored.values()), max(scored.values())
    return {d: (s - low) / (high - low) if high > low else 0.0 for d, s in scored.items()}


def min_max_inverted(scored: Scored) -> dict[str, float]:
    low, high = min(scored.values()), max(scored.values())
    return {d: (high - s) / (high - low) if high > low else 0.0 for d, s in scored.items()}


def over_max(scored: Scored) -> dict[str, float]:
    high = max(scored.values())
    return {d: s / high if high else 0.0 for d, s in scored.items()}


def over_sum(scored: Scored) -> dict[str, float]:
    low = min(scored.values())
    total = math.fsum(s - low for s in scored.values())
    return {d: (s - low) / total if total else 0.0 for d, s in scored.items()}


def zero_mean_unit_variance(scored: Scored) -> dict[str, float]:
    exact = {d: Fraction(s) for d, s in scored.items()}
    mean = sum(exact.values(), Fraction(0)) / len(exact)
    variance = sum(((s - mean) ** 2 for s in exact.values()), Fraction(0)) / len(exact)
    return {d: float(s - mean) / math.sqrt(variance) if variance else 0.0 for d, s in exact.items()}


def by_rank(scored: Scored) -> dict[str, float]:
    order = ranking(scored)
    return {d: 1 - order.index(d) / len(order) for d in order}


def borda_votes(lists: Sequence[Scored]) -> list[dict[str, float]]:
    """Aslam and Montague 2001: c points, then one fewer for each rank; the rest is shared."""
    candidates = _documents(lists)
    votes = []
    for scored in lists:
        order = ranking(scored)
        points = {d: float(len(candidates) - n) for n, d in enumerate(order)}
        left = list(range(1, len(candidates) - len(order) + 1))
        for document in candidates:
            if document not in points:
                points[document] = sum(left) / len(left)
        votes.append(points)
    return votes


def borda_normalized(lists: Sequence[Scored]) -> list[dict[str, float]]:
    count = len(_documents(lists))
    return [{d: points / count for d, points in votes.items()} for votes in borda_votes(lists)]


NORMALIZATIONS: dict[str, Callable[[Scored], dict[str, float]]] = {
    "none": dict,
    "min-max": min_max,
    "min-max-inverted": min_max_inverted,
    "max": over_max,
    "sum": over_sum,
    "zmuv": zero_mean_unit_variance,
    "rank": by_rank,
}


def normalized(name: str, lists: Sequence[Scored]) -> list[dict[str, float]]:
    """Lists with comparable scores; an empty list stays empty, except for Borda."""
    if name == "borda":
        return borda_normalized(lists)
    return [NORMALIZATIONS[name](scored) if scored else {} for scored in lists]


# Methods: they take lists and weights, and return the score of each document.

Fused = dict[str, float]


def _median(values: Sequence[float]) -> float:
    ordered, middle = sorted(values), len(values) // 2
    return ordered[middle] if len(values) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def _combine(lists: Sequence[Scored], rule: Callable[[list[float]], float]) -> Fused:
    return {d: rule([scored[d] for scored in lists if d in scored]) for d in _documents(lists)}


# Fox and Shaw 1994, Table 1: combinations of the similarities of a document.
def combsum(lists: Sequence[Scored], weights: Sequence[float]) -> Fused:
    return _combine(lists, math.fsum)


def combmnz(lists: Sequence[Scored], weights: Sequence[float]) -> Fused:
    return _combine(lists, lambda values: math.fsum(values) * len(values))


def combanz(lists: Sequence[Scored], weights: Sequence[float]) -> Fused:
    return _combine(lists, lambda values: math.fsum(values) / len(values))


def combmed(lists: Sequence[Scored], weights: Sequence[float]) -> Fused:
    return _combine(lists, _median)


def combmin(lists: Sequence[Scored], weights: Sequence[float]) -> Fused:
    return _combine(lists, min)


def combmax(lists: Sequence[Scored], weights: Sequence[float]) -> Fused:
    return _combine(lists, max)


def combgmnz(lists: Sequence[Scored], weights: Sequence[float], gamma: float = 1) -> Fused:
    """Lee 1997."""
    return _combine(lists, lambda values: math.fsum(values) * len(values) ** gamma)


def w_sum(lists: Sequence[Scored], weights: Sequence[float]) -> Fused:
    return {
        d: math.fsum(w * scored[d] for w, scored in zip(weights, lists, strict=True) if d in scored)
        for d in _documents(lists)
    }


def w_mnz(lists: Sequence[Scored], weights: Sequence[float]) -> Fused:
    """Wu and Crestani 2002."""
    return {
        d: math.fsum(scored[d] for scored in lists if d in scored)
        * math.fsum(w for w, scored in zip(weights, lists, strict=True) if d in scored)
        for d in _documents(lists)
    }


def mixed(lists: Sequence[Scored], weights: Sequence[float]) -> Fused:
    """Wu and Crestani 2002."""
    return {
        d: value * math.sqrt(sum(d in scored for scored in lists))
        for d, value in w_sum(lists, weights).items()
    }


def rrf(lists: Sequence[Scored], weights: Sequence[float], k: float = 60) -> Fused:
    """Cormack, Clarke and Büttcher 2009."""
    return {
        d: math.fsum(weights[number] / (k + rank) for number, rank in _ranks(lists, d))
        for d in _documents(lists)
    }


def rbc(lists: Sequence[Scored], weights: Sequence[float], phi: float = 0.8) -> Fused:
    """Bailey et al. 2017: the weight of a rank is that of rank-biased precision."""
    return {
        d: math.fsum(
            weights[number] * (1 - phi) * phi ** (rank - 1) for number, rank in _ranks(lists, d)
        )
        for d in _documents(lists)
    }


def _isr(lists: Sequence[Scored], factor: Callable[[int], float]) -> Fused:
    """Mourão, Martins and Magalhães 2015."""
    return {
        d: factor(len(_ranks(lists, d))) * math.fsum(1 / rank**2 for _, rank in _ranks(lists, d))
        for d in _documents(lists)
    }


def isr(lists: Sequence[Scored], weights: Sequence[float]) -> Fused:
    return _isr(lists, float)


def log_isr(lists: Sequence[Scored], weights: Sequence[float]) -> Fused:
    return _isr(lists, math.log)


def logn_isr(lists: Sequence[Scored], weights: Sequence[float], sigma: float = 0.01) -> Fused:
    return _isr(lists, lambda count: math.log(count + sigma))


def w_bordafuse(lists: Sequence[Scored], weights: Sequence[float]) -> Fused:
    return w_sum(borda_votes(lists), weights)


def bordafuse(lists: Sequence[Scored], weights: Sequence[float]) -> Fused:
    return combsum(borda_votes(lists), weights)


def votes(lists: Sequence[Scored], weights: Sequence[float], a: str, b: str) -> float:
    """Montague and Aslam 2002: what the runs that prefer a to b weigh more than the others.

    A run prefers what it ranks higher, and what it retrieved to what it did not.
    """
    total = Fraction(0)
    for scored, weight in zip(lists, weights, strict=True):
        order = ranking(scored)
        place = {d: order.index(d) if d in scored else len(order) for d in (a, b)}
        total += Fraction(weight) * ((place[a] < place[b]) - (place[a] > place[b]))
    return float(total)


METHODS: dict[str, Callable[..., Fused]] = {
    "rrf": rrf,
    "combsum": combsum,
    "combmnz": combmnz,
    "combgmnz": combgmnz,
    "combanz": combanz,
    "combmed": combmed,
    "combmin": combmin,
    "combmax": combmax,
    "w_sum": w_sum,
    "w_mnz": w_mnz,
    "mixed": mixed,
    "rbc": rbc,
    "isr": isr,
    "log_isr": log_isr,
    "logn_isr": logn_isr,
    "bordafuse": bordafuse,
    "w_bordafuse": w_bordafuse,
}
