"""compare: which differences between runs are significant."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.choices import Choice, choose
from gradewise.collection.topics import TopicsLike
from gradewise.effort import Effort, begin
from gradewise.errors import (
    OptionError,
    check_between,
    check_least,
    check_runs,
    counted,
    did_you_mean,
)
from gradewise.measures.measure import Measure
from gradewise.measures.scores import Scores
from gradewise.noise import drop_noise, order_best_first
from gradewise.stats.bootstrap_intervals import interval_seconds
from gradewise.stats.comparison import Comparison
from gradewise.stats.corrections import CORRECTIONS, Correction
from gradewise.stats.families import Family, find_family
from gradewise.stats.intervals import INTERVALS, IntervalKind, effect_size
from gradewise.stats.measure_comparison import MeasureComparison
from gradewise.stats.replicates import choose_replicates, note_on_power
from gradewise.stats.resampling import REPLICATES
from gradewise.stats.tests import TESTS, SignificanceTest, Test
from gradewise.stats.tiers import Groups, choose_groups

_BLOCK = 1 << 20  # differences held at a time, so that many runs do not need much memory
_FEWEST = 8  # pairs at a time, however many topics: some tests draw samples for each block


def compare(
    scores: Scores,
    baseline: str | None = None,
    *,
    test: Test = "t",
    correction: Correction = "holm",
    alpha: float = 0.05,
    level: float = 0.95,
    interval: IntervalKind = "t",
    groups: Groups = "auto",
    replicates: int | None = None,
    seed: int = 0,
    topics: TopicsLike | None = None,
) -> Comparison:
    """Compare runs by paired significance tests over topics.

    Parameters
    ----------
    scores
        What `evaluate` returned, for at least two runs.
    baseline
        The run to compare all others with; by default, all pairs are compared. If it is the best
        of the runs, it might have been chosen for that, so p-values are corrected for all pairs.
    test
        "t", "wilcoxon", "sign", "strict" (significant only where these three agree),
        "bootstrap" (Sakai's), "randomization" (Fisher's) or "tukey" (randomized HSD).
    correction
        Correction for multiple comparisons: "holm", "bonferroni", "bh" or "none". The pairs of
        each measure are a family of tests. Tukey's test needs no correction, and gets none.
    alpha
        Significance level: a corrected p-value of at most alpha is significant.
    level, interval
        Confidence level and kind of the intervals: "t", "bootstrap" (percentile), "bca" or
        "studentized".
    groups
        How to show which runs differ when all pairs are compared: "letters" (runs that share one do
        not differ), "tiers" (the ranking, cut at each run that is significantly worse than the best
        of its tier), or "auto": letters for up to 20 runs, otherwise tiers.
    replicates, seed
        Number of samples and random seed of tests and intervals that resample. By default,
        intervals take 10,000 samples, and tests min(max(10,000, 2 m / alpha), 1,000,000) for m
        pairs to correct for, so that the correction does not outweigh the smallest p-value.
    topics
        The topics to compare on, as for `evaluate`; all by default.

    Examples
    --------
    >>> import gradewise as gw
    >>> sample = gw.simulate.collection(topics=20, runs=3, depth=50, seed=1)
    >>> scores = gw.evaluate(sample.qrels, sample.runs, "AP")
    >>> gw.compare(scores).pairs.select("run_a", "run_b", "significant").rows()
    [('run3', 'run2', True), ('run3', 'run1', True), ('run2', 'run1', True)]
    """
    if topics is not None:
        scores = scores.of_topics(topics)
    chosen = choose("test", test, TESTS)
    _check(scores, baseline, alpha, level, replicates)
    choose("correction", correction, CORRECTIONS)  # checked even if the test needs none
    used: Correction = "none" if chosen.joint else correction
    corrects = CORRECTIONS[used]
    ranked = [
        _Ranked.of(scores, index, baseline, chosen.joint) for index in range(len(scores.measures))
    ]
    largest = max(len(part.family) for part in ranked)
    samples = replicates or choose_replicates(corrects, largest, alpha)
    shown = choose_groups(groups, len(scores.runs))
    method = _Method(
        chosen,
        corrects,
        choose("interval", interval, INTERVALS),
        alpha,
        level,
        samples,
        replicates or REPLICATES,
        seed,
        shown,
    )
    begin(method.effort(ranked))
    drawn = any(chosen.draws(part.topics, samples) for part in ranked)
    return Comparison(
        tuple(method.compare(part, baseline) for part in ranked),
        baseline,
        test,
        used,
        alpha,
        level,
        interval,
        samples if drawn else None,
        _find_notes(scores, ranked, method),
    )


def common_topics(scores: Scores, index: int) -> tuple[Floats, int]:
    """Return values[run, topic] for topics that all runs share, and how many others there are."""
    values = scores.values[:, :, index]
    common = (scores.counted & ~np.isnan(values)).all(axis=0)
    number = int(common.sum())
    if number < 2:
        raise OptionError(
            f"{scores.measures[index]}: a comparison needs at least 2 topics that all runs share, "
            f"but there {'is' if number == 1 else 'are'} {number}"
        )
    # Sums depend on the layout in their last digit; saved scores and fresh ones must not differ.
    return np.ascontiguousarray(values[:, common]), int((~common).sum())


def _find_notes(scores: Scores, ranked: Sequence["_Ranked"], method: "_Method") -> tuple[str, ...]:
    """Say which topics are left out, and which families the test cannot decide."""
    notes = []
    for part in ranked:
        left_out = len(scores.topics) - part.topics
        if left_out:
            topics = counted(left_out, "topic")
            notes.append(f"{part.measure}: left out {topics} not scored for all runs")
        weak = note_on_power(
            method.test,
            method.correction,
            pairs=len(part.family),
            topics=part.topics,
            replicates=method.replicates,
            alpha=method.alpha,
        )
        if weak:
            notes.append(f"{part.measure}: {weak}")
    return tuple(notes)


def refuse_geometric(measures: Iterable[Measure]) -> None:
    """Raise an OptionError for a measure that is a geometric mean over topics."""
    for measure in measures:
        if measure.aggregate == "geometric":
            raise OptionError(f"{measure} is a geometric mean; use the measure that it averages")


def _check(
    scores: Scores, baseline: str | None, alpha: float, level: float, replicates: int | None
) -> None:
    check_between(0, 1, alpha=alpha, level=level)
    check_least(1, replicates=replicates)
    check_runs(len(scores.runs), "a comparison")
    if baseline is not None and baseline not in scores.runs:
        raise OptionError(f"there is no run {baseline!r}{did_you_mean(baseline, scores.runs)}")
    refuse_geometric(scores.measures)


@dataclass(frozen=True, eq=False)
class _Ranked:
    """The values of runs by one measure, values[run, topic], best run first."""

    measure: Measure
    runs: tuple[str, ...]
    values: Floats
    family: Family

    @staticmethod
    def of(scores: Scores, index: int, baseline: str | None, joint: bool) -> "_Ranked":
        values, _ = common_topics(scores, index)
        measure = scores.measures[index]
        order = order_best_first(values.mean(axis=1), higher_is_better=measure.higher_is_better)
        values, runs = values[order], tuple(scores.runs[run] for run in order)
        base = None if baseline is None else runs.index(baseline)
        family = find_family(values.mean(axis=1), base, joint=joint)
        return _Ranked(measure, runs, values, family)

    @property
    def topics(self) -> int:
        return self.values.shape[1]

    @property
    def scale(self) -> float:
        """The largest value, to which the noise of all values is relative."""
        return float(np.abs(self.values).max())

    @property
    def at_once(self) -> int:
        """How many pairs are looked at together."""
        return max(_FEWEST, _BLOCK // self.topics)

    def differences(self, pairs: tuple[Ints, Ints]) -> Iterator[Floats]:
        """Give the differences of pairs in blocks."""
        first, second = pairs
        step = self.at_once
        for start in range(0, len(first), step):
            block = slice(start, start + step)
            yield self.values[first[block]] - self.values[second[block]]


@dataclass(frozen=True)
class _Method:
    """How pairs of runs are compared."""

    test: SignificanceTest
    correction: Choice
    interval: Choice
    alpha: float
    level: float
    replicates: int
    interval_replicates: int
    seed: int
    groups: Literal["letters", "tiers"]

    def effort(self, ranked: Sequence[_Ranked]) -> Effort:
        """Estimate what it takes to compare all runs by all measures."""
        pairs = max(len(part.family) for part in ranked)
        what = f"the {self.test.title} of {counted(pairs, 'pair')} of runs"
        if self.test.resamples:
            what += f" with {self.replicates:,} replicates"
        if self.interval.resamples:
            what += f" and {self.interval.title}s"
        if len(ranked) > 1:
            what += f" by {len(ranked)} measures"
        advice = "use fewer replicates (--replicates) or a baseline (--baseline)"
        return Effort(what, sum(map(self._seconds, ranked)), advice=advice)

    def _seconds(self, ranked: _Ranked) -> float:
        pairs, topics, runs = len(ranked.family), ranked.topics, len(ranked.runs)
        blocks = 1 if self.test.joint else -(-pairs // ranked.at_once)
        found = blocks * self.test.seconds(runs, pairs / blocks, topics, self.replicates)
        if self.interval.resamples:
            for rows in (runs, len(ranked.family.shown[0])):
                found += interval_seconds(rows, topics, self.interval_replicates)
        return found

    def compare(self, ranked: _Ranked, baseline: str | None) -> MeasureComparison:
        """Compare all runs by one measure."""
        low, high = self._bounds(ranked.values)
        p, corrected = (ranked.family.select(each) for each in self._p_values(ranked))
        first, second = ranked.family.shown
        return MeasureComparison(
            measure=ranked.measure,
            topics=ranked.topics,
            runs=ranked.runs,
            baseline=baseline,
            family=len(ranked.family),
            mean=ranked.values.mean(axis=1),
            low=low,
            high=high,
            first=first,
            second=second,
            **self._describe_pairs(ranked),
            p=p,
            corrected=corrected,
            significant=corrected <= self.alpha,
            groups=self.groups,
        )

    def _bounds(self, values: Floats) -> tuple[Floats, Floats]:
        """Return the intervals of means."""
        found: tuple[Floats, Floats] = self.interval.apply(
            values, level=self.level, replicates=self.interval_replicates, seed=self.seed
        )
        return found

    def _p_values(self, ranked: _Ranked) -> tuple[Floats, Floats]:
        """Return the p-values of all pairs tested, and corrected ones."""
        sampling = {"replicates": self.replicates, "seed": self.seed}
        if self.test.joint:
            p = self.test.apply(ranked.values, **sampling)[ranked.family.tested]
            return p, p
        blocks = ranked.differences(ranked.family.tested)
        p = np.concatenate([self.test.apply(d, scale=ranked.scale, **sampling) for d in blocks])
        return p, self.correction.function(p)

    def _describe_pairs(self, ranked: _Ranked) -> dict[str, Any]:
        """Return difference, interval, effect, wins, ties and losses of the pairs shown."""
        rows = [self._describe(d, ranked) for d in ranked.differences(ranked.family.shown)]
        names = ("difference", "pair_low", "pair_high", "effect", "wins", "ties", "losses")
        columns = (np.concatenate(column) for column in zip(*rows, strict=True))
        return dict(zip(names, columns, strict=True))

    def _describe(self, differences: Floats, ranked: _Ranked) -> tuple[Floats | Ints, ...]:
        clear = drop_noise(differences, ranked.scale)
        up, down = (clear > 0).sum(axis=1), (clear < 0).sum(axis=1)
        won, lost = (up, down) if ranked.measure.higher_is_better else (down, up)
        return (
            differences.mean(axis=1),
            *self._bounds(differences),
            effect_size(differences, scale=ranked.scale),
            won,
            (clear == 0).sum(axis=1),
            lost,
        )
