"""The values of runs under each judge of a panel."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gradewise.arrays import Bools, Floats
from gradewise.collection.judged import Judged
from gradewise.errors import InputError, MeasureError, counted
from gradewise.measures.evaluate import as_measures, score_judged
from gradewise.measures.grammar import MeasureLike
from gradewise.measures.measure import Measure, refuse_intents
from gradewise.measures.scores import Scores
from gradewise.meta.judging.panel import Panel
from gradewise.stats.compare import refuse_geometric

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class JudgedValues:
    """`values[judge, run, topic, measure]`, on the topics that all judges have labeled."""

    judges: tuple[str, ...]
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[Measure, ...]
    values: Floats
    notes: tuple[str, ...]

    @property
    def means(self) -> Floats:
        """The mean over topics, [judge, run, measure]."""
        return np.asarray(self.values.mean(axis=2))

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame: judge, run, measure, mean."""
        import polars as pl

        judges, runs, measures = self.means.shape
        names = [str(measure) for measure in self.measures]
        return pl.DataFrame(
            {
                "judge": np.array(self.judges, object).repeat(runs * measures).tolist(),
                "run": np.tile(np.array(self.runs, object).repeat(measures), judges).tolist(),
                "measure": names * (judges * runs),
                "mean": self.means.ravel(),
            }
        )

    def scores(self, judge: str) -> Scores:
        """Return the values under one judge as scores."""
        place = self.judges.index(judge)
        counted_all = np.ones((len(self.runs), len(self.topics)), np.bool_)
        return Scores(self.runs, self.topics, self.measures, self.values[place], counted_all)


def judged_values(
    panel: Panel, judged: Judged, measures: MeasureLike | Iterable[MeasureLike]
) -> JudgedValues:
    """Score runs under each judge, on the topics for which every judge has labels.

    Parameters
    ----------
    panel
        The judges, from `gw.meta.judges`.
    judged
        Runs, joined by `Panel.join`.
    measures
        Measures whose summary is a mean over topics. Where one is undefined it counts 0.
    """
    parsed = checked_measures(measures)
    common: Bools = np.all(panel.labels_of_topics > 0, axis=0)
    if common.sum() < 2:
        raise InputError(
            f"the judges share {counted(int(common.sum()), 'topic')}; at least 2 are needed"
        )
    values = np.stack(
        [score_judged(panel.under(judged, name), parsed).values for name in panel.judges]
    )
    left_out = int((~common).sum())
    notes = (
        (f"left out {counted(left_out, 'topic')} that not all judges have labeled",)
        if left_out
        else ()
    )
    topics = tuple(t for t, kept in zip(panel.topics, common, strict=True) if kept)
    found = np.nan_to_num(values[:, :, common])
    return JudgedValues(panel.judges, judged.runs, topics, parsed, found, notes)


def checked_measures(measures: MeasureLike | Iterable[MeasureLike]) -> tuple[Measure, ...]:
    """Return measures, if their summary is a mean over topics and they need no intents."""
    parsed = as_measures(measures)
    refuse_geometric(parsed)
    for measure in parsed:
        refuse_intents(measure, "judges give a single grade per document")
        if measure.aggregate != "mean":
            raise MeasureError(f"{measure} is not averaged over topics")
    return parsed
