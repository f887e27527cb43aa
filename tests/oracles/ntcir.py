"""NTCIR's measures, written out as their papers print them.

A ranking holds the grade at each rank (None = unjudged, grades <= 0 = judged, not relevant).
`judged` counts the topic's judged documents by grade and names every positive grade of the scale.
"""

from collections.abc import Mapping, Sequence

Gains = Mapping[int, float] | str | None


def _gain(grade: int | None, gains: Gains) -> float:
    """Gain of a document: by the mapping if it names the grade, else by a rule, the grade."""
    if grade is None or grade <= 0:
        return 0.0
    if isinstance(gains, Mapping) and grade in gains:
        return float(gains[grade])
    return 2.0**grade - 1.0 if gains == "exp" else float(grade)


def _relevant(grade: int | None) -> bool:
    return grade is not None and grade > 0


def _number_relevant(judged: Mapping[int, int]) -> int:
    return sum(count for grade, count in judged.items() if grade > 0)


def _ideal(judged: Mapping[int, int], gains: Gains) -> list[float]:
    """Gains of the ideal list: all relevant documents by falling gain."""
    every = [_gain(g, gains) for g, count in judged.items() if g > 0 for _ in range(count)]
    return sorted(every, reverse=True)


def blended_ratio(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    n: int,
    *,
    gains: Gains = None,
    beta: float = 1,
) -> float:
    """BR(r) = (C(r) + beta cg(r)) / (r + beta cg*(r)): Sakai 2007."""
    count, gained = 0, 0.0
    for grade in ranking[:n]:
        if _relevant(grade):
            count += 1
        gained += _gain(grade, gains)
    return (count + beta * gained) / (n + beta * sum(_ideal(judged, gains)[:n]))


def _relevant_ranks(ranking: Sequence[int | None]) -> list[int]:
    return [n for n in range(1, len(ranking) + 1) if _relevant(ranking[n - 1])]


def _preferred_rank(ranking: Sequence[int | None]) -> int:
    """The first rank that has the highest grade of the list."""
    best = max(grade for grade in ranking if grade is not None)
    return ranking.index(best) + 1


def o_measure(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    beta: float = 1,
    gains: Gains = None,
) -> float:
    """O-measure: the blended ratio at the first relevant document (Sakai 2007)."""
    ranks = _relevant_ranks(ranking)
    if not ranks:
        return 0.0
    return blended_ratio(ranking, judged, ranks[0], gains=gains, beta=beta)


def p_measure(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    beta: float = 1,
    gains: Gains = None,
) -> float:
    """P-measure: the blended ratio at the preferred rank (Sakai 2007)."""
    if not _relevant_ranks(ranking):
        return 0.0
    return blended_ratio(ranking, judged, _preferred_rank(ranking), gains=gains, beta=beta)


def p_plus(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    beta: float = 1,
    gains: Gains = None,
) -> float:
    """P-plus: the mean blended ratio of relevant documents down to the preferred rank."""
    if not _relevant_ranks(ranking):
        return 0.0
    ranks = [n for n in _relevant_ranks(ranking) if n <= _preferred_rank(ranking)]
    ratios = [blended_ratio(ranking, judged, n, gains=gains, beta=beta) for n in ranks]
    return sum(ratios) / len(ranks)


def _precision(ranking: Sequence[int | None], n: int) -> float:
    return sum(1 for grade in ranking[:n] if _relevant(grade)) / n


def _graded_uniform(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    stops: Gains,
    utility: dict[int, float],
) -> float:
    """Pr_gu(r) = stop(level at r) / sum of stop over all relevant documents: Sakai 2008."""
    everyone = 0.0
    for grade, count in judged.items():
        if grade > 0:
            everyone += count * _gain(grade, stops)
    if everyone == 0:
        return 0.0
    return sum(_gain(ranking[n - 1], stops) / everyone * u for n, u in utility.items())


