"""How far the lead of the best run could change with complete judgments."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gradewise.collection.qrels import Qrels
from gradewise.collection.run import Run
from gradewise.collection.ties import Ties
from gradewise.distance.med import med

MEASURE: Final = "SDCG@10"  # weights by rank only, so that distances are found at once
TOP: Final = 10
RUNS: Final = 10


@dataclass(frozen=True)
class Lead:
    """The lead of the best run over another: on judged documents, and its lower and upper bound.

    `distance` is the mean over topics of the maximized effectiveness distance.
    """

    run: str
    known: float
    low: float
    high: float
    distance: float


def leads_of_best(
    runs: Sequence[Run],
    qrels: Qrels,
    *,
    ties: Ties = "trec",
    seed: int = 0,
    topics: Collection[str] | None = None,
) -> list[Lead]:
    """Return bounds on the lead of the first run over each other run, on all topics or on some.

    Only the first TOP documents of each list are needed.
    """
    best, *others = runs
    leads = []
    for other in others:
        found = med(best, other, qrels, MEASURE, ties=ties, seed=seed)
        if topics is not None:
            kept = tuple(each for each in found.distances if each.topic in topics)
            found = replace(found, distances=kept)
        low, high = found.difference
        leads.append(Lead(other.name, found.known, low, high, found.value))
    return leads
