"""MED equals the largest difference over all assignments, tried one by one."""

import random
from collections import Counter
from typing import Any

import pytest

import gradewise as gw
from distance.cases import (
    EXACT,
    GRADED,
    ONE,
    TRIED,
    TWO,
    Case,
    Pair,
    measured,
    med_of,
    random_pair,
    runs_of,
)
from oracles import gain_discount, pivot
from oracles.distance import (
    Farthest,
    brute_force,
    counts_of,
    free_documents,
    greedy_ap,
    scores_under,
)
from oracles.every_assignment import EveryAssignment

CLOSE = 1e-12
FREE = {1: 7, 2: 5, 3: 4}  # free documents that are few enough to try all, by number of grades


def _pairs(seed: object, number: int, scale: tuple[int, ...], length: int = 6) -> list[Pair]:
    rng = random.Random(str(seed))
    return [random_pair(rng, scale, length=length, free=FREE[len(scale)]) for _ in range(number)]


def _check_side(found: float, truth: float) -> None:
    """Exact when not negative, otherwise nothing below the truth."""
    assert found >= truth - CLOSE
    if truth > -CLOSE:
        assert found == pytest.approx(truth, abs=CLOSE)


def _check_assignment(
    found: Any, pair: Pair, case: Case, unretrieved: int = 0, k: int | None = None
) -> None:
    """The assignment attains what is claimed: scores, counts, winner, lower end, known part."""
    cut = pair.cut(k)
    everything = set(free_documents(cut.a, cut.b, cut.judged))
    top = cut.cut(case.depth)
    assert set(free_documents(top.a, top.b, top.judged)) <= set(found.assignment) <= everything
    assert set(found.assignment.values()) <= {0, *case.scale}
    assert set(found.outside) <= set(case.scale)
    outside = list(Counter(found.outside).elements())
    deeper = everything - set(free_documents(top.a, top.b, top.judged))
    assert len(outside) <= unretrieved + len(deeper)

    arguments = (cut.a, cut.b, cut.judged, case.scale, case.measure)
    scores = scores_under(*arguments, found.assignment, outside)
    assert found.scores == pytest.approx(scores, abs=CLOSE)
    assert found.value == found.lower
    assert (found.winner is None) == (found.value == 0)
    sign = -1 if found.winner == "b" else 1
    gained = sign * (found.scores[0] - found.scores[1]) + found.residual
    assert found.lower == pytest.approx(gained, abs=CLOSE)
    counts = counts_of(cut.judged, case.scale, found.assignment, outside)
    assert {grade: found.relevant.get(grade, 0) for grade in case.scale} == {
        grade: counts[grade] for grade in case.scale
    }
    assert set(found.relevant) <= set(case.scale)
    known = scores_under(*arguments, {})
    assert found.known == pytest.approx(known[0] - known[1], abs=CLOSE)


def _truth(pair: Pair, case: Case, k: int | None = None, unretrieved: int = 0) -> Farthest:
    cut = pair.cut(k)
    return brute_force(cut.a, cut.b, cut.judged, case.scale, case.measure, unretrieved)


def _check_exact(found: Any, truth: Farthest) -> None:
    assert found.exact
    assert found.lower == found.upper == found.value
    assert found.value == pytest.approx(truth.value, abs=CLOSE)


@pytest.mark.parametrize("case", EXACT, ids=str)
@pytest.mark.parametrize(("k", "number"), [(None, 100), (3, 50)])
def test_equals_brute_force(case: Case, k: int | None, number: int) -> None:
    pairs = _pairs((str(case), k), number, case.scale)
    for pair, found in zip(pairs, med_of(pairs, case.text, case.scale, k=k), strict=True):
        truth = _truth(pair, case, k)
        _check_exact(found, truth)
        _check_assignment(found, pair, case, k=k)
        assert found.residual == 0
        _check_side(found.a_over_b, truth.a_over_b)
        _check_side(found.b_over_a, truth.b_over_a)
        if found.winner is not None:
            side = found.a_over_b if found.winner == "a" else found.b_over_a
            assert side == pytest.approx(found.value, abs=CLOSE)


@pytest.mark.parametrize("case", TRIED, ids=str)
def test_other_measures_try_every_assignment(case: Case) -> None:
    pairs = _pairs(str(case), 25, case.scale, length=5)
    for pair, found in zip(pairs, med_of(pairs, case.text, case.scale), strict=True):
        truth = _truth(pair, case)
        _check_exact(found, truth)
        _check_assignment(found, pair, case)


@pytest.mark.parametrize("case", GRADED, ids=str)
@pytest.mark.parametrize("k", [None, 4])
def test_intervals_contain_the_truth(case: Case, k: int | None) -> None:
    pairs = _pairs((str(case), k), 30, case.scale)
    for pair, found in zip(pairs, med_of(pairs, case.text, case.scale, k=k), strict=True):
        truth = _truth(pair, case, k)
        assert found.lower - CLOSE <= truth.value <= found.upper + CLOSE
        assert found.exact == (found.lower == found.upper)
        _check_assignment(found, pair, case, k=k)
        assert found.a_over_b >= truth.a_over_b - CLOSE
        assert found.b_over_a >= truth.b_over_a - CLOSE


