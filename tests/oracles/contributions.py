"""What each document of a list adds to a measure, literally: one term of the definition each.

A list is a sequence of grades by rank, unjudged documents being 0; `relevant` counts the judged
documents of each grade. Each function gives one number for each rank.
"""

import math
from collections.abc import Mapping, Sequence


def ap(grades: Sequence[int], relevant: Mapping[int, int]) -> list[float]:
    """Precision at the rank of each relevant document, over the number of relevant documents."""
    number = sum(count for grade, count in relevant.items() if grade > 0)
    terms = []
    for rank, grade in enumerate(grades, 1):
        seen = sum(1 for other in grades[:rank] if other > 0)
        terms.append(seen / rank / number if grade > 0 else 0.0)
    return terms


def gap(grades: Sequence[int], relevant: Mapping[int, int]) -> list[float]:
    """Robertson, Kanoulas, Yilmaz (2010), eq. 2, with equal threshold probabilities.

    The pivot at rank n adds 1/n Σ_{m<=n} Σ_{j<=min(r_n, r_m)} g_j, divided by Σ_i R_i Σ_{j<=i} g_j.
    """
    scale = sorted(grade for grade in relevant if grade > 0)
    share = 1 / len(scale)

    def accepted(grade: int) -> float:
        return sum(share for each in scale if each <= grade)

    whole = sum(relevant[grade] * accepted(grade) for grade in scale)
    terms = []
    for rank, grade in enumerate(grades, 1):
        both = sum(accepted(min(grade, other)) for other in grades[:rank] if min(grade, other) > 0)
        terms.append(both / rank / whole if grade > 0 else 0.0)
    return terms


def ndcg_at_10(grades: Sequence[int], relevant: Mapping[int, int]) -> list[float]:
    """Gain over log2(rank + 1) down to rank 10, over that of the ideal list."""
    ideal = sorted(
        (g for g, count in relevant.items() if g > 0 for _ in range(count)), reverse=True
    )
    best = sum(grade / math.log2(rank + 1) for rank, grade in enumerate(ideal[:10], 1))
    return [
        max(grade, 0) / math.log2(rank + 1) / best if rank <= 10 else 0.0
        for rank, grade in enumerate(grades, 1)
    ]


def rr(grades: Sequence[int], relevant: Mapping[int, int]) -> list[float]:
    """1/rank for the first relevant document."""
    first = next((rank for rank, grade in enumerate(grades, 1) if grade > 0), None)
    return [1 / rank if rank == first else 0.0 for rank in range(1, len(grades) + 1)]


def q(grades: Sequence[int], relevant: Mapping[int, int]) -> list[float]:
    """Sakai (2004): the blended ratio at the rank of each relevant document, over their number."""
    ideal = sorted(
        (g for g, count in relevant.items() if g > 0 for _ in range(count)), reverse=True
    )
    terms = []
    for rank, grade in enumerate(grades, 1):
        seen = sum(1 for other in grades[:rank] if other > 0)
        ratio = (seen + sum(grades[:rank])) / (rank + sum(ideal[:rank]))
        terms.append(ratio / len(ideal) if grade > 0 else 0.0)
    return terms


def err(grades: Sequence[int], relevant: Mapping[int, int]) -> list[float]:
    """Chapelle et al. (2009): users stop at a document with chance (2^r - 1) / 2^max.

    The document at rank n adds 1/n times the share of users who stop there.
    """
    highest = max(relevant)
    terms, going = [], 1.0
    for rank, grade in enumerate(grades, 1):
        chance = (2**grade - 1) / 2**highest
        terms.append(going * chance / rank)
        going = going * (1 - chance)
    return terms


def nerr_at_10(grades: Sequence[int], relevant: Mapping[int, int]) -> list[float]:
    """Sakai & Song (2011): chances are r / (max + 1), and the ideal list divides, down to 10."""
    highest = max(relevant)
    ideal = sorted((g for g, count in relevant.items() for _ in range(count)), reverse=True)

    def add_up(ranked: Sequence[int]) -> list[float]:
        terms, going = [], 1.0
        for rank, grade in enumerate(ranked, 1):
            chance = grade / (highest + 1)
            terms.append(going * chance / rank if rank <= 10 else 0.0)
            going = going * (1 - chance)
        return terms

    best = sum(add_up(ideal))
    return [term / best for term in add_up(grades)]


CONTRIBUTIONS = {
    "AP": ap,
    "GAP": gap,
    "nDCG@10": ndcg_at_10,
    "RR": rr,
    "Q": q,
    "ERR": err,
    "nERR@10": nerr_at_10,
}
