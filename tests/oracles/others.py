"""Measures outside the two families, written out as their papers print them.

A ranking holds the grade at each rank (None = unjudged, grades <= 0 = judged, not relevant).
`judged` counts the topic's judged documents by grade and names every positive grade of the scale.
"""

import math
import statistics
from collections.abc import Mapping, Sequence


def _relevant_at(grade: int | None, rel: int) -> bool:
    """Whether a document is relevant at level `rel`."""
    return grade is not None and grade >= rel


def _total_relevant(judged: Mapping[int, int], rel: int) -> int:
    """R: judged documents of the topic with grade >= rel."""
    total = 0
    for grade in judged:
        if grade >= rel:
            total += judged[grade]
    return total


def _found(ranking: Sequence[int | None], rel: int, n: int) -> int:
    """Relevant documents at ranks <= n."""
    return len([grade for grade in ranking[:n] if _relevant_at(grade, rel)])


def _value(grade: int | None, gains: Mapping[int, float] | None) -> float:
    """Gain of a document: its grade unless `gains` names another; 0 if not relevant."""
    if grade is None or grade <= 0:
        return 0.0
    if gains is not None and grade in gains:
        return float(gains[grade])
    return float(grade)


def rr(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    rel: int = 1,
    cutoff: int | None = None,
) -> float:
    """Reciprocal rank of the first relevant document: Voorhees 1999 (TREC-8 QA)."""
    for n in range(1, len(ranking) + 1):
        if cutoff is not None and n > cutoff:
            break
        if _relevant_at(ranking[n - 1], rel):
            return 1 / n
    return 0.0


def err(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    cutoff: int | None = None,
    max_grade: int | None = None,
    gains: Mapping[int, float] | None = None,
) -> float:
    """Expected reciprocal rank: Chapelle et al. 2009, stop probability (2^g - 1) / 2^max_grade.

    With other gains it is gain / (highest gain of the scale + 1), as in NTCIREVAL.
    """

    def gain(grade: int | None) -> float:
        if grade is None or grade <= 0:
            return 0.0
        return float(gains[grade]) if gains and grade in gains else 2.0**grade - 1.0

    highest = max([gain(max_grade), *map(gain, judged), *map(gain, gains or {})])
    total = 0.0
    for n in range(1, len(ranking) + 1):
        if cutoff is not None and n > cutoff:
            break
        reach_n = 1.0
        for m in range(1, n):
            reach_n *= 1 - gain(ranking[m - 1]) / (highest + 1)
        total += (1 / n) * reach_n * gain(ranking[n - 1]) / (highest + 1)
    return total


def bpref(ranking: Sequence[int | None], judged: Mapping[int, int], *, rel: int = 1) -> float:
    """bpref: Buckley and Voorhees 2004, as trec_eval computes it, with min(R, N) below.

    Every judged grade below `rel`, zero and negative grades too, is judged non-relevant.
    """
    relevant = _total_relevant(judged, rel)
    non_relevant = 0
    for grade, count in judged.items():
        if grade < rel:
            non_relevant += count
    total = 0.0
    for n in range(1, len(ranking) + 1):
        if _relevant_at(ranking[n - 1], rel):
            n_above = 0
            for m in range(1, n):
                above = ranking[m - 1]
                if above is not None and above < rel:
                    n_above += 1
            if n_above == 0:
                total += 1.0
            else:
                total += 1.0 - min(n_above, relevant) / min(relevant, non_relevant)
    if relevant == 0:
        return 0.0
    return total / relevant


def iprec(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    recall: float,
    rel: int = 1,
) -> float:
    """Interpolated precision at a recall level: m_iprec_at_recall.c of trec_eval 10.

    The level is a number of documents: recall * R rounded, halves up.
    """
    needed = math.floor(recall * _total_relevant(judged, rel) + 0.5)
    best = 0.0
    for n in range(1, len(ranking) + 1):
        if _found(ranking, rel, n) >= needed:
            best = max(best, _found(ranking, rel, n) / n)
    return best


def avg_iprec(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    rel: int = 1,
) -> float:
    """Interpolated precision averaged over recall 0.0, 0.1, ..., 1.0: trec_eval's 11pt_avg."""
    levels = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    total = 0.0
    for level in levels:
        total += iprec(ranking, judged, recall=level, rel=rel)
    return total / len(levels)


