"""gradewise meta discrimination: the discriminative power of measures."""

from typing import Annotated

import typer

from gradewise.cli.options import (
    Digits,
    Figure,
    Measures,
    Output,
    Printed,
    Qrels,
    Quiet,
    Replicates,
    Runs,
    Seed,
    check_figure,
    join_runs,
)
from gradewise.meta.discrimination import Method

DEFAULT_MEASURES = ["AP", "GAP", "nDCG", "P@10"]


def discrimination(
    qrels: Qrels,
    runs: Runs,
    measure: Measures = None,
    method: Annotated[
        Method, typer.Option(help="Bootstrap test of each pair, or Tukey's test of all pairs.")
    ] = "bootstrap",
    best: Annotated[
        int | None,
        typer.Option(
            help="Use only this many runs, the best by the first measure.", metavar="N", min=2
        ),
    ] = None,
    alpha: Annotated[
        list[float] | None,
        typer.Option(
            help="Significance level; repeat for more. Default: 0.05, 0.01.", metavar="LEVEL"
        ),
    ] = None,
    figure: Figure = None,
    output_format: Printed = "table",
    output: Output = "-",
    replicates: Replicates = 1000,
    seed: Seed = 0,
    digits: Digits = 4,
    quiet: Quiet = False,
) -> None:
    """Discriminative power: share of pairs of runs that differ significantly.

    difference_needed estimates how large a difference of means must be to be significant.

    Example: gradewise meta discrimination qrels.txt run*.txt --best 15
    """
    from gradewise.cli.formats import write_frame
    from gradewise.meta import discrimination as study
    from gradewise.report.figures.discrimination import significance_curves
    from gradewise.report.figures.theme import save_figure

    check_figure(figure)
    measures = measure or DEFAULT_MEASURES
    judged = join_runs(qrels, runs, measures, quiet=quiet)
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
    if figure is not None:
        save_figure(significance_curves(result), figure)
