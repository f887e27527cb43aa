"""Session DCG written out, rank by rank and place by place."""

import math
from collections.abc import Mapping, Sequence


def _place(n: int, q: int, b: float, bq: float) -> float:
    """Järvelin et al. 2008, as TREC Dynamic Domain computes it: rank n of the q-th query."""
    return 1 / ((1 + math.log(n, b)) * (1 + math.log(q, bq)))


def _gain(grade: int | None, gains: Mapping[int, float] | None) -> float:
    if grade is None or grade <= 0:
        return 0.0
    return float(gains[grade]) if gains and grade in gains else float(grade)


def session_dcg(
    session: Sequence[Sequence[int | None]],
    *,
    b: float = 2.0,
    bq: float = 4.0,
    queries: int | None = None,
    cutoff: int | None = None,
    gains: Mapping[int, float] | None = None,
) -> float:
    """Add up the grades of the documents of each query; those seen before are not relevant."""
    total = 0.0
    for q, ranking in enumerate(session, 1):
        for n, grade in enumerate(ranking, 1):
            if (cutoff is None or n <= cutoff) and (queries is None or q <= queries):
                total += _gain(grade, gains) * _place(n, q, b, bq)
    return total


def normalized_session_dcg(
    session: Sequence[Sequence[int | None]],
    judged: Mapping[int, int],
    *,
    b: float = 2.0,
    bq: float = 4.0,
    queries: int | None = None,
    cutoff: int | None = None,
    gains: Mapping[int, float] | None = None,
) -> float:
    """Divide by the sum of the best documents in the best places, each document once."""
    best = sorted(
        (_gain(grade, gains) for grade, count in judged.items() for _ in range(count)), reverse=True
    )
    best = [gain for gain in best if gain > 0]
    places = [
        _place(n, q, b, bq)
        for q in range(1, min(queries or len(best), len(best)) + 1)
        for n in range(1, min(cutoff or len(best), len(best)) + 1)
    ]
    places.sort(reverse=True)
    ideal = sum(gain * place for gain, place in zip(best, places, strict=False))
    options = {"b": b, "bq": bq, "queries": queries, "cutoff": cutoff, "gains": gains}
    return session_dcg(session, **options) / ideal if ideal else 0.0  # type: ignore[arg-type]


def one_query_dcg(
    ranking: Sequence[int | None], judged: Mapping[int, int], **given: object
) -> float:
    """A session of one query."""
    return session_dcg([ranking], **given)  # type: ignore[arg-type]


def one_query_ndcg(
    ranking: Sequence[int | None], judged: Mapping[int, int], **given: object
) -> float:
    """A session of one query, against an ideal one of several."""
    return normalized_session_dcg([ranking], judged, **given)  # type: ignore[arg-type]
