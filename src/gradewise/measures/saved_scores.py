"""Scores that were saved: read back from CSV, JSON, parquet or a frame, and put together."""

import io
import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from gradewise.arrays import Bools, Floats
from gradewise.collection.qrels import report_order
from gradewise.collection.sources.frames import is_frame, is_parquet
from gradewise.collection.sources.panics import read_by_polars
from gradewise.collection.sources.texts import read_text
from gradewise.errors import InputError, MeasureError
from gradewise.files import is_file
from gradewise.measures.grammar import parse_measure
from gradewise.measures.measure import Measure
from gradewise.measures.scores import Scores

if TYPE_CHECKING:
    import polars as pl

# What the columns of saved scores may be called; ours first, then PyTerrier's and others.
COLUMNS: Final = {
    "run": ("run", "name", "system"),
    "topic": ("topic", "qid", "query_id", "query"),
    "measure": ("measure", "metric"),
    "value": ("value", "score"),
}
_HEAD = 1 << 16  # bytes that tell what a text holds
_STRING = r'"((?:[^"\\]|\\.)*)"\s*:\s*'
_BY_TOPIC = re.compile(rf"\s*\{{\s*{_STRING}\{{\s*{_STRING}\{{\s*{_STRING}[^\s{{\[]")
_BY_RUN = re.compile(rf"\s*\{{\s*{_STRING}\{{\s*{_STRING}[^\s{{\[]")

Held = Literal["topics", "means"]


def read_scores(source: Any) -> Scores:
    """Read saved scores, with a value for each run, topic and measure.

    Parameters
    ----------
    source
        A path to CSV, JSON or parquet, as `Scores.save` and `gradewise eval -q -o` write them, told
        by content; to a folder of parquet that a cluster wrote; or a frame with columns run,
        topic, measure and value (or name, qid, measure and value, as in PyTerrier).

    Examples
    --------
    >>> import gradewise as gw
    >>> scores = gw.evaluate({"t": {"a": 1}}, {"mine": {"t": {"x": 2.0, "a": 1.0}}}, "AP")
    >>> gw.read_scores(scores.per_topic)["mine", "AP"]
    0.5
    """
    if isinstance(source, Scores):
        return source
    if isinstance(source, (str, os.PathLike)):
        return _from_frame(_read_frame(source), str(source))
    if not is_frame(source):
        raise InputError(f"scores: expected a path or a frame, not {type(source).__name__}")
    import polars as pl

    frame = source.collect() if isinstance(source, pl.LazyFrame) else pl.DataFrame(source)
    return _from_frame(frame, "scores")


def find_scores(path: str | os.PathLike[str]) -> Held | None:
    """Tell whether a file holds saved scores: of topics, means only, or None if it does not."""
    if not is_file(path):
        return None
    if is_parquet(path):
        import polars as pl

        with read_by_polars(str(path)):
            return _held(pl.read_parquet_schema(Path(path)))
    try:
        head = read_text(path, _HEAD)
    except InputError:  # whoever reads it will say so
        return None
    if head.lstrip().startswith("{"):
        return _held_by_json(head)
    return _held([name.strip('" ') for name in head.split("\n", 1)[0].rstrip("\r").split(",")])


def _held(names: Any) -> Held | None:
    """Tell what is held by the names of columns."""
    found = {kind for kind, known in COLUMNS.items() if not set(known).isdisjoint(names)}
    if {"run", "measure", "value"} <= found:
        return "topics" if "topic" in found else "means"
    return None


def _held_by_json(head: str) -> Held | None:
    """Tell {run: {topic: {measure: value}}} from means and from other JSON, by its first keys."""
    for pattern, held in ((_BY_TOPIC, "topics"), (_BY_RUN, "means")):
        found = pattern.match(head)
        if found and _is_measure(json.loads(f'"{found.groups()[-1]}"')):
            return "topics" if held == "topics" else "means"
    return None


def _is_measure(name: str) -> bool:
    try:
        parse_measure(name)
    except MeasureError:
        return False
    return True


def _read_frame(path: str | os.PathLike[str]) -> "pl.DataFrame":
    import polars as pl

    try:
        if Path(path).is_dir():
            with read_by_polars(str(path)):
                return pl.read_parquet(Path(path) / "*.parquet").sort("run", "measure")
        if is_parquet(path):
            with read_by_polars(str(path)):
                return pl.read_parquet(Path(path))
        text = read_text(path)
        if text.lstrip().startswith("{"):
            if _held_by_json(text) == "means":
                raise _only_means(str(path))
            return _frame_of_json(json.loads(text))
        return pl.read_csv(io.StringIO(text), infer_schema=False)
    except (OSError, json.JSONDecodeError, pl.exceptions.PolarsError) as error:
        raise _refused(str(path), str(error).splitlines()[0]) from None


def _frame_of_json(content: Any) -> "pl.DataFrame":
    import polars as pl

    rows = list(_json_rows(content))
    columns = zip(*rows, strict=True) if rows else ([], [], [], [])
    kinds = {"run": pl.String, "topic": pl.String, "measure": pl.String, "value": pl.Float64}
    return pl.DataFrame(dict(zip(kinds, map(list, columns), strict=True)), schema=kinds)


