"""Measures of sampled pools, written out as their papers and tools state them.

A ranking holds document ids. A pool with strata is {document: (stratum, grade)}, where a grade
below 0 means "in the pool, not drawn"; a sample with probabilities is {document: (grade, chance)}.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

Strata = Mapping[str, tuple[int, int]]


def _strata(pool: Strata) -> list[int]:
    return sorted({stratum for stratum, _ in pool.values()})


def _expansion(pool: Strata, stratum: int) -> float:
    """Documents of the stratum in the pool, for each that was drawn from it."""
    grades = [grade for mine, grade in pool.values() if mine == stratum]
    drawn = [grade for grade in grades if grade >= 0]
    return len(grades) / len(drawn) if drawn else 0.0


def xinf_ap(
    ranking: Sequence[str], pool: Strata, *, rel: int = 1, cutoff: int | None = None
) -> float:
    """Yilmaz, Kanoulas & Aslam 2008, §3, with the smoothing of sample_eval.pl."""
    number_relevant = sum(_expansion(pool, s) for s, grade in pool.values() if grade >= rel)
    if number_relevant == 0:
        return 0.0
    total = 0.0
    for n, document in enumerate(ranking, 1):
        if cutoff is not None and n > cutoff:
            break
        if document not in pool or pool[document][1] < rel:
            continue
        above = [pool[other] for other in ranking[: n - 1] if other in pool]
        precision = 1 / n
        if above:
            expected = 0.0
            for s in _strata(pool):
                mine = [grade for stratum, grade in above if stratum == s]
                drawn = [grade for grade in mine if grade >= 0]
                relevant = [grade for grade in drawn if grade >= rel]
                share = (len(relevant) + 0.00001) / (len(drawn) + 0.00003)
                expected += len(mine) / len(above) * share
            precision += len(above) / n * expected
        total += _expansion(pool, pool[document][0]) * precision
    return total / number_relevant


def _gain(grade: int, gains: Mapping[int, float] | None) -> float:
    return float((gains or {}).get(grade, grade)) if grade > 0 else 0.0


def inf_ndcg(
    ranking: Sequence[str],
    pool: Strata,
    *,
    gains: Mapping[int, float] | None = None,
    cutoff: int | None = None,
) -> float:
    """Yilmaz, Kanoulas & Aslam 2008, §4, with counts rounded as by sample_eval.pl."""
    retrieved = list(ranking) if cutoff is None else list(ranking[:cutoff])
    dcg = 0.0
    for s in _strata(pool):
        mine = [
            (n, pool[d][1]) for n, d in enumerate(retrieved, 1) if d in pool and pool[d][0] == s
        ]
        drawn = [(n, grade) for n, grade in mine if grade >= 0]
        if drawn:
            gained = [_gain(grade, gains) / math.log2(n + 1) for n, grade in drawn]
            dcg += len(mine) * sum(gained) / len(drawn)
    ideal: list[float] = []
    for grade in sorted({grade for _, grade in pool.values() if grade > 0}):
        estimate = 0.0
        for s in _strata(pool):
            grades = [g for mine, g in pool.values() if mine == s]
            drawn_here = [g for g in grades if g >= 0]
            if drawn_here:
                estimate += drawn_here.count(grade) * len(grades) / len(drawn_here)
        ideal += [_gain(grade, gains)] * math.floor(estimate + 0.5)
    ideal = sorted(ideal, reverse=True)[:cutoff]
    best = sum(gain / math.log2(n + 1) for n, gain in enumerate(ideal, 1))
    return dcg / best if best else 0.0


def stat_ap(
    ranking: Sequence[str],
    sample: Mapping[str, tuple[int, float]],
    *,
    rel: int = 1,
    cutoff: int | None = None,
) -> float:
    """Pavlu & Aslam 2007: Horvitz-Thompson estimates of the sum of precisions and of R."""
    number_relevant = sum(1 / chance for grade, chance in sample.values() if grade >= rel)
    if number_relevant == 0:
        return 0.0
    total = 0.0
    for n, document in enumerate(ranking, 1):
        if cutoff is not None and n > cutoff:
            break
        if document not in sample or sample[document][0] < rel:
            continue
        above = [sample[other] for other in ranking[: n - 1] if other in sample]
        found = sum(1 / chance for grade, chance in above if grade >= rel)
        total += (1 + found) / n / sample[document][1]
    return total / number_relevant


def as_pool(
    ranking: Sequence[int | None], judged: Mapping[int, int]
) -> tuple[list[str], dict[str, int]]:
    """Name the documents of a ranking of grades, and give the grades of all judged ones."""
    names = [f"d{n}" for n in range(len(ranking))]
    grades = {d: grade for d, grade in zip(names, ranking, strict=True) if grade is not None}
    seen, not_relevant = Counter(grades.values()), 0
    for grade, count in judged.items():
        if grade > 0:
            for number in range(count - seen[grade]):
                grades[f"more {grade} {number}"] = grade
        else:
            not_relevant += count
    not_relevant -= sum(count for grade, count in seen.items() if grade <= 0)
    for number in range(not_relevant):
        grades[f"more 0 {number}"] = 0
    return names, grades


def xinf_ap_of_grades(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    rel: int = 1,
    cutoff: int | None = None,
) -> float:
    """xinfAP of a pool that is a single stratum."""
    names, grades = as_pool(ranking, judged)
    return xinf_ap(names, {d: (0, g) for d, g in grades.items()}, rel=rel, cutoff=cutoff)


def inf_ndcg_of_grades(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    gains: Mapping[int, float] | None = None,
    cutoff: int | None = None,
) -> float:
    """infNDCG of a pool that is a single stratum."""
    names, grades = as_pool(ranking, judged)
    return inf_ndcg(names, {d: (0, g) for d, g in grades.items()}, gains=gains, cutoff=cutoff)


def stat_ap_of_grades(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    rel: int = 1,
    cutoff: int | None = None,
) -> float:
    """statAP where everything was sure to be judged."""
    names, grades = as_pool(ranking, judged)
    return stat_ap(names, {d: (g, 1.0) for d, g in grades.items()}, rel=rel, cutoff=cutoff)
