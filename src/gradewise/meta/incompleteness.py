"""Robustness to missing judgments: measures under ever smaller samples of the pool."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.judged import Judged
from gradewise.collection.levels import NEGATIVE
from gradewise.collection.pool import Pool
from gradewise.collection.topics import TopicsLike
from gradewise.errors import InputError, OptionError, check_least
from gradewise.frames import long_frame
from gradewise.libraries import pl
from gradewise.measures.evaluate import as_measures, score_judged
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import Measure, refuse_preferences
from gradewise.meta.correlation import constant_notes
from gradewise.meta.topics import choose_runs, keep_topics
from gradewise.progress import go_through, watched
from gradewise.showing import Shown
from gradewise.stats.compare import refuse_geometric
from gradewise.stats.correlations import Correlation, correlate

RATES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05)
_LEAST_NONRELEVANT = 10


@dataclass(frozen=True, eq=False)
class Incompleteness(Shown):
    """Correlations with the ranking by all judgments: `tau[rate, replicate, measure]`.

    `means[rate, replicate, measure]` is the mean score of all runs.
    """

    measures: tuple[str, ...]
    rates: tuple[float, ...]
    runs: tuple[str, ...]
    topics: int
    judged_only: bool
    tau: Floats
    means: Floats
    notes: tuple[str, ...] = ()

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame with columns measure, rate, tau, low, high, mean.

        τ and mean are averages over replicates; 95% of the replicates' τ are between low and high.
        """
        defined = np.where(np.isnan(self.tau), 0.0, self.tau)
        low, high = np.quantile(defined, [0.025, 0.975], axis=1)
        columns = {"tau": defined.mean(axis=1).T, "low": low.T, "high": high.T}
        return long_frame(
            {"measure": self.measures, "rate": np.array(self.rates)},
            {**columns, "mean": self.means.mean(axis=1).T},
        )


