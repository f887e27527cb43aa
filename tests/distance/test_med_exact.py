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
    THREE,
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


def _check_side(found: float, inside: float, truth: float) -> None:
    """Exact when not negative, otherwise no less than with nothing relevant further down."""
    assert found >= inside - CLOSE
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
    assert type(found.exact) is bool
    assert {type(end) for end in (found.lower, found.upper, found.value)} == {float}
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
@pytest.mark.parametrize(("k", "number"), [(None, 60), (3, 25)])
def test_equals_brute_force(case: Case, k: int | None, number: int) -> None:
    pairs = _pairs((str(case), k), number, case.scale)
    for pair, found in zip(pairs, med_of(pairs, case.text, case.scale, k=k), strict=True):
        truth = _truth(pair, case, k)
        _check_exact(found, truth)
        _check_assignment(found, pair, case, k=k)
        assert found.residual == 0
        inside = _truth(pair.cut(case.depth), case, k)  # nothing relevant further down
        _check_side(found.a_over_b, inside.a_over_b, truth.a_over_b)
        _check_side(found.b_over_a, inside.b_over_a, truth.b_over_a)
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
        inside = _truth(pair.cut(case.depth), case, k)  # nothing relevant further down
        assert found.a_over_b >= inside.a_over_b - CLOSE
        assert found.b_over_a >= inside.b_over_a - CLOSE


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
        _check_side(found.a_over_b, truth.a_over_b, truth.a_over_b)
        _check_side(found.b_over_a, truth.b_over_a, truth.b_over_a)
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
    pairs = _pairs("Q gains", 40, ONE, length=5)
    none = med_of(pairs, "Q(beta=10)", ONE)
    some = med_of(pairs, "Q(beta=10)", ONE, unretrieved=3)
    assert any(more.value > less.value + 1e-6 for more, less in zip(some, none, strict=True))
    assert all(more.value >= less.value - CLOSE for more, less in zip(some, none, strict=True))


# More free documents than gradewise tries all assignments of.
LARGER = [
    measured("GAP(g=[0.35,0.65])", TWO, pivot.gap, g=[0.35, 0.65]),
    measured("eGAP(g=[0.35,0.65])", TWO, pivot.egap, g=[0.35, 0.65]),
    measured("eGAP(g=[0.5,0.2,0.3])", THREE, pivot.egap, g=[0.5, 0.2, 0.3]),
    measured("xGAP(g=[0.35,0.65])", TWO, pivot.xgap, g=[0.35, 0.65]),
    measured("xGAP(g=[0.5,0.2,0.3])", THREE, pivot.xgap, g=[0.5, 0.2, 0.3]),
    measured("GenAP", TWO, pivot.gen_ap),
    measured("Q", TWO, pivot.q),
]


def _freer_pairs(seed: object, free: int, scale: tuple[int, ...], number: int) -> list[Pair]:
    """Pairs of lists of about `free` documents, all free, with few and many relevant elsewhere."""
    rng = random.Random(str(seed))
    documents = [f"d{i}" for i in range(free)]
    pairs = []
    for i in range(number):
        outside = [*scale, *rng.choices([0, *scale], k=free if i % 2 else 1)]
        judged = {f"x{n}": grade for n, grade in enumerate(outside)}
        if i % 2:
            judged.update({f"j{n}": rng.choice([0, *scale]) for n in range(3)})
        pool = [*documents, *[d for d in judged if d.startswith("j")]]
        a, b = rng.sample(pool, free - 1), rng.sample(pool, free - 1)
        pairs.append(Pair(a, b, judged))
    return pairs


def _every(case: Case, pair: Pair) -> Farthest:
    """The truth by arrays over all assignments."""
    every = EveryAssignment(pair.a, pair.b, pair.judged, case.scale)
    method = {
        "GAP": every.gap, "eGAP": every.egap, "xGAP": every.xgap,
        "GenAP": every.gen_ap, "Q": every.q,
    }[case.text.partition("(")[0]]  # fmt: skip
    return every.farthest(method(**case.measure.keywords))  # type: ignore[attr-defined]


@pytest.mark.parametrize("case", LARGER, ids=str)
def test_intervals_contain_the_truth_with_more_free_documents(case: Case) -> None:
    pairs = _freer_pairs(case, 11 if len(case.scale) == 2 else 9, case.scale, 2)
    for pair, found in zip(pairs, med_of(pairs, case.text, case.scale), strict=True):
        truth = _every(case, pair)
        assert found.lower - CLOSE <= truth.value <= found.upper + CLOSE
        _check_assignment(found, pair, case)
        assert found.a_over_b >= truth.a_over_b - CLOSE
        assert found.b_over_a >= truth.b_over_a - CLOSE


