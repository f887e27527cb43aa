"""Soft measures and λ's written out as the papers print them, with loops and enumeration only.

`scores` and `grades` are those of one list; grades are 0..c. `value` is any measure of a list of
grades in rank order.
"""

import math
from collections.abc import Callable, Sequence
from itertools import product

Value = Callable[[list[int]], float]


def beats(scores: Sequence[float], m: int, n: int, sigma: float) -> float:
    """π_mn: the chance that m scores above n, each score with normal noise (Taylor et al. 2008)."""
    return 0.5 * (1 + math.erf((scores[m] - scores[n]) / (math.sqrt(2) * sigma) / math.sqrt(2)))


def soft_gap(
    scores: Sequence[float], grades: Sequence[int], g: Sequence[float], sigma: float
) -> float:
    """SoftGAP (Robertson et al. 2010): PC_n summed over n, over the expected number relevant."""
    total = 0.0
    for n in range(len(scores)):
        above, rank = sum(g[: grades[n]]), 1.0
        for m in range(len(scores)):
            if m != n:
                above += beats(scores, m, n, sigma) * sum(g[: min(grades[m], grades[n])])
                rank += beats(scores, m, n, sigma)
        total += above / rank
    return total / sum(sum(g[:grade]) for grade in grades)


def soft_pivot(
    scores: Sequence[float],
    grades: Sequence[int],
    share: Callable[[int, int], float],
    sigma: float,
) -> float:
    """Σ_n [K(n, n) + Σ_m π_mn K(n, m)] / (1 + Σ_m π_mn), K given by `share` of two grades."""
    total = 0.0
    for n in range(len(scores)):
        above, rank = share(grades[n], grades[n]), 1.0
        for m in range(len(scores)):
            if m != n:
                above += beats(scores, m, n, sigma) * share(grades[n], grades[m])
                rank += beats(scores, m, n, sigma)
        total += above / rank
    return total


def soft_gain(
    scores: Sequence[float],
    grades: Sequence[int],
    gain: Callable[[int], float],
    discount: Callable[[int], float],
    sigma: float,
) -> float:
    """Σ_j h(r_j) Σ_r p_j(r) D(r), p_j by going through all outcomes of all comparisons."""
    total = 0.0
    for j in range(len(scores)):
        others = [i for i in range(len(scores)) if i != j]
        for outcome in product([0, 1], repeat=len(others)):
            chance = 1.0
            for i, above in zip(others, outcome, strict=True):
                p = beats(scores, i, j, sigma)
                chance *= p if above else 1 - p
            total += gain(grades[j]) * chance * discount(1 + sum(outcome))
    return total


def lambdas(
    scores: Sequence[float],
    grades: Sequence[int],
    value: Value,
    sigma: float,
    pull: Sequence[float] | None = None,
) -> tuple[float, list[float]]:
    """The loss and λ's of LambdaRank: every pair is really swapped, and the list valued again.

    Every pair may be weighed by the `pull` of its better document.
    """
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    ranking = [grades[i] for i in order]
    before = value(ranking)
    loss, slope = 0.0, [0.0] * len(scores)
    for a in range(len(order)):
        for b in range(a + 1, len(order)):
            if ranking[a] == ranking[b]:
                continue
            swapped = list(ranking)
            swapped[a], swapped[b] = swapped[b], swapped[a]
            change = abs(value(swapped) - before)
            better, worse = (a, b) if ranking[a] > ranking[b] else (b, a)
            i, j = order[better], order[worse]
            change *= 1.0 if pull is None else pull[i]
            loss += change * math.log(1 + math.exp(-sigma * (scores[i] - scores[j])))
            step = sigma * change / (1 + math.exp(sigma * (scores[i] - scores[j])))
            slope[i] -= step
            slope[j] += step
    return loss, slope


def boosted(
    scores: Sequence[float],
    grades: Sequence[int],
    value: Value,
    sigma: float,
    truncation: int,
    normalize: bool,
    pull: Sequence[float] | None = None,
) -> tuple[list[float], list[float]]:
    """The gradient and Hessian of LambdaMART as LightGBM has them, by swapping every pair.

    Burges (2010), section 7; LightGBM 4, rank_objective.hpp, with the change of any measure in
    place of that of nDCG. Every pair may be weighed by the `pull` of its better document, after
    lists are brought to scale.
    """
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    ranking = [grades[i] for i in order]
    before = value(ranking)
    gradient, hessian, total = [0.0] * len(scores), [0.0] * len(scores), 0.0
    for a in range(min(len(order), truncation)):
        for b in range(a + 1, len(order)):
            if ranking[a] == ranking[b]:
                continue
            swapped = list(ranking)
            swapped[a], swapped[b] = swapped[b], swapped[a]
            change = abs(value(swapped) - before)
            better, worse = (a, b) if ranking[a] > ranking[b] else (b, a)
            i, j = order[better], order[worse]
            apart = scores[i] - scores[j]
            if normalize and max(scores) != min(scores):
                change /= 0.01 + abs(apart)
            weight = 1.0 if pull is None else pull[i]
            wrong = 1 / (1 + math.exp(sigma * apart)) if sigma * apart < 700 else 0.0
            step, bend = sigma * change * wrong, sigma**2 * change * wrong * (1 - wrong)
            gradient[i] -= weight * step
            gradient[j] += weight * step
            hessian[i] += weight * bend
            hessian[j] += weight * bend
            total += 2 * step
    if normalize and total > 0:
        scale = math.log2(1 + total) / total
        gradient, hessian = [scale * g for g in gradient], [scale * h for h in hessian]
    return gradient, hessian
