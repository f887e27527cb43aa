"""What a bucket gives: a wide table of lists, from which values and coverage follow.

A row is a list with its values, a list that is missing or that nobody judged, or a judged topic.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.coverage import DEPTHS
from gradewise.collection.ids import Ids
from gradewise.errors import InputError, Problem
from gradewise.scale.arrays import pa
from gradewise.scale.columns import RUN, TOPIC
from gradewise.scale.settings import Settings

# What a row is: a list, a judged topic that a run misses, a list of a topic that nobody judged, a
# judged topic, or a problem, with its place for the run and its reason for the topic.
LIST, MISSING, EXTRA, JUDGED, PROBLEM = range(5)
STATUS, RETRIEVED, RELEVANT = "status", "retrieved", "relevant"
SEEN = tuple(f"judged_at_{depth}" for depth in DEPTHS)


@dataclass(frozen=True, eq=False)
class Found:
    """Values and facts of lists, [run, topic]; `values` has a table for each measure.

    `seen[run, topic, d]` counts the judged documents among the first DEPTHS[d].
    """

    topics: tuple[str, ...]
    relevant: Ints
    retrieved: Ints
    seen: Ints
    values: list[Floats]


def value_columns(settings: Settings) -> list[str]:
    """Return what the columns of values are called; names of measures hold what names may not."""
    return [f"value_{number}" for number in range(len(settings.measures))]


def wide_schema(settings: Settings) -> Any:
    """Return the schema of a wide table."""
    return pa.schema(
        [
            pa.field(RUN, pa.string()),
            pa.field(TOPIC, pa.string()),
            pa.field(STATUS, pa.int8()),
            pa.field(RETRIEVED, pa.int64()),
            *[pa.field(name, pa.int64()) for name in SEEN],
            pa.field(RELEVANT, pa.int64()),
            *[pa.field(name, pa.float64()) for name in value_columns(settings)],
        ]
    )


def long_schema() -> Any:
    """Return the schema of values: run, topic, measure, value."""
    text = [(name, pa.string()) for name in (RUN, TOPIC, "measure")]
    return pa.schema([*text, ("value", pa.float64())])


def wide_table(
    found: Found | None,
    strangers: Sequence[tuple[Ids, Ints, Ints]],
    runs: Sequence[str],
    settings: Settings,
) -> Any:
    """Return the lists topic by topic, then the topics that nobody judged, then the topics."""
    parts = [] if found is None else [_lists_part(found, runs, settings), _topics_part(found)]
    parts += [_strangers_part(*stranger, runs) for stranger in strangers]
    if not parts:
        return wide_schema(settings).empty_table()
    return pa.concat_tables([_table(part, settings) for part in parts])


def _table(part: dict[str, Any], settings: Settings) -> Any:
    schema = wide_schema(settings)
    return pa.table([_column(part, field) for field in schema], schema=schema)


def _column(part: dict[str, Any], field: Any) -> Any:
    """Return a column; what does not apply is empty, 0 or undefined, so that none is missing."""
    if field.name in part:
        return pa.array(part[field.name], field.type)
    size = len(part[STATUS])
    if pa.types.is_string(field.type):
        return pa.array([""] * size, field.type)
    return pa.array(np.full(size, np.nan if pa.types.is_floating(field.type) else 0), field.type)


def _lists_part(found: Found, runs: Sequence[str], settings: Settings) -> dict[str, Any]:
    retrieved = found.retrieved.T.ravel()  # topic by topic
    is_there: Bools = retrieved > 0
    kept = np.flatnonzero(is_there) if settings.missing == "drop" else np.arange(len(retrieved))
    columns = zip(SEEN, np.moveaxis(found.seen, 2, 0), strict=True)
    values = zip(value_columns(settings), found.values, strict=True)
    return {
        RUN: _taken(runs, kept % len(runs)),
        TOPIC: _taken(found.topics, kept // len(runs)),
        STATUS: np.where(is_there[kept], LIST, MISSING),
        RETRIEVED: retrieved[kept],
        **{name: counts.T.ravel()[kept] for name, counts in columns},
        **{name: column.T.ravel()[kept] for name, column in values},
    }


def _topics_part(found: Found) -> dict[str, Any]:
    return {
        TOPIC: pa.array(found.topics, pa.string()),
        STATUS: np.full(len(found.topics), JUDGED),
        RELEVANT: found.relevant,
    }


def _strangers_part(topics: Ids, run: Ints, sizes: Ints, runs: Sequence[str]) -> dict[str, Any]:
    return {
        RUN: _taken(runs, run),
        TOPIC: pa.array(topics.to_list(), pa.string()),
        STATUS: np.full(len(run), EXTRA),
        RETRIEVED: sizes,
    }


def problem_table(error: InputError, settings: Settings) -> Any:
    """Return what is wrong with rows; the number of all problems counts as retrieved."""
    problems = error.problems or (Problem("", str(error)),)
    counts = [error.count, *[0] * (len(problems) - 1)]
    part = {
        RUN: [problem.place for problem in problems],
        TOPIC: [problem.reason for problem in problems],
        STATUS: np.full(len(problems), PROBLEM),
        RETRIEVED: np.array(counts),
    }
    return _table(part, settings)


def _taken(names: Sequence[str], places: Ints) -> Any:
    return pa.array(names, pa.string()).take(pa.array(places))


def long_table(wide: Any, settings: Settings) -> Any:
    """Return run, topic, measure, value: a row for each list of a judged topic and each measure."""
    import pyarrow.compute as pc

    lists = wide.filter(pc.less(wide[STATUS], EXTRA))
    size, count = lists.num_rows, len(settings.measures)
    places = np.arange(size).repeat(count)
    table = [lists[name].to_numpy() for name in value_columns(settings)]
    return pa.table(
        {
            RUN: lists[RUN].take(pa.array(places)),
            TOPIC: lists[TOPIC].take(pa.array(places)),
            "measure": _taken(settings.names, np.tile(np.arange(count), size)),
            "value": np.stack(table, axis=1).ravel() if size else np.zeros(0),
        }
    )
