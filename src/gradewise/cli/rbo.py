"""gradewise rbo: how similar rankings are."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gradewise.choices import list_titles
from gradewise.cli.options import (
    Depth,
    Digits,
    Output,
    Printed,
    Quiet,
    Runs,
    Seed,
    named_runs,
)
from gradewise.distance.rbo import RBO_TIES, RboTies

if TYPE_CHECKING:
    import polars as pl

    from gradewise.distance import Rbo


def rbo(
    runs: Runs,
    p: Annotated[
        float, typer.Option("-p", "--persistence", help="Persistence: rank d weighs p^(d-1).")
    ] = 0.9,
    depth: Depth = None,
    ties: Annotated[
        RboTies,
        typer.Option(help=f"Order of documents with equal scores: {list_titles(RBO_TIES)}."),
    ] = "trec",
    output_format: Printed = "table",
    output: Output = "-",
    seed: Seed = 0,
    digits: Digits = 4,
    quiet: Quiet = False,
) -> None:
    """Measure how similar rankings are by rank-biased overlap (RBO).

    For two runs, prints each topic and the mean; for more runs, the mean of each pair.
    """
    from gradewise.cli.formats import write_frame
    from gradewise.cli.watching import progress_bar
    from gradewise.distance import rbo as overlap
    from gradewise.distance import rbo_matrix
    from gradewise.errors import OptionError

    if len(runs) < 2:
        raise OptionError("only 1 run was given; an overlap needs at least 2")
    named = named_runs(runs)
    with progress_bar("topics", None, quiet=quiet) as advance:
        options: dict[str, Any] = {
            "k": depth,
            "ties": ties,
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
    """Return the overlap of each topic, and the means as the last row."""
    import polars as pl

    means = {
        "topic": ["all"],
        "extrapolated": [found.extrapolated],
        "minimum": [found.minimum],
        "residual": [found.residual],
    }
    return pl.concat([found.frame, pl.DataFrame(means)])
