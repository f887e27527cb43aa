"""Gain-discount measures written out as their papers print them, ideal lists built by sorting.

A ranking holds the grade at each rank (None = unjudged, grades <= 0 = judged, not relevant).
`judged` counts the topic's judged documents by grade and names every positive grade of the scale.
"""

import math
from collections.abc import Mapping, Sequence


def _is_relevant(grade: int | None, rel: int) -> bool:
    """Whether a document is relevant at level `rel`."""
    return grade is not None and grade >= rel


def _count_relevant(judged: Mapping[int, int], rel: int) -> int:
    """R: judged documents of the topic with grade >= rel."""
    return sum(count for grade, count in judged.items() if grade >= rel)


def _last_rank(ranking: Sequence[int | None], cutoff: int | None) -> int:
    """n of the papers: the cutoff, or the number retrieved when there is none."""
    if cutoff is None:
        return len(ranking)
    return cutoff


def _gain_of(grade: int | None, gains: Mapping[int, float] | None) -> float:
    """Gain of a document: its grade unless `gains` names another; 0 if not relevant."""
    if grade is None or grade <= 0:
        return 0.0
    if gains is not None and grade in gains:
        return float(gains[grade])
    return float(grade)


def _gain_at(ranking: Sequence[int | None], n: int, gains: Mapping[int, float] | None) -> float:
    """x_n: gain of the document at rank n, 0 past the end of the list."""
    if n > len(ranking):
        return 0.0
    return _gain_of(ranking[n - 1], gains)


def _ideal_list(judged: Mapping[int, int], gains: Mapping[int, float] | None) -> list[float]:
    """y_1, y_2, ...: gains of all judged documents of the topic, best first."""
    ideal: list[float] = []
    for grade, count in judged.items():
        for _ in range(count):
            ideal.append(_gain_of(grade, gains))
    ideal.sort(reverse=True)
    return ideal


def _ideal_at(ideal: Sequence[float], n: int) -> float:
    """y_n: gain at rank n of the ideal list, 0 past its end."""
    if n > len(ideal):
        return 0.0
    return ideal[n - 1]


def _highest_grade(judged: Mapping[int, int]) -> int:
    """The highest grade of the scale, 0 when the scale is empty."""
    return max((grade for grade in judged if grade > 0), default=0)


def p(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    rel: int = 1,
    cutoff: int | None = None,
) -> float:
    """Precision at n: Kishida 2005 eq 2; n is the number retrieved when no cutoff is given."""
    n = _last_rank(ranking, cutoff)
    found = 0
    for k in range(1, n + 1):
        if k <= len(ranking) and _is_relevant(ranking[k - 1], rel):
            found += 1
    if n == 0:
        return 0.0
    return found / n


def recall(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    rel: int = 1,
    cutoff: int | None = None,
) -> float:
    """Recall at n: Ferrante 2014 section 2, Rec[n](k)."""
    found = 0
    for k in range(1, _last_rank(ranking, cutoff) + 1):
        if k <= len(ranking) and _is_relevant(ranking[k - 1], rel):
            found += 1
    number_relevant = _count_relevant(judged, rel)
    if number_relevant == 0:
        return 0.0
    return found / number_relevant


def rprec(ranking: Sequence[int | None], judged: Mapping[int, int], *, rel: int = 1) -> float:
    """R-precision: Kishida 2005 eq 6."""
    number_relevant = _count_relevant(judged, rel)
    found = 0
    for i in range(1, number_relevant + 1):
        if i <= len(ranking) and _is_relevant(ranking[i - 1], rel):
            found += 1
    if number_relevant == 0:
        return 0.0
    return found / number_relevant


