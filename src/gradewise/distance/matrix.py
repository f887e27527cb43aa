"""The distances between all pairs of runs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.accepted import QrelsLike, RunsLike
from gradewise.collection.judged import Lists
from gradewise.collection.naming import name_runs
from gradewise.collection.ties import Ties
from gradewise.distance.align import Aligned, TopicLists
from gradewise.distance.estimate import begin_distances
from gradewise.distance.med import checked_measure, depth_of, lead_both_ways
from gradewise.distance.pair import FREE
from gradewise.distance.static import is_static
from gradewise.errors import check_runs
from gradewise.libraries import pl
from gradewise.measures.gain_discount import GainDiscount
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import Measure
from gradewise.progress import go_through, watched
from gradewise.showing import Shown


@dataclass(frozen=True, eq=False)
class Distances(Shown):
    """Mean distances between runs over topics; `upper` bounds those that are not exact."""

    measure: Measure
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats
    upper: Floats

    @property
    def exact(self) -> bool:
        """Whether all distances are exact."""
        return bool((self.upper <= self.values).all())

    def clusters(self, method: str = "average") -> Floats:
        """Return the hierarchical clustering of runs in the format of SciPy's `linkage`."""
        from scipy.cluster.hierarchy import linkage
        from scipy.spatial.distance import squareform

        return linkage(squareform(self.values, checks=False), method, optimal_ordering=True)

    def order(self, method: str = "average") -> list[int]:
        """Return an order of the runs that puts similar runs next to each other."""
        from scipy.cluster.hierarchy import leaves_list

        if len(self.runs) < 3:
            return list(range(len(self.runs)))
        return leaves_list(self.clusters(method)).tolist()

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame with one row per pair of runs: run_a, run_b, med, upper."""
        return pair_frame(self.runs, {"med": self.values, "upper": self.upper})


def pair_frame(runs: tuple[str, ...], matrices: Mapping[str, Floats]) -> "pl.DataFrame":
    """Return matrices of runs by runs as a frame with a row for each pair."""
    first, second = np.triu_indices(len(runs), 1)
    names = {"run_a": [runs[n] for n in first], "run_b": [runs[n] for n in second]}
    return pl.DataFrame({**names, **{name: m[first, second] for name, m in matrices.items()}})


@watched("topics")
def med_matrix(
    runs: RunsLike,
    qrels: QrelsLike | None,
    measure: MeasureLike,
    k: int | None = None,
    *,
    grades: Sequence[int] | None = None,
    ties: Ties = "trec",
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Distances:
    """Return the maximized effectiveness distance between all pairs of runs.

    For static measures, such as P@k, RBP and DCG, all pairs of a topic are found at once; other
    measures take one pair at a time. `runs` is a list or a dictionary {name: run}; the other
    parameters are those of `med`.

    Examples
    --------
    >>> import gradewise as gw
    >>> runs = {"a": {"t": {"d1": 2.0, "d2": 1.0}}, "b": {"t": {"d3": 2.0, "d2": 1.0}}}
    >>> gw.distance.med_matrix(runs, {"t": {"d2": 1}}, "P@1").values
    array([[0., 1.],
           [1., 0.]])
    """
    parsed = checked_measure(measure)
    named = name_runs(runs)
    check_runs(len(named), "a distance")
    aligned = Aligned.of(named, qrels, measure=parsed, grades=grades, ties=ties, seed=seed)
    values, uppers = np.zeros((2, len(named), len(named)))
    depth = depth_of(parsed, k)
    begin_distances(parsed, aligned, k, depth, sets=False)
    for lists in go_through(aligned.lists(k, depth), progress):
        if is_static(parsed):
            found = upper = _static_distances(parsed, lists)
        else:
            found, upper = _pair_by_pair(parsed, lists)
        values += found
        uppers += upper
    names = tuple(name for name, _ in named)
    number = len(aligned.topics)
    return Distances(parsed, names, aligned.topics, values / number, uppers / number)


def _pair_by_pair(measure: Measure, lists: TopicLists) -> tuple[Floats, Floats]:
    number = len(lists.lists)
    values, uppers = np.zeros((2, number, number))
    for first, second in zip(*np.triu_indices(number, 1), strict=True):
        pair, _ = lists.pair(int(first), int(second))
        apart = lead_both_ways(measure, pair)
        value = max(0.0, *apart.values)
        values[first, second] = values[second, first] = value
        uppers[first, second] = uppers[second, first] = apart.upper_of(value)
    return values, uppers


def _static_distances(measure: GainDiscount, lists: TopicLists) -> Floats:
    """Return the distances of all runs for a topic.

    The sum of max(0, v - w) over documents is half of (Σ |v - w| + Σ v - Σ w), so that all pairs
    of runs are one call of scipy's city-block distance.
    """
    from scipy.spatial.distance import pdist, squareform

    weights, known, best = static_weights(measure, lists)
    apart = squareform(pdist(weights, "cityblock"))
    free = weights.sum(axis=1)
    tails = best * np.array([measure.tail_weight(len(listed)) for listed in lists.lists])
    lead = known + best * free / 2 + tails
    leads = lead[:, None] - (known + best * free / 2)[None, :] + best * apart / 2
    result = np.maximum(leads, leads.T)
    np.fill_diagonal(result, 0.0)
    return np.asarray(result)


def static_weights(measure: GainDiscount, lists: TopicLists) -> tuple[Floats, Floats, float]:
    """Return the weight of free documents in each list, what judged ones add, and the best gain.

    Weights have a row for each list and a column for each free document of any of them.
    """
    runs = len(lists.lists)
    sizes = np.array([len(listed) for listed in lists.lists])
    known = Lists(lists.scale, lists.counts[None, :], np.zeros(runs, np.int64), sizes)
    owner = np.arange(runs).repeat(sizes)
    rank = np.concatenate([np.arange(1, size + 1) for size in sizes.tolist()])
    documents = np.concatenate(lists.lists)
    norm = measure.norm(known)[owner]
    weight = np.divide(
        measure.discount(rank, owner, known), norm, out=np.zeros(len(rank)), where=norm > 0
    )
    if measure.cutoff is not None:
        weight[rank > measure.cutoff] = 0.0
    gain = measure.gain(known)
    level = lists.level[documents]
    free = level == FREE
    columns: Ints
    _, columns = np.unique(documents[free], return_inverse=True)
    weights = np.zeros((runs, int(columns.max(initial=-1)) + 1))
    weights[owner[free], columns] = weight[free]
    judged = np.bincount(owner[~free], (gain[level] * weight)[~free], runs)
    return weights, judged.astype(np.float64), float(gain.max())
