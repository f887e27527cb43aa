"""What Moffat's text says about Tables 1-3 and the examples around them."""

import numpy as np

from gradewise.distance.med import med
from gradewise.measures.evaluate import score
from gradewise.reproduce.moffat_assignments import try_every
from gradewise.reproduce.moffat_theory import as_run
from gradewise.reproduce.result import Property


def about_weights() -> tuple[Property, ...]:
    """Check that weight moves down the ranking as the cutoff grows."""
    first = [score(f"SDCG@{k}", [1] + [0] * (k - 1), {1: 1}) for k in range(1, 101)]
    return (
        Property(
            "the larger k is, the less top-weighted SDCG@k is",
            bool((np.diff(first) < 0).all()),
            f"W(1) falls from {first[0]:.3f} at k = 1 to {first[-1]:.3f} at k = 100",
        ),
    )


def about_maximal_grades() -> tuple[Property, ...]:
    """Look for the largest difference when unjudged documents may take any grade.

    Y = (a), Z = (b, c), cutoff 2; b and a document in neither list have grade 1. Only c matters.
    """
    ndcg = "nDCG(dcg='exp-log2')@2"
    values = {grade: score(ndcg, [1, grade], _counts([1, 1, grade])) for grade in (0, 1, 2)}
    return (
        Property(
            "assigning the highest grade always gives the largest difference in graded nDCG",
            max(values.values()) <= values[2],
            f"a document assigned grade 1 gives {values[1]:.3f}, grade 2 only {values[2]:.3f}",
            necessary=False,
        ),
    )


def _counts(grades: list[int]) -> dict[int, int]:
    return {grade: grades.count(grade) for grade in (1, 2) if grade in grades}


def about_distances(first: str, second: str, judged: dict[str, int]) -> tuple[Property, ...]:
    """Score all assignments to the unjudged documents, and check the maxima of Table 3."""
    every = try_every(first, second, judged)
    claims, least = [], {}
    for name in ("SDCG", "NDCG", "SSP", "AP"):
        values = np.abs(every.differences[name])
        best = int(values.argmax())
        runner_up = float(np.delete(values, best).max())
        used = sorted(d for d, one in zip(every.free, every.assigned[best], strict=True) if one)
        documents = "".join(used)
        least[name] = int(every.relevant[best])
        claims.append(
            Property(
                f"no other assignment reaches MED({name})",
                runner_up < values[best] - 1e-12,
                f"{values[best]:.3f} with {documents}, next {runner_up:.3f}",
            )
        )
    frugal = max(least["NDCG"], least["AP"]) < min(least["SDCG"], least["SSP"])
    claims.append(
        Property(
            "MED of SDCG and SSP assigns more relevant documents than MED of NDCG and AP",
            frugal,
            "R " + ", ".join(f"{number} for {name}" for name, number in least.items()),
        )
    )
    return (*claims, *_first_example())


def _first_example() -> list[Property]:
    """Check equation 1: A and F are not relevant, C is."""
    lists, judged = ("ABCDE", "BCFDA"), {"A": 0, "F": 0, "C": 1}
    first, second = map(as_run, lists)
    found = [med(first, second, {"t": judged}, measure).value for measure in ("P@5", "RR")]
    known = [[judged.get(d) for d in x] for x in lists]
    low, high = ([_precision(x, free) for x in known] for free in (0, 1))
    return [
        Property(
            "for X1 and X2 of equation 1, P@5 is from 0.2 to 0.8 and from 0.2 to 0.6",
            [round(v, 9) for v in (*low, *high)] == [0.2, 0.2, 0.8, 0.6],
            f"{low[0]:.1f} to {high[0]:.1f} and {low[1]:.1f} to {high[1]:.1f}",
        ),
        Property(
            "MED is 0.2 for P@5 and 0.5 for RR",
            bool(np.allclose(found, [0.2, 0.5], atol=1e-12)),
            f"{found[0]:.3f} and {found[1]:.3f}",
        ),
    ]


def _precision(known: list[int | None], free: int) -> float:
    return score("P@5", [free if grade is None else grade for grade in known], {1: 5})
