"""Output formats by name: of frames, of scores and of comparisons."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import typer

from gradewise.files import write_text
from gradewise.tables import Table

if TYPE_CHECKING:
    import polars as pl

    from gradewise.measures.scores import Scores
    from gradewise.stats.comparison import Comparison

FrameFormat = Literal["table", "csv", "json", "markdown", "latex"]
ScoreFormat = Literal["table", "trec", "csv", "json", "markdown", "latex", "parquet"]
ComparisonFormat = Literal["table", "markdown", "latex", "csv"]


def write_frame(
    frame: "pl.DataFrame", output_format: FrameFormat, output: str, *, digits: int = 4
) -> None:
    """Write a frame to a file, or to standard output if that is "-"; csv and json in full."""
    write_text(output, FRAME_FORMATS[output_format](frame, digits))


def write_scores(
    scores: "Scores", output_format: ScoreFormat, output: str, *, per_topic: bool, digits: int
) -> None:
    """Write scores to a file or to standard output; tables include topics on request."""
    if output_format == "parquet":  # binary, and written by polars itself
        if output == "-":
            raise typer.BadParameter("parquet cannot be printed; name a file with -o FILE")
        scores.to_parquet(output)
    else:
        write_text(output, SCORE_FORMATS[output_format](scores, per_topic, digits))


def frame_table(frame: "pl.DataFrame", digits: int) -> Table:
    """Return a frame as a table: text columns to the left, numbers rounded."""
    numeric = [kind.is_numeric() for kind in frame.dtypes]
    labels = numeric.index(True) if True in numeric else len(numeric)
    rows = [[_frame_cell(value, digits) for value in row] for row in frame.iter_rows()]
    return Table(frame.columns, rows, labels=labels)


def _frame_cell(value: Any, digits: int) -> str:
    if value is None:
        return "-"
    return f"{value:.{digits}f}" if isinstance(value, float) else str(value)


FRAME_FORMATS: dict[FrameFormat, Callable[["pl.DataFrame", int], str]] = {
    "table": lambda frame, digits: frame_table(frame, digits).to_text(),
    "csv": lambda frame, _: frame.write_csv(),
    "json": lambda frame, _: frame.write_json() + "\n",
    "markdown": lambda frame, digits: frame_table(frame, digits).to_markdown(),
    "latex": lambda frame, digits: frame_table(frame, digits).to_latex(),
}


def _score_table(scores: "Scores", per_topic: bool, digits: int) -> Table:
    summary = scores.table(digits)
    if not per_topic:
        return summary
    rows = []
    for index, run in enumerate(scores.runs):
        for place, topic in enumerate(scores.topics):
            if scores.counted[index, place]:
                cells = scores.values[index, place]
                rows.append([run, topic, *[f"{value:.{digits}f}" for value in cells]])
        rows.append([run, "all", *summary.rows[index][1:]])
    return Table(["run", "topic", *map(str, scores.measures)], rows, labels=2)


def _trec_lines(scores: "Scores", per_topic: bool, digits: int) -> str:
    """Return lines as trec_eval prints them: measure, topic or "all", value.

    With several runs a line begins with the name of its run.
    """
    table = _score_table(scores, per_topic, digits)
    labels = 2 if per_topic else 1
    many = len(scores.runs) > 1
    lines = []
    for row in table.rows:
        for measure, value in zip(table.header[labels:], row[labels:], strict=True):
            topic = row[1] if per_topic else "all"
            lines.append((f"{row[0]}\t" if many else "") + f"{measure:<22}\t{topic}\t{value}\n")
    return "".join(lines)


SCORE_FORMATS: dict[ScoreFormat, Callable[["Scores", bool, int], str]] = {
    "table": lambda *scores: _score_table(*scores).to_text(),
    "trec": _trec_lines,
    "csv": lambda scores, per_topic, _: scores.to_csv(per_topic=per_topic),
    "json": lambda scores, per_topic, _: scores.to_json(per_topic=per_topic),
    "markdown": lambda *scores: _score_table(*scores).to_markdown(),
    "latex": lambda *scores: _score_table(*scores).to_latex(),
}

COMPARISON_FORMATS: dict[ComparisonFormat, Callable[["Comparison", bool, int], str]] = {
    "table": lambda found, pairs, digits: found.to_text(digits=digits, pairs=pairs),
    "markdown": lambda found, _, digits: found.to_markdown(digits=digits),
    "latex": lambda found, _, digits: found.to_latex(digits=digits),
    "csv": lambda found, pairs, _: found.to_csv(pairs=pairs),
}