def _ranks_of_relevant(
    ranking: Sequence[int | None], judged: Mapping[int, int], size: int, rel: int
) -> list[int]:
    """Ranks of all relevant documents, those not retrieved at the last ranks of the collection."""
    ranks = [n for n in range(1, len(ranking) + 1) if _relevant_at(ranking[n - 1], rel)]
    missing = _total_relevant(judged, rel) - len(ranks)
    last_ranks = list(range(size - missing + 1, size + 1))
    return ranks + last_ranks


def norm_recall(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    size: int,
    rel: int = 1,
) -> float:
    """Normalized recall z_r: Kishida 2005 eq 7, N = size; 1 when every document is relevant."""
    relevant = _total_relevant(judged, rel)
    if relevant == 0:
        return 0.0
    if relevant == size:
        return 1.0
    actual = 0
    for rank in _ranks_of_relevant(ranking, judged, size, rel):
        actual += rank
    ideal = 0
    for rank in range(1, relevant + 1):
        ideal += rank
    return 1 - (actual - ideal) / (relevant * (size - relevant))


def esl(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    size: int,
    wanted: int = 1,
    rel: int = 1,
) -> float:
    """Expected search length: Cooper 1968, the mean over orders of what was not retrieved.

    The rest of the collection is one level of a weak ordering. Each way to place its relevant
    documents in it is as likely as any other.
    """
    if _total_relevant(judged, rel) < wanted:
        return math.nan
    read = 0
    found = 0
    for grade in ranking:
        if _relevant_at(grade, rel):
            found += 1
            if found == wanted:
                return float(read)
        else:
            read += 1
    missing = _total_relevant(judged, rel) - found
    rest = size - len(ranking)
    # The (wanted - found)-th of the missing ones is at place p of the rest in that many ways.
    ways = 0
    total = 0
    for p in range(1, rest + 1):
        before = math.comb(p - 1, wanted - found - 1)
        after = math.comb(rest - p, missing - (wanted - found))
        ways += before * after
        total += before * after * (p - (wanted - found))
    return read + total / ways


def swets_e(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    size: int,
    rel: int = 1,
) -> float:
    """Swets' E: the line of normal deviates meets z_R = -z_F at t, and E = 2 t (distance √2 t, √2).

    Van Rijsbergen 1979, chapter 7; points and half counts as the measure's docstring states.
    """
    relevant = _total_relevant(judged, rel)
    deviate = statistics.NormalDist().inv_cdf
    recalls: list[float] = []
    fallouts: list[float] = []
    others: list[int] = []
    for n in range(1, len(ranking) + 1):
        if _relevant_at(ranking[n - 1], rel):
            i = _found(ranking, rel, n)
            recalls.append(deviate((i + 0.5) / (relevant + 1)))
            fallouts.append(deviate((n - i + 0.5) / (size - relevant + 1)))
            others.append(n - i)
    if not recalls:
        return 0.0
    if len(set(others)) == 1:
        slope = 1.0
        intercept = statistics.fmean(recalls) - fallouts[0]
    else:
        slope, intercept = statistics.linear_regression(fallouts, recalls)
    # On the other diagonal recall and fallout have deviates t and -t: t = intercept - slope t.
    t = intercept / (1 + slope)
    return 2 * t


def norm_precision(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    size: int,
    rel: int = 1,
) -> float:
    """Normalized precision z_p: Kishida 2005 eq 8, N = size; 1 when every document is relevant."""
    relevant = _total_relevant(judged, rel)
    if relevant == 0:
        return 0.0
    if relevant == size:
        return 1.0
    actual = 0.0
    for rank in _ranks_of_relevant(ranking, judged, size, rel):
        actual += math.log(rank)
    ideal = 0.0
    for rank in range(1, relevant + 1):
        ideal += math.log(rank)
    log_combinations = 0.0
    for rank in range(size - relevant + 1, size + 1):
        log_combinations += math.log(rank)
    for rank in range(1, relevant + 1):
        log_combinations -= math.log(rank)
    return 1 - (actual - ideal) / log_combinations


def rhl(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    gains: Mapping[int, float] | None = None,
    cutoff: int | None = None,
) -> float:
    """Ranked half-life: Borlund and Ingwersen 1998, in Kishida 2005 section 4.1.3.

    The median for grouped data of the gain retrieved; NaN when nothing relevant was.
    """
    seen = ranking if cutoff is None else ranking[:cutoff]
    total = 0.0
    for grade in seen:
        total += _value(grade, gains)
    if total == 0:
        return math.nan
    before = 0.0
    for n in range(1, len(seen) + 1):
        here = _value(seen[n - 1], gains)
        if before + here >= total / 2:
            return (n - 1) + (total / 2 - before) / here
        before += here
    raise ArithmeticError("half of the total is reached at the latest at the last rank")


