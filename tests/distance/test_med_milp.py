"""MED of AP@k, SSP@k and GAP equals what HiGHS finds by integer programs, on longer lists.

The program has a variable for each free document and each pair of free documents that weigh
differently in the two lists: 1,800 of them for two orders of 60 documents, all free. HiGHS takes
0.02 s a pair of lists for k = 10 and 20, 0.1 s for k = 40 and 0.2 to 0.6 s for k = 60.
"""

import random
from functools import partial

import pytest

from distance.cases import ONE, Pair, med_of, random_pair
from oracles import pivot
from oracles.distance import ap_by_milp, brute_force, gap_by_milp, scores_under, ssp_by_milp

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


@pytest.mark.parametrize(("k", "number"), [(10, 21), (20, 12), (40, 6), (60, 3)])
@pytest.mark.parametrize("share", [0, 0.05, 0.4])
def test_ap_equals_highs(k: int, share: float, number: int) -> None:
    pairs = _pairs((k, share), k, share, number)
    for pair, found in zip(pairs, med_of(pairs, f"AP@{k}", ONE), strict=True):
        assert found.exact
        assert found.value == pytest.approx(ap_by_milp(pair.a, pair.b, pair.judged, k), abs=CLOSE)
        scores = scores_under(pair.a, pair.b, pair.judged, ONE, pivot.ap, found.assignment)
        assert found.value == pytest.approx(abs(scores[0] - scores[1]), abs=1e-12)


@pytest.mark.parametrize(("k", "number"), [(20, 9), (60, 3)])
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


@pytest.mark.parametrize(
    ("scale", "g"), [((1, 2), [0.35, 0.65]), ((1, 2), [0.8, 0.2]), ((1, 2, 3), [0.2, 0.5, 0.3])]
)
@pytest.mark.parametrize(("n", "number"), [(12, 6), (20, 6)])
def test_gap_intervals_hold_what_highs_finds(
    scale: tuple[int, ...], g: list[float], n: int, number: int
) -> None:
    rng = random.Random(str((scale, g, n)))
    pairs = []
    for i in range(number):
        a, b = _lists(rng, n, ["orders", "near orders", "some in common"][i % 3])
        chosen = rng.sample(sorted({*a, *b}), 0 if i < 3 else n // 2)
        outside = {f"x{j}": rng.choice(scale) for j in range(0 if i < 3 else rng.choice([2, n]))}
        judged = {document: rng.choice([0, *scale]) for document in chosen}
        pairs.append(Pair(a, b, {"unretrieved": 0, **judged, **outside}))
    for pair, found in zip(pairs, med_of(pairs, f"GAP(g={g})", scale), strict=True):
        truth = gap_by_milp(pair.a, pair.b, pair.judged, n, scale, g)
        assert found.lower - CLOSE <= truth <= found.upper + CLOSE
        if found.exact:
            assert found.value == pytest.approx(truth, abs=CLOSE)


def test_highs_equals_brute_force_on_two_grades() -> None:
    # Oracles against each other.
    g = [0.3, 0.7]
    rng = random.Random("two grades")
    for _ in range(15):
        pair = random_pair(rng, (1, 2), length=5, free=5)
        truth = brute_force(pair.a, pair.b, pair.judged, (1, 2), partial(pivot.gap, g=g))
        found = gap_by_milp(pair.a, pair.b, pair.judged, 5, (1, 2), g)
        assert found == pytest.approx(truth.value, abs=CLOSE)


@pytest.mark.parametrize("share", [0, 0.4])
def test_highs_equals_brute_force(share: float) -> None:
    # Oracles against each other.
    for pair in _pairs(("brute", share), 6, share, 20):
        arguments = (pair.a, pair.b, pair.judged)
        ap = brute_force(*arguments, ONE, pivot.ap)
        assert ap_by_milp(*arguments, 6) == pytest.approx(ap.value, abs=CLOSE)
        ssp = brute_force(*arguments, ONE, pivot.ssp)
        assert ssp_by_milp(*arguments, 6) == pytest.approx(ssp.value, abs=CLOSE)