def _climb(case: Case, pair: Pair, assignment: dict[str, int], sign: int) -> float:
    """M(a) - M(b), times the sign, where no other grade of one document brings more."""

    def value(grades: dict[str, int]) -> float:
        a, b = scores_under(pair.a, pair.b, pair.judged, case.scale, case.measure, grades)
        return sign * (a - b)

    best = value(assignment)
    improved = True
    while improved:
        improved = False
        for document in assignment:
            for grade in [0, *case.scale]:
                other = {**assignment, document: grade}
                if value(other) > best + CLOSE:
                    best, assignment, improved = value(other), other, True
    return best


@pytest.mark.parametrize("case", LARGER, ids=str)
def test_no_search_leaves_the_interval(case: Case) -> None:
    pairs = _freer_pairs((case, "climb"), 16, case.scale, 2)
    rng = random.Random(str(case))
    for pair, found in zip(pairs, med_of(pairs, case.text, case.scale), strict=True):
        _check_assignment(found, pair, case)
        anywhere = {d: rng.choice([0, *case.scale]) for d in found.assignment}
        for start in (found.assignment, anywhere):
            for sign, side in ((1, found.a_over_b), (-1, found.b_over_a)):
                reached = _climb(case, pair, start, sign)
                assert reached <= found.upper + CLOSE
                assert reached <= side + CLOSE


@pytest.mark.parametrize("case", [c for c in GRADED if c.depth is None], ids=str)
def test_the_two_ways_of_trying_all_agree(case: Case) -> None:
    # Oracles against each other: the loop over assignments and the array over them.
    for pair in _pairs(str(case), 15, case.scale, length=5):
        fast, slow = _every(case, pair), _truth(pair, case)
        assert fast.a_over_b == pytest.approx(slow.a_over_b, abs=CLOSE)
        assert fast.b_over_a == pytest.approx(slow.b_over_a, abs=CLOSE)


@pytest.mark.parametrize("norm", ["R", "min(k,R)"])
def test_greedy_ap_is_moffats(norm: str) -> None:
    text = f"AP(norm={norm!r})@4"
    case = measured(f"AP(norm={norm!r})", ONE, pivot.ap, 4, norm=norm)
    assert case.text == text
    pairs = _pairs(("greedy", norm), 80, ONE)
    runs = runs_of(pairs)
    greedy = gw.distance.greedy_ap(*runs, text)
    exact = gw.distance.med(*runs, text)
    for i, pair in enumerate(pairs):
        found = greedy[f"t{i}"]
        outcomes = greedy_ap(pair.a, pair.b, pair.judged, 4, norm=norm)
        assert min(abs(found.value - float(outcome)) for outcome in outcomes) < CLOSE
        assert found.value <= exact[f"t{i}"].value + CLOSE
        _check_assignment(found, pair, case)


def test_gap_when_one_list_is_judged_and_behind() -> None:
    # None of its documents can be decided, and too many of the other's to try all assignments.
    first, second = list("abc"), [f"d{n}" for n in range(14)]
    judged = {"a": 0, "b": 0, "c": 1, "d0": 2}
    found = gw.distance.med(*runs_of([Pair(first, second, judged)]), "GAP")["t0"]
    assert (found.exact, found.winner) == (True, "b")
    highest = {d: 2 for d in second if d not in judged}
    case = measured("GAP", TWO, pivot.gap, g=[0.5, 0.5])
    scores = scores_under(first, second, judged, TWO, case.measure, highest)
    assert found.value >= scores[1] - scores[0] - CLOSE


@pytest.mark.parametrize("measure", ["AP@100", "AP", "SP@1", "Q"])
def test_fewest_relevant_documents_of_equally_good_assignments(measure: str) -> None:
    # Any number of documents on top of a list that the other one lacks gives AP = 1.
    first, second = ({"t": {f"{side}{n}": -float(n) for n in range(100)}} for side in "ab")
    found = gw.distance.med(first, second, None, measure)["t"]
    assert found.value == pytest.approx(1, abs=CLOSE)
    assert found.relevant == {1: 1}
    assert [d for d, grade in found.assignment.items() if grade] == ["a0"]


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


def test_topics_are_those_judged_that_either_run_has() -> None:
    # A topic that a run lacks is an empty list; without qrels, any run's topics.
    run_a = {"both": {"d1": 2.0, "d2": 1.0}, "only a": {"d1": 1.0}, "unjudged": {"d1": 1.0}}
    run_b = {"both": {"d2": 2.0}, "unjudged": {"d2": 1.0}}
    qrels = {"both": {"d1": 1}, "only a": {"d9": 1}, "neither": {"d1": 1}}
    result = gw.distance.med(run_a, run_b, qrels, "AP")
    assert sorted(result.topics) == ["both", "only a"]
    # d1 free and relevant besides d9: (1/1) / 2.
    assert result["only a"].value == pytest.approx(1 / 2, abs=CLOSE)
    assert result["only a"].scores == pytest.approx((1 / 2, 0), abs=CLOSE)
    everywhere = gw.distance.med(run_a, run_b, None, "AP")
    assert sorted(everywhere.topics) == ["both", "only a", "unjudged"]
