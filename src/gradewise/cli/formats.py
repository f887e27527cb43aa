"""Scores and frames as text, in the formats of the command line."""

from typing import TYPE_CHECKING, Any

from gradewise.cli.options import FrameFormat
from gradewise.files import write_text
from gradewise.measures.scores import Scores
from gradewise.tables import Table

if TYPE_CHECKING:
    import polars as pl


def write_frame(
    frame: "pl.DataFrame", output_format: FrameFormat, output: str, *, digits: int = 4
) -> None:
    """Write a frame to a file, or to standard output if that is "-"; csv and json in full."""
    if output_format is FrameFormat.csv:
        write_text(output, frame.write_csv())
        return
    if output_format is FrameFormat.json:
        write_text(output, frame.write_json() + "\n")
        return
    table = frame_table(frame, digits)
    if output_format is FrameFormat.markdown:
        write_text(output, table.to_markdown())
    else:
        latex = output_format is FrameFormat.latex
        write_text(output, table.to_latex() if latex else table.to_text())


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


def render(scores: Scores, name: str, *, per_topic: bool, digits: int) -> str:
    """Return scores in a format; tables hold the topics too if asked for."""
    if name == "csv":
        return scores.to_csv(per_topic=per_topic)
    if name == "json":
        return scores.to_json(per_topic=per_topic)
    if name == "trec":
        return _trec_lines(scores, per_topic=per_topic, digits=digits)
    table = _topic_table(scores, digits) if per_topic else scores.table(digits)
    if name == "markdown":
        return table.to_markdown()
    return table.to_latex() if name == "latex" else table.to_text()


def write_scores(path: str, text: str) -> None:
    """Write text to a file, or to standard output."""
    write_text(path, text)


def _topic_table(scores: Scores, digits: int) -> Table:
    rows = []
    summary = scores.table(digits).rows
    for index, run in enumerate(scores.runs):
        for place, topic in enumerate(scores.topics):
            if scores.counted[index, place]:
                cells = scores.values[index, place]
                rows.append([run, topic, *[f"{value:.{digits}f}" for value in cells]])
        rows.append([run, "all", *summary[index][1:]])
    return Table(["run", "topic", *map(str, scores.measures)], rows, labels=2)


def _trec_lines(scores: Scores, *, per_topic: bool, digits: int) -> str:
    """Return lines as trec_eval prints them: measure, topic or "all", value.

    With several runs a line begins with the name of its run.
    """
    table = _topic_table(scores, digits) if per_topic else scores.table(digits)
    labels = 2 if per_topic else 1
    many = len(scores.runs) > 1
    lines = []
    for row in table.rows:
        for measure, value in zip(table.header[labels:], row[labels:], strict=True):
            topic = row[1] if per_topic else "all"
            lines.append((f"{row[0]}\t" if many else "") + f"{measure:<22}\t{topic}\t{value}\n")
    return "".join(lines)
