"""Pivot measures written out as their papers print them: a loop over ranks inside another.

A ranking holds the grade at each rank (None = unjudged, grades <= 0 = judged, not relevant).
`judged` counts the topic's judged documents by grade and names every positive grade of the scale.
"""

from collections.abc import Mapping, Sequence


def _depth(ranking: Sequence[int | None], cutoff: int | None) -> int:
    """The last rank that counts."""
    if cutoff is None:
        return len(ranking)
    return min(cutoff, len(ranking))


def _relevant(grade: int | None, rel: int) -> bool:
    """Whether a document is relevant at level `rel`."""
    return grade is not None and grade >= rel


def _number_relevant(judged: Mapping[int, int], rel: int) -> int:
    """R: the topic's judged documents that are relevant at level `rel`, retrieved or not."""
    number = 0
    for grade, count in judged.items():
        if grade >= rel:
            number += count
    return number


def _gain(grade: int | None, gains: Mapping[int, float] | None) -> float:
    """x, the gain of a document: its grade unless `gains` names another; 0 if not relevant."""
    if grade is None or grade <= 0:
        return 0.0
    if gains is not None and grade in gains:
        return float(gains[grade])
    return float(grade)


def _ideal_gains(judged: Mapping[int, int], gains: Mapping[int, float] | None) -> list[float]:
    """y_1, y_2, ...: the gains of all judged documents of the topic, best first."""
    ideal: list[float] = []
    for grade, count in judged.items():
        for _ in range(count):
            ideal.append(_gain(grade, gains))
    ideal.sort(reverse=True)
    return ideal


def _cumulated_ideal(ideal: Sequence[float], n: int) -> float:
    """Sum of y_m over m <= n; past the end of the ideal list y is 0."""
    total = 0.0
    for m in range(1, n + 1):
        if m <= len(ideal):
            total += ideal[m - 1]
    return total


def _scale(judged: Mapping[int, int]) -> list[int]:
    """The positive grades of the collection, ascending; level k is the k-th of them."""
    return sorted(grade for grade in judged if grade > 0)


def _level(grade: int | None, scale: Sequence[int]) -> int:
    """r[n] in {0..c}: the place of a grade in the scale, 0 when it is not relevant."""
    if grade is None or grade <= 0:
        return 0
    return scale.index(grade) + 1


def _recall_base(judged: Mapping[int, int], scale: Sequence[int], k: int) -> int:
    """Ferrante 2014 section 2: RB(k) = R(k) + ... + R(c)."""
    total = 0
    for level in range(k, len(scale) + 1):
        total += judged[scale[level - 1]]
    return total


def _tau(judged: Mapping[int, int], scale: Sequence[int]) -> int:
    """Ferrante 2014 section 2: tau = max{k : RB(k) > 0}, 0 when there is none."""
    tau = 0
    for k in range(1, len(scale) + 1):
        if _recall_base(judged, scale, k) > 0:
            tau = k
    return tau


def _nu(g: Sequence[float]) -> int:
    """Ferrante 2014 section 3: nu = min{i : g_i != 0}, len(g) + 1 when there is none."""
    for i in range(1, len(g) + 1):
        if g[i - 1] != 0:
            return i
    return len(g) + 1


def _sum_g(g: Sequence[float], i: int) -> float:
    """Sum of g_j over 1 <= j <= i."""
    total = 0.0
    for j in range(1, i + 1):
        total += g[j - 1]
    return total


def _check_thresholds(g: Sequence[float], scale: Sequence[int]) -> None:
    """One threshold probability for each positive grade of the scale."""
    if len(g) != len(scale):
        raise ValueError(f"{len(g)} threshold probabilities for the {len(scale)} grades {scale}")


def sp(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    rel: int = 1,
    cutoff: int | None = None,
) -> float:
    """Sum of precisions: Moffat eq 11."""
    total = 0.0
    for n in range(1, _depth(ranking, cutoff) + 1):
        if _relevant(ranking[n - 1], rel):
            found = 0
            for m in range(1, n + 1):
                if _relevant(ranking[m - 1], rel):
                    found += 1
            total += found / n
    return total


def ssp(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    rel: int = 1,
    cutoff: int | None = None,
) -> float:
    """Scaled sum of precisions: Moffat eq 10 (divide by k; by the number retrieved without k)."""
    k = len(ranking) if cutoff is None else cutoff
    total = 0.0
    for n in range(1, _depth(ranking, cutoff) + 1):
        if _relevant(ranking[n - 1], rel):
            found = 0
            for m in range(1, n + 1):
                if _relevant(ranking[m - 1], rel):
                    found += 1
            total += found / n
    if k == 0:
        return 0.0
    return total / k


def ap(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    rel: int = 1,
    cutoff: int | None = None,
    norm: str = "R",
) -> float:
    """Average precision: Kishida 2005 eq 3; at a cutoff, Moffat eq 8 ("R") or 9 ("min(k,R)")."""
    number_relevant = _number_relevant(judged, rel)
    if norm == "R":
        denominator = number_relevant
    elif norm == "min(k,R)":
        denominator = number_relevant if cutoff is None else min(cutoff, number_relevant)
    else:
        raise ValueError(f"norm must be 'R' or 'min(k,R)', not {norm!r}")
    total = 0.0
    for n in range(1, _depth(ranking, cutoff) + 1):
        if _relevant(ranking[n - 1], rel):
            found = 0
            for m in range(1, n + 1):
                if _relevant(ranking[m - 1], rel):
                    found += 1
            total += found / n
    if denominator == 0:
        return 0.0
    return total / denominator


