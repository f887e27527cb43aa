"""MED of AP@k and SSP@k equals what HiGHS finds by an integer program, on lists too long to try.

The program has a variable for each free document and each pair of free documents that weigh
differently in the two lists: 1,800 of them for two orders of 60 documents, all free. HiGHS takes
0.02 s a pair of lists for k = 10 and 20, 0.1 s for k = 40 and 0.2 to 0.6 s for k = 60.
"""

import random

import pytest

from distance.cases import ONE, Pair, med_of
from oracles import pivot
from oracles.distance import ap_by_milp, brute_force, scores_under, ssp_by_milp

# HiGHS ends when its bounds are within 1e-6; what it finds is then computed anew.
CLOSE = 1e-6


def _lists(rng: random.Random, k: int, kind: str) -> tuple[list[str], list[str]]:
    """Two lists of k documents: any two orders, two near ones, or 60 per cent in common."""
    documents = [f"d{i:03}" for i in range(2 * k)]
    if kind == "orders":
        a = documents[:k]
        return a, rng.sample(a, k)
    if kind == "near orders":
        a = documents[:k]
        return a, sorted(a, key=lambda d: documents.index(d) + rng.gauss(0, k / 6))
    pool = documents[: round(1.4 * k)]
    return rng.sample(pool, k), rng.sample(pool, k)


def _judgments(rng: random.Random, documents: set[str], share: float, k: int) -> dict[str, int]:
    """Judge a share of the documents, and some relevant ones that nobody retrieved."""
    chosen = rng.sample(sorted(documents), round(share * len(documents)))
    judged = {document: rng.choice([0, 0, 1]) for document in chosen}
    outside = rng.choice([0, 1, k // 4, k]) if share > 0 else 0
    return {**judged, "unretrieved": 0, **{f"x{i}": 1 for i in range(outside)}}


def _pairs(seed: object, k: int, share: float, number: int) -> list[Pair]:
    rng = random.Random(str(seed))
    pairs = []
    for i in range(number):
        a, b = _lists(rng, k, ["orders", "near orders", "some in common"][i % 3])
        pairs.append(Pair(a, b, _judgments(rng, {*a, *b}, share, k)))
    return pairs


@pytest.mark.parametrize(("k", "number"), [(10, 30), (20, 21), (40, 9), (60, 6)])
@pytest.mark.parametrize("share", [0, 0.02, 0.3, 0.7])
def test_ap_equals_highs(k: int, share: float, number: int) -> None:
    pairs = _pairs((k, share), k, share, number)
    for pair, found in zip(pairs, med_of(pairs, f"AP@{k}", ONE), strict=True):
        assert found.exact
        assert found.value == pytest.approx(ap_by_milp(pair.a, pair.b, pair.judged, k), abs=CLOSE)
        scores = scores_under(pair.a, pair.b, pair.judged, ONE, pivot.ap, found.assignment)
        assert found.value == pytest.approx(abs(scores[0] - scores[1]), abs=1e-12)


@pytest.mark.parametrize(("k", "number"), [(20, 12), (60, 6)])
@pytest.mark.parametrize("share", [0, 0.3])
def test_ssp_and_ap_by_the_smaller_of_k_and_r_equal_highs(
    k: int, share: float, number: int
) -> None:
    pairs = _pairs((k, share, "ssp"), k, share, number)
    ssp = med_of(pairs, f"SSP@{k}", ONE)
    smaller = med_of(pairs, f"AP(norm='min(k,R)')@{k}", ONE)
    for pair, by_k, by_smaller in zip(pairs, ssp, smaller, strict=True):
        of_ssp = ssp_by_milp(pair.a, pair.b, pair.judged, k)
        of_ap = ap_by_milp(pair.a, pair.b, pair.judged, k)
        assert by_k.value == pytest.approx(of_ssp, abs=CLOSE)
        assert by_smaller.value == pytest.approx(max(of_ssp, of_ap), abs=CLOSE)


@pytest.mark.parametrize("share", [0, 0.4])
def test_highs_equals_brute_force(share: float) -> None:
    # Oracles against each other.
    for pair in _pairs(("brute", share), 6, share, 20):
        arguments = (pair.a, pair.b, pair.judged)
        ap = brute_force(*arguments, ONE, pivot.ap)
        assert ap_by_milp(*arguments, 6) == pytest.approx(ap.value, abs=CLOSE)
        ssp = brute_force(*arguments, ONE, pivot.ssp)
        assert ssp_by_milp(*arguments, 6) == pytest.approx(ssp.value, abs=CLOSE)
