"""Maximized effectiveness distance, written out as it is defined, and by integer programs.

A list holds document ids, best first. `judged` maps the topic's judged documents to grades,
wherever they are; `scale` holds every positive grade that a document may be given.
A measure takes a list's grades by rank and the topic's number of documents of each grade.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

Documents = Sequence[str]
Judgments = Mapping[str, int]
Measure = Callable[[Sequence[int | None], Mapping[int, int]], float]


def free_documents(a: Documents, b: Documents, judged: Judgments) -> list[str]:
    """The documents of either list that nobody judged."""
    return sorted({document for document in [*a, *b] if document not in judged})


def counts_of(
    judged: Judgments, scale: Sequence[int], assignment: Judgments, outside: Sequence[int] = ()
) -> dict[int, int]:
    """The topic's documents by grade: judged, assigned, and outside of both lists."""
    counts = dict.fromkeys(scale, 0)
    for grade in [*judged.values(), *assignment.values(), *outside]:
        counts[grade] = counts.get(grade, 0) + 1
    return counts


def scores_under(
    a: Documents,
    b: Documents,
    judged: Judgments,
    scale: Sequence[int],
    measure: Measure,
    assignment: Judgments,
    outside: Sequence[int] = (),
) -> tuple[float, float]:
    """M(a) and M(b) when the free documents have the grades of the assignment."""
    grades = {**judged, **assignment}
    counts = counts_of(judged, scale, assignment, outside)
    return (
        measure([grades.get(document) for document in a], counts),
        measure([grades.get(document) for document in b], counts),
    )


@dataclass(frozen=True)
class Farthest:
    """The largest M(a) - M(b), and M(b) - M(a), over all assignments."""

    a_over_b: float
    b_over_a: float

    @property
    def value(self) -> float:
        """MED: the largest |M(a) - M(b)|."""
        return max(self.a_over_b, self.b_over_a)


def brute_force(
    a: Documents,
    b: Documents,
    judged: Judgments,
    scale: Sequence[int],
    measure: Measure,
    unretrieved: int = 0,
) -> Farthest:
    """Try every grade for every free document, and for up to `unretrieved` ones outside."""
    free = free_documents(a, b, judged)
    a_over_b = -math.inf
    b_over_a = -math.inf
    for grades in itertools.product([0, *scale], repeat=len(free)):
        assignment = dict(zip(free, grades, strict=True))
        for outside in itertools.combinations_with_replacement([0, *scale], unretrieved):
            m_a, m_b = scores_under(a, b, judged, scale, measure, assignment, outside)
            a_over_b = max(a_over_b, m_a - m_b)
            b_over_a = max(b_over_a, m_b - m_a)
    return Farthest(a_over_b, b_over_a)


@dataclass(frozen=True)
class Step:
    """A row of Moffat's Table 2; no document in the rows of initial values."""

    document: str | None
    weight_y: float
    weight_z: float
    difference: float
    relevant: int
    numerator: float
    denominator: float

    @property
    def ratio(self) -> float:
        """numer / denom, 0 while nothing is relevant."""
        return self.numerator / self.denominator if self.denominator > 0 else 0.0


def algorithm_1(y: Documents, z: Documents, judged: Judgments, k: int) -> tuple[float, list[Step]]:
    """Moffat's Algorithm 1, MED(NDCG@k, Y, Z) with binary grades, and the trace of Table 2."""
    relevant_judged = len([d for d in judged if judged[d] >= 1])  # step 1
    free = free_documents(y[:k], z[:k], judged)
    base_y = base_z = 0.0
    weight_y = dict.fromkeys(free, 0.0)
    weight_z = dict.fromkeys(free, 0.0)
    for i in range(1, k + 1):  # step 5; a list may be shorter than k
        if i <= len(y):
            weight_y[y[i - 1]] = 1 / math.log2(1 + i)
            if judged.get(y[i - 1], 0) >= 1:
                base_y += 1 / math.log2(1 + i)
        if i <= len(z):
            weight_z[z[i - 1]] = 1 / math.log2(1 + i)
            if judged.get(z[i - 1], 0) >= 1:
                base_z += 1 / math.log2(1 + i)
    difference = {d: weight_y[d] - weight_z[d] for d in free}
    biggest = 0.0  # step 16
    trace: list[Step] = []
    for sign, base in ((1, base_y - base_z), (-1, base_z - base_y)):  # step 38: once more
        order = sorted(free, key=lambda d: sign * difference[d], reverse=True)
        numerator = base
        relevant = min(k, relevant_judged)
        denominator = sum(1 / math.log2(1 + i) for i in range(1, relevant + 1))
        trace.append(Step(None, 0.0, 0.0, 0.0, relevant, numerator, denominator))
        if denominator > 0 and numerator / denominator > biggest:
            biggest = numerator / denominator
        for d in order:
            if sign * difference[d] <= 0:
                break
            numerator += sign * difference[d]
            if relevant < k:
                relevant += 1
                denominator += 1 / math.log2(1 + relevant)
            trace.append(
                Step(d, weight_y[d], weight_z[d], difference[d], relevant, numerator, denominator)
            )
            if numerator / denominator > biggest:
                biggest = numerator / denominator
    return biggest, trace