RBP = [
    ("RBP(p=0.8)", ONE, {"p": 0.8}, 1.0),
    ("RBP(p=0.5,rel=2)", TWO, {"p": 0.5, "rel": 2}, 1.0),
    ("RBP(p=0.9,gains={1:0.2,2:0.7})", TWO, {"p": 0.9, "gains": {1: 0.2, 2: 0.7}}, 0.7),
]


@pytest.mark.parametrize(("text", "scale", "parameters", "top"), RBP)
@pytest.mark.parametrize("k", [None, 3])
def test_rbp_adds_what_unseen_ranks_could(
    text: str, scale: tuple[int, ...], parameters: dict[str, Any], top: float, k: int | None
) -> None:
    # The winner's list could go on with documents of the top gain, the other's with none.
    case = measured(text, scale, gain_discount.rbp, **parameters)
    pairs = _pairs((text, k), 50, scale)
    for pair, found in zip(pairs, med_of(pairs, text, scale, k=k), strict=True):
        seen = _truth(pair, case, k)
        unseen_a = top * parameters["p"] ** len(pair.cut(k).a)
        unseen_b = top * parameters["p"] ** len(pair.cut(k).b)
        truth = Farthest(seen.a_over_b + unseen_a, seen.b_over_a + unseen_b)
        _check_exact(found, truth)
        _check_assignment(found, pair, case, k=k)
        _check_side(found.a_over_b, truth.a_over_b)
        _check_side(found.b_over_a, truth.b_over_a)
        assert found.residual == pytest.approx(
            unseen_a if found.winner == "a" else unseen_b, abs=CLOSE
        )


OUTSIDE = [
    measured("Q", ONE, pivot.q),
    measured("Q(beta=10)", ONE, pivot.q, beta=10),
    measured("Q", ONE, pivot.q, 6),
    measured("AP", ONE, pivot.ap, 3),
    measured("AP(norm='min(k,R)')", ONE, pivot.ap, 3, norm="min(k,R)"),
    measured("nDCG", TWO, gain_discount.ndcg, 3),
    measured("P", ONE, gain_discount.p, 3),
]


@pytest.mark.parametrize("case", OUTSIDE, ids=str)
@pytest.mark.parametrize("unretrieved", [1, 3])
def test_unretrieved_documents_may_be_relevant(case: Case, unretrieved: int) -> None:
    pairs = _pairs((str(case), unretrieved), 30, case.scale, length=5)
    results = med_of(pairs, case.text, case.scale, unretrieved=unretrieved)
    for pair, found in zip(pairs, results, strict=True):
        truth = _truth(pair, case, unretrieved=unretrieved)
        _check_exact(found, truth)
        _check_assignment(found, pair, case, unretrieved)


@pytest.mark.parametrize("case", [c for c in GRADED if c.scale == TWO], ids=str)
def test_intervals_contain_the_truth_with_unretrieved_documents(case: Case) -> None:
    pairs = _pairs((str(case), "outside"), 20, case.scale, length=4)
    results = med_of(pairs, case.text, case.scale, unretrieved=2)
    for pair, found in zip(pairs, results, strict=True):
        truth = _truth(pair, case, unretrieved=2)
        assert found.lower - CLOSE <= truth.value <= found.upper + CLOSE
        _check_assignment(found, pair, case, unretrieved=2)


def test_binary_q_gains_from_an_unretrieved_document() -> None:
    # With another relevant document the ideal list is longer, which costs the worse list more.
    pairs = _pairs("Q gains", 300, ONE, length=5)
    none = med_of(pairs, "Q(beta=10)", ONE)
    some = med_of(pairs, "Q(beta=10)", ONE, unretrieved=3)
    assert any(more.value > less.value + 1e-6 for more, less in zip(some, none, strict=True))
    assert all(more.value >= less.value - CLOSE for more, less in zip(some, none, strict=True))


G2, G3 = [0.35, 0.65], [0.5, 0.2, 0.3]
LARGER = [
    ("GAP", "GAP(g={g})", TWO, pivot.gap),
    ("GAP", "GAP(g={g})", (1, 2, 3), pivot.gap),
    ("eGAP", "eGAP(g={g})", TWO, pivot.egap),
    ("eGAP", "eGAP(g={g})", (1, 2, 3), pivot.egap),
    ("xGAP", "xGAP(g={g})", TWO, pivot.xgap),
    ("xGAP", "xGAP(g={g})", (1, 2, 3), pivot.xgap),
    ("GenAP", "GenAP", TWO, pivot.gen_ap),
    ("Q", "Q", TWO, pivot.q),
]


