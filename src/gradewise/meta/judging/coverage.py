"""How often prediction-powered intervals hold the truth, and how wide they are, by resampling.

Where people have labeled all topics, the truth is known: some topics are drawn, only they keep
people's labels, and the interval is compared with the mean over all.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gradewise.arrays import Floats
from gradewise.choices import choose
from gradewise.collection.judged import Judged
from gradewise.errors import OptionError, check_between
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import Measure
from gradewise.meta.judging.frames import frame_of
from gradewise.meta.judging.panel import Panel
from gradewise.meta.judging.values import judged_values
from gradewise.progress import watched
from gradewise.showing import Shown
from gradewise.stats.prediction_powered import (
    TARGETS,
    PoweredMean,
    Target,
    prediction_powered,
    topics_alone,
)

if TYPE_CHECKING:
    import polars as pl

_CHUNK = 1 << 22  # values held at a time


@dataclass(frozen=True, eq=False)
class PoweredCoverage(Shown):
    """Coverage and width of intervals, [target, number of topics, measure, run].

    `covered` and `width` are those of prediction-powered intervals, `alone` and `alone_width`
    those of people's topics alone; widths are means over resamplings.
    """

    people: str
    model: str
    level: float
    resamples: int
    topics: int
    labels_per_topic: float
    targets: tuple[Target, ...]
    numbers: tuple[int, ...]
    measures: tuple[Measure, ...]
    runs: tuple[str, ...]
    deviation: Floats
    covered: Floats
    width: Floats
    alone: Floats
    alone_width: Floats

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame with a row for each measure, target and number of topics judged by people.

        Columns: measure, target, topics, labels (about how many people gave); coverage (mean over
        runs), worst (the lowest of any run) and worst_run; width; alone and alone_width (people's
        topics alone); narrower; topics_saved and labels_saved for the same width.
        """
        rows: list[tuple[Any, ...]] = []
        for m, measure in enumerate(self.measures):
            for t, target in enumerate(self.targets):
                for n, number in enumerate(self.numbers):
                    rows.append((str(measure), target, number, *self._row(t, n, m)))
        names = "labels coverage worst worst_run width alone alone_width narrower"
        return frame_of(rows, f"measure target topics {names} topics_saved labels_saved")

    def _row(self, t: int, n: int, m: int) -> tuple[Any, ...]:
        covered, width = self.covered[t, n, m], float(self.width[t, n, m].mean())
        wide = float(self.alone_width[t, n, m].mean())
        worst = int(np.argmin(covered))
        needed = topics_alone(
            np.array(width),
            self.deviation[m].mean(),
            self.topics,
            target=self.targets[t],
            level=self.level,
        )
        saved = float(needed) - self.numbers[n]
        return (
            round(self.numbers[n] * self.labels_per_topic),
            float(covered.mean()),
            float(covered[worst]),
            self.runs[worst],
            width,
            float(self.alone[t, n, m].mean()),
            wide,
            1 - width / wide if wide else 0.0,
            saved,
            saved * self.labels_per_topic,
        )


@watched("resamplings")
def powered_coverage(
    panel: Panel,
    judged: Judged,
    measures: MeasureLike | Iterable[MeasureLike],
    *,
    model: str,
    people: str | None = None,
    numbers: Sequence[int] = (10, 20, 30),
    targets: Sequence[Target] = ("future", "these"),
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> PoweredCoverage:
    """Return coverage and width of prediction-powered intervals when people judge fewer topics.

    Parameters
    ----------
    panel
        The judges, from `gw.meta.judges`; people and the model have labeled the same topics.
    judged
        Runs, joined by `Panel.join`.
    measures
        Measures whose summary is a mean over topics.
    model, people
        The two judges; people are the panel's reference by default.
    numbers
        Numbers of topics that people would judge.
    targets
        "future": as many topics as there are, drawn with replacement, stand for a new collection,
        and all topics for future ones. "these": the topics judged by people are drawn without
        replacement.
    resamples, seed
        Number of resamplings, and random seed.
    level
        Confidence level.
    progress
        Called with the number of resamplings done.
    """
    check_between(0, 1, level=level)
    trusted_by = panel.reference if people is None else people
    values = judged_values(panel, judged, measures)
    total = len(values.topics)
    for number in numbers:
        if not 3 <= number < total:
            raise OptionError(f"numbers must lie between 3 and {total - 1}, not {number}")
    for target in targets:
        choose("target", target, TARGETS)
    first, second = (values.values[panel.place_of(name)] for name in (trusted_by, model))
    shape = (len(targets), len(numbers), len(values.measures), len(values.runs))
    found = np.zeros((4, *shape))
    for t, target in enumerate(targets):
        for n, number in enumerate(numbers):
            rng = np.random.default_rng([seed, t, n])
            study = _Resampling(first, second, number, target, level)
            found[:, t, n] = study.run(resamples, rng, progress)
    labels = panel.labels_of_topics[panel.place_of(trusted_by)]
    return PoweredCoverage(
        trusted_by,
        model,
        level,
        resamples,
        total,
        float(labels[labels > 0].mean()),
        tuple(targets),
        tuple(numbers),
        values.measures,
        values.runs,
        first.std(axis=1, ddof=1).T,
        *found,
    )


@dataclass(frozen=True, eq=False)
class _Resampling:
    """Values under people and under the model, [run, topic, measure], to be drawn from."""

    people: Floats
    model: Floats
    number: int
    target: Target
    level: float

    def run(
        self, resamples: int, rng: np.random.Generator, progress: Callable[[int], None] | None
    ) -> Floats:
        """Return coverage and width with the model, and alone: [4, measure, run]."""
        runs, total, measures = self.people.shape
        truth = self.people.mean(axis=1).T
        sums = np.zeros((4, measures, runs))
        step = max(1, _CHUNK // self.people.size)
        for low in range(0, resamples, step):
            draws = min(step, resamples - low)
            drawn = self._draw(rng, draws, total)
            trusted, predicted = (
                np.moveaxis(each[:, drawn], (1, 3), (0, 1)) for each in (self.people, self.model)
            )  # draw, measure, run, topic
            for place, weight in ((0, None), (2, 0.0)):
                interval = self._interval(trusted, predicted, weight)
                held = (interval.low <= truth) & (truth <= interval.high)
                sums[place] += held.sum(axis=0)
                sums[place + 1] += interval.width.sum(axis=0)
            if progress is not None:
                progress(draws)
        return sums / resamples

    def _draw(self, rng: np.random.Generator, draws: int, total: int) -> Any:
        if self.target == "future":
            return rng.integers(0, total, (draws, total))
        return rng.permuted(np.tile(np.arange(total), (draws, 1)), axis=1)

    def _interval(self, trusted: Floats, predicted: Floats, weight: float | None) -> PoweredMean:
        return prediction_powered(
            trusted[..., : self.number],
            predicted[..., : self.number],
            predicted[..., self.number :],
            target=self.target,
            weight=weight,
            level=self.level,
        )
