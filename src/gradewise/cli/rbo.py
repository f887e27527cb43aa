"""gradewise rbo: how similar rankings are."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gradewise.choices import list_titles
from gradewise.cli import options as opt
from gradewise.distance.rbo import RBO_TIES, RboTies
from gradewise.libraries import pl

if TYPE_CHECKING:
    from gradewise.distance import Rbo


def rbo(
    runs: opt.Runs,
    p: Annotated[
        float, typer.Option("-p", "--persistence", help="Persistence p: rank d has weight p^(d-1).")
    ] = 0.9,
    depth: opt.Depth = None,
    ties: Annotated[
        RboTies,
        typer.Option(help=f"Order of documents with equal scores: {list_titles(RBO_TIES)}."),
    ] = "trec",
    output_format: opt.Printed = None,
    output: opt.Output = "-",
    seed: opt.Seed = 0,
    digits: opt.Digits = 4,
    columns: opt.Columns = None,
    names: opt.RunNames = "file",
    quiet: opt.Quiet = False,
) -> None:
    """Measure how similar rankings are by rank-biased overlap (RBO).

    For two runs, prints each topic and the mean; for more runs, the mean of each pair.
    """
    from gradewise.cli.formats import write_frame
    from gradewise.cli.watching import progress_bar
    from gradewise.distance import rbo as overlap
    from gradewise.distance import rbo_matrix
    from gradewise.errors import check_runs

    named = opt.named_runs(runs, columns, names)
    check_runs(len(named), "an overlap")
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
    opt.tell_inputs(None, named, quiet=quiet)
    write_frame(frame, output_format, output, digits=digits)


def _with_all(found: "Rbo") -> "pl.DataFrame":
    """Return the overlap of each topic, and the means as the last row."""
    means = {
        "topic": ["all"],
        "extrapolated": [found.extrapolated],
        "minimum": [found.minimum],
        "residual": [found.residual],
    }
    return pl.concat([found.frame, pl.DataFrame(means)])
