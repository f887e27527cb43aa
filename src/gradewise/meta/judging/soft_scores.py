"""Scores under uncertain labels: intervals instead of false precision.

With the topic's counts of each grade held at those of the most likely labels, mean and variance of
a measure of the two families are exact. If the counts are uncertain too, as when every label is,
label sets are drawn; all runs are scored under the same ones, so that differences between runs vary
less than the runs themselves.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.judged import Judged
from gradewise.errors import MeasureError, OptionError, check_between
from gradewise.measures.evaluate import score_judged
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import Measure
from gradewise.meta.judging.frames import frame_of
from gradewise.meta.judging.soft_labels import SoftLabels
from gradewise.meta.judging.values import checked_measures
from gradewise.progress import watched
from gradewise.showing import Shown
from gradewise.stats.percentiles import percentile_interval

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class SoftScores(Shown):
    """Scores of runs under soft labels, by run, topic and measure.

    `hard` are the values under the most likely labels, `expected` and `variances` the exact
    moments with their counts; NaN for measures outside the two families. `drawn` and
    `drawn_variances` are the mean and the variance over drawn label sets, and
    `samples[draw, run, measure]` the means of runs under each of them.
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[Measure, ...]
    level: float
    hard: Floats
    expected: Floats
    variances: Floats
    drawn: Floats
    drawn_variances: Floats
    samples: Floats

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame with a row for each run and measure.

        Columns: run, measure; value (under the most likely labels); expected and expected_error
        (the mean and its standard deviation, exact, with the counts of the most likely labels);
        mean, label_error, low and high (over drawn label sets, counts included); standard_error
        (of the mean over future topics, from labels and topics).
        """
        topics = len(self.topics)
        between = self.drawn.var(axis=1, ddof=1) / topics if topics > 1 else np.nan
        error = np.sqrt(self.samples.var(axis=0, ddof=1))
        low, high = percentile_interval(self.samples, self.level)
        columns = [
            self.hard.mean(axis=1),
            self.expected.mean(axis=1),
            np.sqrt(self.variances.sum(axis=1)) / topics,
            self.samples.mean(axis=0),
            error,
            low,
            high,
            np.sqrt(between + error**2),
        ]
        rows = [
            (run, str(measure), *[float(column[r, m]) for column in columns])
            for r, run in enumerate(self.runs)
            for m, measure in enumerate(self.measures)
        ]
        names = "value expected expected_error mean label_error low high standard_error"
        return frame_of(rows, f"run measure {names}")

    @property
    def pairs(self) -> "pl.DataFrame":
        """A frame with a row for each pair of runs and measure, the better run first.

        Columns: measure, run_a, run_b, difference (mean over drawn label sets), label_error, low,
        high, and ahead: the share of label sets under which run_a is ahead, ties counting half.
        """
        rows: list[tuple[Any, ...]] = []
        for m, measure in enumerate(self.measures):
            order = np.argsort(-self.samples[:, :, m].mean(axis=0), kind="stable")
            first, second = np.triu_indices(len(order), 1)
            a, b = order[first], order[second]
            apart = self.samples[:, a, m] - self.samples[:, b, m]
            low, high = percentile_interval(apart, self.level)
            ahead = (apart > 0).mean(axis=0) + (apart == 0).mean(axis=0) / 2
            columns = [apart.mean(axis=0), apart.std(axis=0, ddof=1), low, high, ahead]
            rows += [
                (str(measure), self.runs[x], self.runs[y], *[float(c[k]) for c in columns])
                for k, (x, y) in enumerate(zip(a.tolist(), b.tolist(), strict=True))
            ]
        return frame_of(rows, "measure run_a run_b difference label_error low high ahead")


@watched("label sets")
def soft_scores(
    judged: Judged,
    labels: SoftLabels,
    measures: MeasureLike | Iterable[MeasureLike],
    *,
    draws: int = 200,
    level: float = 0.95,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> SoftScores:
    """Score runs under uncertain labels.

    Parameters
    ----------
    judged
        Runs, joined by `Panel.join` of the labels' panel.
    labels
        Distributions over grades, from `gw.meta.combine_judges`.
    measures
        Measures whose summary is a mean over topics.
    draws
        Number of label sets to draw.
    level, seed
        Confidence level of the intervals, and random seed.
    progress
        Called with 1 after each label set.

    Notes
    -----
    The labels of different documents are assumed to be independent.

    Examples
    --------
    >>> import gradewise as gw
    >>> qrels = {"a": {"t": {"x": 1, "y": 0}}, "b": {"t": {"x": 1, "y": 1}}}
    >>> panel = gw.meta.judges(qrels)
    >>> labels = gw.meta.combine_judges(panel, "majority")
    >>> judged = panel.join({"run": {"t": {"y": 2.0, "x": 1.0}}})
    >>> scores = gw.meta.soft_scores(judged, labels, "P@2", draws=50)
    >>> scores.frame.select("value", "expected", "expected_error").row(0)
    (0.5, 0.75, 0.25)
    """
    parsed = checked_measures(measures)
    if draws < 2:
        raise OptionError(f"draws must be at least 2, not {draws}")
    check_between(0, 1, level=level)
    panel = labels.panel
    likely = panel.under_levels(judged, labels.levels)
    shape = (len(judged.runs), len(judged.topics))
    hard = np.nan_to_num(score_judged(likely, parsed).values)
    exact = [_exact(measure, likely, labels.chances[likely.hit_rows], shape) for measure in parsed]
    rng = np.random.default_rng(seed)
    mean, squares = np.zeros_like(hard), np.zeros_like(hard)
    samples = np.zeros((draws, shape[0], len(parsed)))
    for number in range(draws):
        drawn = panel.under_levels(judged, labels.draw(rng))
        values = np.nan_to_num(score_judged(drawn, parsed).values)
        distance = values - mean
        mean += distance / (number + 1)
        squares += distance * (values - mean)
        samples[number] = values.mean(axis=1)
        if progress is not None:
            progress(1)
    expected, variances = (np.stack(each, axis=2) for each in zip(*exact, strict=True))
    spread = squares / (draws - 1)
    found = hard, expected, variances, mean, spread, samples
    return SoftScores(judged.runs, judged.topics, parsed, level, *found)


def _exact(
    measure: Measure, judged: Judged, chances: Floats, shape: tuple[int, int]
) -> tuple[Floats, Floats]:
    """Return the exact mean and variance of each list; NaN if the measure has no closed form."""
    try:
        lists = judged.condensed if measure.judged_only else judged
        mean = measure.expected_values(lists, chances)
        variance = measure.variances(lists, chances)
    except MeasureError:
        return np.full(shape, np.nan), np.full(shape, np.nan)
    return mean.reshape(shape), variance.reshape(shape)
