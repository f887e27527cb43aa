"""Measures of diversity written out as their papers define them, one document after the other.

A ranking holds document ids, best first. `judged` holds the judgments of a topic by intent,
{intent: {document: grade}}; an intent to which no document is relevant does not count. `weights`
says how likely each intent is; all are alike if it is not given.
"""

import math
from collections.abc import Callable, Mapping, Sequence

Judged = Mapping[str, Mapping[str, int]]
Weights = Mapping[str, float] | None


def _actual(judged: Judged, rel: int) -> list[str]:
    """The intents with a relevant document."""
    return [i for i in judged if any(grade >= rel for grade in judged[i].values())]


def _weight(weights: Weights, intent: str) -> float:
    return 1.0 if weights is None else weights[intent]


def _covers(judged: Judged, document: str, rel: int) -> list[str]:
    """The intents that a document is relevant to."""
    return [i for i in judged if judged[i].get(document, 0) >= rel]


def intent_aware(
    plain: Callable[..., float],
    ranking: Sequence[str],
    judged: Judged,
    *,
    scale: Sequence[int],
    weights: Weights = None,
    **parameters: object,
) -> float:
    """Agrawal et al. 2009: the mean of a plain measure, which sees one intent's judgments.

    `scale` names all positive grades of the collection.
    """
    actual = _actual(judged, int(str(parameters.get("rel", 1))))
    total, value = 0.0, 0.0
    for intent in actual:
        grades = judged[intent]
        counts = dict.fromkeys(scale, 0)
        for grade in grades.values():
            counts[grade] = counts.get(grade, 0) + 1
        weight = _weight(weights, intent)
        total += weight
        value += weight * plain([grades.get(d) for d in ranking], counts, **parameters)
    return value / total if total else 0.0


def _novelty(
    ranking: Sequence[str],
    judged: Judged,
    discount: Callable[[int], float],
    *,
    alpha: float,
    rel: int,
    cutoff: int | None,
    weights: Weights,
) -> float:
    """Clarke et al. 2008: gains shrink by 1 - α each time an intent is covered."""
    seen = dict.fromkeys(judged, 0)
    value = 0.0
    for n, document in enumerate(ranking, 1):
        if cutoff is not None and n > cutoff:
            break
        for intent in _covers(judged, document, rel):
            value += _weight(weights, intent) * (1 - alpha) ** seen[intent] * discount(n)
            seen[intent] += 1
    return value


def _ideal(judged: Judged, *, alpha: float, rel: int, weights: Weights) -> list[str]:
    """Clarke et al. 2008: the greedy list; equal gains are settled by the greater id."""
    documents = sorted({d for grades in judged.values() for d in grades}, key=str.encode)[::-1]
    seen = dict.fromkeys(judged, 0)
    ideal: list[str] = []
    while documents:
        gains = [
            math.fsum(_weight(weights, i) * (1 - alpha) ** seen[i] for i in _covers(judged, d, rel))
            for d in documents
        ]
        # Sums that differ by rounding alone are equal.
        best = next(d for d, g in zip(documents, gains, strict=True) if g > max(gains) - 1e-12)
        for intent in _covers(judged, best, rel):
            seen[intent] += 1
        documents.remove(best)
        ideal.append(best)
    return ideal


def _log2(n: int) -> float:
    return 1 / math.log2(n + 1)


def _reciprocal(n: int) -> float:
    return 1 / n


def _against_all(
    ranking: Sequence[str], judged: Judged, discount: Callable[[int], float], **given: object
) -> float:
    """ndeval: against a list of documents that cover every intent which has a relevant one."""
    options = _options(**given)
    actual = {i: judged[i] for i in _actual(judged, options["rel"])}
    if not actual:
        return 0.0
    everything = [f"all{n}" for n in range(options["cutoff"])]
    covered = {i: dict.fromkeys(everything, options["rel"]) for i in actual}
    best = _novelty(everything, covered, discount, **options)
    return _novelty(ranking, judged, discount, **options) / best


def _against_ideal(
    ranking: Sequence[str], judged: Judged, discount: Callable[[int], float], **given: object
) -> float:
    options = _options(**given)
    same = {name: options[name] for name in ("alpha", "rel", "weights")}
    best = _novelty(_ideal(judged, **same), judged, discount, **options)
    return _novelty(ranking, judged, discount, **options) / best if best else 0.0


def _options(
    *, alpha: float = 0.5, rel: int = 1, cutoff: int | None = None, weights: Weights = None
) -> dict:
    return {"alpha": alpha, "rel": rel, "cutoff": cutoff, "weights": weights}


