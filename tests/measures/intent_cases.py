"""Each measure that uses intents with the oracle that it must equal, and random cases for both."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gradewise as gw
from gradewise.collection.judged import Judged
from oracles import diversity, gain_discount, pivot
from oracles.lists import random_thresholds

Oracle = Callable[..., float]


@dataclass(frozen=True)
class IntentCase:
    """A topic judged for several intents, a list, and parameters drawn for both."""

    ranking: list[str]
    judged: dict[str, dict[str, int]]
    weights: dict[str, float] | None
    scale: list[int]
    g: list[float]
    gains: dict[int, float]
    rel: int
    cutoff: int
    alpha: float
    share: float  # beta or gamma
    joined: Judged

    def score(self, measure: str) -> float:
        """Return what gradewise says."""
        return float(gw.parse_measure(measure).values(self.joined)[0])


def make_intent_case(seed: int) -> IntentCase:
    """Draw a case; some intents have no relevant document, some documents no judgment for some."""
    rng = random.Random(seed)
    documents = [f"d{number}" for number in range(rng.randint(2, 14))]
    grades = rng.choice([[0, 1], [-1, 0, 0, 1, 2], [0, 0, 0, 2, 5]])
    intents = [str(number) for number in range(rng.choice([0, 1]), rng.randint(2, 5) + 1)]
    judged = {
        intent: {d: rng.choice(grades if rng.random() < 0.9 else [0]) for d in own}
        for intent in intents
        for own in [rng.sample(documents, rng.randint(1, len(documents)))]
    }
    judged[intents[0]][documents[0]] = max(grades)  # so that a document is relevant
    scale = sorted({g for own in judged.values() for g in own.values() if g > 0})
    pool = [*documents, "x1", "x2", "x3"]
    ranking = rng.sample(pool, rng.randint(1, len(pool)))
    # Eighths add up exactly, so that the greedy list does not hang on rounding.
    weights = {intent: rng.randint(1, 8) / 8 for intent in intents} if seed % 2 else None
    qrels = gw.read_qrels({"t": judged})
    if weights is not None:
        qrels = qrels.weigh_intents({"t": weights})
    run = {"t": {document: -float(n) for n, document in enumerate(ranking)}}
    return IntentCase(
        ranking=ranking,
        judged=judged,
        weights=weights,
        scale=scale,
        g=list(random_thresholds(rng, len(scale))),
        gains={grade: rng.choice([0.5, 1, 3]) for grade in scale if rng.random() < 0.7},
        rel=rng.choice([1, 1, 2]),
        cutoff=rng.choice([1, 2, 3, 5, 10, 20]),
        alpha=rng.choice([0.5, 0.25, 0.75, 0.0, 1.0]),
        share=rng.choice([0.5, 0.25, 0.8]),
        joined=gw.judge(qrels, run),
    )


Option = Callable[[IntentCase], dict[str, Any]]


def _text(name: str, parameters: Mapping[str, Any]) -> str:
    inside = ",".join(f"{k}={v!r}" for k, v in parameters.items() if k != "cutoff")
    cutoff = parameters.get("cutoff")
    return f"{name}({inside})" + ("" if cutoff is None else f"@{cutoff}")


def _cut(*options: Option) -> list[Option]:
    def at(option: Option) -> Option:
        return lambda case: {**option(case), "cutoff": case.cutoff}

    return [at(option) for option in options]


def _both(*options: Option) -> list[Option]:
    return [*options, *_cut(*options)]


def _plain(oracle: Oracle) -> Oracle:
    def aware(case: IntentCase, **parameters: Any) -> float:
        return diversity.intent_aware(
            oracle, case.ranking, case.judged, scale=case.scale, weights=case.weights, **parameters
        )

    return aware


def _own(oracle: Oracle) -> Oracle:
    return lambda case, **given: oracle(case.ranking, case.judged, weights=case.weights, **given)


def _rel(case: IntentCase) -> dict[str, Any]:
    return {"rel": case.rel}


def _g(case: IntentCase) -> dict[str, Any]:
    return {"g": case.g}


def _gains(case: IntentCase) -> dict[str, Any]:
    return {"gains": case.gains}


def _alpha(case: IntentCase) -> dict[str, Any]:
    return {"alpha": case.alpha, "rel": case.rel}


def _alpha_beta(case: IntentCase) -> dict[str, Any]:
    return {"alpha": case.alpha, "beta": case.share, "rel": case.rel}


def _graded(case: IntentCase) -> dict[str, Any]:
    return {"max_grade": 5}


def _all_gains(case: IntentCase) -> dict[str, Any]:
    return {"gains": {grade: 10 if grade == max(case.scale) else 1.5 for grade in case.scale}}


INTENT_ORACLES: dict[str, tuple[Oracle, Sequence[Option]]] = {
    "AP_IA": (_plain(pivot.ap), _both(_rel)),
    "P_IA": (_plain(gain_discount.p), _cut(_rel)),
    "nDCG_IA": (_plain(gain_discount.ndcg), _both(_gains, lambda c: {"dcg": "exp-log2"})),
    "GAP_IA": (_plain(pivot.gap), _both(_g)),
    "eGAP_IA": (_plain(pivot.egap), _both(_g)),
    "xGAP_IA": (_plain(pivot.xgap), _both(_g)),
    "alpha_DCG": (_own(diversity.alpha_dcg), _cut(_alpha)),
    "alpha_nDCG": (_own(diversity.alpha_ndcg), _both(_alpha)),
    "ERR_IA": (_own(diversity.err_ia), _cut(_alpha, _graded, _all_gains)),
    "nERR_IA": (_own(diversity.nerr_ia), _both(_alpha)),
    "NRBP": (_own(diversity.nrbp), [_alpha_beta]),
    "nNRBP": (_own(diversity.nnrbp), [_alpha_beta]),
    "StRecall": (_own(diversity.st_recall), _both(_rel)),
    "D_nDCG": (_own(diversity.d_ndcg), _both(_gains)),
    "Dsharp_nDCG": (_own(diversity.d_sharp_ndcg), _both(lambda c: {"gamma": c.share})),
}
# Made when they are asked for, from any measure of the two families.
MADE: dict[str, tuple[Oracle, Sequence[Option]]] = {
    "Q_IA": (_plain(pivot.q), _both(lambda c: {"beta": 2.5, "gains": c.gains})),
    "R_IA": (_plain(gain_discount.recall), _cut(_rel)),
    "RBP_IA": (_plain(gain_discount.rbp), _both(lambda c: {"p": 0.7, "rel": c.rel})),
    "SDCG_IA": (_plain(gain_discount.sdcg), _cut(lambda c: {})),
    "GenAP_IA": (_plain(pivot.gen_ap), _both(_gains)),
}


def expected_and_found(name: str, case: IntentCase) -> list[tuple[str, float, float]]:
    """Return each variant of a measure with what the oracle and gradewise say."""
    oracle, options = {**INTENT_ORACLES, **MADE}[name]
    found = []
    for option in options:
        parameters = option(case)
        text = _text(name, parameters)
        found.append((text, oracle(case, **parameters), case.score(text)))
    return found
