"""Scores: the value of every measure for every run and topic."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from gradewise.arrays import Bools, Floats
from gradewise.collection.coverage import Coverage
from gradewise.collection.coverage import coverage as find_coverage
from gradewise.collection.qrels import HIGHEST_GRADE
from gradewise.collection.topic_subsets import keep_topics
from gradewise.collection.topics import TopicSets, TopicsLike, describe_choice, select_topics
from gradewise.csv_output import csv_text
from gradewise.errors import (
    InputError,
    MeasureError,
    MissingDependencyError,
    counted,
    did_you_mean,
)
from gradewise.files import file_kind
from gradewise.frames import long_frame
from gradewise.libraries import pl
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.measures.measure import Measure
from gradewise.measures.spellings import Spelling, spell
from gradewise.measures.summaries import summarize
from gradewise.noise import order_best_first
from gradewise.showing import Shown
from gradewise.tables import Marked, Table, find_places

if TYPE_CHECKING:
    import pandas as pd


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
    told: tuple[str, ...] = ()  # further notes

    @property
    def notes(self) -> list[str]:
        """What a user should know about how runs and judgments fit together, in sentences."""
        fit = [] if self.coverage is None else notes_for(self.measures, self.coverage)
        return [*fit, *self.told]

    @property
    def per_topic(self) -> "pl.DataFrame":
        """A frame with columns run, topic, measure, value, in a fixed order."""
        kept = np.broadcast_to(self.counted[:, :, None], self.values.shape).ravel()
        axes = {"run": self.runs, "topic": self.topics, "measure": self.measures}
        return long_frame(axes, {"value": self.values}).filter(pl.Series(kept))

    @property
    def mean(self) -> "pl.DataFrame":
        """A frame with columns run, measure, value: each measure's own summary over topics.

        That is the arithmetic mean for most, the sum for counts and the geometric mean for GMAP
        and GMBpref.
        """
        return long_frame({"run": self.runs, "measure": self.measures}, {"value": self.summary()})

    def summary(self) -> Floats:
        """Return each measure's own summary over topics, shape (runs, measures)."""
        result = np.zeros((len(self.runs), len(self.measures)))
        for index, measure in enumerate(self.measures):
            result[:, index] = summarize(measure, self.values[:, :, index], self.counted)
        return result

    def sorted(self, by: MeasureLike | None = None, *, top: int | None = None) -> "Scores":
        """Return the same scores with the best run by a measure first; or only the top runs.

        The measure is the first one by default. Runs with equal values keep their order.

        Examples
        --------
        >>> import gradewise as gw
        >>> runs = {"low": {"t": {"x": 2.0, "a": 1.0}}, "high": {"t": {"a": 1.0}}}
        >>> gw.evaluate({"t": {"a": 1}}, runs, "AP").sorted().runs
        ('high', 'low')
        """
        place = 0 if by is None else self._place_of(by)
        order = order_best_first(
            self.summary()[:, place], higher_is_better=self.measures[place].higher_is_better
        )
        return self.of_runs([self.runs[index] for index in order[:top]])

    def of_runs(self, names: Sequence[str]) -> "Scores":
        """Return the scores of some runs, in the order of their names."""
        places = {run: place for place, run in enumerate(self.runs)}
        for name in names:
            if name not in places:
                raise InputError(f"there is no run {name!r}{did_you_mean(name, self.runs)}")
        order = [places[name] for name in names]
        values, counted = self.values[order], self.counted[order]
        return replace(self, runs=tuple(names), values=values, counted=counted)

    def of_topics(self, topics: TopicsLike) -> "Scores":
        """Return the scores of some topics; `notes` says how many were kept.

        `topics` is a file with a topic on each line; ids, as a list or as comma-separated text; a
        rule that counts judged documents, such as "R(2) > 0"; or a regular expression that may
        match anywhere in an id.

        Examples
        --------
        >>> import gradewise as gw
        >>> qrels, run = {"401": {"a": 1}, "501": {"b": 1}}, {"401": {"a": 1.0}}
        >>> scores = gw.evaluate(qrels, {"mine": run}, "AP")
        >>> scores["mine", "AP"], scores.of_topics("^4")["mine", "AP"]
        (0.5, 1.0)
        """
        fit = self.coverage
        kept = select_topics(self.topics, topics, judged=None if fit is None else fit.judged)
        return replace(
            self,
            topics=tuple(self.topics[place] for place in np.flatnonzero(kept)),
            values=self.values[:, kept],
            counted=self.counted[:, kept],
            coverage=None if fit is None else find_coverage(keep_topics(fit.judged, kept)),
            told=(*self.told, describe_choice(topics, kept)),
        )

    def by_topics(self, sets: TopicSets) -> "dict[str, Scores]":
        """Return the scores of several sets of topics, {name: topics}, by their names.

        Examples
        --------
        >>> import gradewise as gw
        >>> qrels, run = {"401": {"a": 1}, "501": {"b": 1}}, {"401": {"a": 1.0}}
        >>> scores = gw.evaluate(qrels, {"mine": run}, "AP")
        >>> {name: part["mine", "AP"] for name, part in scores.by_topics({"old": "^4"}).items()}
        {'old': 1.0}
        """
        return {name: self.of_topics(topics) for name, topics in sets.items()}

    def of_measures(self, measures: Sequence[MeasureLike]) -> "Scores":
        """Return the scores by some of the measures, in the order of their names."""
        places = [self._place_of(measure) for measure in measures]
        chosen = tuple(self.measures[place] for place in places)
        return replace(self, measures=chosen, values=self.values[:, :, places])

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
            near = did_you_mean(str(wanted), map(str, self.measures))
            raise MeasureError(f"{wanted} was not scored{near} (scored: {names})")
        return self.measures.index(wanted)

    def __float__(self) -> float:
        if self.values.shape[0] != 1 or self.values.shape[2] != 1:
            raise MeasureError(f"{self!r} is not one number; choose one with scores[run, measure]")
        return float(self.summary()[0, 0])

    def table(self, digits: int = 4) -> Table:
        """Return the summaries as a table, a row for each run; the best by a measure stands out."""
        return summary_table(self.runs, self.measures, self.summary(), digits)

    def to_text(self, *, digits: int = 4) -> str:
        """Return the summaries as plain text; a single run and measure as one number."""
        table = self.table(digits)
        if len(self.runs) == len(self.measures) == 1:
            return table.rows[0][1] + "\n"
        return table.to_text()

    def to_markdown(
        self,
        *,
        digits: int = 4,
        names: Mapping[str, str] | None = None,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        """Return the summaries as a Markdown table; `names` renames runs and measures."""
        table = self.table(digits).renamed(names or {})
        return table.to_markdown(caption=caption, label=label)

    def to_latex(
        self,
        *,
        digits: int = 4,
        names: Mapping[str, str] | None = None,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        """Return the summaries as a LaTeX tabular, with the rules of booktabs.

        The best value of a column is bold, the second best underlined. With a caption or a label
        the tabular is put in a table. `names` renames runs and measures.
        """
        return self.table(digits).renamed(names or {}).to_latex(caption=caption, label=label)

    def to_html(
        self,
        *,
        digits: int = 4,
        names: Mapping[str, str] | None = None,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        """Return the summaries as an HTML table, marked as in LaTeX."""
        return self.table(digits).renamed(names or {}).to_html(caption=caption, label=label)

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
        return csv_text(self.per_topic if per_topic else self.mean)

    def to_dict(self, *, per_topic: bool = False, names: Spelling = "full") -> dict[str, Any]:
        """Return {run: {measure: value}}, or {run: {topic: {measure: value}}}, to log or to keep.

        With `names="plain"`, names have letters, digits, dots, hyphens and underscores alone, as
        MLflow and other trackers want them. Values that are undefined are NaN.

        Examples
        --------
        >>> import gradewise as gw
        >>> run = {"t": {"x": 2.0, "a": 1.0}}
        >>> scores = gw.evaluate({"t": {"a": 1}}, {"mine": run}, ["AP", "P@2"])
        >>> scores.to_dict()
        {'mine': {'AP': 0.5, 'P@2': 0.5}}
        >>> scores.to_dict(names="plain")["mine"]
        {'AP': 0.5, 'P_at_2': 0.5}
        """
        spelled = spell(self.measures, names)
        if not per_topic:
            pairs = zip(self.runs, self.summary().tolist(), strict=True)
            return {run: dict(zip(spelled, row, strict=True)) for run, row in pairs}
        return {
            run: {
                topic: dict(zip(spelled, row, strict=True))
                for topic, row, kept in zip(self.topics, table, counted, strict=True)
                if kept
            }
            for run, table, counted in zip(
                self.runs, self.values.tolist(), self.counted.tolist(), strict=True
            )
        }

    def to_json(self, *, per_topic: bool = False) -> str:
        """Return what `to_dict` returns as JSON, with null where a value is undefined."""
        import json

        content = _without_nan(self.to_dict(per_topic=per_topic))
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write the values of topics as parquet: run, topic, measure, value."""
        from gradewise.files import whole_file

        with whole_file(path) as temporary:
            self.per_topic.write_parquet(temporary)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the values of topics: as CSV or JSON if the path ends so, otherwise as parquet.

        `gw.read_scores` reads them back.
        """
        from gradewise.files import write_text

        kinds = {"csv": self.to_csv, "json": self.to_json}
        kind = file_kind(path)
        if kind in kinds:
            write_text(path, kinds[kind](per_topic=True))
        else:
            self.to_parquet(path)

    @staticmethod
    def read(source: Any) -> "Scores":
        """Read what `save` wrote; see `read_scores`."""
        from gradewise.measures.saved_scores import read_scores

        return read_scores(source)

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")

    def __repr__(self) -> str:
        shape = f"{counted(len(self.runs), 'run')}, {counted(len(self.topics), 'topic')}"
        return f"Scores({shape}, {', '.join(map(str, self.measures))})"


def notes_for(measures: Sequence[Measure], fit: Coverage) -> list[str]:
    """Return what users of some measures should know; those of intents need no single grade."""
    intents = all(measure.uses_intents for measure in measures)
    return [note for note in fit.notes() if not (intents and note == HIGHEST_GRADE)]


def summary_table(
    runs: Sequence[str], measures: Sequence[Measure], summary: Floats, digits: int
) -> Table:
    """Return summaries[run, measure] as a table; the best by a measure stands out."""
    columns = []
    for measure, values in zip(measures, summary.T.tolist(), strict=True):
        numbers = [_cell(measure, value, digits) for value in values]
        places = find_places(numbers, higher_is_better=measure.higher_is_better)
        columns.append([Marked(n, place=p) for n, p in zip(numbers, places, strict=True)])
    rows = [[run, *cells] for run, *cells in zip(runs, *columns, strict=True)]
    return Table(["run", *map(str, measures)], rows)


def _cell(measure: Measure, value: float, digits: int) -> str:
    return f"{value:.0f}" if measure.aggregate == "sum" else f"{value:.{digits}f}"


def _without_nan(content: Any) -> Any:
    """Return nested dictionaries with None in place of NaN."""
    if isinstance(content, dict):
        return {key: _without_nan(value) for key, value in content.items()}
    return None if content != content else content