@pytest.mark.parametrize(("name", "text", "scale", "oracle"), LARGER)
def test_intervals_contain_the_truth_with_more_free_documents(
    name: str, text: str, scale: tuple[int, ...], oracle: Any
) -> None:
    g = G2 if len(scale) == 2 else G3
    free = 10 if len(scale) == 2 else 8
    text = text.format(g=g)
    parameters = {"g": g} if "g=" in text else {}
    case = measured(text, scale, oracle, **parameters)
    rng = random.Random(str((text, scale)))
    pairs = [random_pair(rng, scale, length=9, free=free) for _ in range(6)]
    for _ in range(4):  # all free
        documents = [f"d{i}" for i in range(free)]
        a, b = rng.sample(documents, free - 1), rng.sample(documents, free - 1)
        pairs.append(Pair(a, b, {f"x{i}": grade for i, grade in enumerate([*scale, 1, 0])}))
    for pair, found in zip(pairs, med_of(pairs, text, scale), strict=True):
        every = EveryAssignment(pair.a, pair.b, pair.judged, scale)
        values = {
            "GAP": every.gap(g), "eGAP": every.egap(g), "xGAP": every.xgap(g),
            "GenAP": every.gen_ap(), "Q": every.q(),
        }[name]  # fmt: skip
        truth = every.farthest(values)
        assert found.lower - CLOSE <= truth.value <= found.upper + CLOSE
        _check_assignment(found, pair, case)
        assert found.a_over_b >= truth.a_over_b - CLOSE
        assert found.b_over_a >= truth.b_over_a - CLOSE


@pytest.mark.parametrize("case", [c for c in GRADED if c.depth is None], ids=str)
def test_the_two_ways_of_trying_all_agree(case: Case) -> None:
    # Oracles against each other: the loop over assignments and the array over them.
    parameters = case.measure.keywords  # type: ignore[attr-defined]
    name = case.text.partition("(")[0]
    for pair in _pairs(str(case), 15, case.scale, length=5):
        every = EveryAssignment(pair.a, pair.b, pair.judged, case.scale)
        method = {
            "GAP": every.gap, "eGAP": every.egap, "xGAP": every.xgap,
            "GenAP": every.gen_ap, "Q": every.q,
        }[name]  # fmt: skip
        fast, slow = every.farthest(method(**parameters)), _truth(pair, case)
        assert fast.a_over_b == pytest.approx(slow.a_over_b, abs=CLOSE)
        assert fast.b_over_a == pytest.approx(slow.b_over_a, abs=CLOSE)


@pytest.mark.parametrize("norm", ["R", "min(k,R)"])
def test_greedy_ap_is_moffats(norm: str) -> None:
    text = f"AP(norm={norm!r})@4"
    case = measured(f"AP(norm={norm!r})", ONE, pivot.ap, 4, norm=norm)
    assert case.text == text
    pairs = _pairs(("greedy", norm), 150, ONE)
    runs = runs_of(pairs)
    greedy = gw.distance.greedy_ap(*runs, text)
    exact = gw.distance.med(*runs, text)
    for i, pair in enumerate(pairs):
        found = greedy[f"t{i}"]
        outcomes = greedy_ap(pair.a, pair.b, pair.judged, 4, norm=norm)
        assert min(abs(found.value - float(outcome)) for outcome in outcomes) < CLOSE
        assert found.value <= exact[f"t{i}"].value + CLOSE
        _check_assignment(found, pair, case)


def test_mean_and_frame() -> None:
    pairs = _pairs("frame", 20, TWO)
    result = gw.distance.med(*runs_of(pairs), "nDCG@4", grades=[1, 2])
    values = [result[topic].value for topic in result.topics]
    assert result.value == pytest.approx(sum(values) / len(values), abs=CLOSE)
    assert result.frame.height == len(pairs)


def test_nothing_judged() -> None:
    pairs = [Pair(p.a, p.b, {}) for p in _pairs("nothing", 40, TWO, length=3)]
    run_a, run_b, _ = runs_of(pairs)
    for case, options in [
        (measured("AP", ONE, pivot.ap, 3), {}),
        (measured("nDCG(dcg='exp-log2')", TWO, gain_discount.ndcg, 3, dcg="exp-log2"),
         {"grades": [1, 2]}),
    ]:  # fmt: skip
        result = gw.distance.med(run_a, run_b, None, case.text, **options)
        for i, pair in enumerate(pairs):
            _check_exact(result[f"t{i}"], _truth(pair, case))
            _check_assignment(result[f"t{i}"], pair, case)


def test_the_scale_is_that_of_the_qrels_and_of_grades() -> None:
    # One free document at rank 1 of a alone; ERR's chance of stopping there is 1 - 2^-highest.
    run_a, run_b = {"t": {"d1": 2.0}}, {"t": {"d2": 2.0}}
    qrels = {"t": {"d2": 0, "other": 2}}
    assert gw.distance.med(run_a, run_b, qrels, "ERR")["t"].value == pytest.approx(3 / 4)
    higher = gw.distance.med(run_a, run_b, qrels, "ERR", grades=[3])["t"]
    assert higher.value == pytest.approx(7 / 8)
    assert higher.assignment == {"d1": 3}
    assert higher.relevant.get(2) == 1
    assert higher.relevant.get(3) == 1
