"""gradewise rbo: how much rankings have in common."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gradewise.cli.options import (
    Depth,
    Digits,
    FrameFormat,
    Output,
    Printed,
    Quiet,
    Runs,
    Seed,
    named_runs,
)

if TYPE_CHECKING:
    import polars as pl

    from gradewise.distance import Rbo


class RboTies(StrEnum):
    """What is done with equal scores."""

    trec = "trec"
    input = "input"
    random = "random"
    tied = "tied"


def rbo(
    runs: Runs,
    p: Annotated[
        float, typer.Option("-p", "--persistence", help="Weight of rank d: p^(d-1).")
    ] = 0.9,
    depth: Depth = None,
    ties: Annotated[
        RboTies,
        typer.Option(help="Order of equal scores; tied lets them share the first of their ranks."),
    ] = RboTies.trec,
    output_format: Printed = FrameFormat.table,
    output: Output = "-",
    seed: Seed = 0,
    digits: Digits = 4,
    quiet: Quiet = False,
) -> None:
    """Tell how much rankings have in common: rank-biased overlap.

    Two runs: topic by topic, and their mean. More runs: the means of each pair.
    """
    from gradewise.cli.formats import write_frame
    from gradewise.cli.watching import progress_bar
    from gradewise.distance import rbo as overlap
    from gradewise.distance import rbo_matrix
    from gradewise.errors import OptionError

    if len(runs) < 2:
        raise OptionError("an overlap needs two runs or more")
    named = named_runs(runs)
    with progress_bar("topics", None, quiet=quiet) as advance:
        options: dict[str, Any] = {
            "k": depth,
            "ties": ties.value,
            "seed": seed,
            "progress": advance,
        }
        if len(named) > 2:
            frame = rbo_matrix(named, p, **options).frame
        else:
            first, second = named.values()
            frame = _with_all(overlap(first, second, p, **options))
    write_frame(frame, output_format, output, digits=digits)


def _with_all(found: "Rbo") -> "pl.DataFrame":
    """Return the overlap of each topic, and a last row with the means."""
    import polars as pl

    means = {
        "topic": ["all"],
        "extrapolated": [found.extrapolated],
        "minimum": [found.minimum],
        "residual": [found.residual],
    }
    return pl.concat([found.frame, pl.DataFrame(means)])
