"""Arguments and options of commands that read click logs."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from gradewise.clicks.log import ClickLog

Clicks = Annotated[
    str,
    typer.Argument(
        help="Click log with columns session, topic, doc, rank, click: CSV, TSV, JSON lines, "
        "parquet, or - for standard input."
    ),
]
ClickColumns = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="ROLES",
        help="What the columns of the log contain, if their names do not say: "
        "session,topic,doc,rank,click in order (_: not used), or session=NAME,topic=NAME,...",
    ),
]
Level = Annotated[float, typer.Option(help="Confidence level.", min=0, max=1)]


def read_log(clicks: str, columns: str | None, *, quiet: bool) -> "ClickLog":
    """Read a log, and note what was assumed about it."""
    from gradewise.cli.watching import note
    from gradewise.clicks.reading import read_clicks

    log = read_clicks(clicks, columns=columns)
    note(*log.notes, quiet=quiet)
    return log
