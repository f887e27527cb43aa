"""gradewise meta discrimination: can a measure tell runs apart."""

from enum import StrEnum
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

DEFAULT_MEASURES = ["AP", "GAP", "nDCG", "P@10"]


class Method(StrEnum):
    """The tests."""

    bootstrap = "bootstrap"
    tukey = "tukey"


def discrimination(
    qrels: Qrels,
    runs: Runs,
    measure: Measures = None,
    method: Annotated[
        Method, typer.Option(help="Test each pair (bootstrap) or all together (tukey).")
    ] = Method.bootstrap,
    best: Annotated[
        int | None, typer.Option(help="Use the best runs only, by the first measure.", min=2)
    ] = None,
    alpha: Annotated[
        list[float] | None, typer.Option(help="Level of significance; repeat. Default .05, .01.")
    ] = None,
    figure: Figure = None,
    output_format: Printed = "table",
    output: Output = "-",
    replicates: Replicates = 1000,
    seed: Seed = 0,
    digits: Digits = 4,
    quiet: Quiet = False,
) -> None:
    """Share of pairs of runs that each measure tells apart, and the difference it needs."""
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
        method=method.value,
        best=best,
        alphas=alpha or (0.05, 0.01),
        replicates=replicates,
        seed=seed,
    )
    write_frame(result.frame, output_format, output, digits=digits)
    if figure is not None:
        save_figure(significance_curves(result), figure)
