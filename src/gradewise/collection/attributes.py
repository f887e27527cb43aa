"""Attributes of topics, such as intent or length, and the groups of topics that they make."""

import io
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from gradewise.arrays import AnyArray, Bools, Floats, Ints, distinct
from gradewise.collection.sources.frames import is_frame, is_parquet
from gradewise.collection.sources.texts import read_text
from gradewise.errors import InputError, counted

if TYPE_CHECKING:
    import polars as pl

# A path to CSV, TSV or parquet; a frame; or {topic: {attribute: value}}.
AttributesLike: TypeAlias = Any

MOST_GROUPS: Final = 12  # of an attribute; the smallest are put together
_FEWEST = 3  # topics of a group: with fewer, intervals say nothing
_PARTS = 3  # into which numbers are cut
_TOPIC = ("topic", "qid", "query_id", "query", "topic_id", "id")
_REST = "(other)"


@dataclass(frozen=True, eq=False)
class Attribute:
    """Topics in groups: `labels[topic]` is the place of a topic's group, or -1 if it has none.

    `about` says how groups were made, if not by the values that were given; groups that were
    `found` come from the scores or the judgments themselves.
    """

    name: str
    groups: tuple[str, ...]
    labels: Ints
    about: str = ""
    found: bool = False

    @property
    def sizes(self) -> Ints:
        """How many topics each group has."""
        return np.bincount(self.labels[self.labels >= 0], minlength=len(self.groups))

    def members(self) -> Bools:
        """Return which topics belong to which group, [group, topic]."""
        return np.asarray(self.labels == np.arange(len(self.groups))[:, None])

    def of_topics(self, kept: Bools | Ints) -> "Attribute":
        """Return the same of some topics; groups that lose all of theirs are left out."""
        return _without_empty(replace(self, labels=self.labels[kept]))


class TopicAttributes(NamedTuple):
    """Attributes of topics, and what was assumed or left out, in sentences."""

    attributes: tuple[Attribute, ...]
    notes: tuple[str, ...]


def read_attributes(source: AttributesLike, topics: Sequence[str]) -> TopicAttributes:
    """Read attributes of topics: categories are groups, numbers are cut into three.

    Parameters
    ----------
    source
        A path to CSV, TSV or parquet with a column of topics and a column for each attribute; a
        frame with these columns; or {topic: {attribute: value}}. The column of topics is called
        topic, qid or query_id, or is the first one. Numbers with more than three different values
        are cut into terciles. Values of fewer than three topics are put together, and so are the
        rarest of more than twelve. An empty cell is no value.
    topics
        The topics that have been scored. Others are left out.

    Examples
    --------
    >>> intents = {"1": "buy", "2": "learn", "3": "buy", "4": "learn", "5": "buy", "6": "learn"}
    >>> held = {topic: {"intent": intent} for topic, intent in intents.items()}
    >>> (intent,), _ = read_attributes(held, list(intents))
    >>> intent.groups, intent.labels.tolist()
    (('buy', 'learn'), [0, 1, 0, 1, 0, 1])
    """
    name, frame = _read_frame(source)
    column = _topic_column(frame, name)
    rows = _rows_of(frame[column], topics, name)
    found, notes = [], list(_unmatched(rows, len(frame), len(topics), name))
    for attribute in frame.columns:
        if attribute != column:
            made, lacking = _grouped(attribute, frame[attribute], rows)
            if lacking:
                told = f"{counted(lacking, 'topic')} without a value left out of its groups"
                notes.append(f"{attribute}: {told}")
            if len(made.groups) < 2:
                notes.append(f"{attribute}: left out, because it does not split the topics")
            else:
                found.append(made)
    if not found:
        raise InputError(f"{name}: no column splits the topics into groups of {_FEWEST} or more")
    return TopicAttributes(tuple(found), tuple(notes))


def split_at_median(
    name: str, values: Floats, names: tuple[str, str], about: Callable[[float], str]
) -> Attribute | None:
    """Return topics at or below the median of their values, and above it; None if these are one.

    Examples
    --------
    >>> values = np.array([3.0, 1.0, 2.0, 9.0, 2.0, 4.0])
    >>> halves = split_at_median("n", values, ("few", "many"), "to {}".format)
    >>> halves.labels.tolist(), halves.about
    ([1, 0, 0, 1, 0, 1], 'to 2.5')
    """
    median = float(np.median(values))
    made = Attribute(name, names, (values > median).astype(np.int64), about(median), found=True)
    return made if (made.sizes >= _FEWEST).all() else None


def _read_frame(source: AttributesLike) -> tuple[str, "pl.DataFrame"]:
    import polars as pl

    if isinstance(source, Mapping):
        return "attributes", _frame_of_mapping(source)
    if not isinstance(source, (str, os.PathLike)):
        if not is_frame(source):
            kind = type(source).__name__
            raise InputError(f"attributes: expected a path, a frame or a dictionary, not {kind}")
        return "attributes", source.collect() if hasattr(source, "collect") else pl.DataFrame(
            source
        )
    name = str(source)
    try:
        if is_parquet(source):
            return name, pl.read_parquet(Path(source))
        text = read_text(source).removeprefix("\ufeff")
        first = text.partition("\n")[0]
        separator = max("\t;,", key=first.count) if any(c in first for c in "\t;,") else ","
        return name, pl.read_csv(io.StringIO(text), separator=separator, infer_schema=False)
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{name}: cannot be read as attributes of topics ({reason})") from None


