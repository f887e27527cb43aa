"""gradewise propensities: how much attention each rank gets, from interventions in a log."""

from typing import Annotated

import typer

from gradewise.choices import list_titles
from gradewise.cli import options as opt
from gradewise.cli.click_options import ClickColumns, Clicks, Level, read_log
from gradewise.clicks.propensities import METHODS, Method


def propensities(
    clicks: Clicks,
    method: Annotated[
        Method, typer.Option(help=f"Kind of intervention: {list_titles(METHODS)}.")
    ] = "swap",
    level: Level = 0.95,
    replicates: opt.Replicates = 1000,
    columns: ClickColumns = None,
    output_format: opt.Printed = None,
    output: opt.Output = "-",
    digits: opt.Digits = 4,
    seed: opt.Seed = 0,
    quiet: opt.Quiet = False,
) -> None:
    """Estimate how much attention each rank gets, relative to the first.

    The log must show documents at ranks that do not depend on users: shuffled, swapped at random,
    or put there by different rankers. Intervals come from resampling topics.
    """
    from gradewise.cli.formats import write_frame
    from gradewise.clicks.propensities import propensities as estimate

    log = read_log(clicks, columns, quiet=quiet)
    found = estimate(log, method, level=level, replicates=replicates, seed=seed)
    write_frame(found.frame, output_format, output, digits=digits)
