"""compare: which differences between runs are significant."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.choices import Choice, choose
from gradewise.errors import OptionError, counted, did_you_mean
from gradewise.measures.measure import Measure
from gradewise.measures.scores import Scores
from gradewise.stats.comparison import Comparison, MeasureComparison
from gradewise.stats.corrections import CORRECTIONS, Correction
from gradewise.stats.intervals import INTERVALS, IntervalKind, check_level, effect_size
from gradewise.stats.resampling import REPLICATES
from gradewise.stats.tests import TESTS, SignificanceTest, Test

_BLOCK = 1 << 20  # differences held at a time, so that many runs do not need much memory


def compare(
    scores: Scores,
    baseline: str | None = None,
    *,
    test: Test = "t",
    correction: Correction = "holm",
    alpha: float = 0.05,
    level: float = 0.95,
    interval: IntervalKind = "t",
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Comparison:
    """Compare runs by paired significance tests over topics.

    Parameters
    ----------
    scores
        What `evaluate` returned, for at least two runs.
    baseline
        The run to compare all others with; by default, all pairs are compared.
    test
        "t", "wilcoxon", "sign", "strict" (significant only where these three agree),
        "bootstrap" (Sakai's), "randomization" (Fisher's) or "tukey" (randomized HSD).
    correction
        Correction for multiple comparisons: "holm", "bonferroni", "bh" or "none". The pairs of
        each measure are a family of tests. Tukey's test needs no correction, and gets none.
    alpha
        Significance level: a corrected p-value of at most alpha is significant.
    level, interval
        Confidence level and kind of the intervals: "t" or "bootstrap".
    replicates, seed
        Number of samples and random seed of tests and intervals that resample.

    Examples
    --------
    >>> import gradewise as gw
    >>> sample = gw.simulate.collection(topics=20, runs=3, depth=50, seed=1)
    >>> scores = gw.evaluate(sample.qrels, sample.runs, "AP")
    >>> gw.compare(scores).pairs.select("run_a", "run_b", "significant").rows()
    [('run3', 'run2', True), ('run3', 'run1', True), ('run2', 'run1', True)]
    """
    chosen = choose("test", test, TESTS)
    used: Correction = "none" if chosen.joint else correction
    method = _Method(
        chosen,
        choose("correction", correction, CORRECTIONS),
        choose("interval", interval, INTERVALS),
        level,
        replicates,
        seed,
    )
    _check(scores, baseline, alpha, level)
    notes: list[str] = []
    parts = []
    for index, measure in enumerate(scores.measures):
        values, left_out = common_topics(scores, index)
        if left_out:
            notes.append(
                f"{measure}: {counted(left_out, 'topic')} left out, not scored for all runs"
            )
        parts.append(_compare_one(measure, scores.runs, values, baseline, alpha, method))
    return Comparison(tuple(parts), baseline, test, used, alpha, level, tuple(notes))


def common_topics(scores: Scores, index: int) -> tuple[Floats, int]:
    """Return values[run, topic] for topics that all runs share, and how many others there are."""
    values = scores.values[:, :, index]
    common = (scores.counted & ~np.isnan(values)).all(axis=0)
    if common.sum() < 2:
        raise OptionError(
            f"{scores.measures[index]}: a comparison needs at least 2 topics that all runs share, "
            f"but there are {int(common.sum())}"
        )
    return values[:, common], int((~common).sum())


def refuse_geometric(measures: Iterable[Measure]) -> None:
    """Raise an OptionError for a measure that is a geometric mean over topics."""
    for measure in measures:
        if measure.aggregate == "geometric":
            raise OptionError(f"{measure} is a geometric mean; use the measure that it averages")


def _check(scores: Scores, baseline: str | None, alpha: float, level: float) -> None:
    if not 0 < alpha < 1:
        raise OptionError(f"alpha must lie between 0 and 1, not {alpha}")
    check_level(level)
    if len(scores.runs) < 2:
        raise OptionError("only 1 run was given; a comparison needs at least 2")
    if baseline is not None and baseline not in scores.runs:
        raise OptionError(f"there is no run {baseline!r}{did_you_mean(baseline, scores.runs)}")
    refuse_geometric(scores.measures)


@dataclass(frozen=True)
class _Method:
    """How pairs of runs are compared."""

    test: SignificanceTest
    correction: Choice
    interval: Choice
    level: float
    replicates: int
    seed: int

    def bounds(self, values: Floats) -> tuple[Floats, Floats]:
        """Return the intervals of means."""
        found: tuple[Floats, Floats] = self.interval.apply(
            values, level=self.level, replicates=self.replicates, seed=self.seed
        )
        return found

    def p_values(self, data: Floats) -> Floats:
        """Return the p-values of differences or, of a joint test, of the values of all runs."""
        p: Floats = self.test.apply(data, replicates=self.replicates, seed=self.seed)
        return p

    def describe_pairs(self, differences: Floats) -> tuple[Floats | Ints, ...]:
        """Return mean, interval, effect, wins, ties, losses and p of some pairs.

        The p of a joint test, which does not take pairs, is left for later.
        """
        joint = self.test.joint
        return (
            differences.mean(axis=1),
            *self.bounds(differences),
            effect_size(differences),
            (differences > 0).sum(axis=1),
            (differences == 0).sum(axis=1),
            (differences < 0).sum(axis=1),
            np.ones(len(differences)) if joint else self.p_values(differences),
        )


def _compare_one(
    measure: Measure,
    names: tuple[str, ...],
    values: Floats,
    baseline: str | None,
    alpha: float,
    method: _Method,
) -> MeasureComparison:
    order = np.argsort(-values.mean(axis=1), kind="stable")
    values, runs = values[order], tuple(names[index] for index in order)
    first, second = _pairs(runs, baseline)
    blocks = (
        method.describe_pairs(values[first[block]] - values[second[block]])
        for block in _blocks(len(first), values.shape[1])
    )
    columns = (np.concatenate(column) for column in zip(*blocks, strict=True))
    difference, pair_low, pair_high, effect, wins, ties, losses, p = columns
    if method.test.joint:
        p = corrected = method.p_values(values)[first, second]
    else:
        corrected = method.correction.function(p)
    low, high = method.bounds(values)
    return MeasureComparison(
        measure=measure,
        topics=values.shape[1],
        runs=runs,
        baseline=baseline,
        mean=values.mean(axis=1),
        low=low,
        high=high,
        first=first,
        second=second,
        difference=difference,
        pair_low=pair_low,
        pair_high=pair_high,
        effect=effect,
        wins=wins,
        ties=ties,
        losses=losses,
        p=p,
        corrected=corrected,
        significant=corrected <= alpha,
    )


def _pairs(runs: tuple[str, ...], baseline: str | None) -> tuple[Ints, Ints]:
    """Return the first and the second run of each pair."""
    if baseline is None:
        first, second = np.triu_indices(len(runs), 1)
        return first, second
    base = runs.index(baseline)
    others = np.flatnonzero(np.arange(len(runs)) != base)
    return others, np.full(len(others), base)


def _blocks(pairs: int, topics: int) -> Iterator[slice]:
    step = max(1, _BLOCK // topics)
    return (slice(start, start + step) for start in range(0, pairs, step))
