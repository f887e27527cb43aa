"""Where the variance of values comes from: topics, judges, runs, and what they do to each other.

Values of runs on topics under judges form a table with one value a cell. In the model with random
effects, v = μ + t + j + r + tj + tr + jr + tjr, the mean squares of an analysis of variance have
expectations that are sums of the components, from which they follow (Brennan 2001, ch. 4). Kishida
(2005, eq 24) has topics and judgments only, and judgments that err independently on every topic:
then more topics average out judges too. A judge who is strict is strict on all topics, which more
topics do not average out.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.judged import Judged
from gradewise.errors import OptionError
from gradewise.measures.grammar import MeasureLike
from gradewise.meta.judging.effect import MEASURES
from gradewise.meta.judging.frames import frame_of
from gradewise.meta.judging.panel import Panel
from gradewise.meta.judging.values import JudgedValues, judged_values
from gradewise.meta.judgment_noise import JudgmentNoise
from gradewise.showing import Shown

if TYPE_CHECKING:
    import polars as pl

PARTS = ("topic", "judge", "run", "topic:judge", "topic:run", "judge:run", "topic:judge:run")


@dataclass(frozen=True, eq=False)
class VarianceComponents(Shown):
    """The components of variance of each measure, `parts[measure, part]`, none below 0."""

    values: JudgedValues
    parts: Floats

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame with a row for each measure.

        Columns: measure; the components, as named in `PARTS`; and standard errors of the mean of
        a run over these topics under one judge: error_topics if the judge is given,
        standard_error if the judge is one of many. The same for the difference of two runs:
        difference_topics, difference_error.
        """
        rows = [
            (str(measure), *parts.tolist(), *self._errors(parts))
            for measure, parts in zip(self.values.measures, self.parts, strict=True)
        ]
        names = [part.replace(":", "_") for part in PARTS]
        errors = "error_topics standard_error difference_topics difference_error"
        return frame_of(rows, f"measure {' '.join(names)} {errors}")

    def _errors(self, parts: Floats) -> tuple[float, ...]:
        t, j, _, tj, tr, jr, tjr = parts
        topics = len(self.values.topics)
        alone = (t + tr + tj + tjr) / topics
        apart = 2 * (tr + tjr) / topics
        return tuple(
            float(np.sqrt(each)) for each in (alone, alone + j + jr, apart, apart + 2 * jr)
        )

    def noise(self, measure: MeasureLike) -> JudgmentNoise:
        """Return Kishida's decomposition for a measure, with the judges as repeated judgments."""
        place = self.values.scores(self.values.judges[0])._place_of(measure)
        values = self.values.values[..., place]
        return JudgmentNoise(
            self.values.measures[place],
            self.values.runs,
            len(values),
            values[0],
            values.mean(axis=0),
            values.var(axis=0, ddof=1),
            values.var(axis=2, ddof=1).mean(axis=0),
        )


def variance_components(
    panel: Panel, judged: Judged, measures: MeasureLike | Iterable[MeasureLike] = MEASURES
) -> VarianceComponents:
    """Return how much of the variance of values comes from topics, from judges and from runs.

    Parameters
    ----------
    panel
        The judges, from `gw.meta.judges`.
    judged
        At least two runs, joined by `Panel.join`.
    measures
        The measures to study.

    Notes
    -----
    Judges, topics and runs count as samples from more of their kind. Components that are estimated
    below 0 are set to 0. With few judges, those that involve judges are rough.

    Examples
    --------
    >>> import gradewise as gw
    >>> sample = gw.simulate.collection(topics=20, runs=4, depth=50, seed=1)
    >>> people = sample.qrels.to_dict()
    >>> strict = {t: {d: max(g - 1, 0) for d, g in docs.items()} for t, docs in people.items()}
    >>> panel = gw.meta.judges({"people": people, "strict": strict}, maps={"strict": "same"})
    >>> found = gw.meta.variance_components(panel, panel.join(sample.runs), "AP")
    >>> errors = found.frame.select("error_topics", "standard_error").row(0)
    >>> errors[0] < errors[1]
    True
    """
    if len(judged.runs) < 2:
        raise OptionError("only 1 run was given; components of variance need at least 2")
    values = judged_values(panel, judged, measures)
    tables = np.moveaxis(values.values, 3, 0)  # measure, judge, run, topic
    return VarianceComponents(values, np.array([_components(table) for table in tables]))


def _components(values: Floats) -> Floats:
    """Return the components of a table [judge, run, topic], in the order of PARTS."""
    judges, runs, topics = values.shape
    axes = {"judge": 0, "run": 1, "topic": 2}
    sizes = dict(zip(axes, values.shape, strict=True))
    squares = {part: _mean_square(values, part.split(":"), axes) for part in PARTS}
    rest = squares["topic:judge:run"]
    found = {"topic:judge:run": rest}
    for part in ("topic:judge", "topic:run", "judge:run"):
        (other,) = set(axes) - set(part.split(":"))
        found[part] = (squares[part] - rest) / sizes[other]
    for part, others in (
        ("topic", ("topic:judge", "topic:run")),
        ("judge", ("topic:judge", "judge:run")),
        ("run", ("topic:run", "judge:run")),
    ):
        mixed = sum(squares[other] for other in others)
        found[part] = (squares[part] - mixed + rest) * sizes[part] / (judges * runs * topics)
    return np.maximum([found[part] for part in PARTS], 0.0)


def _mean_square(values: Floats, kept: list[str], axes: dict[str, int]) -> float:
    """Return the mean square of an effect or interaction: its contrasts, squared and averaged."""
    effect = values
    for name, axis in axes.items():
        mean = effect.mean(axis=axis, keepdims=True)
        effect = effect - mean if name in kept else mean
    freedom = np.prod([values.shape[axes[name]] - 1 for name in kept])
    times = values.size / effect.size
    return float((effect**2).sum() * times / freedom)
