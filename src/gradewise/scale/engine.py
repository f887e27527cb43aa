"""What engines have in common: the calls, and what is made of values from sums where these suffice.

An engine gives a few primitives; `gw.scale.spark` and `gw.scale.dask` are its calls.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import numpy as np

from gradewise.collection.ties import Ties
from gradewise.errors import OptionError, check_choice, check_least
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.missing import Missing
from gradewise.measures.saved_scores import read_scores
from gradewise.measures.scores import Scores
from gradewise.scale.fit import Fit
from gradewise.scale.settings import Settings
from gradewise.scale.sums import (
    Layout,
    merge_moments,
    pack_moments,
    partial_moments,
    resampled_bounds,
    resampled_sums,
    unpack_moments,
)
from gradewise.scale.totals import Totals, summary_frame
from gradewise.stats.comparison import Comparison
from gradewise.stats.corrections import Correction
from gradewise.stats.moments import SumTest, compare_moments

SumInterval = Literal["t", "bootstrap"]
Part = Callable[[Any], bytes]
Merge = Callable[[Iterable[bytes]], bytes]


class Engine(ABC):
    """A library that moves data to workers."""

    @abstractmethod
    def score(
        self,
        qrels: Any,
        runs: Any,
        settings: Settings,
        *,
        partitions: int | None = None,
    ) -> Any:
        """Return a frame of wide tables."""

    @abstractmethod
    def to_long(self, wide: Any, settings: Settings) -> Any:
        """Return run, topic, measure, value from a frame of wide tables."""

    @abstractmethod
    def totals(self, result: Any) -> Sequence[dict[str, Any]]:
        """Return run, measure and what `Totals` holds, a row for each run and measure."""

    @abstractmethod
    def fold(self, result: Any, part: Part, merge: Merge) -> bytes:
        """Apply `part` to tables that hold whole topics, and merge what it gives."""

    @abstractmethod
    def counts(self, wide: Any) -> tuple[Sequence[dict[str, Any]], Sequence[dict[str, Any]]]:
        """Return the sums of `fit.COUNTS` by run and status, and the first problems."""

    @abstractmethod
    def collect(self, result: Any, share: float, seed: int) -> Any:
        """Return the rows of all topics, or of a share of them, as an Arrow table."""

    def evaluate(
        self,
        qrels: Any,
        runs: Any,
        measures: MeasureLike | Iterable[MeasureLike],
        *,
        ties: Ties = "trec",
        seed: int = 0,
        depth: int | None = None,
        judged_only: bool = False,
        missing: Missing = "zero",
        share: float = 1.0,
        partitions: int | None = None,
    ) -> Any:
        """Score runs; nothing is computed until the values are requested.

        Parameters
        ----------
        qrels
            A frame of the engine with columns such as topic, doc, grade (and intent, stratum or
            probability, if there are any); or anything that `gradewise.read_qrels` takes.
        runs
            A frame with columns such as run, topic, doc, score; or a dictionary {name: frame}.
        measures, ties, seed, depth, judged_only, missing
            As for `gradewise.evaluate`. `ties="input"` needs a column `order`, or `rank` beside
            `score`, because rows arrive in any order.
        share
            Score only this share of the judged topics, chosen by a hash of their ids and `seed`.
            Rows of all other topics are dropped before they are shuffled.
        partitions
            Number of partitions into which topics are shuffled; by default, what the engine uses.

        Returns
        -------
        frame
            Columns run, topic, measure, value, with the bits that one process computes. What is
            wrong with rows is raised when they are read, with partition and keys; `check` lists
            all of it at once.
        """
        settings = Settings.of(
            measures,
            ties=ties,
            seed=seed,
            depth=depth,
            judged_only=judged_only,
            missing=missing,
            share=share,
        )
        if partitions is not None and partitions < 1:
            raise OptionError(f"partitions must be at least 1, not {partitions}")
        return self.to_long(self.score(qrels, runs, settings, partitions=partitions), settings)

    def check(
        self, qrels: Any, runs: Any, *, ties: Ties = "trec", partitions: int | None = None
    ) -> Fit:
        """Return how well runs and judgments fit together, or raise what is wrong with them.

        Parameters
        ----------
        qrels, runs, ties, partitions
            As for `evaluate`.

        Returns
        -------
        Fit
            `notes()` says which topics are missing or extra; `frame()` has the numbers. Duplicates
            and bad values of all partitions are raised as one InputError, with partition and keys.
        """
        settings = Settings.of("NumRet", ties=ties, missing="drop", strict=False)
        return self.fit(self.score(qrels, runs, settings, partitions=partitions))

    def fit(self, wide: Any) -> Fit:
        """Return how well runs and judgments fit, or raise all problems, given wide tables."""
        return Fit.of_counts(*self.counts(wide))

    def summarize(
        self,
        result: Any,
        *,
        level: float = 0.95,
        interval: SumInterval = "t",
        replicates: int = 1000,
        seed: int = 0,
    ) -> Any:
        """Summarize what `evaluate` gave; only sums leave the workers.

        Parameters
        ----------
        result
            A frame with columns run, topic, measure, value.
        level
            Confidence level of intervals.
        interval
            "t", or "bootstrap": percentiles of a Poisson bootstrap, in which a topic is drawn a
            number of times that depends on its id and the seed alone.
        replicates, seed
            Number of bootstrap samples, and random seed.

        Returns
        -------
        polars.DataFrame
            Columns run, measure, value (each measure's own summary over topics), topics, low, high
            (missing where the summary is not a mean).
        """
        check_choice("interval", interval, ("t", "bootstrap"))
        totals = Totals.of_rows(self.totals(result))
        if interval == "t":
            return summary_frame(totals, totals.t_bounds(level))
        check_least(1, replicates=replicates)
        layout = _layout(totals)
        shape = (len(layout.measures), len(layout.runs), replicates, 2)

        def part(table: Any) -> bytes:
            return resampled_sums(table, layout, replicates=replicates, seed=seed).tobytes()

        def merge(parts: Iterable[bytes]) -> bytes:
            return sum((np.frombuffer(each) for each in parts), np.zeros(1)).tobytes()

        sums = np.frombuffer(self.fold(result, part, merge)).reshape(shape)
        low, high = resampled_bounds(sums, level)
        others = [measure.aggregate != "mean" for measure in totals.measures]
        low[:, others] = high[:, others] = np.nan
        return summary_frame(totals, (low, high))

    def compare(
        self,
        result: Any,
        baseline: str | None = None,
        *,
        test: SumTest = "t",
        correction: Correction = "holm",
        alpha: float = 0.05,
        level: float = 0.95,
    ) -> Comparison:
        """Compare runs by what `evaluate` gave; only sums leave the workers.

        Parameters
        ----------
        result
            A frame with columns run, topic, measure, value.
        baseline, correction, alpha, level
            As for `gradewise.compare`.
        test
            "t" or "sign", for which sums suffice. For other tests, pass `scores(result)` to
            `gradewise.compare`.
        """
        totals = Totals.of_rows(self.totals(result))
        layout = _layout(totals)

        def part(table: Any) -> bytes:
            return pack_moments(partial_moments(table, layout))

        def merge(parts: Iterable[bytes]) -> bytes:
            return pack_moments(merge_moments(map(unpack_moments, parts)))

        return compare_moments(
            totals.measures,
            layout.runs,
            unpack_moments(self.fold(result, part, merge)),
            layout.largest,
            baseline,
            test=test,
            correction=correction,
            alpha=alpha,
            level=level,
        )

    def scores(self, result: Any, *, share: float = 1.0, seed: int = 0) -> Scores:
        """Collect what `evaluate` gave as `Scores`, for all that one machine can do with them.

        `share` below 1 collects only so many topics, chosen by a hash of their ids and the seed.
        """
        import polars as pl

        return read_scores(pl.DataFrame(self.collect(result, share, seed)).sort("run", "measure"))


def _layout(totals: Totals) -> Layout:
    largest = np.nan_to_num(totals.largest).max(axis=0, initial=0.0)
    names = tuple(str(measure) for measure in totals.measures)
    return Layout(totals.runs, names, tuple(largest.tolist()))