def rbp(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    p: float = 0.8,
    rel: int = 1,
    gains: Mapping[int, float] | None = None,
    cutoff: int | None = None,
) -> float:
    """Rank-biased precision: Moffat and Zobel 2008, (1 - p) sum of x_n p^(n-1).

    x_n is [grade >= rel], or the gain as it is (and `rel` unused) when `gains` are given.
    """
    total = 0.0
    for n in range(1, _last_rank(ranking, cutoff) + 1):
        if n > len(ranking):
            continue
        if gains is not None:
            x = _gain_of(ranking[n - 1], gains)
        elif _is_relevant(ranking[n - 1], rel):
            x = 1.0
        else:
            x = 0.0
        total += x * (1 - p) * p ** (n - 1)
    return total


def rbp_residual(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    p: float = 0.8,
    cutoff: int | None = None,
) -> float:
    """Residual of RBP: Moffat and Zobel 2008; weight of what is unjudged or past the depth."""
    depth = len(ranking) if cutoff is None else min(cutoff, len(ranking))
    total = 0.0
    for n in range(1, depth + 1):
        if ranking[n - 1] is None:
            total += (1 - p) * p ** (n - 1)
    return total + p**depth


def cg(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    gains: Mapping[int, float] | None = None,
    cutoff: int | None = None,
) -> float:
    """Cumulated gain: Kishida 2005 eq 29."""
    total = 0.0
    for k in range(1, _last_rank(ranking, cutoff) + 1):
        total += _gain_at(ranking, k, gains)
    return total


def _dcg_gain(kind: str, grade: int | None, gains: Mapping[int, float] | None) -> float:
    """Gain of a document for DCG: 2^grade - 1 for "exp-log2" unless `gains` name another."""
    if kind == "exp-log2" and (gains is None or grade not in gains):
        if grade is None or grade <= 0:
            return 0.0
        return 2.0**grade - 1.0
    return _gain_of(grade, gains)


def _dcg_discount(kind: str, n: int, b: float) -> float:
    """D(n): 1/log2(n+1) (Moffat eq 3), 1/n (Robertson 2010 section 2.1), Kishida eq 30 ("jk")."""
    if kind == "log2" or kind == "exp-log2":
        return 1.0 / math.log2(n + 1)
    if kind == "linear":
        return 1.0 / n
    if kind == "jk":
        if n < b:
            return 1.0
        return 1.0 / math.log(n, b)
    raise ValueError(f"dcg must be 'log2', 'exp-log2', 'linear' or 'jk', not {kind!r}")


def dcg(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    dcg: str = "log2",
    b: float = 2,
    gains: Mapping[int, float] | None = None,
    cutoff: int | None = None,
) -> float:
    """Discounted cumulated gain: Moffat eq 2, 3 ("log2", "exp-log2"); Kishida 2005 eq 30 ("jk")."""
    total = 0.0
    for n in range(1, _last_rank(ranking, cutoff) + 1):
        if n <= len(ranking):
            total += _dcg_gain(dcg, ranking[n - 1], gains) * _dcg_discount(dcg, n, b)
    return total


def ndcg(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    dcg: str = "log2",
    b: float = 2,
    gains: Mapping[int, float] | None = None,
    cutoff: int | None = None,
) -> float:
    """nDCG: DCG over Kishida 2005 eq 31's ideal, all judged documents cut only at the cutoff."""
    actual = 0.0
    for n in range(1, _last_rank(ranking, cutoff) + 1):
        if n <= len(ranking):
            actual += _dcg_gain(dcg, ranking[n - 1], gains) * _dcg_discount(dcg, n, b)
    ideal: list[float] = []
    for grade, count in judged.items():
        for _ in range(count):
            ideal.append(_dcg_gain(dcg, grade, gains))
    ideal.sort(reverse=True)
    best = 0.0
    for n in range(1, len(ideal) + 1):
        if cutoff is None or n <= cutoff:
            best += ideal[n - 1] * _dcg_discount(dcg, n, b)
    if best == 0:
        return 0.0
    return actual / best


