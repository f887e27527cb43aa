"""How Dask moves rows to workers: judgments and rows are shuffled by topic together."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from gradewise.collection.reading import read_qrels
from gradewise.collection.ties import Ties
from gradewise.errors import InputError, MissingDependencyError
from gradewise.scale.arrays import is_text, pa, to_floats
from gradewise.scale.bucket import Collection, score_partition
from gradewise.scale.columns import (
    NUMBER,
    RUN,
    TEXT,
    TOPIC,
    Chosen,
    judgment_columns,
    row_columns,
)
from gradewise.scale.judgments import judgment_table
from gradewise.scale.outcome import long_table, wide_schema
from gradewise.scale.remote import reachable
from gradewise.scale.sampling import in_sample
from gradewise.scale.settings import Settings

try:
    import dask.dataframe
    import pandas as pd
except ImportError:
    raise MissingDependencyError("dask[dataframe,distributed]", "scale", "Dask") from None

library: Any = dask  # most of it is not annotated
dd: Any = dask.dataframe
_TEXT_TYPE = "string[pyarrow]"


def score_frame(qrels: Any, runs: Any, settings: Settings, *, partitions: int | None) -> Any:
    """Return a frame of wide tables."""
    judgments, rows = _judgment_frame(qrels), _row_frame(runs, settings.ties)
    facts = dd.concat(
        [
            rows.map_partitions(_distinct, RUN, meta=_FACTS),
            judgments.map_partitions(_distinct, NUMBER, meta=_FACTS),
        ]
    ).repartition(npartitions=1)
    if settings.share < 1:
        judgments = judgments.map_partitions(sampled, settings.share, settings.seed)
        topics = judgments[[TOPIC]].map_partitions(_distinct_topics).repartition(npartitions=1)
        rows = rows.map_partitions(_of_topics, topics)
    columns = [*rows.columns, *[name for name in judgments.columns if name not in rows.columns]]
    both = dd.concat([_with_columns(judgments, columns), _with_columns(rows, columns)])
    shuffled = both.shuffle(on=TOPIC, npartitions=partitions or rows.npartitions)
    return shuffled.map_partitions(
        _score_frame,
        facts,
        settings,
        meta=to_pandas(wide_schema(settings).empty_table()),
    )


def to_long(wide: Any, settings: Settings) -> Any:
    """Return run, topic, measure, value from a frame of wide tables."""
    return wide.map_partitions(
        lambda part: to_pandas(long_table(to_arrow_table(part), settings)),
        meta=to_pandas(long_table(wide_schema(settings).empty_table(), settings)),
    )


def _score_frame(
    frame: Any,
    facts: Any,
    settings: Settings,
    partition_info: dict[str, Any] | None = None,
) -> Any:
    """Score the topics of a partition."""
    whole = Collection(*_known(facts))
    number = (partition_info or {}).get("number", 0)
    table = to_arrow_table(frame)
    parts = list(score_partition(table, whole, settings, f"partition {number}: "))
    return to_pandas(pa.concat_tables([wide_schema(settings).empty_table(), *parts]))


def sampled(frame: Any, share: float, seed: int) -> Any:
    """Return the rows of a share of the topics."""
    chosen = {topic for topic in frame[TOPIC].unique() if in_sample(str(topic), share, seed)}
    return frame[frame[TOPIC].isin(chosen)]


def _distinct_topics(frame: Any) -> Any:
    return frame.drop_duplicates()


def _of_topics(frame: Any, topics: Any) -> Any:
    return frame[frame[TOPIC].isin(set(topics[TOPIC]))]


_FACTS = pd.DataFrame({"fact": pd.Series([], dtype=_TEXT_TYPE)})


def _distinct(frame: Any, column: str) -> Any:
    """Return the distinct values of a column, as JSON."""
    values = frame[column].dropna().unique()
    listed = sorted(float(v) for v in values) if column == NUMBER else sorted(map(str, values))
    return pd.DataFrame({"fact": pd.Series([json.dumps({column: listed})], dtype=_TEXT_TYPE)})


def _known(facts: Any) -> tuple[tuple[str, ...], Any]:
    """Return the runs and the positive grades of the collection."""
    runs: set[str] = set()
    grades: set[int] = set()
    for fact in facts["fact"]:
        found = json.loads(fact)
        runs |= {name for name in found.get(RUN, ()) if name.strip()}
        grades |= {int(grade) for grade in found.get(NUMBER, ()) if grade > 0 and grade % 1 == 0}
    return tuple(sorted(runs)), np.array(sorted(grades), np.int64)


def _judgment_frame(qrels: Any) -> Any:
    if not is_frame(qrels):
        return dd.from_pandas(
            to_pandas(judgment_table(read_qrels(reachable(qrels)))), npartitions=1
        )
    chosen = judgment_columns([str(name) for name in qrels.columns])
    return _normalized(qrels, chosen, None)


def _row_frame(runs: Any, ties: Ties) -> Any:
    if is_frame(runs):
        chosen = row_columns([str(name) for name in runs.columns], ties, "runs", run=True)
        return _normalized(runs, chosen, None)
    if not isinstance(runs, Mapping) or not all(map(is_frame, runs.values())):
        raise InputError(
            "runs: expected a dask.dataframe frame with a column run, or a dictionary {name: frame}"
        )
    if not runs:
        raise InputError("no runs were given")
    frames = [
        _normalized(frame, row_columns(list(frame.columns), ties, str(name), run=False), str(name))
        for name, frame in runs.items()
    ]
    return dd.concat(frames)


def is_frame(given: Any) -> bool:
    """Tell whether something is a frame of dask.dataframe."""
    return hasattr(given, "map_partitions") and hasattr(given, "npartitions")


def _normalized(frame: Any, chosen: Chosen, run: str | None) -> Any:
    """Return the chosen columns under the names that workers know, as text and doubles."""
    names = [*chosen.columns, *([] if run is None else [RUN])]
    meta = pd.DataFrame(
        {name: pd.Series([], dtype=_TEXT_TYPE if name in TEXT else "float64") for name in names}
    )
    used = frame[list(dict.fromkeys(chosen.columns.values()))]
    return used.map_partitions(_normalize, chosen, run, meta=meta)


def _normalize(frame: Any, chosen: Chosen, run: str | None) -> Any:
    table = pa.Table.from_pandas(frame, preserve_index=False)
    columns: dict[str, Any] = {}
    for name, column in chosen.columns.items():
        given = table[column]
        if name in TEXT:
            columns[name] = _as_text(given, name)
        else:
            numbers = to_floats(given, column)
            columns[name] = -numbers if chosen.negated and name == NUMBER else numbers
    if run is not None:
        columns[RUN] = pa.array([run] * table.num_rows, pa.string())
    return to_pandas(pa.table(columns))


def _as_text(column: Any, name: str) -> Any:
    """Return ids as text; those that are missing are empty, and found to be wrong later."""
    import pyarrow.compute as pc

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not (is_text(kind) or pa.types.is_integer(kind) or pa.types.is_null(kind)):
        raise InputError(f"the column {name} has type {kind}; ids must be text or whole numbers")
    return pc.fill_null(column.cast(pa.large_string()), "")


def _with_columns(frame: Any, columns: list[str]) -> Any:
    """Return a frame with all columns, in order; those that it lacks are missing values."""
    meta = pd.DataFrame(
        {name: pd.Series([], dtype=_TEXT_TYPE if name in TEXT else "float64") for name in columns}
    )
    return frame.map_partitions(_fill_columns, columns, meta=meta)


def _fill_columns(frame: Any, columns: list[str]) -> Any:
    table = pa.Table.from_pandas(frame, preserve_index=False)
    for name in columns:
        if name not in table.column_names:
            kind = pa.large_string() if name in TEXT else pa.float64()
            table = table.append_column(name, pa.nulls(table.num_rows, kind))
    return to_pandas(table.select(columns))


def to_pandas(table: Any) -> Any:
    """Return a table as a frame of pandas whose text stays in Arrow's layout."""
    types = {pa.string(): pd.StringDtype("pyarrow"), pa.large_string(): pd.StringDtype("pyarrow")}
    return table.to_pandas(types_mapper=types.get)


def to_arrow_table(frame: Any) -> Any:
    """Return a frame of pandas as a table."""
    return pa.Table.from_pandas(frame, preserve_index=False)