def adm(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    scores: Sequence[float],
    size: int | None = None,
    gains: Mapping[int, float] | None = None,
) -> float:
    """Average distance measure v_A: Kishida 2005 eq 38.

    s is 0 for what was not retrieved, x is 0 for what was not judged; without `size`, D is
    the set of documents retrieved or judged.
    """
    distance = 0.0
    documents = 0
    for n in range(1, len(ranking) + 1):
        distance += abs(scores[n - 1] - _value(ranking[n - 1], gains))
        documents += 1
    for grade, count in judged.items():
        retrieved = len([other for other in ranking if other == grade])
        for _ in range(count - retrieved):
            distance += abs(0.0 - _value(grade, gains))
            documents += 1
    number = documents if size is None else size
    if number == 0:
        return 0.0
    return 1 - distance / number


def success(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    rel: int = 1,
    cutoff: int | None = None,
) -> float:
    """Success at n: 1 if a relevant document is at a rank <= n, else 0 (trec_eval)."""
    for n in range(1, len(ranking) + 1):
        if (cutoff is None or n <= cutoff) and _relevant_at(ranking[n - 1], rel):
            return 1.0
    return 0.0


def judged_at(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    cutoff: int | None = None,
) -> float:
    """Judged at n: share of the top min(cutoff, N) documents that are judged (ir_measures)."""
    seen = list(ranking) if cutoff is None else list(ranking[:cutoff])
    if len(seen) == 0:
        return 0.0
    return len([grade for grade in seen if grade is not None]) / len(seen)


def set_p(ranking: Sequence[int | None], judged: Mapping[int, int], *, rel: int = 1) -> float:
    """Set precision (trec_eval's set_P): relevant retrieved / retrieved."""
    if len(ranking) == 0:
        return 0.0
    return _found(ranking, rel, len(ranking)) / len(ranking)


def set_r(ranking: Sequence[int | None], judged: Mapping[int, int], *, rel: int = 1) -> float:
    """Set recall (trec_eval's set_recall): relevant retrieved / relevant."""
    if _total_relevant(judged, rel) == 0:
        return 0.0
    return _found(ranking, rel, len(ranking)) / _total_relevant(judged, rel)


def set_f(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    beta: float = 1,
    rel: int = 1,
) -> float:
    """Set F: van Rijsbergen 1979, (1 + beta^2) P R / (beta^2 P + R).

    trec_eval's set_F.x has x = beta^2.
    """
    precision = set_p(ranking, judged, rel=rel)
    recall = set_r(ranking, judged, rel=rel)
    if beta**2 * precision + recall == 0:
        return 0.0
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def graded_precision_recall(
    ranking: Sequence[int | None], judged: Mapping[int, int], *, g: Sequence[float]
) -> list[tuple[float, float]]:
    """Graded (recall, precision) at each rank with grade > 0 and G > 0: Robertson 2010, 3.2."""
    scale = sorted(grade for grade in judged if grade > 0)
    if len(g) != len(scale):
        raise ValueError(f"{len(g)} threshold probabilities for the {len(scale)} grades {scale}")
    levels: list[int] = []
    for grade in ranking:
        levels.append(0 if grade is None or grade <= 0 else scale.index(grade) + 1)
    expected_relevant = 0.0
    for i in range(1, len(scale) + 1):
        expected_relevant += judged[scale[i - 1]] * sum(g[j - 1] for j in range(1, i + 1))
    points: list[tuple[float, float]] = []
    for n in range(1, len(levels) + 1):
        i_n = levels[n - 1]
        regarded_relevant = sum(g[j - 1] for j in range(1, i_n + 1))
        if i_n == 0 or regarded_relevant == 0:
            continue
        recall = 0.0
        precision = 0.0
        for m in range(1, n + 1):
            i_m = levels[m - 1]
            recall += sum(g[j - 1] for j in range(1, i_m + 1)) / expected_relevant
            both = sum(g[j - 1] for j in range(1, min(i_n, i_m) + 1))
            precision += (1 / n) * both / regarded_relevant
        points.append((recall, precision))
    return points


def binary_precision_recall(
    ranking: Sequence[int | None], judged: Mapping[int, int], *, rel: int = 1
) -> list[tuple[float, float]]:
    """(recall, precision) at the rank of each relevant document: Ferrante 2014 section 2."""
    points: list[tuple[float, float]] = []
    for n in range(1, len(ranking) + 1):
        if _relevant_at(ranking[n - 1], rel):
            found = _found(ranking, rel, n)
            points.append((found / _total_relevant(judged, rel), found / n))
    return points
