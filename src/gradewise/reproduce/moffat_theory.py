"""What Moffat's text says of MED, and of the heuristic for AP, beyond the tables."""

from itertools import permutations
from pathlib import Path

import numpy as np

from gradewise.distance.greedy import greedy_ap
from gradewise.distance.med import med
from gradewise.distance.rbo import rbo
from gradewise.distance.shortfall import greedy_shortfall, random_shortfall
from gradewise.measures.evaluate import score
from gradewise.noise import NOISE
from gradewise.reproduce.collections import robust_2003, trec_covid
from gradewise.reproduce.moffat_assignments import (
    STATIC,
    Assignments,
    earlier,
    random_lists,
    try_every,
)
from gradewise.reproduce.result import Property, Section
from gradewise.tables import Table

_PAIRS = (30, 300)  # of random lists, quick and in full
_GREEDY_PAIRS = (10, 1000)  # of each length
_LENGTHS = range(5, 11)
# Runs, how many, whether judged, and measures.
_CUT = tuple(f"AP{norm}@{k}" for norm in ("", "(norm='min(k,R)')") for k in (10, 20, 50))
_REAL = (
    (trec_covid, 8, True, _CUT),
    (trec_covid, 8, False, _CUT[:3]),
    (robust_2003, 4, True, ("AP@200",)),
)
# Two lists, documents 0 and 1 relevant, 3 and 4 not, and three more relevant ones elsewhere.
_SHORT = ("12534", "42150", {"0": 1, "1": 1, "3": 0, "4": 0, "x": 1, "y": 1, "z": 1})


def as_run(ranking: str) -> dict[str, dict[str, float]]:
    """Return a list of documents, a letter each, as a run of one topic."""
    return {"t": {document: -float(rank) for rank, document in enumerate(ranking)}}


def about_algorithm(*, quick: bool, seed: int) -> tuple[Property, ...]:
    """Check section 2: Algorithm 1, and the two assignments that static measures need."""
    rng = np.random.default_rng(seed)
    pairs = [random_lists(rng) for _ in range(_PAIRS[not quick])]
    tried = [try_every(*pair) for pair in pairs]
    apart, elsewhere = 0.0, 0
    for (first, second, judged, others), every in zip(pairs, tried, strict=True):
        grades = {**judged, **{f"elsewhere {n}": 1 for n in range(others)}}
        known = {"t": grades} if grades else None
        found = med(as_run(first), as_run(second), known, f"nDCG@{len(first)}").value
        apart = max(apart, abs(found - every.distance("NDCG")))
        elsewhere += others > 0
    missed = max(
        every.distance(measure) - _two_assignments(every, measure, first, second)
        for (first, second, *_), every in zip(pairs, tried, strict=True)
        for measure in STATIC
    )
    return (
        Property(
            "Algorithm 1 finds the largest difference in binary nDCG",
            apart <= NOISE,
            f"all assignments of {len(pairs)} random pairs of lists, {elsewhere} of them with "
            f"relevant documents in neither list; off by {apart:.1e}",
        ),
        Property(
            "for static measures, making relevant what is earlier in one of the lists is enough",
            missed <= NOISE,
            f"P, RBP and SDCG on the same pairs; off by {max(missed, 0.0):.1e}",
        ),
    )


def _two_assignments(every: Assignments, measure: str, first: str, second: str) -> float:
    """Return the larger of the differences if what is earlier in a list is relevant."""
    found = []
    for wanted in earlier(first, second, every.free):
        place = int((every.assigned == wanted).all(axis=1).argmax())
        found.append(abs(every.differences[measure][place]))
    return max(found)


def about_cutoffs() -> tuple[Property, ...]:
    """Check what section 3 says of AP@k, and section 1 of rank-biased overlap."""
    full, two = [1] * 5, [1, 1, 0, 0, 0]
    over_r, over_least, over_k = (
        score("AP@5", full, {1: 8}),
        score("AP(norm='min(k,R)')@5", full, {1: 8}),
        score("SSP@5", two, {1: 2}),
    )
    return (
        Property(
            "AP@k over R cannot be 1 if k < R, over min(k, R) it can; SSP@k cannot be 1 if R < k",
            over_r < 1 and over_least == 1 and over_k < 1,
            f"{over_r:.3f}, {over_least:.3f} and {over_k:.3f} for the best lists of 5, with R = 8, "
            "8 and 2",
        ),
        _overlap(),
    )


def _overlap() -> Property:
    """Compare all lists of 3 out of 6 documents with one of them."""
    wrong, lists = 0, ["".join(x) for x in permutations("abcdef", 3)]
    for other in lists:
        value = rbo(as_run("abc"), as_run(other), p=0.9).extrapolated
        common = set(other) & set("abc")
        wrong += not (value == 1 if other == "abc" else 0 < value < 1 if common else value == 0)
    return Property(
        "RBO is 1 for equal lists, 0 for disjoint ones, and between for others",
        wrong == 0,
        f"{len(lists) - wrong} of {len(lists)} lists of 3 documents",
    )


def about_heuristic(*, quick: bool, seed: int) -> Property:
    """Check section 5, which leaves open whether the heuristic of equation 13 is exact."""
    number = _GREEDY_PAIRS[not quick]
    parts = [random_shortfall(number, length=length, seed=seed) for length in _LENGTHS]
    missed = np.concatenate([part["shortfall"].to_numpy() for part in parts])
    first, second, judged = _SHORT
    lists = (as_run(first), as_run(second), {"t": judged}, "AP(norm='min(k,R)')@5")
    exact, greedy = med(*lists).value, greedy_ap(*lists).value
    return Property(
        "the heuristic of equation 13 is a lower bound of MED(AP), and not always MED(AP)",
        bool(missed.min() >= -NOISE) and greedy < exact - NOISE,
        f"it falls short on {int((missed > 0).sum())} of {len(missed):,} random pairs of lists of "
        f"{_LENGTHS[0]} to {_LENGTHS[-1]} documents, and finds {greedy:.4f} instead of "
        f"{exact:.4f} for a pair that was searched for",
    )


def heuristic_on_runs(folder: Path, *, quick: bool) -> Section:
    """Compare the heuristic with the exact distance on lists of real runs."""
    rows, total, short = [], 0, 0
    for make, number, qrels, measures in _REAL:
        collection = make(folder, most=2 if quick else number)
        judged = collection.qrels if qrels else None
        for measure in measures:
            found = greedy_shortfall(collection.runs, judged, measure)["shortfall"]
            missed = int((found > 0).sum())
            total, short = total + len(found), short + missed
            state = "as judged" if qrels else "nothing judged"
            rows.append([collection.name, state, measure, str(len(found)), str(missed)])
    return Section(
        "table3",
        "Moffat, section 5: pairs of real lists on which the heuristic of equation 13 falls short",
        Table(["collection", "judgments", "measure", "pairs", "falls short"], rows, labels=3),
        properties=(
            Property(
                "on lists of real runs, the heuristic of equation 13 finds MED(AP)",
                short == 0,
                f"{total - short:,} of {total:,} pairs",
                necessary=False,
            ),
        ),
    )
