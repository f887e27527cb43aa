"""What to judge next: the documents whose judgments can reduce distances most."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.accepted import QrelsLike, RunsLike
from gradewise.collection.naming import name_runs
from gradewise.collection.ties import Ties
from gradewise.distance.align import Aligned, TopicLists
from gradewise.distance.estimate import begin_distances
from gradewise.distance.matrix import static_weights
from gradewise.distance.med import checked_measure, depth_of
from gradewise.distance.pair import FREE, Pair
from gradewise.distance.scoring import batch_size, score_pair
from gradewise.distance.solvers import best_lead
from gradewise.distance.static import is_static
from gradewise.errors import check_least, check_runs
from gradewise.libraries import pl
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import Measure
from gradewise.progress import go_through, watched


@dataclass(frozen=True, eq=False)
class Wanted:
    """Unjudged documents, most informative first, with how far judging each can reduce distances.

    `shrink` is the mean of two reductions: in how far the first run of a pair can lead if the
    document is not relevant, and in how far the second can lead if it is; summed over pairs of
    runs and divided by the number of topics.
    """

    topics: tuple[str, ...]
    documents: tuple[str, ...]
    shrink: Floats

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame: topic, document, shrink."""
        return pl.DataFrame(
            {
                "topic": list(self.topics),
                "document": list(self.documents),
                "shrink": self.shrink,
            },
            schema={"topic": pl.String, "document": pl.String, "shrink": pl.Float64},
        )

    def pool(self) -> str:
        """Return the documents as a pool file: topic, 0 and document, to be completed by grades."""
        rows = zip(self.topics, self.documents, strict=True)
        return "".join(f"{topic} 0 {document}\n" for topic, document in rows)


@watched("topics")
def judge_next(
    runs: RunsLike,
    qrels: QrelsLike | None,
    measure: MeasureLike,
    k: int | None = None,
    *,
    number: int = 20,
    grades: Sequence[int] | None = None,
    ties: Ties = "trec",
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Wanted:
    """Return the unjudged documents whose judgments can reduce the distance of runs most.

    Each document is considered alone, at the assignments that give either run of a pair its
    largest lead. `runs` is a list or a dictionary {name: run}, and `number` is the number of
    documents to return over all topics; the other parameters are those of `med`.

    Examples
    --------
    >>> import gradewise as gw
    >>> runs = {"a": {"t": {"d1": 2.0, "d2": 1.0}}, "b": {"t": {"d3": 2.0, "d2": 1.0}}}
    >>> gw.distance.judge_next(runs, {"t": {"d1": 0}}, "P@1", number=1).documents
    ('d3',)
    """
    parsed = checked_measure(measure)
    named = name_runs(runs)
    check_runs(len(named), "choosing documents to judge")
    check_least(1, number=number)
    aligned = Aligned.of(named, qrels, measure=parsed, grades=grades, ties=ties, seed=seed)
    depth = depth_of(parsed, k)
    begin_distances(parsed, aligned, k, depth)
    found: list[tuple[float, int, str, str]] = []
    for place, lists in enumerate(go_through(aligned.lists(k, depth), progress)):
        documents, shrink = _telling(parsed, lists)
        best = np.lexsort((_best_ranks(lists)[documents], -shrink))[:number]
        best = best[shrink[best] > 0]
        names = lists.names(documents[best])
        found += [
            (-value, place, lists.topic, name)
            for value, name in zip(shrink[best].tolist(), names, strict=True)
        ]
    kept = sorted(found)[:number]
    return Wanted(
        tuple(topic for _, _, topic, _ in kept),
        tuple(document for _, _, _, document in kept),
        np.array([-value for value, _, _, _ in kept]) / len(aligned.topics),
    )


def _best_ranks(lists: TopicLists) -> Ints:
    """Return the best rank that each document has in any list."""
    ranks = np.full(len(lists.level), np.iinfo(np.int64).max)
    for listed in lists.lists:
        ranks[listed] = np.minimum(ranks[listed], np.arange(1, len(listed) + 1))
    return ranks


def _telling(measure: Measure, lists: TopicLists) -> tuple[Ints, Floats]:
    """Return the free documents of a topic, and what judging each of them can take away."""
    everything = np.unique(np.concatenate(lists.lists))
    free = everything[lists.level[everything] == FREE]
    if is_static(measure):
        weights, _, best = static_weights(measure, lists)
        factor = 2.0 * np.arange(len(weights)) - len(weights) + 1  # Σ over pairs of |v - w|
        return free, best * (factor @ np.sort(weights, axis=0))
    total = np.zeros(len(free))
    for first, second in zip(*np.triu_indices(len(lists.lists), 1), strict=True):
        pair, numbers = lists.pair(int(first), int(second))
        mine = np.searchsorted(free, numbers[pair.free])
        total[mine] += (_drops(measure, pair) + _drops(measure, pair.swapped())) / 2
    return free, total


def _drops(measure: Measure, pair: Pair) -> Floats:
    """Return how much smaller the best lead is if a single document is not as assumed."""
    best = best_lead(measure, pair)
    free = np.flatnonzero(pair.free)
    drops = np.zeros(len(free))
    batch = batch_size(pair)
    for low in range(0, len(free), batch):
        changed = free[low : low + batch]
        levels = np.tile(best.levels, (len(changed), 1))
        other = np.where(best.levels[changed] > 0, 0, pair.levels)
        levels[np.arange(len(changed)), changed] = other
        further = np.tile(best.unretrieved, (len(changed), 1))
        leads = np.subtract(*score_pair(measure, pair, levels, further))
        drops[low : low + batch] = np.maximum(best.value - leads, 0.0)
    return drops
