"""gradewise rbo: how much rankings have in common."""

from enum import StrEnum
from itertools import combinations
from typing import Annotated

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
    import polars as pl

    from gradewise.cli.formats import write_frame
    from gradewise.cli.watching import progress_bar
    from gradewise.collection.reading import read_run
    from gradewise.distance import rbo as overlap
    from gradewise.errors import OptionError

    if len(runs) < 2:
        raise OptionError("an overlap needs two runs or more")
    read = [read_run(source, name=name) for name, source in named_runs(runs).items()]
    pairs = list(combinations(read, 2))
    with progress_bar("pairs of runs", len(pairs), quiet=quiet) as advance:
        found = []
        for first, second in pairs:
            found.append(overlap(first, second, p, k=depth, ties=ties.value, seed=seed))
            if advance is not None:
                advance(1)
    means = pl.DataFrame(
        [(*each.names, each.extrapolated, each.minimum, each.residual) for each in found],
        schema=["run_a", "run_b", "extrapolated", "minimum", "residual"],
        orient="row",
    )
    if len(found) == 1:
        everything = means.select(pl.lit("all").alias("topic"), *means.columns[2:])
        means = pl.concat([found[0].frame, everything])
    write_frame(means, output_format, output, digits=digits)
