"""gradewise meta discrimination: the discriminative power of measures."""

from typing import Annotated

import typer

from gradewise.cli import options as opt
from gradewise.meta.discrimination import Method

DEFAULT_MEASURES = ["AP", "GAP", "nDCG", "P@10"]


def discrimination(
    qrels: opt.Qrels,
    runs: opt.Runs,
    measure: opt.Measures = None,
    method: Annotated[
        Method, typer.Option(help="Bootstrap test of each pair, or Tukey's test of all pairs.")
    ] = "bootstrap",
    best: Annotated[
        int | None,
        typer.Option(help="Use only this many runs, the best by the first measure.", min=2),
    ] = None,
    alpha: Annotated[
        list[float] | None,
        typer.Option(
            help="Significance level; repeat for more. Default: 0.05, 0.01.", metavar="LEVEL"
        ),
    ] = None,
    figure: opt.Figure = None,
    output_format: opt.Printed = None,
    output: opt.Output = "-",
    replicates: opt.Replicates = 1000,
    seed: opt.Seed = 0,
    digits: opt.Digits = 4,
    columns: opt.Columns = None,
    names: opt.RunNames = "file",
    quiet: opt.Quiet = False,
) -> None:
    """Discriminative power: share of pairs of runs that differ significantly.

    difference_needed estimates how large a difference of means must be to be significant.
    """
    from gradewise.cli.formats import write_frame
    from gradewise.meta import discrimination as study

    opt.check_figure(figure)
    measures = measure or DEFAULT_MEASURES
    judged = opt.join_runs(qrels, runs, measures, columns=columns, names=names, quiet=quiet)
    result = study(
        judged,
        measures,
        method=method,
        best=best,
        alphas=alpha or (0.05, 0.01),
        replicates=replicates,
        seed=seed,
    )
    write_frame(result.frame, output_format, output, digits=digits)
    opt.draw(figure, lambda figures: figures.significance_curves(result))
