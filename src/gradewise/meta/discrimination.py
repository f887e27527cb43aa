"""Discriminative power (Sakai 2006): how many pairs of runs differ significantly."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.judged import Judged
from gradewise.errors import check_between, check_choice, check_least, check_runs
from gradewise.frames import long_frame
from gradewise.libraries import pl
from gradewise.measures.evaluate import score_judged
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.missing import Missing
from gradewise.noise import order_best_first
from gradewise.showing import Shown
from gradewise.stats.compare import common_topics, refuse_geometric
from gradewise.stats.resampling import (
    bootstrap_differences,
    bootstrap_test,
    tukey_ranges,
    tukey_test,
)

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
        """A frame with columns measure, alpha, pairs, told_apart, share, difference_needed.

        The difference needed is missing for a level that so few replicates cannot reach.
        """
        told = np.array([(self.levels <= alpha).sum(axis=1) for alpha in self.alphas]).T
        pairs = np.full(told.shape, self.levels.shape[1])
        return long_frame(
            {"measure": self.measures, "alpha": np.array(self.alphas)},
            {
                "pairs": pairs,
                "told_apart": told,
                "share": told / pairs,
                "difference_needed": np.where(np.isinf(self.needed), np.nan, self.needed),
            },
        ).fill_nan(None)

    @property
    def curves(self) -> "pl.DataFrame":
        """A frame with columns measure, pair, level: pairs by level, the largest first."""
        axes = {"measure": self.measures, "pair": np.arange(1, self.levels.shape[1] + 1)}
        return long_frame(axes, {"level": self.levels[:, ::-1]})


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
    For the bootstrap, the difference needed at level α is the upper α-quantile of the studentized
    mean under the null hypothesis times the standard error of the pair's difference, the largest
    over all pairs. (Sakai's Figure 4 takes the mean of the one sample at that quantile, which may
    be smaller for a stricter level.) For Tukey's test, it is the upper α-quantile of the largest
    difference of means.
    """
    _check(judged, method=method, best=best, alphas=alphas)
    check_least(1, replicates=replicates)
    scores = score_judged(judged, measures, missing=missing)
    refuse_geometric(scores.measures)
    order = order_best_first(
        scores.summary()[:, 0], higher_is_better=scores.measures[0].higher_is_better
    )[:best]
    first, second = np.triu_indices(len(order), 1)
    levels, needed, topics = [], [], len(scores.topics)
    for index in range(len(scores.measures)):
        values = common_topics(scores, index)[0][order]
        topics = min(topics, values.shape[1])
        if method == "bootstrap":
            differences, scale = values[first] - values[second], float(np.abs(values).max())
            found = bootstrap_test(differences, scale=scale, replicates=replicates, seed=seed)
            least = bootstrap_differences(
                differences, alphas, scale=scale, replicates=replicates, seed=seed
            )
            needed.append(least)
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
        check_between(0, 1, alpha=alpha)
    check_runs(len(judged.runs), "discriminative power")
    check_least(2, best=best)
