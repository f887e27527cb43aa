"""compare: which differences between runs are real."""

from collections.abc import Iterable
from typing import Literal

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.errors import OptionError, check_choice, counted, did_you_mean
from gradewise.measures.measure import Measure
from gradewise.measures.scores import Scores
from gradewise.stats.comparison import Comparison, MeasureComparison
from gradewise.stats.corrections import CORRECTIONS, Correction, correct
from gradewise.stats.intervals import (
    INTERVALS,
    IntervalKind,
    bootstrap_interval,
    effect_size,
    t_interval,
)
from gradewise.stats.letters import letter_groups
from gradewise.stats.paired_tests import sign_test, strict_test, t_test, wilcoxon_test
from gradewise.stats.resampling import REPLICATES, bootstrap_test, randomization_test, tukey_test

Test = Literal["t", "wilcoxon", "sign", "strict", "bootstrap", "randomization", "tukey"]
TESTS: tuple[Test, ...] = (
    "t",
    "wilcoxon",
    "sign",
    "strict",
    "bootstrap",
    "randomization",
    "tukey",
)
_PLAIN = {"t": t_test, "wilcoxon": wilcoxon_test, "sign": sign_test, "strict": strict_test}
_RESAMPLED = {"bootstrap": bootstrap_test, "randomization": randomization_test}


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
    """Compare runs by paired tests over topics.

    Parameters
    ----------
    scores
        What `evaluate` returned, for at least two runs.
    baseline
        The run to compare all others with; without one, all pairs are compared.
    test
        "t", "wilcoxon", "sign", "strict" (significant only where these three agree),
        "bootstrap" (Sakai's), "randomization" (Fisher's) or "tukey" (randomised HSD).
    correction
        For testing many pairs: "holm", "bonferroni", "bh" or "none". Every measure is a family
        of its own. Tukey's test needs none, and gets none.
    alpha
        A corrected p-value up to this is significant.
    level, interval
        Confidence level and kind of the intervals: "t" or "bootstrap".
    replicates, seed
        For what resamples: how often, and from which seed.

    Examples
    --------
    >>> import gradewise as gw
    >>> sample = gw.simulate.collection(topics=20, runs=3, depth=50, seed=1)
    >>> scores = gw.evaluate(sample.qrels, sample.runs, "AP")
    >>> gw.compare(scores).pairs.select("run_a", "run_b", "significant").rows()
    [('run3', 'run2', True), ('run3', 'run1', True), ('run2', 'run1', True)]
    """
    _check(scores, baseline, test, correction, alpha, interval)
    settings = (baseline, test, correction, alpha, level, interval, replicates, seed)
    notes: list[str] = []
    parts = []
    for index, measure in enumerate(scores.measures):
        values, left_out = common_topics(scores, index)
        if left_out:
            notes.append(
                f"{measure}: {counted(left_out, 'topic')} left out, not valued in all runs"
            )
        parts.append(_compare_one(measure, scores.runs, values, *settings))
    used: Correction = "none" if test == "tukey" else correction
    return Comparison(tuple(parts), baseline, test, used, alpha, level, tuple(notes))


def common_topics(scores: Scores, index: int) -> tuple[Floats, int]:
    """Return a measure's values[run, topic] for topics that all runs have, and how many lack."""
    values = scores.values[:, :, index]
    common = (scores.counted & ~np.isnan(values)).all(axis=0)
    if common.sum() < 2:
        raise OptionError(
            f"{scores.measures[index]}: runs can be compared on 2 common topics or more, and "
            f"these have {int(common.sum())}"
        )
    return values[:, common], int((~common).sum())


def refuse_geometric(measures: Iterable[Measure]) -> None:
    """Raise an OptionError for a measure whose mean over topics is a geometric one."""
    for measure in measures:
        if measure.aggregate == "geometric":
            raise OptionError(f"{measure} is a geometric mean; take the measure that it averages")


def paired_p(
    differences: Floats, test: Test, *, replicates: int = REPLICATES, seed: int = 0
) -> Floats:
    """Return p-values by the name of a test, for all but Tukey's; topics along the last axis."""
    check_choice("test", test, (*_PLAIN, *_RESAMPLED))
    if test in _PLAIN:
        return _PLAIN[test](differences)
    return _RESAMPLED[test](differences, replicates=replicates, seed=seed)


def _check(
    scores: Scores,
    baseline: str | None,
    test: str,
    correction: str,
    alpha: float,
    interval: str,
) -> None:
    check_choice("test", test, TESTS)
    check_choice("correction", correction, CORRECTIONS)
    check_choice("interval", interval, INTERVALS)
    if not 0 < alpha < 1:
        raise OptionError(f"alpha must lie between 0 and 1, not {alpha}")
    if len(scores.runs) < 2:
        raise OptionError("there is 1 run only; a comparison needs at least 2")
    if baseline is not None and baseline not in scores.runs:
        raise OptionError(f"there is no run {baseline!r}{did_you_mean(baseline, scores.runs)}")
    refuse_geometric(scores.measures)


def _compare_one(
    measure: Measure,
    names: tuple[str, ...],
    values: Floats,
    baseline: str | None,
    test: Test,
    correction: Correction,
    alpha: float,
    level: float,
    interval: IntervalKind,
    replicates: int,
    seed: int,
) -> MeasureComparison:
    order = np.argsort(-values.mean(axis=1), kind="stable")
    values, runs = values[order], tuple(names[index] for index in order)
    if baseline is None:
        first, second = np.triu_indices(len(runs), 1)
    else:
        base = runs.index(baseline)
        first = np.flatnonzero(np.arange(len(runs)) != base)
        second = np.full(len(first), base)
    differences = values[first] - values[second]
    if test == "tukey":
        p = tukey_test(values, replicates=replicates, seed=seed)[first, second]
        corrected = p
    else:
        p = paired_p(differences, test, replicates=replicates, seed=seed)
        corrected = correct(p, correction)

    def bounds(numbers: Floats) -> tuple[Floats, Floats]:
        if interval == "t":
            return t_interval(numbers, level=level)
        return bootstrap_interval(numbers, level=level, replicates=replicates, seed=seed)

    low, high = bounds(values)
    pair_low, pair_high = bounds(differences)
    return MeasureComparison(
        measure,
        values.shape[1],
        runs,
        values.mean(axis=1),
        low,
        high,
        first,
        second,
        differences.mean(axis=1),
        pair_low,
        pair_high,
        effect_size(differences),
        (differences > 0).sum(axis=1),
        (differences == 0).sum(axis=1),
        (differences < 0).sum(axis=1),
        p,
        corrected,
        None if baseline else _letters(len(runs), first, second, corrected <= alpha),
    )


def _letters(runs: int, first: Ints, second: Ints, significant: Bools) -> tuple[str, ...]:
    differs = np.zeros((runs, runs), np.bool_)
    differs[first, second] = differs[second, first] = significant
    return tuple(letter_groups(differs))
