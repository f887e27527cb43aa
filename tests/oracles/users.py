"""User models walked rank by rank: C/W/L as its authors write it, time-biased gain, U-measure.

A ranking holds the grade at each rank (None = unjudged, grades <= 0 = judged, not relevant).
`judged` counts the topic's judged documents by grade and names every positive grade of the scale.
"""

import math
from collections.abc import Callable, Mapping, Sequence

Ranking = Sequence[int | None]
Counts = Mapping[int, int]
LAST = 1000


def _graded_gains(
    ranking: Ranking, judged: Counts, gains: Mapping[int, float] | None, max_grade: int | None
) -> list[float]:
    """The gain at each rank, over the highest gain that is named or on the scale."""

    def gain(grade: int) -> float:
        if gains is not None and grade in gains:
            return float(gains[grade])
        return float(grade)

    known = [gain(grade) for grade in judged if grade > 0]
    if gains is not None:
        known.extend(gains.values())
    if max_grade is not None:
        known.append(gain(max_grade))
    highest = max(known, default=0.0)
    result = []
    for grade in ranking:
        positive = grade is not None and grade > 0
        result.append(gain(grade or 0) / highest if positive and highest > 0 else 0.0)
    return result


def _squares(x: float) -> float:
    """The sum of (x / (x + i))² over i = 0, 1, ...: 100 terms, the rest by Euler and Maclaurin."""
    total = 0.0
    for i in range(100):
        total += (x / (x + i)) ** 2
    end = x + 100
    return total + x * x * (1 / end + 1 / (2 * end**2) + 1 / (6 * end**3) - 1 / (30 * end**5))


Chance = Callable[[int, list[float]], float]  # C(n), given n and the gains of all ranks


def _expect(gains: list[float], chance: Chance, tail: float | None, expected: str) -> float:
    """Walk the ranks of `gains`; `tail` documents are seen by one who looks at the rank below."""
    viewed, total, items = 1.0, 0.0, 0.0
    for n in range(1, len(gains) + 1):
        total += viewed * gains[n - 1]
        items += viewed
        if n < len(gains) or tail is not None:
            viewed *= chance(n, gains)
    if tail is not None:
        items += viewed * tail
    return {"rate": total / items, "total": total, "items": items}[expected]


def _rest(gains: list[float], n: int) -> float:
    """AP's S(n): the sum of gain / rank from rank n on."""
    return sum(gains[m - 1] / m for m in range(n, len(gains) + 1))


def _ap_chance(n: int, gains: list[float]) -> float:
    if _rest(gains, n) == 0:
        return 0.0
    return _rest(gains, n + 1) / _rest(gains, n)


def _chance(user: str, p: float, t: float) -> Chance:
    """C(n) of a user."""

    def insq(n: int) -> float:
        return ((n + 2 * t - 1) / (n + 2 * t)) ** 2

    def inst(n: int, gains: list[float]) -> float:
        missing = t - sum(gains[:n])
        return ((n + t + missing - 1) / (n + t + missing)) ** 2

    chances: dict[str, Chance] = {
        "rbp": lambda n, g: p,
        "insq": lambda n, g: insq(n),
        "inst": inst,
        "p": lambda n, g: 1.0,
        "dcg": lambda n, g: math.log(n + 1) / math.log(n + 2),
        "rr": lambda n, g: 0.0 if sum(g[:n]) > 0 else 1.0,
        "ap": _ap_chance,
        "bpm": lambda n, g: 1.0 if sum(g[:n]) < t else 0.0,
        "nerr8": lambda n, g: 1 - g[n - 1],
        "nerr9": lambda n, g: n / (n + 1) * (1 - g[n - 1]),
        "nerr10": lambda n, g: p * (1 - g[n - 1]),
        "nerr11": lambda n, g: insq(n) * (1 - g[n - 1]),
    }
    return chances[user]


def _tail(user: str, p: float, t: float, gains: list[float]) -> float | None:
    """What is seen from the rank below `gains` on, by one who looks there; None if unknown."""
    if user in ("rbp", "nerr10"):
        return 1 / (1 - p)
    if user in ("insq", "nerr11"):
        return _squares(len(gains) + 2 * t)
    if user == "inst":
        return _squares(len(gains) + 2 * t - sum(gains))
    return None


def cwl(
    ranking: Ranking,
    judged: Counts,
    *,
    user: str,
    p: float = 0.8,
    T: float = 1.0,
    expected: str = "rate",
    gains: Mapping[int, float] | None = None,
    max_grade: int | None = None,
    cutoff: int | None = None,
) -> float:
    """The expected rate of gain, total gain, or number of documents seen."""
    found = _graded_gains(ranking, judged, gains, max_grade)
    if cutoff is None:
        seen = found or [0.0]
        tail = _tail(user, p, T, seen)
    else:
        seen, tail = (found + [0.0] * cutoff)[:cutoff], None
    if cutoff is None and tail is None:
        seen = (found + [0.0] * LAST)[:LAST]
    return _expect(seen, _chance(user, p, T), tail, expected)


def named(user: str, **defaults: float) -> Callable[..., float]:
    """The measure of a user, with its own defaults."""

    def measure(ranking: Ranking, judged: Counts, **parameters: object) -> float:
        return cwl(ranking, judged, user=user, **{**defaults, **parameters})  # type: ignore[arg-type]

    return measure


def tbg(
    ranking: Ranking,
    judged: Counts,
    *,
    rel: int = 1,
    words: float = 500,
    half_life: float = 224,
    cutoff: int | None = None,
) -> float:
    """Time-biased gain: step down the list with a clock."""
    clock, total = 0.0, 0.0
    for n, grade in enumerate(ranking, 1):
        if cutoff is not None and n > cutoff:
            break
        relevant = grade is not None and grade >= rel
        if relevant:
            total += 0.64 * 0.77 * math.exp(-clock * math.log(2) / half_life)
        read = 0.018 * words + 7.8
        clock += 4.4 + read * (0.64 if relevant else 0.39)
    return total


def u_measure(
    ranking: Ranking,
    judged: Counts,
    *,
    L: float = 132000,
    length: float = 200,
    gains: Mapping[int, float] | None = None,
    cutoff: int | None = None,
) -> float:
    """U: read a text after the other; gains lie at the end of each."""
    position, total = 0.0, 0.0
    for n, grade in enumerate(ranking, 1):
        if cutoff is not None and n > cutoff:
            break
        position += length
        if grade is not None and grade > 0:
            gain = float(grade) if gains is None or grade not in gains else gains[grade]
            total += gain * max(0.0, 1 - position / L)
    return total