@watched("samples")
def incompleteness(
    judged: Judged,
    measures: Sequence[MeasureLike],
    *,
    rates: Sequence[float] = RATES,
    replicates: int = 10,
    judged_only: bool = False,
    kind: Correlation = "tau",
    topics: TopicsLike | None = None,
    above: float = 0.0,
    by: MeasureLike = "AP",
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Incompleteness:
    """Return how the ranking of runs changes as judgments are removed.

    Parameters
    ----------
    judged
        Runs joined with judgments, from `gw.judge`.
    measures
        The measures to study.
    rates
        The shares of the pool to keep.
    replicates
        Number of nested series of samples.
    judged_only
        Drop unjudged documents from lists before scoring (condensed lists).
    kind
        "tau", "tau_a", "tau_ap" (all judgments are the reference), "spearman" or "pearson".
    topics, above, by
        As in `correlation`; a rule for topics counts all judgments.
    seed
        Random seed.
    progress
        Called with 1 after each sample.

    Notes
    -----
    The pool is sampled as in Buckley and Voorhees (2004), within each grade of each topic
    (Ferrante et al. 2014): of n documents, rate · n stay, rounded. Each topic keeps at least ten
    nonrelevant documents and one relevant document, of its most frequent relevant grade, if it has
    them. Samples are nested: what is missing at 90% is missing at 80%. Removed documents stay in
    the pool as unjudged, which only infAP, xinfAP and infNDCG use. A correlation is undefined, and
    counts as 0, where all runs have the same mean; `notes` names the measures for which this is so
    under all judgments.
    """
    parsed = as_measures(measures)
    refuse_geometric(parsed)
    _check(rates, replicates)
    _check_pool(judged.known_pool)
    sampler = _Sampler.of(judged)
    whole = sampler.judged(np.ones(len(sampler.topic), np.bool_))
    chosen = keep_topics(whole, topics)
    runs = choose_runs(score_judged(whole, by).summary()[:, 0], above)

    def means(sample: Judged) -> Floats:
        return _means(sample, parsed, chosen, judged_only)[runs].T

    full = means(whole)
    tau, level = np.empty((2, len(rates), replicates, len(parsed)))
    for replicate, place, kept in go_through(sampler.draw(rates, replicates, seed), progress):
        partial = means(sampler.judged(kept))
        tau[place, replicate] = correlate(partial, full, kind)
        level[place, replicate] = partial.mean(axis=1)
    labels = tuple(map(str, parsed))
    return Incompleteness(
        labels,
        tuple(map(float, rates)),
        tuple(compress(judged.runs, runs)),
        int(chosen.sum()),
        judged_only,
        tau,
        level,
        constant_notes(labels, full),
    )


def _check_pool(pool: Pool) -> None:
    refuse_preferences(pool, "incompleteness removes documents grade by grade")
    if pool.sample is not None:
        raise InputError(
            "the pool was sampled already; incompleteness removes judgments from a pool that was "
            "judged in full"
        )


def _check(rates: Sequence[float], replicates: int) -> None:
    for rate in rates:
        if not 0 < rate <= 1:
            raise OptionError(f"rates must be above 0 and at most 1, not {rate}")
    check_least(1, replicates=replicates)


def _means(
    judged: Judged, measures: tuple[Measure, ...], topics: Bools, judged_only: bool
) -> Floats:
    values = score_judged(judged, measures, judged_only=judged_only).values[:, topics]
    return np.asarray(np.nan_to_num(values).mean(axis=1))


@dataclass(frozen=True)
class _Sampler:
    """The strata of a pool: topics by grade, all grades of 0 and below together."""

    lists: Judged
    topic: Ints
    relevant: Bools
    stratum: Ints
    size: Ints

    @staticmethod
    def of(judged: Judged) -> "_Sampler":
        pool = judged.known_pool
        level = np.maximum(pool.level, 0)
        stratum = pool.topic * (len(judged.scale) + 1) + level
        return _Sampler(judged, pool.topic, level > 0, stratum, np.bincount(stratum))

    def draw(
        self, rates: Sequence[float], replicates: int, seed: int
    ) -> Iterator[tuple[int, int, Bools]]:
        """Give the replicate, the place of the rate and the rows of each sample."""
        rng = np.random.default_rng(seed)
        for replicate in range(replicates):
            order = rng.random(len(self.topic))
            for place, rate in enumerate(rates):
                yield replicate, place, self.kept(order, rate)

    def judged(self, kept: Bools) -> Judged:
        """Return the lists with a sample of the judgments; other documents stay in the pool."""
        grades = np.maximum(self.lists.known_pool.grades, 0)
        return self.lists.with_grades(np.where(kept, grades, NEGATIVE), negative="unjudged")

    def kept(self, order: Floats, rate: float) -> Bools:
        """Return the rows in a sample: of each stratum, those that come first in `order`."""
        sorted_rows = np.lexsort((order, self.stratum))
        first = np.concatenate([[0], np.cumsum(self.size)])[self.stratum[sorted_rows]]
        place = np.empty(len(order), np.int64)
        place[sorted_rows] = np.arange(len(order)) - first
        quota = np.floor(rate * self.size[self.stratum] + 0.5)
        quota = np.where(self.relevant, quota, np.maximum(quota, _LEAST_NONRELEVANT))
        kept: Bools = place < quota
        kept[(place == 0) & self.last_resort] = True
        return kept

    @cached_property
    def last_resort(self) -> Bools:
        """The rows of each topic's largest grade; its first stays if no quota leaves a document.

        As the rate grows, the largest grade is the first to have a quota, so samples are nested.
        """
        width = len(self.lists.scale) + 1
        sizes = np.zeros(len(self.lists.topics) * width, np.int64)
        sizes[: len(self.size)] = self.size
        largest = sizes.reshape(-1, width)[:, 1:].argmax(axis=1) + 1
        return np.asarray(self.relevant & (self.stratum % width == largest[self.topic]))
