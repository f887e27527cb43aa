"""Scores: the value of every measure for every run and topic."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from gradewise.arrays import Bools, Floats
from gradewise.collection.coverage import Coverage
from gradewise.errors import (
    InputError,
    MeasureError,
    MissingDependencyError,
    counted,
    did_you_mean,
)
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.measures.measure import Measure
from gradewise.showing import Shown
from gradewise.tables import Table

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

_SMALLEST = 0.00001  # what the geometric mean takes in place of less, as trec_eval


@dataclass(frozen=True, eq=False)
class Scores(Shown):
    """The values of measures, `values[run, topic, measure]`, and their summaries.

    `counted[run, topic]` is False where a topic is left out of a run's summary.
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[Measure, ...]
    values: Floats
    counted: Bools
    coverage: Coverage | None = None

    @property
    def notes(self) -> list[str]:
        """What a user should know about how runs and judgments fit together, in sentences."""
        return [] if self.coverage is None else self.coverage.notes()

    @property
    def per_topic(self) -> "pl.DataFrame":
        """A frame with columns run, topic, measure, value, in a fixed order."""
        import polars as pl

        runs, topics, measures = self.values.shape
        names = [str(measure) for measure in self.measures]
        kept = np.broadcast_to(self.counted[:, :, None], self.values.shape).ravel()
        frame = pl.DataFrame(
            {
                "run": np.array(self.runs, object).repeat(topics * measures).tolist(),
                "topic": np.tile(np.array(self.topics, object).repeat(measures), runs).tolist(),
                "measure": names * (runs * topics),
                "value": self.values.ravel(),
            },
            schema={
                "run": pl.String,
                "topic": pl.String,
                "measure": pl.String,
                "value": pl.Float64,
            },
        )
        return frame.filter(pl.Series(kept))

    @property
    def mean(self) -> "pl.DataFrame":
        """A frame with columns run, measure, value: each measure's own summary over topics.

        That is the arithmetic mean for most, the sum for counts and the geometric mean for GMAP
        and GMBpref.
        """
        import polars as pl

        return pl.DataFrame(
            {
                "run": np.array(self.runs, object).repeat(len(self.measures)).tolist(),
                "measure": [str(measure) for measure in self.measures] * len(self.runs),
                "value": self.summary().ravel(),
            },
            schema={"run": pl.String, "measure": pl.String, "value": pl.Float64},
        )

    def summary(self) -> Floats:
        """Return each measure's own summary over topics, shape (runs, measures)."""
        result = np.zeros((len(self.runs), len(self.measures)))
        for index, measure in enumerate(self.measures):
            result[:, index] = summarize(measure, self.values[:, :, index], self.counted)
        return result

    @overload
    def __getitem__(self, key: MeasureLike) -> dict[str, float]: ...

    @overload
    def __getitem__(self, key: tuple[str, MeasureLike]) -> float: ...

    def __getitem__(self, key: MeasureLike | tuple[str, MeasureLike]) -> float | dict[str, float]:
        """Return a summary: `scores[run, measure]` is a number, `scores[measure]` {run: number}.

        Examples
        --------
        >>> import gradewise as gw
        >>> scores = gw.evaluate({"t": {"a": 1}}, {"mine": {"t": {"x": 2.0, "a": 1.0}}}, "AP")
        >>> scores["mine", "AP"], scores[gw.AP]
        (0.5, {'mine': 0.5})
        """
        run, measure = key if isinstance(key, tuple) else (None, key)
        column = self.summary()[:, self._place_of(measure)].tolist()
        if run is None:
            return dict(zip(self.runs, column, strict=True))
        if run not in self.runs:
            raise InputError(f"there is no run {run!r}{did_you_mean(str(run), self.runs)}")
        return column[self.runs.index(run)]

    def _place_of(self, measure: MeasureLike) -> int:
        wanted = parse_measure(measure)
        if wanted not in self.measures:
            names = ", ".join(map(str, self.measures))
            raise MeasureError(f"{wanted} was not scored; there are {names}")
        return self.measures.index(wanted)

    def __float__(self) -> float:
        if self.values.shape[0] != 1 or self.values.shape[2] != 1:
            raise MeasureError(f"{self!r} is not one number; choose one with scores[run, measure]")
        return float(self.summary()[0, 0])

    def table(self, digits: int = 4) -> Table:
        """Return the summaries as a table, a row for each run."""
        header = ["run", *[str(measure) for measure in self.measures]]
        rows = [
            [run, *[_cell(m, v, digits) for m, v in zip(self.measures, row, strict=True)]]
            for run, row in zip(self.runs, self.summary(), strict=True)
        ]
        return Table(header, rows)

    def to_text(self, *, digits: int = 4) -> str:
        """Return the summaries as plain text; a single run and measure as one number."""
        table = self.table(digits)
        if len(self.runs) == len(self.measures) == 1:
            return table.rows[0][1] + "\n"
        return table.to_text()

    def to_markdown(self, *, digits: int = 4) -> str:
        """Return the summaries as a Markdown table."""
        return self.table(digits).to_markdown()

    def to_latex(self, *, digits: int = 4) -> str:
        """Return the summaries as a LaTeX tabular, with the rules of booktabs."""
        return self.table(digits).to_latex()

    def to_frame(self, *, per_topic: bool = False) -> "pl.DataFrame":
        """Return a frame of polars: run, measure, value, or run, topic, measure, value."""
        return self.per_topic if per_topic else self.mean

    def to_pandas(self, *, per_topic: bool = False) -> "pd.DataFrame":
        """Return a frame of pandas with the columns of `to_frame`."""
        try:
            import pandas as pd
        except ImportError:
            raise MissingDependencyError("pandas", "plugins", "to_pandas") from None
        return pd.DataFrame(self.to_frame(per_topic=per_topic).to_dict(as_series=False))

    def to_csv(self, *, per_topic: bool = False) -> str:
        """Return run, measure, value as comma-separated values, to full precision."""
        return (self.per_topic if per_topic else self.mean).write_csv()

    def to_json(self, *, per_topic: bool = False) -> str:
        """Return {run: {measure: value}}, or {run: {topic: {measure: value}}}."""
        import json

        names = [str(measure) for measure in self.measures]
        if not per_topic:
            rows = self.summary().tolist()
            content: Any = {r: _named(names, v) for r, v in zip(self.runs, rows, strict=True)}
        else:
            content = {
                run: {
                    topic: _named(names, row)
                    for topic, row, kept in zip(self.topics, table, counted, strict=True)
                    if kept
                }
                for run, table, counted in zip(
                    self.runs, self.values.tolist(), self.counted.tolist(), strict=True
                )
            }
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write the values of topics as parquet: run, topic, measure, value."""
        from gradewise.files import whole_file

        with whole_file(path) as temporary:
            self.per_topic.write_parquet(temporary)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all values, as parquet or, if the path ends in .csv, as text."""
        from gradewise.files import write_text

        if Path(path).suffix.lower() == ".csv":
            write_text(path, self.to_csv(per_topic=True))
        else:
            self.to_parquet(path)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> "Scores":
        """Read what `save` wrote."""
        import polars as pl

        columns = {"run": pl.String, "topic": pl.String, "measure": pl.String, "value": pl.Float64}
        try:
            if Path(path).suffix.lower() == ".csv":
                frame = pl.read_csv(Path(path), schema=columns)
            else:
                frame = pl.read_parquet(Path(path)).select(
                    pl.col(n).cast(t) for n, t in columns.items()
                )
        except (OSError, pl.exceptions.PolarsError) as error:
            reason = str(error).splitlines()[0]
            raise InputError(f"{path}: these are not saved scores ({reason})") from None
        return scores_from_frame(frame)

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")

    def __repr__(self) -> str:
        shape = f"{counted(len(self.runs), 'run')}, {counted(len(self.topics), 'topic')}"
        return f"Scores({shape}, {', '.join(map(str, self.measures))})"


