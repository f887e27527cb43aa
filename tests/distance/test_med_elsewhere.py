"""Without a limit, bounds hold for any number of relevant documents elsewhere."""

import random

import pytest

from distance.cases import TWO, Case, measured, med_of, random_pair
from oracles import pivot
from oracles.distance import brute_force

CASES = [
    measured("eGAP(g=[0.5,0.5])", TWO, pivot.egap, g=[0.5, 0.5]),
    measured("xGAP(g=[0.3,0.7])", TWO, pivot.xgap, g=[0.3, 0.7]),
    measured("Q(beta=5)", TWO, pivot.q, beta=5),
    measured("WAP", TWO, pivot.wap),
    measured("GenAP", TWO, pivot.gen_ap),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_bounds_hold_for_any_number(case: Case) -> None:
    rng = random.Random(str(case))
    pairs = [random_pair(rng, TWO, length=4, free=3) for _ in range(25)]
    for pair, found in zip(pairs, med_of(pairs, case.text, TWO, unretrieved=None), strict=True):
        for elsewhere in (0, 1, 4):
            truth = brute_force(pair.a, pair.b, pair.judged, TWO, case.measure, elsewhere)
            assert truth.value <= found.upper + 1e-12
        assert found.lower <= found.upper
    if case.text == "GenAP":  # one denominator: documents elsewhere only make it larger
        assert all(found.exact for found in med_of(pairs, case.text, TWO, unretrieved=None))


def test_binary_q_is_exact_for_any_number() -> None:
    case = measured("Q(beta=10)", (1,), pivot.q, beta=10)
    rng = random.Random(8)
    pairs = [random_pair(rng, (1,), length=4, free=5) for _ in range(60)]
    for pair, found in zip(pairs, med_of(pairs, case.text, (1,), unretrieved=None), strict=True):
        # As many as the lists are deep suffice: the ideal list grows no further.
        truth = brute_force(pair.a, pair.b, pair.judged, (1,), case.measure, 5)
        assert found.exact
        assert found.value == pytest.approx(truth.value, abs=1e-12)