def sdcg(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    dcg: str = "log2",
    b: float = 2,
    gains: Mapping[int, float] | None = None,
    max_grade: int | None = None,
    cutoff: int | None = None,
) -> float:
    """Scaled DCG: Moffat eq 4, 5, times the gain of the highest grade of the scale in S_k.

    k is the number retrieved when no cutoff is given. `max_grade` is the highest grade if stated.
    """
    k = _last_rank(ranking, cutoff)
    highest = _highest_grade(judged) if max_grade is None else max_grade
    actual = 0.0
    for n in range(1, k + 1):
        if n <= len(ranking):
            actual += _dcg_gain(dcg, ranking[n - 1], gains) * _dcg_discount(dcg, n, b)
    most = 0.0
    for n in range(1, k + 1):
        most += _dcg_gain(dcg, highest, gains) * _dcg_discount(dcg, n, b)
    if most == 0:
        return 0.0
    return actual / most


def andcg(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    dcg: str = "jk",
    b: float = 2,
    gains: Mapping[int, float] | None = None,
    cutoff: int | None = None,
) -> float:
    """Average nDCG v_D: Kishida 2005 eq 32, with d of eq 30 and d_I of eq 31, or another DCG."""
    n = _last_rank(ranking, cutoff)
    ideal: list[float] = []
    for grade, count in judged.items():
        for _ in range(count):
            ideal.append(_dcg_gain(dcg, grade, gains))
    ideal.sort(reverse=True)
    total = 0.0
    for i in range(1, n + 1):
        d = 0.0
        d_ideal = 0.0
        for k in range(1, i + 1):
            if k <= len(ranking):
                d += _dcg_gain(dcg, ranking[k - 1], gains) * _dcg_discount(dcg, k, b)
            d_ideal += _ideal_at(ideal, k) * _dcg_discount(dcg, k, b)
        if d_ideal != 0:
            total += d / d_ideal
    if n == 0:
        return 0.0
    return total / n


def sr(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    gains: Mapping[int, float] | None = None,
    cutoff: int | None = None,
) -> float:
    """Sliding ratio v_S: Kishida 2005 eq 26."""
    ideal = _ideal_list(judged, gains)
    numerator = 0.0
    denominator = 0.0
    for k in range(1, _last_rank(ranking, cutoff) + 1):
        numerator += _gain_at(ranking, k, gains)
        denominator += _ideal_at(ideal, k)
    if denominator == 0:
        return 0.0
    return numerator / denominator


def msr(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    gains: Mapping[int, float] | None = None,
    cutoff: int | None = None,
) -> float:
    """Modified sliding ratio v_S': Kishida 2005 eq 27."""
    ideal = _ideal_list(judged, gains)
    numerator = 0.0
    denominator = 0.0
    for k in range(1, _last_rank(ranking, cutoff) + 1):
        numerator += _gain_at(ranking, k, gains) / k
        denominator += _ideal_at(ideal, k) / k
    if denominator == 0:
        return 0.0
    return numerator / denominator


def gp(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    cutoff: int | None = None,
    gains: Mapping[int, float] | None = None,
) -> float:
    """Generalized precision g_P: Kishida 2005 section 4.1.4, z = gain / highest gain."""
    n = _last_rank(ranking, cutoff)
    highest = max([0.0, *[_gain_of(grade, gains) for grade in judged]])
    if n == 0 or highest == 0:
        return 0.0
    total = 0.0
    for k in range(1, n + 1):
        total += _gain_at(ranking, k, gains) / highest
    return total / n


def gr(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    cutoff: int | None = None,
    gains: Mapping[int, float] | None = None,
) -> float:
    """Generalized recall g_R: Kishida 2005 section 4.1.4, z = gain / highest gain."""
    highest = max([0.0, *[_gain_of(grade, gains) for grade in judged]])
    if highest == 0:
        return 0.0
    numerator = 0.0
    for k in range(1, _last_rank(ranking, cutoff) + 1):
        numerator += _gain_at(ranking, k, gains) / highest
    denominator = 0.0
    for grade, count in judged.items():
        for _ in range(count):
            denominator += _gain_of(grade, gains) / highest
    if denominator == 0:
        return 0.0
    return numerator / denominator