def _sum_of_precisions(ranking: Documents, relevant: set[str], k: int) -> Fraction:
    """SP@k, Moffat eq 11, without rounding."""
    total = Fraction(0)
    found = 0
    for i, document in enumerate(ranking[:k], 1):
        if document in relevant:
            found += 1
            total += Fraction(found, i)
    return total


def _weight_13(ranking: Documents, document: str, relevant: set[str], k: int) -> Fraction:
    """Moffat eq 13: what SP@k gains when the document becomes relevant; 0 if it is not there."""
    if document not in ranking[:k]:
        return Fraction(0)
    i = ranking.index(document) + 1
    above = len([j for j in range(1, i) if ranking[j - 1] in relevant])
    below = [j for j in range(i + 1, min(k, len(ranking)) + 1) if ranking[j - 1] in relevant]
    return Fraction(1 + above, i) + sum((Fraction(1, j) for j in below), Fraction(0))


def greedy_ap(
    y: Documents, z: Documents, judged: Judgments, k: int, *, norm: str = "R"
) -> set[Fraction]:
    """Algorithm 1 with the weights of Moffat eq 13, for AP@k of eq 8 ("R") or 9 ("min(k,R)").

    The paper does not say which of equal differences goes first, so this gives the value of
    each way; nor what rounding does to a difference of 0, so both stopping and going on count.
    """
    outcomes: set[Fraction] = set()
    at_start = {d for d in judged if judged[d] >= 1}

    def denominator(relevant: set[str]) -> int:
        return len(relevant) if norm == "R" else min(k, len(relevant))

    def walk(over: Documents, under: Documents, relevant: set[str]) -> Iterator[Fraction]:
        here = Fraction(0)
        if relevant:
            sp_over = _sum_of_precisions(over, relevant, k)
            here = (sp_over - _sum_of_precisions(under, relevant, k)) / denominator(relevant)
        difference = {
            d: _weight_13(over, d, relevant, k) - _weight_13(under, d, relevant, k)
            for d in free_documents(y[:k], z[:k], judged)
            if d not in relevant
        }
        largest = max(difference.values(), default=Fraction(-1))
        if largest <= 0:
            yield here
        if largest >= 0:
            for d, gained in difference.items():
                if gained == largest:
                    for later in walk(over, under, relevant | {d}):
                        yield max(here, later)

    for over in set(walk(y, z, at_start)):
        for under in set(walk(z, y, at_start)):
            outcomes.add(max(over, under, Fraction(0)))
    return outcomes


def _pair_weight(ranking: Documents, one: str, other: str, k: int) -> float:
    """1/max of two documents' ranks, which a pair of relevant ones adds to SP@k; else 0."""
    if one not in ranking[:k] or other not in ranking[:k]:
        return 0.0
    return 1 / (max(ranking.index(one), ranking.index(other)) + 1)


