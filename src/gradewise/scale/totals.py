"""Totals of values over topics, for each run and measure: what summaries are made of."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import InputError, MeasureError
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.measures.measure import Measure
from gradewise.measures.scores import summary_table
from gradewise.measures.summaries import SMALLEST
from gradewise.scale.columns import RUN
from gradewise.tables import Table

MEASURE, VALUE = "measure", "value"


@dataclass(frozen=True, eq=False)
class Totals:
    """For each run and measure: topics, mean, deviation, mean logarithm and largest size."""

    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    topics: Ints
    mean: Floats
    deviation: Floats
    logs: Floats
    largest: Floats

    @staticmethod
    def of_rows(
        rows: Sequence[dict[str, Any]], measures: Sequence[Measure] | None = None
    ) -> "Totals":
        """Take rows with the columns run, measure and those above.

        Measures are sorted by name unless they are given.
        """
        if not rows:
            raise InputError("there are no values to summarize")
        runs = sorted({str(row[RUN]) for row in rows})
        names = sorted({str(row[MEASURE]) for row in rows})
        if measures is not None:
            names = [str(measure) for measure in measures]
        shape = (len(runs), len(names))
        columns = {name: np.full(shape, np.nan) for name in ("topics", "mean", "deviation", "logs")}
        columns["largest"] = np.zeros(shape)
        columns["topics"][:] = 0
        for row in rows:
            place = runs.index(str(row[RUN])), names.index(str(row[MEASURE]))
            for name, table in columns.items():
                if row[name] is not None:
                    table[place] = row[name]
        parsed = tuple(measures or (parse_measure(name) for name in names))
        topics = columns.pop("topics").astype(np.int64)
        return Totals(tuple(runs), parsed, topics, **columns)

    def summary(self) -> Floats:
        """Return each measure's own summary over topics, shape (runs, measures)."""
        found = self.mean.copy()
        for place, measure in enumerate(self.measures):
            if measure.aggregate == "sum":
                found[:, place] = np.nan_to_num(self.mean[:, place]) * self.topics[:, place]
            elif measure.aggregate == "geometric":
                found[:, place] = np.exp(self.logs[:, place])
        return found

    def sorted(self, by: MeasureLike | None = None, *, top: int | None = None) -> "Totals":
        """Return the same totals with the best run by a measure first; or only the top runs."""
        wanted = self.measures[0] if by is None else parse_measure(by)
        if wanted not in self.measures:
            names = ", ".join(map(str, self.measures))
            raise MeasureError(f"{wanted} was not scored (scored: {names})")
        worth = self.summary()[:, self.measures.index(wanted)]
        order = np.argsort(-worth if wanted.higher_is_better else worth, kind="stable")[:top]
        tables = {
            name: getattr(self, name)[order]
            for name in ("topics", "mean", "deviation", "logs", "largest")
        }
        return replace(self, runs=tuple(self.runs[index] for index in order), **tables)

    def table(self, digits: int = 4) -> Table:
        """Return the summaries as a table, a row for each run; the best by a measure stands out."""
        return summary_table(self.runs, self.measures, self.summary(), digits)

    def t_bounds(self, level: float) -> tuple[Floats, Floats]:
        """Return the t intervals of means; undefined where the summary is no mean."""
        from gradewise.errors import check_between
        from gradewise.stats.intervals import t_quantile  # loads scipy

        check_between(0, 1, level=level)
        with np.errstate(invalid="ignore", divide="ignore"):
            reach = t_quantile(np.maximum(self.topics, 2), level) / np.sqrt(self.topics)
            half = np.where(self.topics > 1, reach * self.deviation, np.nan)
        half[:, [measure.aggregate != "mean" for measure in self.measures]] = np.nan
        return self.mean - half, self.mean + half


class RunningTotals:
    """Totals of values that come some topics at a time, [topic, measure] for a run."""

    def __init__(self, runs: Sequence[str], measures: Sequence[Measure]):
        self.runs, self.measures = tuple(runs), tuple(measures)
        shape = (len(self.runs), len(self.measures))
        self.topics, self.mean, self.squares = np.zeros((3, *shape))
        self.logs, self.largest = np.zeros((2, *shape))

    def add(self, run: str, values: Floats) -> None:
        """Add the values of further topics."""
        row = self.runs.index(run)
        used = ~np.isnan(values)
        filled = np.where(used, values, 0.0)
        count = used.sum(axis=0)
        before, after = self.topics[row], self.topics[row] + count
        mean = filled.sum(axis=0) / np.maximum(count, 1)
        apart = np.where(count > 0, mean - self.mean[row], 0.0)
        share = count / np.maximum(after, 1)
        away = np.where(used, values - mean, 0.0)
        self.squares[row] += (away**2).sum(axis=0) + apart**2 * share * before
        self.mean[row] += apart * share
        logs = np.where(used, np.log(np.maximum(filled, SMALLEST)), 0.0)
        self.logs[row] += logs.sum(axis=0)
        self.largest[row] = np.maximum(self.largest[row], np.abs(filled).max(axis=0, initial=0.0))
        self.topics[row] = after

    def totals(self) -> Totals:
        """Return what was added up."""
        with np.errstate(invalid="ignore", divide="ignore"):
            deviation = np.sqrt(self.squares / (self.topics - 1))
            logs = self.logs / self.topics
        mean = np.where(self.topics > 0, self.mean, np.nan)
        topics = self.topics.astype(np.int64)
        return Totals(self.runs, self.measures, topics, mean, deviation, logs, self.largest)


def summary_frame(totals: Totals, bounds: tuple[Floats, Floats]) -> Any:
    """Return a frame of polars: run, measure, value, topics, low, high."""
    import polars as pl

    runs, measures = len(totals.runs), len(totals.measures)
    return pl.DataFrame(
        {
            RUN: np.array(totals.runs, object).repeat(measures).tolist(),
            MEASURE: [str(measure) for measure in totals.measures] * runs,
            VALUE: totals.summary().ravel(),
            "topics": totals.topics.ravel(),
            "low": bounds[0].ravel(),
            "high": bounds[1].ravel(),
        }
    ).with_columns(pl.col("low", "high").fill_nan(None))
