"""Rank-biased overlap (Webber, Moffat & Zobel 2010): how similar rankings are.

RBO = (1-p) Σ_d p^(d-1) A_d, where A_d is the agreement of the first d documents. No maintained
library gives all three values with ties and uneven lengths, for whole runs.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.accepted import RunLike, RunsLike
from gradewise.collection.naming import name_runs
from gradewise.collection.run import Run
from gradewise.collection.ties import TIES, TieRule, Ties
from gradewise.distance.align import Aligned, TopicLists
from gradewise.distance.matrix import pair_frame
from gradewise.distance.med import name_pair
from gradewise.errors import check_between, check_choice, check_least, check_runs
from gradewise.kernels import overlap
from gradewise.libraries import pl
from gradewise.progress import go_through, watched
from gradewise.showing import Shown

RboTies = Literal["trec", "input", "random", "tied"]
RBO_TIES: dict[RboTies, TieRule] = {
    **TIES,  # type: ignore[dict-item]
    "tied": TieRule(TIES["trec"].code, "tied documents share the first of their ranks"),
}


@dataclass(frozen=True)
class Overlap:
    """The overlap of two lists: lower bound (minimum), residual, and extrapolated value."""

    topic: str
    extrapolated: float
    minimum: float
    residual: float


@dataclass(frozen=True, eq=False)
class Rbo(Shown):
    """The overlap of two runs, topic by topic.

    Examples
    --------
    >>> import gradewise as gw
    >>> a = {"t": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}
    >>> b = {"t": {"d1": 3.0, "d3": 2.0, "d2": 1.0}}
    >>> round(gw.distance.rbo(a, b, p=0.5).extrapolated, 4)
    0.875
    """

    names: tuple[str, str]
    overlaps: tuple[Overlap, ...]

    @property
    def topics(self) -> list[str]:
        """The topics."""
        return [each.topic for each in self.overlaps]

    def __getitem__(self, topic: str) -> Overlap:
        for each in self.overlaps:
            if each.topic == topic:
                return each
        raise KeyError(topic)

    @property
    def extrapolated(self) -> float:
        """The mean overlap if the lists continue with the agreement they have."""
        return float(np.mean([each.extrapolated for each in self.overlaps]))

    @property
    def minimum(self) -> float:
        """The mean overlap if the lists have nothing further in common."""
        return float(np.mean([each.minimum for each in self.overlaps]))

    @property
    def residual(self) -> float:
        """The mean of what unseen documents could add to the minimum."""
        return float(np.mean([each.residual for each in self.overlaps]))

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame: topic, extrapolated, minimum, residual."""
        return pl.DataFrame(list(self.overlaps))


