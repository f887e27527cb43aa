"""Intervals for single topics by conformal risk control (Oosterhuis et al. 2024).

A model's labels predict the value of a run on a topic. How far the prediction may be off is learned
from the topics that people have labeled: intervals grow until few enough of these topics fall
outside, which bounds the chance that another one does, without assuming anything about the model.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.choices import Choice, choose
from gradewise.collection.judged import Judged
from gradewise.errors import InputError, OptionError, check_between
from gradewise.measures.evaluate import score_judged
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import Measure
from gradewise.meta.judging.frames import frame_of
from gradewise.meta.judging.soft_labels import SoftLabels
from gradewise.meta.judging.values import checked_measures
from gradewise.showing import Shown
from gradewise.stats.conformal import control_risk

if TYPE_CHECKING:
    import polars as pl

Shape = Literal["tails", "shift"]
_SETTINGS = np.concatenate([np.arange(0, 0.95, 0.05), 1 - 0.05 * 0.7 ** np.arange(0, 12)])
_DOUBT = 0.02  # share of every distribution that is spread evenly, so that no grade is impossible


@dataclass(frozen=True, eq=False)
class TopicIntervals(Shown):
    """Intervals of the values of runs on topics, [run, topic, measure].

    `predicted` are the values under the model's labels, `people` those under people's, NaN where
    they have none. `lows` and `highs[run, topic, measure, setting]` are the intervals at each
    setting, and `chosen[run, measure]` the place of the one that was chosen.
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[Measure, ...]
    level: float
    highest: float
    predicted: Floats
    people: Floats
    lows: Floats
    highs: Floats
    chosen: Ints

    @property
    def calibrated(self) -> Bools:
        """Which topics people have labeled."""
        return ~np.isnan(self.people[0, :, 0])

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence if so few topics are labeled that every value is possible."""
        number = int(self.calibrated.sum())
        if (number + 1) * (1 - self.level) >= 1 - 1e-9:
            return ()
        needed = int(np.ceil(1 / (1 - self.level) - 1 - 1e-9))
        return (
            f"a level of {self.level:g} needs at least {needed} topics labeled by people, but "
            f"there are {number}; with fewer, every value is possible",
        )

    def limits(self) -> tuple[Floats, Floats]:
        """Return the ends of the intervals at the chosen settings, [run, topic, measure]."""
        return _at(self._lows, self.chosen), _at(self._highs, self.chosen)

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame: run, topic, measure, predicted, low, high, people (missing if unlabeled)."""
        columns = (self.predicted, *self.limits(), self.people)
        rows: list[tuple[Any, ...]] = [
            (run, topic, str(measure), *[float(each[r, t, m]) for each in columns])
            for r, run in enumerate(self.runs)
            for t, topic in enumerate(self.topics)
            for m, measure in enumerate(self.measures)
        ]
        return frame_of(rows, "run topic measure predicted low high people")

    def coverage(self, topics: int, *, resamples: int = 1000, seed: int = 0) -> "pl.DataFrame":
        """Return how often intervals hold, if only so many of the labeled topics calibrate them.

        The others are tested. A frame with a row for each measure: measure, topics, coverage (mean
        over runs), worst (lowest of any run), width (mean).
        """
        known = np.flatnonzero(self.calibrated)
        if not 1 <= topics < len(known):
            raise OptionError(f"topics must lie between 1 and {len(known) - 1}, not {topics}")
        rng = np.random.default_rng(seed)
        missed, width = self.missed[:, known], (self._highs - self._lows)[:, known]
        missed_ever = _with_range(missed, 0.0)
        held, wide = np.zeros((2, len(self.runs), len(self.measures)))
        for _ in range(resamples):
            order = rng.permutation(len(known))
            used, rest = order[:topics], order[topics:]
            place = control_risk(np.moveaxis(missed[:, used], 1, 2), 1 - self.level)
            held += 1 - _at(missed_ever[:, rest], place).mean(axis=1)
            wide += _at(width[:, rest], place).mean(axis=1)
        held, wide = held / resamples, wide / resamples
        rows = [
            (
                str(measure),
                topics,
                *[float(each) for each in (kept.mean(), kept.min(), size.mean())],
            )
            for measure, kept, size in zip(self.measures, held.T, wide.T, strict=True)
        ]
        return frame_of(rows, "measure topics coverage worst width")

    @property
    def missed(self) -> Floats:
        """Which values under people lie outside the interval at each setting."""
        truth = self.people[..., None]
        outside = (truth < self.lows - 1e-12) | (truth > self.highs + 1e-12)
        return outside.astype(np.float64)

    @property
    def _lows(self) -> Floats:
        return _with_range(self.lows, 0.0)

    @property
    def _highs(self) -> Floats:
        return _with_range(self.highs, self.highest)


def _with_range(values: Floats, end: float) -> Floats:
    """Add the setting at which every value is possible."""
    return np.concatenate([values, np.full((*values.shape[:3], 1), end)], axis=3)


def _at(values: Floats, place: Ints) -> Floats:
    """Return values[run, topic, measure, setting] at a setting for each run and measure."""
    index = np.broadcast_to(place[:, None, :, None], (*values.shape[:3], 1))
    return np.take_along_axis(values, index, axis=3)[..., 0]


