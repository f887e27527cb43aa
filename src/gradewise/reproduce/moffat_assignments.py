"""All ways to make the unjudged documents of two lists relevant, scored by written-out formulas."""

from dataclasses import dataclass
from itertools import product

import numpy as np

from gradewise.arrays import Bools, Floats, Ints

_PERSISTENCE = 0.8  # of RBP
STATIC = ("P", "RBP", "SDCG")  # measures whose weights depend on the rank alone


@dataclass(frozen=True)
class Assignments:
    """Every assignment for two lists: assigned[assignment, document] of the documents in `free`.

    `relevant` is R, and `differences` hold the value of the first list minus that of the second.
    """

    free: str
    assigned: Floats
    relevant: Floats
    differences: dict[str, Floats]

    def distance(self, measure: str) -> float:
        """Return the largest difference, either way."""
        return float(np.abs(self.differences[measure]).max(initial=0.0))


def try_every(first: str, second: str, judged: dict[str, int], elsewhere: int = 0) -> Assignments:
    """Score two lists, a letter for each document, under all assignments.

    `elsewhere` further relevant documents are in neither list.
    """
    free = "".join(dict.fromkeys(d for d in first + second if d not in judged))
    assigned = np.array(list(product((0.0, 1.0), repeat=len(free)))).reshape(2 ** len(free), -1)
    ones = np.ones(len(assigned))
    relevance = {d: np.asarray(grade * ones) for d, grade in judged.items()}
    relevance |= {d: assigned[:, n] for n, d in enumerate(free)}
    relevant = sum(judged.values()) + elsewhere + assigned.sum(axis=1)
    values = [
        _values(np.stack([relevance[d] for d in ranking], axis=1), relevant)
        for ranking in (first, second)
    ]
    differences: dict[str, Floats] = {name: values[0][name] - values[1][name] for name in values[0]}
    return Assignments(free, assigned, relevant, differences)


def _values(gain: Floats, relevant: Floats) -> dict[str, Floats]:
    """Score lists, gain[list, rank], to their full depth."""
    depth = gain.shape[1]
    rank = np.arange(1, depth + 1)
    discount = 1 / np.log2(rank + 1)
    sums = np.concatenate([[np.inf], np.cumsum(discount)])  # nothing relevant: no gain either
    precisions = (gain * gain.cumsum(axis=1) / rank).sum(axis=1)
    return {
        "P": gain.mean(axis=1),
        "RBP": gain @ ((1 - _PERSISTENCE) * _PERSISTENCE ** (rank - 1)),
        "SDCG": gain @ discount / sums[depth],
        "NDCG": gain @ discount / sums[np.minimum(relevant, depth).astype(int)],
        "SSP": precisions / depth,
        "AP": precisions / np.maximum(relevant, 1),
    }


def earlier(first: str, second: str, free: str) -> tuple[Bools, Bools]:
    """Return which documents are ranked earlier in the first list, and which in the second."""
    places = [[ranking.find(d) % (len(ranking) + 1) for d in free] for ranking in (first, second)]
    one, other = (np.array(place, np.int64) for place in places)  # not found: below the last rank
    return one < other, one > other


def random_lists(rng: np.random.Generator) -> tuple[str, str, dict[str, int], int]:
    """Draw two lists, some of their judgments, and a number of relevant documents elsewhere."""
    names = "abcdefghij"[: int(rng.integers(4, 11))]
    depth = int(rng.integers(2, len(names) + 1))
    first, second = ("".join(rng.permutation(list(names))[:depth]) for _ in range(2))
    known: Ints = rng.integers(0, 4, len(names))  # half of them unjudged
    judged = {d: int(k == 1) for d, k in zip(names, known.tolist(), strict=True) if k < 2}
    shown = {d: grade for d, grade in judged.items() if d in first + second}
    return first, second, shown, int(rng.integers(0, 4))
