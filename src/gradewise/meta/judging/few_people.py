"""Few people, many model labels: intervals for runs from people on some topics, a model on all."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gradewise.arrays import Bools, Floats
from gradewise.collection.judged import Judged
from gradewise.errors import InputError, OptionError, counted
from gradewise.measures.evaluate import score_judged
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import Measure
from gradewise.meta.judging.frames import frame_of
from gradewise.meta.judging.panel import Panel
from gradewise.meta.judging.values import checked_measures
from gradewise.showing import Shown
from gradewise.stats.prediction_powered import (
    PoweredMean,
    Target,
    prediction_powered,
    topics_alone,
)

if TYPE_CHECKING:
    import polars as pl

_BLOCK = 1 << 20  # differences held at a time


@dataclass(frozen=True, eq=False)
class PoweredScores(Shown):
    """Means of runs from people's labels of some topics and a model's labels of all.

    `trusted[run, topic, measure]` and `predicted` are the values under people and under the model
    on the topics that people have labeled, `others` those under the model on the rest.
    """

    people: str
    model: str
    target: Target
    level: float
    weight: float | None
    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    trusted: Floats
    predicted: Floats
    others: Floats
    labels_per_topic: float
    notes: tuple[str, ...]

    @property
    def topics(self) -> tuple[int, int]:
        """How many topics people have labeled, and how many there are."""
        return self.trusted.shape[1], self.trusted.shape[1] + self.others.shape[1]

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame with a row for each run and measure.

        Columns: run, measure; people, people_low and people_high (people's topics alone); model
        (the mean over all topics); mean, low and high (both together); weight (λ); narrower (how
        much shorter the interval is than with people alone); topics_saved and labels_saved (what
        people alone would have to judge in addition for an interval as short).
        """
        rows: list[tuple[Any, ...]] = []
        for m, measure in enumerate(self.measures):
            parts = [each[:, :, m] for each in (self.trusted, self.predicted, self.others)]
            model = np.concatenate(parts[1:], axis=1).mean(axis=1)
            columns = self._columns(*parts)
            rows += [
                (
                    run,
                    str(measure),
                    *[float(column[r]) for column in columns[:3]],
                    float(model[r]),
                    *[float(column[r]) for column in columns[3:]],
                )
                for r, run in enumerate(self.runs)
            ]
        names = "people people_low people_high model mean low high weight narrower"
        return frame_of(rows, f"run measure {names} topics_saved labels_saved")

    @property
    def pairs(self) -> "pl.DataFrame":
        """A frame with a row for each pair of runs and measure, as `frame` has for each run.

        Columns: measure, run_a, run_b; people, people_low, people_high, mean, low, high, weight,
        narrower, topics_saved and labels_saved, of the difference of the two runs.
        """
        rows: list[tuple[Any, ...]] = []
        a, b = np.triu_indices(len(self.runs), 1)
        for m, measure in enumerate(self.measures):
            parts = [each[:, :, m] for each in (self.trusted, self.predicted, self.others)]
            step = max(1, _BLOCK // self.topics[1])
            for low in range(0, len(a), step):
                first, second = a[low : low + step], b[low : low + step]
                columns = self._columns(*[each[first] - each[second] for each in parts])
                rows += [
                    (str(measure), self.runs[x], self.runs[y], *[float(c[k]) for c in columns])
                    for k, (x, y) in enumerate(zip(first.tolist(), second.tolist(), strict=True))
                ]
        names = "people people_low people_high mean low high weight narrower"
        return frame_of(rows, f"measure run_a run_b {names} topics_saved labels_saved")

    def _columns(self, trusted: Floats, predicted: Floats, others: Floats) -> list[Floats]:
        both = self._powered(trusted, predicted, others, self.weight)
        alone = self._powered(trusted, predicted, others, 0.0)
        judged, total = self.topics
        narrower = 1 - np.divide(
            both.width, alone.width, out=np.ones(len(both.width)), where=alone.width > 0
        )
        deviation = trusted.std(axis=1, ddof=1)
        needed = topics_alone(both.width, deviation, total, target=self.target, level=self.level)
        saved = np.where(deviation > 0, needed - judged, 0.0)
        return [
            alone.mean,
            alone.low,
            alone.high,
            both.mean,
            both.low,
            both.high,
            both.weight,
            narrower,
            saved,
            saved * self.labels_per_topic,
        ]

    def _powered(
        self, trusted: Floats, predicted: Floats, others: Floats, weight: float | None
    ) -> PoweredMean:
        return prediction_powered(
            trusted, predicted, others, target=self.target, weight=weight, level=self.level
        )


def powered_scores(
    panel: Panel,
    judged: Judged,
    measures: MeasureLike | Iterable[MeasureLike],
    *,
    model: str,
    people: str | None = None,
    target: Target = "future",
    weight: float | None = None,
    level: float = 0.95,
) -> PoweredScores:
    """Return prediction-powered intervals for the means of runs and for their differences.

    Parameters
    ----------
    panel
        The judges, from `gw.meta.judges`. People have labeled some of the topics, which must be a
        random sample of them; the model has labeled all.
    judged
        Runs, joined by `Panel.join`.
    measures
        Any measures whose summary is a mean over topics.
    model, people
        The two judges; people are the panel's reference by default.
    target
        "future" for the mean over future topics, "these" for the mean over these topics.
    weight
        The weight of the model, λ, from 0 to 1; by default, the one with the shortest interval.
    level
        Confidence level.

    Examples
    --------
    >>> import gradewise as gw
    >>> sample = gw.simulate.collection(topics=40, runs=3, depth=50, seed=1)
    >>> everything = sample.qrels.to_dict()
    >>> few = {topic: everything[topic] for topic in list(everything)[:12]}
    >>> panel = gw.meta.judges({"people": few, "model": everything})
    >>> found = gw.meta.powered_scores(panel, panel.join(sample.runs), "AP", model="model")
    >>> found.topics, found.notes
    ((12, 40), ())
    >>> bool((found.frame["narrower"] > 0.2).all())  # here, the model judges as people do
    True
    """
    trusted_by = panel.reference if people is None else people
    if trusted_by == model:
        raise OptionError(f"people and model are the same judge, {model}")
    parsed = checked_measures(measures)
    counts = panel.labels_of_topics
    mine, theirs = counts[panel.place_of(trusted_by)], counts[panel.place_of(model)]
    chosen: Bools = (mine > 0) & (theirs > 0)
    rest: Bools = (mine == 0) & (theirs > 0)
    if chosen.sum() < 3:
        raise InputError(
            f"{trusted_by} and {model} share {counted(int(chosen.sum()), 'topic')}; "
            "prediction-powered intervals need at least 3"
        )
    first = np.nan_to_num(score_judged(panel.under(judged, trusted_by), parsed).values)
    second = np.nan_to_num(score_judged(panel.under(judged, model), parsed).values)
    return PoweredScores(
        trusted_by,
        model,
        target,
        level,
        weight,
        judged.runs,
        parsed,
        first[:, chosen],
        second[:, chosen],
        second[:, rest],
        float(mine[chosen].mean()),
        _notes(trusted_by, model, float(mine[chosen].sum() / theirs[chosen].sum()), mine, theirs),
    )


def _notes(people: str, model: str, share: float, mine: Any, theirs: Any) -> tuple[str, ...]:
    notes = []
    if share < 1:
        notes.append(
            f"{people} labeled {share:.0%} of the documents that {model} labeled on the same "
            f"topics; the others count as unjudged under {people}"
        )
    if not ((mine == 0) & (theirs > 0)).any():
        notes.append(f"{people} labeled all topics of {model}, so {model} adds nothing")
    without = int(((mine > 0) & (theirs == 0)).sum())
    if without:
        notes.append(f"left out {counted(without, 'topic')} that {model} has not labeled")
    return tuple(notes)