def alpha_dcg(ranking: Sequence[str], judged: Judged, **given: object) -> float:
    """Clarke et al. 2008, as ndeval scales it."""
    return _against_all(ranking, judged, _log2, **given)


def alpha_ndcg(ranking: Sequence[str], judged: Judged, **given: object) -> float:
    """Clarke et al. 2008."""
    return _against_ideal(ranking, judged, _log2, **given)


def nerr_ia(ranking: Sequence[str], judged: Judged, **given: object) -> float:
    """Chapelle et al. 2011 against the greedy list, as ndeval."""
    return _against_ideal(ranking, judged, _reciprocal, **given)


def err_ia(
    ranking: Sequence[str],
    judged: Judged,
    *,
    max_grade: int | None = None,
    gains: Mapping[int, float] | None = None,
    cutoff: int,
    weights: Weights = None,
    **given: object,
) -> float:
    """ndeval's ERR-IA or, with `max_grade`, that of Chapelle et al. 2011; gains up to 10."""
    if max_grade is None and gains is None:
        return _against_all(ranking, judged, _reciprocal, cutoff=cutoff, weights=weights, **given)
    total, value = 0.0, 0.0
    for intent in _actual(judged, 1):
        go_on = 1.0
        total += _weight(weights, intent)
        for n, document in enumerate(ranking[:cutoff], 1):
            grade = max(judged[intent].get(document, 0), 0)
            stop = gains[grade] / (10 + 1) if gains and grade else 0.0
            if gains is None:
                stop = (2**grade - 1) / 2 ** (max_grade or 0)
            value += _weight(weights, intent) * go_on * stop / n
            go_on *= 1 - stop
    return value / total if total else 0.0


def nrbp(
    ranking: Sequence[str],
    judged: Judged,
    *,
    alpha: float = 0.5,
    beta: float = 0.5,
    rel: int = 1,
    weights: Weights = None,
) -> float:
    """Clarke et al. 2009, with intents that have a relevant document for its N."""
    total = sum(_weight(weights, intent) for intent in _actual(judged, rel))
    options = _options(alpha=alpha, rel=rel, weights=weights)
    value = _novelty(ranking, judged, lambda n: beta ** (n - 1), **options)
    return (1 - (1 - alpha) * beta) / total * value if total else 0.0


def nnrbp(ranking: Sequence[str], judged: Judged, *, beta: float = 0.5, **given: object) -> float:
    """NRBP against that of the greedy list, as ndeval."""
    return _against_ideal(ranking, judged, lambda n: beta ** (n - 1), **given)


def st_recall(
    ranking: Sequence[str],
    judged: Judged,
    *,
    rel: int = 1,
    cutoff: int | None = None,
    weights: Weights = None,
) -> float:
    """Zhai et al. 2003: the share of subtopics that are covered, likely or not."""
    covered = {i for document in ranking[:cutoff] for i in _covers(judged, document, rel)}
    actual = _actual(judged, rel)
    return len(covered) / len(actual) if actual else 0.0


def d_ndcg(
    ranking: Sequence[str],
    judged: Judged,
    *,
    gains: Mapping[int, float] | None = None,
    cutoff: int | None = None,
    weights: Weights = None,
) -> float:
    """Sakai and Song 2011: nDCG with the global gain Σ_i P(i) g_i."""
    total = sum(_weight(weights, intent) for intent in judged)

    def global_gain(document: str) -> float:
        gain = 0.0
        for intent in judged:
            grade = judged[intent].get(document, 0)
            if grade > 0:
                own = (gains or {}).get(grade, float(grade))
                gain += _weight(weights, intent) / total * own
        return gain

    def dcg(documents: Sequence[str]) -> float:
        return sum(global_gain(d) * _log2(n) for n, d in enumerate(documents[:cutoff], 1))

    documents = {d for grades in judged.values() for d in grades}
    best = dcg(sorted(documents, key=global_gain, reverse=True))
    return dcg(ranking) / best if best else 0.0


def d_sharp_ndcg(
    ranking: Sequence[str],
    judged: Judged,
    *,
    gamma: float = 0.5,
    gains: Mapping[int, float] | None = None,
    cutoff: int | None = None,
    weights: Weights = None,
) -> float:
    """Sakai and Song 2011."""
    recall = st_recall(ranking, judged, cutoff=cutoff)
    gain = d_ndcg(ranking, judged, gains=gains, cutoff=cutoff, weights=weights)
    return gamma * recall + (1 - gamma) * gain