def _json_rows(content: Any) -> Iterator[tuple[str, str, str, float | None]]:
    """Give the rows of {run: {topic: {measure: value}}}; what has another shape gives none."""
    for run, topics in content.items():
        for topic, values in topics.items() if isinstance(topics, dict) else ():
            for measure, value in values.items() if isinstance(values, dict) else ():
                if isinstance(value, (int, float)) or value is None:
                    yield run, topic, measure, value


def _from_frame(frame: "pl.DataFrame", name: str) -> Scores:
    """Make scores of a frame, or say what is wrong with it."""
    import polars as pl

    if "topics" in frame.columns:
        raise _refused(name, "they cover several sets of topics; save those of all topics instead")
    chosen = {}
    for column, known in COLUMNS.items():
        here = [each for each in known if each in frame.columns]
        if not here and _held(frame.columns) == "means":
            raise _only_means(name)
        if not here:
            raise _refused(name, f"there is no column {column}; found {_listed(frame.columns)}")
        chosen[column] = here[0]
    try:
        frame = frame.select(
            *[pl.col(chosen[each]).cast(pl.String).alias(each) for each in list(COLUMNS)[:3]],
            pl.col(chosen["value"]).cast(pl.Float64).alias("value").fill_null(float("nan")),
        )
    except pl.exceptions.PolarsError as error:
        raise _refused(name, str(error).splitlines()[0]) from None
    if frame.is_empty():
        raise _refused(name, "they contain no values for topics")
    if frame.null_count().row(0) != (0, 0, 0, 0):
        raise _refused(name, "a run, topic or measure is missing")
    return _arranged(frame, name)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 8 else f"{', '.join(names[:8])}, ..."


def _only_means(name: str) -> InputError:
    return InputError(
        f"{name}: these scores are means over topics; save the values for each topic with "
        "gradewise eval -q, or as parquet"
    )


def _refused(name: str, reason: str) -> InputError:
    return InputError(f"{name}: these are not saved scores ({reason})")


def _arranged(frame: "pl.DataFrame", name: str) -> Scores:
    """Put the rows of a frame into an array [run, topic, measure]."""
    import polars as pl

    names = {each: frame[each].unique(maintain_order=True).to_list() for each in list(COLUMNS)[:3]}
    names["topic"] = [names["topic"][place] for place in report_order(names["topic"])]
    places = tuple(
        frame[each].cast(pl.Enum(known)).to_physical().to_numpy() for each, known in names.items()
    )
    seen = np.zeros([len(known) for known in names.values()], np.int64)
    np.add.at(seen, places, 1)
    counted: Bools = np.asarray(seen.any(axis=2))
    wrong = np.argwhere((seen > 1) | (counted[:, :, None] & (seen == 0)))
    if len(wrong):
        run, topic, measure = (
            known[place] for known, place in zip(names.values(), wrong[0], strict=True)
        )
        times = "more than one value" if seen[tuple(wrong[0])] else "no value"
        raise _refused(name, f"there is {times} of {measure} for run {run} on topic {topic}")
    values: Floats = np.zeros(seen.shape)
    values[places] = frame["value"].to_numpy()
    measures = tuple(parse_measure(measure) for measure in names["measure"])
    return Scores(tuple(names["run"]), tuple(names["topic"]), measures, values, counted)


def merge_scores(parts: Sequence[Scores]) -> Scores:
    """Put the scores of several files together: all runs, by the measures that all of them have.

    Topics that a part lacks are left out of the means of its runs.
    """
    if len(parts) == 1:
        return parts[0]
    runs = [run for part in parts for run in part.runs]
    twice = next((run for run in runs if runs.count(run) > 1), None)
    if twice is not None:
        raise InputError(f"there are two runs named {twice!r} in the saved scores")
    measures = tuple(m for m in parts[0].measures if all(m in part.measures for part in parts))
    if not measures:
        raise InputError("the saved scores have no measure in common")
    topics = list(dict.fromkeys(topic for part in parts for topic in part.topics))
    topics = [topics[place] for place in report_order(topics)]
    blocks = [_widened(part, topics, measures) for part in parts]
    values, counted = (np.concatenate(each) for each in zip(*blocks, strict=True))
    return Scores(tuple(runs), tuple(topics), measures, values, counted)


def _widened(
    part: Scores, topics: Sequence[str], measures: Sequence[Measure]
) -> tuple[Floats, Bools]:
    """Return values and what counts, for more topics and fewer measures."""
    place = {topic: index for index, topic in enumerate(topics)}
    where = np.array([place[topic] for topic in part.topics])
    chosen = [part.measures.index(measure) for measure in measures]
    values = np.zeros((len(part.runs), len(topics), len(measures)))
    counted = np.zeros(values.shape[:2], np.bool_)
    values[:, where], counted[:, where] = part.values[:, :, chosen], part.counted
    return values, counted
