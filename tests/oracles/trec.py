"""Measures that trec_eval 10 defines, written out rank by rank.

A ranking holds the grade at each rank (None = unjudged, grades <= 0 = judged, not relevant).
`judged` counts the topic's judged documents by grade and names every positive grade of the scale.
Only `inf_ap` reads a negative grade in another way: the document is in the pool and not judged.
"""

import math
from collections.abc import Mapping, Sequence


def _is_rel(grade: int | None, rel: int) -> bool:
    """Whether a document is relevant at level `rel`."""
    return grade is not None and grade >= rel


def _num_rel(judged: Mapping[int, int], rel: int) -> int:
    """R: judged documents of the topic with grade >= rel, retrieved or not."""
    number = 0
    for grade, count in judged.items():
        if grade >= rel:
            number += count
    return number


def _num_rel_within(ranking: Sequence[int | None], rel: int, n: int) -> int:
    """r_n: relevant documents at ranks 1..n; a short list ends in documents of no use."""
    number = 0
    for i in range(1, n + 1):
        if i <= len(ranking) and _is_rel(ranking[i - 1], rel):
            number += 1
    return number


def _gain(grade: int | None, gains: Mapping[int, float] | None) -> float:
    """gain(v): the grade unless `gains` names another; 0 if not relevant."""
    if grade is None or grade <= 0:
        return 0.0
    if gains is not None and grade in gains:
        return float(gains[grade])
    return float(grade)


def _ideal(judged: Mapping[int, int], gains: Mapping[int, float] | None) -> list[float]:
    """I_1 >= ... >= I_m: the gains above 0 of all judged documents of the topic."""
    ideal: list[float] = []
    for grade, count in judged.items():
        for _ in range(count):
            if _gain(grade, gains) > 0:
                ideal.append(_gain(grade, gains))
    ideal.sort(reverse=True)
    return ideal


def _dcg_at(ranking: Sequence[int | None], gains: Mapping[int, float] | None, i: int) -> float:
    """DCG_i: sum of gain(v_j) / lg(j + 1) over j <= i."""
    total = 0.0
    for j in range(1, i + 1):
        if j <= len(ranking):
            total += _gain(ranking[j - 1], gains) / math.log2(j + 1)
    return total


def _ideal_dcg_at(ideal: Sequence[float], i: int) -> float:
    """IDCG_i: sum of I_j / lg(j + 1) over j <= min(i, m)."""
    total = 0.0
    for j in range(1, min(i, len(ideal)) + 1):
        total += ideal[j - 1] / math.log2(j + 1)
    return total


def inf_ap(ranking: Sequence[int | None], judged: Mapping[int, int], *, rel: int = 1) -> float:
    """Inferred AP: Yilmaz and Aslam 2006, with the smoothing 0.00001 of m_infap.c.

    The precision expected at rank k is 1/k for the relevant document itself, and for the k - 1
    above it (d100 of them in the pool) the share of relevant ones among those judged. A negative
    grade means in the pool and not judged; None means not in the pool.
    """
    smoothing = 0.00001
    total = 0.0
    for k in range(1, len(ranking) + 1):
        if not _is_rel(ranking[k - 1], rel):
            continue
        if k == 1:
            total += 1.0
            continue
        in_pool = 0
        relevant = 0
        not_relevant = 0
        for m in range(1, k):
            above = ranking[m - 1]
            if above is not None:
                in_pool += 1
                if above >= rel:
                    relevant += 1
                elif above >= 0:
                    not_relevant += 1
        share = (relevant + smoothing) / (relevant + not_relevant + 2 * smoothing)
        total += 1 / k + (k - 1) / k * (in_pool / (k - 1)) * share
    if _num_rel(judged, rel) == 0:
        return 0.0
    return total / _num_rel(judged, rel)


def bin_g(ranking: Sequence[int | None], judged: Mapping[int, int], *, rel: int = 1) -> float:
    """binG: the mean over relevant documents of 1 / lg(2 + documents above that are not)."""
    total = 0.0
    for i in range(1, len(ranking) + 1):
        if _is_rel(ranking[i - 1], rel):
            total += 1 / math.log2(2 + i - _num_rel_within(ranking, rel, i))
    if _num_rel(judged, rel) == 0:
        return 0.0
    return total / _num_rel(judged, rel)


def g(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    gains: Mapping[int, float] | None = None,
) -> float:
    """G: each gain over lg(2 + C_i - S_i), the gain that could have been seen less that which was.

    C_i adds up max(I_j, 1) over j <= i, with I_j = 0 past the end of the ideal list.
    """
    ideal = _ideal(judged, gains)
    total = 0.0
    for i in range(1, len(ranking) + 1):
        seen = 0.0
        cost = 0.0
        for j in range(1, i + 1):
            seen += _gain(ranking[j - 1], gains)
            best = ideal[j - 1] if j <= len(ideal) else 0.0
            cost += max(best, 1.0)
        if _gain(ranking[i - 1], gains) != 0:
            total += _gain(ranking[i - 1], gains) / math.log2(2 + cost - seen)
    if len(ideal) == 0:
        return 0.0
    return total / sum(ideal)


