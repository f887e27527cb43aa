"""Rank-biased overlap (Webber, Moffat & Zobel 2010): how much two rankings have in common.

RBO = (1-p) Σ_d p^(d-1) A_d, A_d being the agreement of the first d documents. No library that is
kept up gives all three values with ties and uneven lengths, for whole runs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.ordering import TIES, Ties
from gradewise.collection.run import Run
from gradewise.distance.align import Aligned
from gradewise.distance.med import name_pair
from gradewise.errors import OptionError, check_choice

if TYPE_CHECKING:
    import polars as pl

RboTies = Ties | Literal["tied"]


@dataclass(frozen=True)
class Overlap:
    """The overlap of two lists: what is certain, what could come on top, and the best guess."""

    topic: str
    extrapolated: float
    minimum: float
    residual: float


@dataclass(frozen=True, eq=False)
class Rbo:
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
        return [overlap.topic for overlap in self.overlaps]

    def __getitem__(self, topic: str) -> Overlap:
        for overlap in self.overlaps:
            if overlap.topic == topic:
                return overlap
        raise KeyError(topic)

    @property
    def extrapolated(self) -> float:
        """The mean overlap if lists go on as they are."""
        return float(np.mean([overlap.extrapolated for overlap in self.overlaps]))

    @property
    def minimum(self) -> float:
        """The mean overlap if nothing else is in common."""
        return float(np.mean([overlap.minimum for overlap in self.overlaps]))

    @property
    def residual(self) -> float:
        """The mean of what could come on top of the minimum."""
        return float(np.mean([overlap.residual for overlap in self.overlaps]))

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame: topic, extrapolated, minimum, residual."""
        import polars as pl

        rows = [(o.topic, o.extrapolated, o.minimum, o.residual) for o in self.overlaps]
        names = ["topic", "extrapolated", "minimum", "residual"]
        return pl.DataFrame(rows, schema=names, orient="row")


def rbo(
    run_a: Any,
    run_b: Any,
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
        Persistence: the weight of rank d falls as p^(d-1).
    k
        Cut both lists at this depth first.
    ties
        "tied" lets documents with equal scores share the first of their ranks, the agreement at
        depth d being 2 X_d / (|S_:d| + |L_:d|); otherwise ties are broken, as for `evaluate`.
    seed
        Seed of the random order of ties.
    progress
        Called with 1 after each topic.
    """
    if not 0 < p < 1:
        raise OptionError(f"p must lie between 0 and 1, not {p}")
    if k is not None and k < 1:
        raise OptionError(f"k must be at least 1, not {k}")
    order: Ties = "trec" if ties in (None, "tied") else ties  # type: ignore[assignment]
    check_choice("ties", ties or order, (*TIES, "tied"))
    named = name_pair(run_a, run_b)
    aligned = Aligned.of(named, ties=order, seed=seed)
    found = []
    for lists in aligned.lists(k):
        pair, _ = lists.pair(0, 1)
        ranks = pair.rank
        if ties == "tied":
            ranks = np.stack(
                [
                    _tied(run, lists.topic, rank)
                    for run, rank in zip(aligned.runs, pair.rank, strict=True)
                ]
            )
        found.append(Overlap(lists.topic, *overlap(ranks, pair.retrieved, p)))
        if progress is not None:
            progress(1)
    return Rbo((named[0][0], named[1][0]), tuple(found))


def overlap(ranks: Ints, sizes: Ints, p: float) -> tuple[float, float, float]:
    """Return the extrapolated and the minimal overlap, and the residual.

    `ranks[i, d]` is the rank of document d in list i, which has sizes[i] documents; 0 if it is not
    there.
    """
    short, long = int(sizes.min()), int(sizes.max())
    ranks = ranks if sizes[0] <= sizes[1] else ranks[::-1]
    weights = (1 - p) * p ** np.arange(long)
    common, counted = _prefixes(ranks, np.array([short, long]), long)
    minimum = float(weights @ (2 * common / counted)) if long else 0.0
    if long:
        spent = (p ** np.arange(1, long + 1) / np.arange(1, long + 1)).sum()
        minimum += (1 - p) / p * common[-1] * max(0.0, -np.log1p(-p) - float(spent))
    residual = _maximum(ranks, short, long, p) - minimum
    if not short:
        return 0.0, minimum, residual
    agreed = 2 * common[short - 1] / counted[short - 1]
    guessed = common + np.maximum(np.arange(1, long + 1) - short, 0) * agreed
    extrapolated = weights @ (2 * guessed / counted) + guessed[-1] / long * p**long
    return float(extrapolated), minimum, residual


def _prefixes(ranks: Ints, sizes: Ints, depth: int) -> tuple[Floats, Floats]:
    """Return X_d, and the number of documents of both prefixes, for d = 1..depth.

    A list that has ended goes on with one document at a rank.
    """
    both = (ranks > 0).all(axis=0)
    common = np.bincount(ranks.max(axis=0)[both], minlength=depth + 1)[1 : depth + 1].cumsum()
    counted = np.zeros(depth)
    for rank, size in zip(ranks, sizes.tolist(), strict=True):
        enter = np.bincount(rank[rank > 0], minlength=depth + 1)[1 : depth + 1]
        enter[size:] = 1
        counted += enter.cumsum()
    return common.astype(np.float64), counted


def _maximum(ranks: Ints, short: int, long: int, p: float) -> float:
    """Return the overlap if each list goes on with what only the other has, then both alike."""
    longer = ranks.copy()
    for side, size in enumerate((short, long)):
        missing = np.flatnonzero(ranks[side] == 0)
        order = missing[np.argsort(ranks[1 - side, missing], kind="stable")]
        longer[side, order] = size + np.arange(1, len(order) + 1)
    depth = ranks.shape[1]
    common, counted = _prefixes(longer, np.array([depth, depth]), depth)
    return float((1 - p) * p ** np.arange(depth) @ (2 * common / counted) + p**depth)


def _tied(run: Run, topic: str, rank: Ints) -> Ints:
    """Give documents with equal scores the first of their ranks."""
    scores = np.sort(run.scores[run.rows_of(topic)])[::-1]
    first = np.concatenate([[0], np.searchsorted(-scores, -scores) + 1])
    return first[rank]
