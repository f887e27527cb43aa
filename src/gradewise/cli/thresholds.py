"""gradewise thresholds: where users draw the line between relevant and not."""

import warnings
from typing import Annotated

import typer

from gradewise.choices import list_titles
from gradewise.cli import options as opt
from gradewise.cli.click_options import ClickColumns, Clicks, Level, read_log
from gradewise.clicks.threshold_users import USERS, Users


def thresholds(
    qrels: opt.Qrels,
    clicks: Clicks,
    users: Annotated[
        Users, typer.Option(help=f"What users do: {list_titles(USERS)}.")
    ] = "position",
    level: Level = 0.95,
    replicates: Annotated[
        int, typer.Option(help="Number of bootstrap samples for intervals; 0 for none.", min=0)
    ] = 200,
    columns: ClickColumns = None,
    output_format: opt.Printed = None,
    output: opt.Output = "-",
    digits: opt.Digits = 4,
    seed: opt.Seed = 0,
    quiet: opt.Quiet = False,
) -> None:
    """Estimate from clicks where users draw the line between relevant and not.

    Prints the share of users who draw it at each grade, which GAP, xGAP and eGAP take as g.
    Intervals come from resampling topics.
    """
    from gradewise.cli.formats import write_frame
    from gradewise.cli.watching import note, progress_bar
    from gradewise.clicks.thresholds import thresholds as estimate
    from gradewise.errors import counted

    log = read_log(clicks, columns, quiet=quiet)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with progress_bar("samples", replicates, quiet=quiet) as advance:
            found = estimate(
                qrels,
                log,
                users=users,
                level=level,
                replicates=replicates,
                seed=seed,
                progress=advance,
            )
    note(*(str(warning.message) for warning in caught), quiet=quiet)
    note(*(each for each in found.notes if each not in log.notes), quiet=quiet)
    note(
        f"{counted(found.sessions, 'session')} of {counted(found.topics, 'topic')}; measure: "
        f"{found.measure}",
        "a document that is not relevant to the user is clicked "
        f"{found.others:.3f} times as often as one that is",
        quiet=quiet,
    )
    write_frame(found.frame, output_format, output, digits=digits)