def ndcg_rel(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    gains: Mapping[int, float] | None = None,
) -> float:
    """ndcg_rel: nDCG at the rank of each document with a gain; those missed get the last value."""
    ideal = _ideal(judged, gains)
    m = len(ideal)
    if m == 0:
        return 0.0
    total = 0.0
    found = 0
    for i in range(1, len(ranking) + 1):
        if _gain(ranking[i - 1], gains) > 0:
            found += 1
            total += _dcg_at(ranking, gains, i) / _ideal_dcg_at(ideal, i)
    total += (m - found) * _dcg_at(ranking, gains, len(ranking)) / _ideal_dcg_at(ideal, m)
    return total / m


def rndcg(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    gains: Mapping[int, float] | None = None,
) -> float:
    """Rndcg: mean nDCG at the ranks where the ideal gain changes or ends.

    One more value, that of the whole list, joins the mean when the list has more than m + 1
    documents. trec_eval divides 0 by 0 when no document has a gain; here that is 0.
    """
    ideal = _ideal(judged, gains)
    m = len(ideal)
    values: list[float] = []
    for i in range(1, m + 1):
        if i == m or ideal[i] != ideal[i - 1]:
            values.append(_dcg_at(ranking, gains, i) / _ideal_dcg_at(ideal, i))
    if len(ranking) > m + 1 and m > 0:
        values.append(_dcg_at(ranking, gains, len(ranking)) / _ideal_dcg_at(ideal, m))
    if len(values) == 0:
        return 0.0
    return sum(values) / len(values)


def rel_p(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    cutoff: int,
    rel: int = 1,
) -> float:
    """relative_P: relevant documents at ranks 1..k over the most that there could be, min(k, R)."""
    if _num_rel(judged, rel) == 0:
        return 0.0
    return _num_rel_within(ranking, rel, cutoff) / min(cutoff, _num_rel(judged, rel))


def rprec_mult(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    mult: float = 1.0,
    rel: int = 1,
) -> float:
    """Rprec_mult: precision at rank floor(mult * R + 0.9)."""
    k = math.floor(mult * _num_rel(judged, rel) + 0.9)
    if k == 0:
        return 0.0
    return _num_rel_within(ranking, rel, k) / k


def set_ap(ranking: Sequence[int | None], judged: Mapping[int, int], *, rel: int = 1) -> float:
    """set_map: precision of the set times its recall, (relevant retrieved)^2 / (n R)."""
    n = len(ranking)
    relevant = _num_rel(judged, rel)
    if n == 0 or relevant == 0:
        return 0.0
    both = _num_rel_within(ranking, rel, n)
    return both * both / (n * relevant)


def set_rel_p(ranking: Sequence[int | None], judged: Mapping[int, int], *, rel: int = 1) -> float:
    """set_relative_P: relevant retrieved over min(retrieved, relevant)."""
    n = len(ranking)
    relevant = _num_rel(judged, rel)
    if n == 0 or relevant == 0:
        return 0.0
    return _num_rel_within(ranking, rel, n) / min(n, relevant)


def utility(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    rel: int = 1,
    weights: Sequence[float] = (1.0, -1.0, 0.0, 0.0),
    size: int = 0,
) -> float:
    """Utility: what each of four kinds of document is worth, times how many there are."""
    relevant_retrieved = _num_rel_within(ranking, rel, len(ranking))
    others_retrieved = len(ranking) - relevant_retrieved
    relevant_missed = _num_rel(judged, rel) - relevant_retrieved
    others_missed = size + relevant_retrieved - len(ranking) - _num_rel(judged, rel)
    return (
        weights[0] * relevant_retrieved
        + weights[1] * others_retrieved
        + weights[2] * relevant_missed
        + weights[3] * others_missed
    )


def num_ret(ranking: Sequence[int | None], judged: Mapping[int, int]) -> float:
    """num_ret: the documents of the list."""
    return float(len(ranking))


def num_rel(ranking: Sequence[int | None], judged: Mapping[int, int], *, rel: int = 1) -> float:
    """num_rel: the relevant documents of the topic, retrieved or not."""
    return float(_num_rel(judged, rel))


def num_rel_ret(ranking: Sequence[int | None], judged: Mapping[int, int], *, rel: int = 1) -> float:
    """num_rel_ret: the relevant documents of the list."""
    return float(_num_rel_within(ranking, rel, len(ranking)))


def num_nonrel_ret(
    ranking: Sequence[int | None], judged: Mapping[int, int], *, rel: int = 1
) -> float:
    """num_nonrel_judged_ret: the documents of the list that are judged and not relevant."""
    number = 0
    for grade in ranking:
        if grade is not None and grade < rel:
            number += 1
    return float(number)


def unjudged(ranking: Sequence[int | None], judged: Mapping[int, int], *, cutoff: int) -> float:
    """unj: unjudged documents at ranks 1..k, over k whatever the length of the list."""
    number = 0
    for i in range(1, cutoff + 1):
        if i <= len(ranking) and ranking[i - 1] is None:
            number += 1
    return number / cutoff