def _frame_of_mapping(source: Mapping[Any, Any]) -> "pl.DataFrame":
    import polars as pl

    if not all(isinstance(held, Mapping) for held in source.values()):
        raise InputError("attributes: expected {topic: {attribute: value}}")
    names = dict.fromkeys(str(name) for held in source.values() for name in held)
    columns = {name: [_text(held.get(name)) for held in source.values()] for name in names}
    topics = {"topic": [str(topic) for topic in source]}
    return pl.DataFrame({**topics, **columns}, schema_overrides=dict.fromkeys(columns, pl.String))


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _topic_column(frame: "pl.DataFrame", name: str) -> str:
    if len(frame.columns) < 2:
        raise InputError(
            f"{name}: expected a column of topics and at least one attribute, but the columns are "
            f"{', '.join(frame.columns) or 'none'}"
        )
    known = [column for column in frame.columns if column.strip().lower() in _TOPIC]
    return known[0] if known else frame.columns[0]


def _rows_of(column: "pl.Series", topics: Sequence[str], name: str) -> Ints:
    """Return the row of each topic, or -1."""
    import polars as pl

    ids = [None if text is None else text.strip() for text in column.cast(pl.String).to_list()]
    place: dict[str, int] = {}
    for row, topic in enumerate(ids):
        if topic in place:
            raise InputError(f"{name}: there are two rows for topic {topic!r}")
        if topic:
            place[topic] = row
    rows = np.array([place.get(topic, -1) for topic in topics], np.int64)
    if (rows < 0).all():
        given, own = next(iter(place), "none"), topics[0] if topics else "none"
        raise InputError(
            f"{name}: none of its topics were scored; its ids look like {given!r}, those of the "
            f"scores like {own!r} (topics were read from the column {column.name!r})"
        )
    return rows


def _unmatched(rows: Ints, given: int, topics: int, name: str) -> Iterable[str]:
    lacking, unused = int((rows < 0).sum()), given - int((rows >= 0).sum())
    if lacking:
        yield f"{name}: no row for {lacking} of {counted(topics, 'topic')}, left out of groups"
    if unused:
        yield f"{name}: left out {counted(unused, 'row')} for topics that were not scored"


def _grouped(name: str, column: "pl.Series", rows: Ints) -> tuple[Attribute, int]:
    """Return the groups of one attribute, terciles of numbers or values, and how many lack one."""
    import polars as pl

    texts = column.cast(pl.String).str.strip_chars().replace("", None)
    if column.dtype.is_float():
        texts = texts.replace("NaN", None)
    numbers = texts.cast(pl.Float64, strict=False)
    is_number = numbers.null_count() == texts.null_count() and bool(numbers.is_finite().all())
    held: AnyArray = np.array([*texts.to_list(), None], dtype=object)[rows]
    lacking = sum(value is None for value in held) - int((rows < 0).sum())
    if is_number and texts.n_unique() - bool(texts.null_count()) > _PARTS:
        filled = np.append(numbers.fill_null(float("nan")).to_numpy(), np.nan)
        return _terciles(name, filled[rows]), lacking
    return _categories(name, held, in_order=is_number), lacking


def _terciles(name: str, values: Floats) -> Attribute:
    """Cut numbers at the smallest values that a third and two thirds of topics do not exceed."""
    known = np.sort(values[~np.isnan(values)])
    cuts = known[[-(-len(known) * part // _PARTS) - 1 for part in range(1, _PARTS)]]
    labels = np.searchsorted(distinct(cuts), values, side="left")
    labels[np.isnan(values)] = -1
    places = [group for group in range(_PARTS) if (labels == group).any()]
    ends = [(values[labels == group].min(), values[labels == group].max()) for group in places]
    names = tuple(f"{a:g}" if a == b else f"{a:g} to {b:g}" for a, b in ends)
    renumbered = np.searchsorted(places, labels)
    about = "numbers, cut at terciles of the topics"
    return _merged(Attribute(name, names, np.where(labels < 0, -1, renumbered), about))


def _categories(name: str, values: AnyArray, *, in_order: bool) -> Attribute:
    groups = sorted(
        {value for value in values if value is not None}, key=float if in_order else None
    )
    place = {group: index for index, group in enumerate(groups)}
    labels = np.array([place.get(value, -1) for value in values], np.int64)
    return _merged(Attribute(name, tuple(groups), labels))


def _merged(attribute: Attribute) -> Attribute:
    """Put groups that are too small, or too many, together as the last one."""
    sizes = attribute.sizes
    most = MOST_GROUPS if len(sizes) <= MOST_GROUPS else MOST_GROUPS - 1
    kept = np.zeros(len(sizes), np.bool_)
    kept[np.argsort(-sizes, kind="stable")[:most]] = True
    kept &= sizes >= _FEWEST
    if kept.all():
        return attribute
    names = [group for group, keep in zip(attribute.groups, kept, strict=True) if keep]
    enough = int(sizes[~kept].sum()) >= _FEWEST  # a single topic stays without a group
    told = f"{counted(int((~kept).sum()), 'value')} with few topics "
    told += "merged" if enough else "left out"
    new = np.where(kept, np.cumsum(kept) - 1, len(names) if enough else -1)
    return replace(
        attribute,
        groups=(*names, *([_REST] if enough else [])),
        labels=np.append(new, -1)[attribute.labels],
        about=f"{attribute.about}; {told}" if attribute.about else told,
    )


def _without_empty(attribute: Attribute) -> Attribute:
    kept = attribute.sizes > 0
    names = tuple(group for group, keep in zip(attribute.groups, kept, strict=True) if keep)
    new = np.append(np.cumsum(kept) - 1, -1)
    return replace(attribute, groups=names, labels=new[attribute.labels])
