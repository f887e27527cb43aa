"""Discriminative power (Sakai 2006): how many pairs of runs differ significantly."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.judged import Judged
from gradewise.errors import OptionError, check_choice
from gradewise.measures.evaluate import score_judged
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.missing import Missing
from gradewise.showing import Shown
from gradewise.stats.compare import common_topics, refuse_geometric
from gradewise.stats.resampling import (
    bootstrap_differences,
    bootstrap_test,
    check_replicates,
    tukey_ranges,
    tukey_test,
)

if TYPE_CHECKING:
    import polars as pl

Method = Literal["bootstrap", "tukey"]
METHODS: tuple[Method, ...] = ("bootstrap", "tukey")


@dataclass(frozen=True, eq=False)
class Discrimination(Shown):
    """Achieved significance levels of all pairs of runs, `levels[measure, pair]`, ascending.

    `needed[measure, i]` is the difference of means needed for significance at `alphas[i]`.
    """

    measures: tuple[str, ...]
    runs: tuple[str, ...]
    topics: int
    method: Method
    alphas: tuple[float, ...]
    levels: Floats
    needed: Floats

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame with columns measure, alpha, pairs, told_apart, share, difference_needed."""
        import polars as pl

        pairs = self.levels.shape[1]
        told = np.array([(self.levels <= alpha).sum(axis=1) for alpha in self.alphas]).T
        count = len(self.alphas)
        return pl.DataFrame(
            {
                "measure": np.array(self.measures, object).repeat(count).tolist(),
                "alpha": list(self.alphas) * len(self.measures),
                "pairs": [pairs] * (count * len(self.measures)),
                "told_apart": told.ravel(),
                "share": told.ravel() / pairs,
                "difference_needed": self.needed.ravel(),
            }
        )

    @property
    def curves(self) -> "pl.DataFrame":
        """A frame with columns measure, pair, level: pairs by level, the largest first."""
        import polars as pl

        measures, pairs = self.levels.shape
        return pl.DataFrame(
            {
                "measure": np.array(self.measures, object).repeat(pairs).tolist(),
                "pair": np.tile(np.arange(1, pairs + 1), measures),
                "level": self.levels[:, ::-1].ravel(),
            }
        )


def discrimination(
    judged: Judged,
    measures: MeasureLike | Iterable[MeasureLike],
    *,
    missing: Missing = "zero",
    method: Method = "bootstrap",
    best: int | None = None,
    alphas: Sequence[float] = (0.05, 0.01),
    replicates: int = 1000,
    seed: int = 0,
) -> Discrimination:
    """Return how many pairs of runs differ significantly by each measure (Sakai 2006).

    Parameters
    ----------
    judged
        Runs joined with judgments, from `gw.judge`; at least two runs.
    measures
        The measures to study.
    missing
        What a judged topic that a run misses is worth: "zero", or "drop" to use only the topics
        that all runs have.
    method
        "bootstrap" for Sakai's paired bootstrap test of each pair, or "tukey" for the randomized
        Tukey HSD test of all pairs together.
    best
        Use only this many runs, the best by the first measure.
    alphas
        Significance levels.
    replicates, seed
        Number of bootstrap samples or permutations, and random seed.

    Notes
    -----
    For the bootstrap, the difference needed at level α is the largest over all pairs of the mean
    difference in the sample whose studentized mean is the upper α-quantile (Sakai's Figure 4); for
    Tukey's test, it is the upper α-quantile of the largest difference of means.
    """
    _check(judged, method=method, best=best, alphas=alphas)
    check_replicates(replicates)
    scores = score_judged(judged, measures, missing=missing)
    refuse_geometric(scores.measures)
    order = np.argsort(-scores.summary()[:, 0], kind="stable")[:best]
    first, second = np.triu_indices(len(order), 1)
    levels, needed, topics = [], [], len(scores.topics)
    for index in range(len(scores.measures)):
        values = common_topics(scores, index)[0][order]
        topics = min(topics, values.shape[1])
        if method == "bootstrap":
            differences = values[first] - values[second]
            found = bootstrap_test(differences, replicates=replicates, seed=seed)
            needed.append(
                bootstrap_differences(differences, alphas, replicates=replicates, seed=seed)
            )
        else:
            found = tukey_test(values, replicates=replicates, seed=seed)[first, second]
            widest = tukey_ranges(values[:, :, None], replicates=replicates, seed=seed)
            needed.append(np.quantile(widest, [1 - alpha for alpha in alphas]))
        levels.append(np.sort(found))
    return Discrimination(
        tuple(map(str, scores.measures)),
        tuple(scores.runs[run] for run in order),
        topics,
        method,
        tuple(alphas),
        np.array(levels),
        np.array(needed),
    )


def _check(judged: Judged, *, method: Method, best: int | None, alphas: Sequence[float]) -> None:
    check_choice("method", method, METHODS)
    for alpha in alphas:
        if not 0 < alpha < 1:
            raise OptionError(f"alpha must be between 0 and 1, not {alpha}")
    if len(judged.runs) < 2:
        raise OptionError("discriminative power needs at least 2 runs, but there is only 1")
    if best is not None and best < 2:
        raise OptionError(f"best must be at least 2, not {best}")