def scores_from_frame(frame: "pl.DataFrame") -> Scores:
    """Make scores of a frame with columns run, topic, measure, value."""
    order = [list(dict.fromkeys(frame[name].to_list())) for name in ("run", "topic", "measure")]
    places = [{key: index for index, key in enumerate(keys)} for keys in order]
    indices = [
        np.array([place[key] for key in frame[name].to_list()], np.int64)
        for name, place in zip(("run", "topic", "measure"), places, strict=True)
    ]
    values = np.zeros([len(keys) for keys in order])
    values[tuple(indices)] = frame["value"].to_numpy()
    counted = np.zeros(values.shape[:2], np.bool_)
    counted[indices[0], indices[1]] = True
    measures = tuple(parse_measure(name) for name in order[2])
    return Scores(tuple(order[0]), tuple(order[1]), measures, values, counted)


def summarize(measure: Measure, values: Floats, counted: Bools) -> Floats:
    """Summarize values[run, topic] over the topics that count; NaN is undefined and left out."""
    used = counted & ~np.isnan(values)
    filled = np.where(used, values, 0.0)
    if measure.aggregate == "sum":
        return np.asarray(filled.sum(axis=1))
    if measure.aggregate == "geometric":
        filled = np.where(used, np.log(np.maximum(filled, _SMALLEST)), 0.0)
    number = used.sum(axis=1)
    mean = np.full(len(values), np.nan)
    np.divide(filled.sum(axis=1), number, out=mean, where=number > 0)
    return np.exp(mean) if measure.aggregate == "geometric" else mean


def _cell(measure: Measure, value: float, digits: int) -> str:
    return f"{value:.0f}" if measure.aggregate == "sum" else f"{value:.{digits}f}"


def _named(names: list[str], values: list[float]) -> dict[str, float | None]:
    return {n: None if v != v else v for n, v in zip(names, values, strict=True)}
