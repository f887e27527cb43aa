"""Comparisons from sums over topics, for values that are too many, or too far away, to be at hand.

Means, t intervals, t-tests and sign tests need no more than sums over topics for every run and
pair of runs. Sums of parts of the topics add up, wherever the parts were summed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.choices import choose
from gradewise.errors import OptionError, check_between, check_choice, counted, did_you_mean
from gradewise.libraries import special
from gradewise.measures.measure import Measure
from gradewise.noise import NOISE, order_best_first
from gradewise.stats.compare import refuse_geometric
from gradewise.stats.comparison import Comparison
from gradewise.stats.corrections import CORRECTIONS, Correction
from gradewise.stats.families import find_family
from gradewise.stats.intervals import t_quantile
from gradewise.stats.measure_comparison import MeasureComparison

SumTest = Literal["t", "sign"]
SUM_TESTS: tuple[SumTest, ...] = ("t", "sign")  # the tests that sums decide
_BLOCK = 1 << 22  # differences that are looked at at a time


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums over the topics that all runs have, for one measure.

    `spread` is Σ (x - mean)² of each run, and `squares[a, b]` that of the differences x_a - x_b;
    `least[a, b]` and `most[a, b]` bound the differences, and `wins[a, b]` counts those above the
    noise. `left_out` counts topics that some run lacks.
    """

    topics: int
    left_out: int
    mean: Floats
    spread: Floats
    squares: Floats
    least: Floats
    most: Floats
    wins: Ints

    @staticmethod
    def of(values: Floats, largest: float) -> "Moments":
        """Sum up values[run, topic], NaN where a run lacks a topic.

        `largest` is the largest value of any topic, to which noise is relative.
        """
        common = ~np.isnan(values).any(axis=0)
        kept = values[:, common]
        runs, topics = kept.shape
        if not topics:
            return Moments.none(runs, left_out=values.shape[1])
        mean = kept.mean(axis=1)
        found = Moments.none(runs)
        step = max(1, _BLOCK // (runs * topics))
        for low in range(0, runs, step):
            here = slice(low, low + step)
            apart = kept[here, None, :] - kept[None, :, :]
            found.least[here], found.most[here] = apart.min(axis=2), apart.max(axis=2)
            found.wins[here] = (apart > NOISE * largest).sum(axis=2)
            apart -= (mean[here, None] - mean)[:, :, None]
            found.squares[here] = (apart**2).sum(axis=2)
        return replace(
            found,
            topics=topics,
            left_out=values.shape[1] - topics,
            mean=mean,
            spread=((kept - mean[:, None]) ** 2).sum(axis=1),
        )

    @staticmethod
    def none(runs: int, *, left_out: int = 0) -> "Moments":
        """Return the sums of no topics."""
        square = (runs, runs)
        return Moments(
            0,
            left_out,
            np.zeros(runs),
            np.zeros(runs),
            np.zeros(square),
            np.full(square, np.inf),
            np.full(square, -np.inf),
            np.zeros(square, np.int64),
        )

    def merged(self, other: "Moments") -> "Moments":
        """Add the sums of other topics of the same runs."""
        topics, left_out = self.topics + other.topics, self.left_out + other.left_out
        share = other.topics / max(topics, 1)
        apart = other.mean - self.mean
        between = apart[:, None] - apart
        return Moments(
            topics,
            left_out,
            self.mean + share * apart,
            self.spread + other.spread + apart**2 * share * self.topics,
            self.squares + other.squares + between**2 * share * self.topics,
            np.minimum(self.least, other.least),
            np.maximum(self.most, other.most),
            self.wins + other.wins,
        )

    def ordered(self, order: Ints) -> "Moments":
        """Return the same sums with the runs in another order."""
        both = np.ix_(order, order)
        return Moments(
            self.topics,
            self.left_out,
            self.mean[order],
            self.spread[order],
            self.squares[both],
            self.least[both],
            self.most[both],
            self.wins[both],
        )


@dataclass(frozen=True)
class _Method:
    """How pairs are compared."""

    test: SumTest
    correction: Correction
    alpha: float
    level: float


def compare_moments(
    measures: Sequence[Measure],
    runs: Sequence[str],
    moments: Sequence[Moments],
    largest: Sequence[float],
    baseline: str | None = None,
    *,
    test: SumTest = "t",
    correction: Correction = "holm",
    alpha: float = 0.05,
    level: float = 0.95,
) -> Comparison:
    """Compare runs by sums over topics, one for each measure; see `compare` for the parameters."""
    check_choice("test", test, SUM_TESTS)
    choose("correction", correction, CORRECTIONS)
    check_between(0, 1, level=level)
    if not 0 < alpha < 1:
        raise OptionError(f"alpha must lie between 0 and 1, not {alpha}")
    if len(runs) < 2:
        raise OptionError("only 1 run was given; a comparison needs at least 2")
    if baseline is not None and baseline not in runs:
        raise OptionError(f"there is no run {baseline!r}{did_you_mean(baseline, runs)}")
    refuse_geometric(measures)
    method = _Method(test, correction, alpha, level)
    parts, notes = [], []
    for measure, sums, size in zip(measures, moments, largest, strict=True):
        if sums.topics < 2:
            raise OptionError(
                f"{measure}: a comparison needs at least 2 topics that all runs share, but there "
                f"are {sums.topics}"
            )
        parts.append(_compare(measure, tuple(runs), sums, size, baseline, method))
        if sums.left_out:
            topics = counted(sums.left_out, "topic")
            notes.append(f"{measure}: left out {topics} not scored for all runs")
    return Comparison(
        tuple(parts), baseline, test, correction, alpha, level, "t", None, tuple(notes)
    )


def _compare(
    measure: Measure,
    runs: tuple[str, ...],
    sums: Moments,
    largest: float,
    baseline: str | None,
    method: _Method,
) -> MeasureComparison:
    """Compare all runs by one measure."""
    order = order_best_first(sums.mean)
    ranked, names = sums.ordered(order), tuple(runs[index] for index in order)
    family = find_family(ranked.mean, None if baseline is None else names.index(baseline))
    tested = _Pairs.of(ranked, family.tested, largest)
    p = tested.t_test() if method.test == "t" else tested.sign_test()
    corrected = CORRECTIONS[method.correction].function(p)
    shown = _Pairs.of(ranked, family.shown, largest)
    reach = t_quantile(ranked.topics, method.level) / np.sqrt(ranked.topics)
    half = reach * np.sqrt(ranked.spread / (ranked.topics - 1))
    first, second = family.shown
    return MeasureComparison(
        measure=measure,
        topics=ranked.topics,
        runs=names,
        baseline=baseline,
        family=len(family),
        mean=ranked.mean,
        low=ranked.mean - half,
        high=ranked.mean + half,
        first=first,
        second=second,
        difference=shown.mean,
        pair_low=shown.mean - reach * shown.deviation,
        pair_high=shown.mean + reach * shown.deviation,
        effect=shown.effect(),
        wins=shown.wins,
        ties=ranked.topics - shown.wins - shown.losses,
        losses=shown.losses,
        p=family.select(p),
        corrected=family.select(corrected),
        significant=family.select(corrected) <= method.alpha,
    )


@dataclass(frozen=True, eq=False)
class _Pairs:
    """What is known of the differences of some pairs."""

    topics: int
    mean: Floats
    deviation: Floats
    all_equal: Bools
    all_zero: Bools
    wins: Ints
    losses: Ints

    @staticmethod
    def of(sums: Moments, pairs: tuple[Ints, Ints], largest: float) -> "_Pairs":
        first, second = pairs
        least, most, bound = sums.least[pairs], sums.most[pairs], NOISE * largest
        return _Pairs(
            sums.topics,
            sums.mean[first] - sums.mean[second],
            np.sqrt(sums.squares[pairs] / (sums.topics - 1)),
            most - least <= bound,
            np.maximum(np.abs(least), np.abs(most)) <= bound,
            sums.wins[pairs],
            sums.wins[second, first],
        )

    def t_test(self) -> Floats:
        """Return p-values as `paired_tests.t_test` does."""
        error = self.deviation / np.sqrt(self.topics)
        with np.errstate(divide="ignore", invalid="ignore"):
            p = 2 * special.stdtr(self.topics - 1, -np.abs(self.mean / error))
        return np.where(self.all_zero, 1.0, np.where(self.all_equal, 0.0, p))

    def sign_test(self) -> Floats:
        """Return p-values as `paired_tests.sign_test` does."""
        fewer = np.minimum(self.wins, self.losses).astype(np.float64)
        return np.minimum(2 * special.bdtr(fewer, self.wins + self.losses, 0.5), 1.0)

    def effect(self) -> Floats:
        """Return Cohen's d as `intervals.effect_size` does."""
        with np.errstate(divide="ignore", invalid="ignore"):
            effect = self.mean / self.deviation
        effect = np.where(self.all_equal, np.copysign(np.inf, self.mean), effect)
        return np.where(self.all_zero, 0.0, effect)