def most_by_milp(
    y: Documents,
    z: Documents,
    judged: Judgments,
    k: int,
    cost: float,
    scale: Sequence[int] = (1,),
    g: Sequence[float] = (1.0,),
) -> tuple[float, dict[str, int]]:
    """The largest sum of g_j times [SP@k(Y) - SP@k(Z) - cost * R] over the levels j, by HiGHS.

    Level j counts documents of at least grade scale[j] as relevant; R is their number, judged
    and free. Gives the sum and the assignment that attains it. A binary variable says of each
    free document and level whether the document reaches it; there is a variable for each pair
    of them whose weights differ in Y and Z, at most both documents' variables where it is
    wanted and at least their sum - 1 where it is not.
    """
    free = free_documents(y[:k], z[:k], judged)
    objective: list[float] = []
    rows: list[tuple[dict[int, float], float]] = []  # coefficients, upper bound
    constant = 0.0

    def weight(one: str, other: str) -> float:
        return _pair_weight(y, one, other, k) - _pair_weight(z, one, other, k)

    for j, share in enumerate(g):
        relevant = [d for d in judged if judged[d] >= scale[j]]
        constant += share * (sum(weight(d, d) - cost for d in relevant))
        constant += share * sum(weight(d, e) for d, e in itertools.combinations(relevant, 2))
        for d in free:
            gained = weight(d, d) + sum(weight(d, e) for e in relevant)
            objective.append(share * (gained - cost))
    for j in range(1, len(g)):  # who reaches a level reaches those below
        for i in range(len(free)):
            rows.append(({j * len(free) + i: 1, (j - 1) * len(free) + i: -1}, 0))
    binary = len(objective)
    for i, j in itertools.combinations(range(len(free)), 2):
        w = weight(free[i], free[j])
        for level, share in enumerate(g if w != 0 else []):
            one, other, both = level * len(free) + i, level * len(free) + j, len(objective)
            objective.append(share * w)
            if w > 0:
                rows.append(({both: 1, one: -1}, 0))
                rows.append(({both: 1, other: -1}, 0))
            else:
                rows.append(({one: 1, other: 1, both: -1}, 1))
    if not free:
        return constant, {}
    constraints = []
    if rows:
        cells = [(r, c, v) for r, (row, _) in enumerate(rows) for c, v in row.items()]
        r, c, v = zip(*cells, strict=True)
        matrix = coo_array((v, (r, c)), shape=(len(rows), len(objective))).tocsr()
        constraints.append(LinearConstraint(matrix, ub=[upper for _, upper in rows]))
    solution = milp(
        -np.array(objective),
        constraints=constraints,
        integrality=np.array([1] * binary + [0] * (len(objective) - binary)),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0.0},
    )
    if not solution.success:
        raise ArithmeticError(solution.message)
    reached = [[x > 0.5 for x in solution.x[i : binary : len(free)]] for i in range(len(free))]
    grades = [max((scale[j] for j in range(len(g)) if levels[j]), default=0) for levels in reached]
    return constant - float(solution.fun), dict(zip(free, grades, strict=True))


def gap_by_milp(
    a: Documents,
    b: Documents,
    judged: Judgments,
    k: int,
    scale: Sequence[int] = (1,),
    g: Sequence[float] = (1.0,),
    *,
    start: float = 0.0,
    tolerance: float = 1e-7,
) -> float:
    """MED of GAP@k, which is AP@k with denominator R on one grade: Dinkelbach's ratios, by HiGHS.

    GAP = sum of g_j SP_j / sum of g_j RB(j). Starts from a value that is known to be attained.
    """
    ratio = start
    for y, z in ((a, b), (b, a)):
        while True:
            most, assignment = most_by_milp(y, z, judged, k, ratio, scale, g)
            if most <= tolerance:
                break
            numerator = denominator = 0.0
            for level, share in zip(scale, g, strict=True):
                relevant = {d for d, grade in {**judged, **assignment}.items() if grade >= level}
                sp = _sum_of_precisions(y, relevant, k) - _sum_of_precisions(z, relevant, k)
                numerator += share * float(sp)
                denominator += share * len(relevant)
            if numerator / denominator <= ratio:
                break
            ratio = numerator / denominator
    return ratio


def ap_by_milp(a: Documents, b: Documents, judged: Judgments, k: int) -> float:
    """MED of AP@k with denominator R, from the greedy value, which is mostly the largest."""
    return gap_by_milp(a, b, judged, k, start=_one_greedy_value(a, b, judged, k))


def _one_greedy_value(a: Documents, b: Documents, judged: Judgments, k: int) -> float:
    """A value that some assignment attains, found by adding the best document each time."""
    best = 0.0
    for y, z in ((a, b), (b, a)):
        relevant = {d for d in judged if judged[d] >= 1}
        left = set(free_documents(y[:k], z[:k], judged))
        while True:
            if relevant:
                sp = _sum_of_precisions(y, relevant, k) - _sum_of_precisions(z, relevant, k)
                best = max(best, float(sp) / len(relevant))
            gain = {d: _weight_13(y, d, relevant, k) - _weight_13(z, d, relevant, k) for d in left}
            if not gain or max(gain.values()) <= 0:
                break
            relevant.add(max(sorted(gain), key=lambda d: gain[d]))
            left -= relevant
    return best


def ssp_by_milp(a: Documents, b: Documents, judged: Judgments, k: int) -> float:
    """MED of SSP@k, Moffat eq 10: nothing to pay for a relevant document."""
    return max(most_by_milp(y, z, judged, k, 0.0)[0] for y, z in ((a, b), (b, a))) / k