def topic_intervals(
    judged: Judged,
    labels: SoftLabels,
    measures: MeasureLike | Iterable[MeasureLike],
    *,
    people: str,
    shape: Shape = "tails",
    level: float = 0.9,
    highest: float = 1.0,
) -> TopicIntervals:
    """Return intervals for the value of each run on each topic.

    Parameters
    ----------
    judged
        Runs, joined by `Panel.join` of the labels' panel.
    labels
        What models say of each document, from `gw.meta.combine_judges` without people.
    measures
        Measures of the two families.
    people
        The judge who has labeled some of the topics.
    shape
        How intervals grow: "tails" takes the best and the worst part of every document's
        distribution over grades, so that topics with uncertain labels get wider intervals;
        "shift" adds and subtracts the same for all topics.
    level
        The share of topics whose value should lie in the interval.
    highest
        The largest value that the measures can have.

    Notes
    -----
    The guarantee is for topics like those that people have labeled, and for each run and measure
    alone. It does not depend on how good the labels are; how short the intervals are does.

    Examples
    --------
    >>> import gradewise as gw
    >>> sample = gw.simulate.collection(topics=40, runs=2, depth=30, seed=1)
    >>> people = sample.qrels.to_dict()
    >>> few = {topic: people[topic] for topic in list(people)[:25]}
    >>> panel = gw.meta.judges({"people": few, "model": people})
    >>> labels = gw.meta.combine_judges(panel, "majority", judges=["model"])
    >>> found = gw.meta.topic_intervals(panel.join(sample.runs), labels, "AP", people="people")
    >>> found.frame.columns
    ['run', 'topic', 'measure', 'predicted', 'low', 'high', 'people']
    """
    check_between(0, 1, level=level)
    if people in (*labels.judges, labels.truth):
        raise OptionError(f"{people} contributed to the labels, so cannot calibrate them")
    parsed = checked_measures(measures)
    panel = labels.panel
    known = panel.labels_of_topics[panel.place_of(people)] > 0
    if not known.any():
        raise InputError(f"{people} has labeled no topics")
    grow = choose("shape", shape, SHAPES).function
    likely = panel.under_levels(judged, labels.levels)
    parts = grow(parsed, likely, labels.chances, highest)
    predicted, lows, highs = (np.stack(each, axis=2) for each in zip(*parts, strict=True))
    values = np.nan_to_num(score_judged(panel.under(judged, people), parsed).values)
    values[:, ~known] = np.nan
    nothing = np.zeros((len(judged.runs), len(parsed)), np.int64)
    found = TopicIntervals(
        judged.runs, panel.topics, parsed, level, highest, predicted, values, lows, highs, nothing
    )
    chosen = control_risk(np.moveaxis(found.missed[:, known], 1, 2), 1 - level)
    return replace(found, chosen=chosen)


Grown = list[tuple[Floats, Floats, Floats]]


def _tails(measures: Sequence[Measure], judged: Judged, chances: Floats, highest: float) -> Grown:
    """Return expected values, and those under ever smaller tails of the distributions."""
    mixed = (1 - _DOUBT) * chances + _DOUBT / chances.shape[1]
    worst = [_tail(mixed[:, ::-1], setting)[:, ::-1] for setting in _SETTINGS.tolist()]
    best = [_tail(mixed, setting) for setting in _SETTINGS.tolist()]
    found = []
    for measure in measures:
        predicted, low, high = (
            np.stack([_expected(measure, judged, part) for part in parts], axis=2)
            for parts in ([chances], worst, best)
        )
        low = np.minimum.accumulate(np.maximum(low, 0.0), axis=2)
        high = np.maximum.accumulate(np.minimum(high, highest), axis=2)
        found.append((predicted[..., 0], low, high))
    return found


def _expected(measure: Measure, judged: Judged, chances: Floats) -> Floats:
    """Return expected values, [run, topic], given the chances of all documents of the panel."""
    values = measure.expected_values(judged, chances[judged.hit_rows])
    return values.reshape(len(judged.runs), len(judged.topics))


def _tail(chances: Floats, setting: float) -> Floats:
    """Return the distribution of grades within their top share of 1 - setting."""
    reached = np.minimum(np.cumsum(chances[:, ::-1], axis=1), 1 - setting)
    parts = np.diff(reached, axis=1, prepend=0.0)[:, ::-1]
    return np.asarray(parts / (1 - setting))


def _shift(measures: Sequence[Measure], judged: Judged, chances: Floats, highest: float) -> Grown:
    """Return expected values, and these less and plus the same amount."""
    found = []
    for measure in measures:
        predicted = _expected(measure, judged, chances)
        amount = np.linspace(0, 1, 101) * (highest if np.isfinite(highest) else predicted.max())
        low = np.maximum(predicted[..., None] - amount, 0.0)
        found.append((predicted, low, np.minimum(predicted[..., None] + amount, highest)))
    return found


SHAPES: dict[Shape, Choice] = {
    "tails": Choice(_tails, "the best and the worst part of each document's distribution"),
    "shift": Choice(_shift, "the same for all topics"),
}