@dataclass(frozen=True, eq=False)
class Overlaps(Shown):
    """Mean overlaps over topics between runs: matrices of runs by runs."""

    runs: tuple[str, ...]
    extrapolated: Floats
    minimum: Floats
    residual: Floats

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame with one row per pair of runs: run_a, run_b, extrapolated, minimum, residual."""
        matrices = {"extrapolated": self.extrapolated, "minimum": self.minimum}
        return pair_frame(self.runs, {**matrices, "residual": self.residual})


@watched("topics")
def rbo(
    run_a: RunLike,
    run_b: RunLike,
    p: float = 0.9,
    *,
    k: int | None = None,
    ties: RboTies | None = None,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Rbo:
    """Return the rank-biased overlap of two runs.

    Parameters
    ----------
    run_a, run_b
        The runs: anything that `read_run` takes.
    p
        Persistence: rank d has weight p^(d-1).
    k
        Depth at which both lists are cut first.
    ties
        "tied" gives documents with equal scores the first of their ranks; the agreement at depth
        d is then 2 X_d / (|S_:d| + |L_:d|). Otherwise ties are broken as in `evaluate`.
    seed
        Random seed of ties="random".
    progress
        Called with 1 after each topic.
    """
    named = name_pair(run_a, run_b)
    found = tuple(
        Overlap(lists.topic, *values[:, 0, 1].tolist())
        for lists, _, values in go_through(_by_topic(named, p, k, ties, seed), progress)
    )
    return Rbo((named[0][0], named[1][0]), found)


@watched("topics")
def rbo_matrix(
    runs: RunsLike,
    p: float = 0.9,
    *,
    k: int | None = None,
    ties: RboTies | None = None,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Overlaps:
    """Return the mean rank-biased overlap between all pairs of runs.

    Each pair of runs is compared on the topics of either. `runs` is a list or a dictionary
    {name: run}; the other parameters are those of `rbo`.

    Examples
    --------
    >>> import gradewise as gw
    >>> runs = {"a": {"t": {"d1": 2.0, "d2": 1.0}}, "b": {"t": {"d2": 2.0, "d1": 1.0}}}
    >>> gw.distance.rbo_matrix(runs, p=0.5).extrapolated
    array([[1. , 0.5],
           [0.5, 1. ]])
    """
    named = name_runs(runs)
    check_runs(len(named), "an overlap")
    sums = np.zeros((3, len(named), len(named)))
    topics = np.zeros((len(named), len(named)))
    for _, there, values in go_through(_by_topic(named, p, k, ties, seed), progress):
        either = there[:, None] | there[None, :]
        sums += np.where(either, values, 0.0)
        topics += either
    return Overlaps(tuple(name for name, _ in named), *(sums / np.maximum(topics, 1)))


def _by_topic(
    named: Sequence[tuple[str, Any]], p: float, k: int | None, ties: RboTies | None, seed: int
) -> Iterator[tuple[TopicLists, Bools, Floats]]:
    """Give the lists of each topic, which runs have it, and the overlaps of all pairs.

    Overlaps are [extrapolated, minimum or residual, run, run].
    """
    check_between(0, 1, p=p)
    check_least(1, k=k)
    ties = ties or "trec"
    check_choice("ties", ties, RBO_TIES)
    order: Ties = "trec" if ties == "tied" else ties
    aligned = Aligned.of(named, ties=order, seed=seed)
    longest = max(int(run.sizes.max(initial=0)) for run in aligned.runs)
    tables = _tables(p, 2 * (longest if k is None else min(k, longest)))
    for lists in aligned.lists(k):
        sizes = [len(each) for each in lists.lists]
        if ties == "tied":
            ranks = [
                _tied_ranks(run, lists.topic)[:size]
                for run, size in zip(aligned.runs, sizes, strict=True)
            ]
        else:
            ranks = [np.arange(1, size + 1) for size in sizes]
        there = np.array([lists.topic in run.topic_index for run in aligned.runs])
        yield lists, there, _overlaps(lists, ranks, tables)


def _overlaps(lists: TopicLists, ranks: Sequence[Ints], tables: Floats) -> Floats:
    """Return the overlaps of all pairs of lists of a topic."""
    number = len(lists.lists)
    documents = np.concatenate(lists.lists)
    edges = np.cumsum([0, *map(len, lists.lists)])
    flat = np.concatenate(ranks)
    values = np.zeros((3, number, number))
    for one in range(number):
        found = overlap.overlap_from(documents, flat, edges, one, tables, len(lists.level))
        values[:, one, one:] = values[:, one:, one] = found
    values[2] = np.maximum(values[2] - values[1], 0.0)  # below 0 by rounding only
    return values


def _tables(p: float, depth: int) -> Floats:
    """Return, for depths d = 0..depth: the weight of d, p^d, and the rest of the minimum beyond d.

    Agreement that no longer grows adds (1-p)/p Σ_{e>d} p^e / e to the minimum for each document in
    common. The sum over all e is -ln(1-p); from the deep end, small terms are added first.
    """
    d = np.arange(depth + 1.0)
    powers = p**d
    terms = powers[1:] / d[1:]
    beyond = max(0.0, -np.log1p(-p) - float(terms.sum()))
    rests = np.concatenate([[beyond], beyond + terms[::-1].cumsum()])[::-1]
    return np.stack([(1 - p) / p * powers, powers, (1 - p) / p * rests])


def _tied_ranks(run: Run, topic: str) -> Ints:
    """Return the ranks of a list by rank, tied documents having the first of theirs."""
    falling = np.sort(-run.scores[run.rows_of(topic)])
    return np.searchsorted(falling, falling) + 1
