"""Formats of scores, of all topics or of several sets of topics."""

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from gradewise.cli.formats import Looks, parquet_bytes, write_formatted
from gradewise.csv_output import csv_text
from gradewise.tables import Table

if TYPE_CHECKING:
    import polars as pl

    from gradewise.measures.scores import Scores

ScoreFormat = Literal["table", "trec", "csv", "json", "markdown", "latex", "html", "parquet"]
# Scores by the name of a set of topics; "" if there is one without a name.
Sets = Mapping[str, "Scores"]


def write_scores(
    sets: Sets, chosen: ScoreFormat, output: str, per_topic: bool, looks: Looks
) -> None:
    """Write scores to a file or to standard output; tables include topics on request."""
    write_formatted(lambda name: SCORE_FORMATS[name](sets, per_topic, looks), chosen, output)


def join_tables(tables: Mapping[str, Table]) -> Table:
    """Put the tables of sets below each other, with the name of the set in front."""
    if list(tables) == [""]:
        return tables[""]
    first = next(iter(tables.values()))
    rows = [[name, *row] for name, table in tables.items() for row in table.rows]
    return Table(["topics", *first.header], rows, labels=first.labels + 1)


def join_frames(frames: Mapping[str, "pl.DataFrame"]) -> "pl.DataFrame":
    """Put the frames of sets below each other, with the name of the set in front."""
    import polars as pl

    if list(frames) == [""]:
        return frames[""]
    named = [
        frame.select(pl.lit(name, pl.String).alias("topics"), pl.all())
        for name, frame in frames.items()
    ]
    return pl.concat(named)


def join_json(texts: Mapping[str, str]) -> str:
    """Put the JSON of sets into one object, by the name of the set."""
    if list(texts) == [""]:
        return texts[""]
    content = {name: json.loads(text) for name, text in texts.items()}
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _table(sets: Sets, per_topic: bool, looks: Looks) -> Table:
    make = _topic_table if per_topic else _mean_table
    return join_tables({name: make(scores, looks) for name, scores in sets.items()})


def _mean_table(scores: "Scores", looks: Looks) -> Table:
    return scores.table(looks.digits).renamed(looks.names)


def _topic_table(scores: "Scores", looks: Looks) -> Table:
    summary = scores.table(looks.digits)
    rows = []
    for index, run in enumerate(scores.runs):
        for place, topic in enumerate(scores.topics):
            if scores.counted[index, place]:
                cells = scores.values[index, place]
                rows.append([run, topic, *[f"{value:.{looks.digits}f}" for value in cells]])
        rows.append([run, "all", *summary.rows[index][1:]])
    table = Table(["run", "topic", *map(str, scores.measures)], rows, labels=2)
    return table.renamed(looks.names)


def _frame(sets: Sets, per_topic: bool) -> "pl.DataFrame":
    return join_frames({n: scores.to_frame(per_topic=per_topic) for n, scores in sets.items()})


def _json(sets: Sets, per_topic: bool, _: Any) -> str:
    return join_json({n: scores.to_json(per_topic=per_topic) for n, scores in sets.items()})


def _trec_lines(sets: Sets, per_topic: bool, looks: Looks) -> str:
    """Return lines as trec_eval prints them: measure, topic or "all", value.

    With several runs a line begins with the name of its run, and with sets of topics with that.
    """
    table = _table(sets, per_topic, looks)
    many = len(next(iter(sets.values())).runs) > 1
    named = table.labels - 1 - per_topic
    lines = []
    for row in table.rows:
        begin = "".join(f"{name}\t" for name in row[: named + many])
        topic = row[table.labels - 1] if per_topic else "all"
        for measure, value in zip(table.header[table.labels :], row[table.labels :], strict=True):
            lines.append(f"{begin}{measure:<22}\t{topic}\t{value}\n")
    return "".join(lines)


SCORE_FORMATS: dict[ScoreFormat, Callable[[Sets, bool, Looks], str | bytes]] = {
    "table": lambda sets, topics, looks: _table(sets, topics, looks).to_text(width=looks.width),
    "trec": _trec_lines,
    "csv": lambda sets, topics, _: csv_text(_frame(sets, topics)),
    "json": _json,
    "markdown": lambda *scores: _table(*scores).to_markdown(**scores[-1].captioned),
    "latex": lambda *scores: _table(*scores).to_latex(**scores[-1].captioned),
    "html": lambda *scores: _table(*scores).to_html(**scores[-1].captioned),
    "parquet": lambda sets, *_: parquet_bytes(_frame(sets, True)),
}
