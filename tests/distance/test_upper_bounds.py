"""Upper bounds of the lead by xGAP, GenAP, Q and WAP: never below the truth, and far below 1."""

import random
from collections.abc import Sequence

import numpy as np
import pytest

import gradewise as gw
from distance.cases import THREE, TWO, Case, Pair, measured, random_pair, runs_of
from gradewise.distance.align import Aligned
from gradewise.distance.med import checked_measure
from gradewise.distance.pair import Pair as Documents
from gradewise.distance.solvers import upper_bound
from oracles import pivot
from oracles.distance import brute_force

CASES = [
    measured("xGAP(g=[0.7,0.3])", TWO, pivot.xgap, g=[0.7, 0.3]),
    measured("xGAP(g=[0,1])", TWO, pivot.xgap, g=[0.0, 1.0]),
    measured("xGAP(g=[0.6,0.3,0.1])", THREE, pivot.xgap, 4, g=[0.6, 0.3, 0.1]),
    measured("GenAP", TWO, pivot.gen_ap),
    measured("GenAP(gains={1:0,2:3})", TWO, pivot.gen_ap, 3, gains={1: 0, 2: 3}),
    measured("GenAP(gains={1:3,2:1})", TWO, pivot.gen_ap, gains={1: 3, 2: 1}),
    measured("GenAP(gains={1:1,2:1,3:9})", THREE, pivot.gen_ap, gains={1: 1, 2: 1, 3: 9}),
    measured("Q", TWO, pivot.q),
    measured("Q(beta=10)", TWO, pivot.q, 4, beta=10),
    measured("Q(gains={1:5,2:1})", TWO, pivot.q, gains={1: 5, 2: 1}),
    measured("Q(norm='min(k,R)')", TWO, pivot.q, 3, norm="min(k,R)"),
    measured("Q(beta=0.5)", THREE, pivot.q, beta=0.5),
    measured("WAP", TWO, pivot.wap),
    measured("WAP(gains={1:0,2:1})", TWO, pivot.wap, gains={1: 0, 2: 1}),
    measured("WAP", THREE, pivot.wap, 4),
]
FREE = {2: (25, 5), 3: (12, 3)}  # pairs and free documents that are quickly tried, by grades


def _documents(pairs: Sequence[Pair], case: Case) -> list[Documents]:
    run_a, run_b, qrels = runs_of(pairs)
    aligned = Aligned.of([("a", run_a), ("b", run_b)], qrels, grades=list(case.scale))
    found = {lists.topic: lists.pair(0, 1)[0] for lists in aligned.lists(None, case.depth)}
    return [found[f"t{i}"] for i in range(len(pairs))]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_no_assignment_exceeds_the_bound(case: Case) -> None:
    rng = random.Random(str(case))
    measure = checked_measure(case.text)
    number, free = FREE[len(case.scale)]
    pairs = [random_pair(rng, case.scale, length=6, free=free) for _ in range(number)]
    for pair, documents in zip(pairs, _documents(pairs, case), strict=True):
        elsewhere = rng.choice([0, 0, 1, 2])
        truth = brute_force(pair.a, pair.b, pair.judged, case.scale, case.measure, elsewhere)
        sides = ((documents, truth.a_over_b), (documents.swapped(), truth.b_over_a))
        for side, lead in sides:
            coarse, fine = upper_bound(measure, side), upper_bound(measure, side, -1.0)
            assert 0 <= fine <= coarse <= 1
            assert lead <= fine + 1e-12


@pytest.mark.parametrize("case", CASES, ids=str)
def test_many_documents_elsewhere_do_not_exceed_the_bound(case: Case) -> None:
    rng = random.Random(f"{case} elsewhere")
    measure = checked_measure(case.text)
    pairs = [random_pair(rng, case.scale, length=5, free=2) for _ in range(8)]
    for pair, documents in zip(pairs, _documents(pairs, case), strict=True):
        truth = brute_force(pair.a, pair.b, pair.judged, case.scale, case.measure, 5)
        assert truth.a_over_b <= upper_bound(measure, documents, -1.0) + 1e-12
        assert truth.b_over_a <= upper_bound(measure, documents.swapped(), -1.0) + 1e-12


@pytest.mark.parametrize("name", ["GenAP", "xGAP", "Q", "WAP"])
def test_bounds_leave_a_tenth_of_what_the_highest_value_would(name: str) -> None:
    rng = np.random.default_rng(5)
    qrels: dict[str, dict[str, int]] = {}
    runs: tuple[dict[str, dict[str, float]], ...] = ({}, {})
    for topic in ("1", "2", "3", "4", "5", "6"):
        documents = [f"d{i}" for i in range(60)]
        judged = rng.choice(60, 36, replace=False)
        grades = rng.choice([0, 0, 1, 2], 36)
        qrels[topic] = {documents[i]: int(g) for i, g in zip(judged, grades, strict=True)}
        for run in runs:
            order = rng.permutation(60)[:25]
            run[topic] = {documents[i]: -float(n) for n, i in enumerate(order)}
    found = gw.distance.med(runs[0], runs[1], qrels, f"{name}@20", unretrieved=0)
    uppers, lowers = (
        np.array([getattr(found[topic], end) for topic in found.topics])
        for end in ("upper", "lower")
    )
    assert not found.exact
    assert (uppers - lowers).mean() <= 0.1 * (1 - lowers).mean()