def gap(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    g: Sequence[float],
    cutoff: int | None = None,
) -> float:
    """Graded average precision: Robertson 2010 section 2.2; Ferrante 2014 eq 4."""
    scale = _scale(judged)
    _check_thresholds(g, scale)
    numerator = 0.0
    for n in range(1, _depth(ranking, cutoff) + 1):
        i_n = _level(ranking[n - 1], scale)
        expected_precision = 0.0
        for m in range(1, n + 1):
            i_m = _level(ranking[m - 1], scale)
            delta = 0.0
            for j in range(1, min(i_m, i_n) + 1):
                delta += g[j - 1]
            expected_precision += delta / n
        numerator += expected_precision
    denominator = 0.0
    for i in range(1, len(scale) + 1):
        for j in range(1, i + 1):
            denominator += judged[scale[i - 1]] * g[j - 1]
    if denominator == 0:
        return 0.0
    return numerator / denominator


def xgap(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    g: Sequence[float],
    cutoff: int | None = None,
) -> float:
    """Extended graded average precision: Ferrante 2014 eq 5; 0 when nu > tau."""
    scale = _scale(judged)
    _check_thresholds(g, scale)
    if _nu(g) > _tau(judged, scale):
        return 0.0
    total = 0.0
    for n in range(1, _depth(ranking, cutoff) + 1):
        r_n = _level(ranking[n - 1], scale)
        choose = 0.0
        for k in range(1, r_n + 1):
            if _recall_base(judged, scale, k) > 0:
                choose += g[k - 1] / _recall_base(judged, scale, k)
        regarded_relevant = _sum_g(g, r_n)
        if regarded_relevant == 0:
            continue
        inner = 0.0
        for m in range(1, n + 1):
            r_m = _level(ranking[m - 1], scale)
            inner += _sum_g(g, min(r_m, r_n))
        total += (1 / n) * (choose / regarded_relevant) * inner
    return total


def egap(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    g: Sequence[float],
    cutoff: int | None = None,
) -> float:
    """Expected graded average precision: Ferrante 2014 eq 6, delta(k) of eq 3."""
    scale = _scale(judged)
    _check_thresholds(g, scale)
    total = 0.0
    for n in range(1, _depth(ranking, cutoff) + 1):
        for k in range(1, _tau(judged, scale) + 1):
            inner = 0
            for m in range(1, n + 1):
                r_m = _level(ranking[m - 1], scale)
                r_n = _level(ranking[n - 1], scale)
                if r_m >= k and r_n >= k:
                    inner += 1
            total += (1 / n) * g[k - 1] / _recall_base(judged, scale, k) * inner
    return total


def gen_ap(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    gains: Mapping[int, float] | None = None,
    cutoff: int | None = None,
) -> float:
    """Generalized average precision v_G: Kishida 2005 eq 42, its maximum over all of eq 41's list.

    Kishida's x is the degree of relevance, so I(x) is 'grade > 0' also where a gain is 0.
    """
    numerator = 0.0
    for i in range(1, _depth(ranking, cutoff) + 1):
        if _relevant(ranking[i - 1], 1):
            cumulated = 0.0
            for k in range(1, i + 1):
                cumulated += _gain(ranking[k - 1], gains)
            numerator += cumulated / i
    ideal: list[float] = []
    for grade, count in judged.items():
        if grade > 0:
            for _ in range(count):
                ideal.append(_gain(grade, gains))
    ideal.sort(reverse=True)
    denominator = 0.0
    for i in range(1, len(ideal) + 1):
        cumulated = 0.0
        for k in range(1, i + 1):
            cumulated += ideal[k - 1]
        denominator += cumulated / i
    if denominator == 0:
        return 0.0
    return numerator / denominator


def q(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    beta: float = 1,
    gains: Mapping[int, float] | None = None,
    norm: str = "R",
    cutoff: int | None = None,
) -> float:
    """Q-measure v_Q: Kishida 2005 eq 35, where beta = 1; Sakai's beta multiplies every gain.

    Q@k of NTCIREVAL is divided by min(k, R).
    """
    number_relevant = _number_relevant(judged, 1)
    ideal = _ideal_gains(judged, gains)
    total = 0.0
    for i in range(1, _depth(ranking, cutoff) + 1):
        if _relevant(ranking[i - 1], 1):
            blended = 0.0
            for k in range(1, i + 1):
                if _relevant(ranking[k - 1], 1):
                    blended += beta * _gain(ranking[k - 1], gains) + 1
            total += blended / (i + beta * _cumulated_ideal(ideal, i))
    if norm == "min(k,R)" and cutoff is not None and cutoff < number_relevant:
        return total / cutoff
    if number_relevant == 0:
        return 0.0
    return total / number_relevant


def wap(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    gains: Mapping[int, float] | None = None,
    cutoff: int | None = None,
) -> float:
    """Weighted average precision v_W: Kishida 2005 eq 34."""
    number_relevant = _number_relevant(judged, 1)
    ideal = _ideal_gains(judged, gains)
    total = 0.0
    for i in range(1, _depth(ranking, cutoff) + 1):
        if _relevant(ranking[i - 1], 1):
            cumulated = 0.0
            for k in range(1, i + 1):
                cumulated += _gain(ranking[k - 1], gains)
            cumulated_ideal = _cumulated_ideal(ideal, i)
            if cumulated_ideal != 0:
                total += cumulated / cumulated_ideal
    if number_relevant == 0:
        return 0.0
    return total / number_relevant