def _rank_biased(judged: Mapping[int, int], gamma: float, utility: dict[int, float]) -> float:
    """Pr_rb(r) = gamma^(C(r) - 1) / (1 + gamma + … + gamma^(R - 1)): Sakai 2008."""
    everyone = sum(gamma**i for i in range(_number_relevant(judged)))
    total = 0.0
    for count, n in enumerate(sorted(utility), 1):
        total += gamma ** (count - 1) / everyone * utility[n]
    return total


def ncu_gu_p(
    ranking: Sequence[int | None], judged: Mapping[int, int], *, stops: Gains = None
) -> float:
    """NCU with graded-uniform stops and precision."""
    utility = {n: _precision(ranking, n) for n in _relevant_ranks(ranking)}
    return _graded_uniform(ranking, judged, stops, utility)


def ncu_gu_br(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    stops: Gains = None,
    gains: Gains = None,
    beta: float = 1,
) -> float:
    """NCU with graded-uniform stops and the blended ratio; stops are the gains if not given."""
    utility = {
        n: blended_ratio(ranking, judged, n, gains=gains, beta=beta)
        for n in _relevant_ranks(ranking)
    }
    return _graded_uniform(ranking, judged, gains if stops is None else stops, utility)


def ncu_rb_p(
    ranking: Sequence[int | None], judged: Mapping[int, int], *, gamma: float = 0.95
) -> float:
    """NCU with rank-biased stops and precision."""
    utility = {n: _precision(ranking, n) for n in _relevant_ranks(ranking)}
    return _rank_biased(judged, gamma, utility)


def ncu_rb_br(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    gamma: float = 0.95,
    gains: Gains = None,
    beta: float = 1,
) -> float:
    """NCU with rank-biased stops and the blended ratio."""
    utility = {
        n: blended_ratio(ranking, judged, n, gains=gains, beta=beta)
        for n in _relevant_ranks(ranking)
    }
    return _rank_biased(judged, gamma, utility)


def _highest_gain(judged: Mapping[int, int], gains: Gains, top: int | None) -> float:
    """The highest gain of the scale: of grades that occur, are named, or are said to be highest."""
    grades = [grade for grade in judged if grade > 0]
    if isinstance(gains, Mapping):
        grades += list(gains)
    if top is not None:
        grades.append(top)
    return max((_gain(grade, gains) for grade in grades), default=0.0)


def _stopping(values: Sequence[float], highest: float) -> list[float]:
    """The chance to stop at each rank: ERR's, with satisfaction gain / (highest gain + 1)."""
    chances, dissatisfied = [], 1.0
    for value in values:
        satisfied = value / (highest + 1)
        chances.append(dissatisfied * satisfied)
        dissatisfied *= 1 - satisfied
    return chances


def nerr(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    gains: Gains = None,
    max_grade: int | None = None,
    cutoff: int | None = None,
) -> float:
    """nERR@l: ERR@l over that of the ideal list (Sakai and Song 2011)."""
    highest = _highest_gain(judged, gains, max_grade)
    best = _stopping(_ideal(judged, gains)[:cutoff], highest)
    ideal = sum(chance / n for n, chance in enumerate(best, 1))
    if ideal == 0:
        return 0.0
    chances = _stopping([_gain(grade, gains) for grade in ranking[:cutoff]], highest)
    return sum(chance / n for n, chance in enumerate(chances, 1)) / ideal


def irbu(
    ranking: Sequence[int | None],
    judged: Mapping[int, int],
    *,
    p: float = 0.99,
    gains: Gains = None,
    max_grade: int | None = None,
    cutoff: int | None = None,
) -> float:
    """iRBU@l: the utility p^r where ERR's users stop (Sakai and Zeng 2021)."""
    highest = _highest_gain(judged, gains, max_grade)
    values = [_gain(grade, gains) for grade in ranking[:cutoff]]
    return sum(p**n * chance for n, chance in enumerate(_stopping(values, highest), 1))
