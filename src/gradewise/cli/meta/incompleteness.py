"""gradewise meta incompleteness: does a measure survive missing judgments."""

from typing import Annotated

import typer

from gradewise.cli.meta.correlation import Above, By, Kind, TopicRule
from gradewise.cli.options import (
    Digits,
    Figure,
    JudgedOnly,
    Measures,
    Output,
    Printed,
    Qrels,
    Quiet,
    Runs,
    Seed,
    check_figure,
    join_rejudged,
)

DEFAULT_MEASURES = ["AP", "GAP", "xGAP", "eGAP", "nDCG", "RBP", "Bpref", "infAP"]


def incompleteness(
    qrels: Qrels,
    runs: Runs,
    measure: Measures = None,
    rate: Annotated[
        list[float] | None,
        typer.Option(help="A share of the pool to keep; repeat. Default: 1, .9, ..., .1, .05."),
    ] = None,
    replicates: Annotated[int, typer.Option(help="Series of samples to draw.", min=1)] = 10,
    judged_only: JudgedOnly = False,
    kind: Kind = "tau",
    topics: TopicRule = None,
    above: Above = 0.0,
    by: By = "AP",
    figure: Figure = None,
    output_format: Printed = "table",
    output: Output = "-",
    seed: Seed = 0,
    digits: Digits = 3,
    quiet: Quiet = False,
) -> None:
    """Correlation with the whole pool's ranking of runs, as judgments are taken away."""
    from gradewise.cli.formats import write_frame
    from gradewise.cli.watching import note, progress_bar
    from gradewise.meta import incompleteness as study
    from gradewise.meta.incompleteness import RATES
    from gradewise.report.figures.incompleteness import incompleteness_curves
    from gradewise.report.figures.theme import save_figure

    check_figure(figure)
    rates = rate or list(RATES)
    rejudged = join_rejudged(qrels, runs, quiet=quiet)
    with progress_bar("samples", len(rates) * replicates, quiet=quiet) as advance:
        result = study(
            rejudged,
            measure or DEFAULT_MEASURES,
            rates=rates,
            replicates=replicates,
            judged_only=judged_only,
            kind=kind,
            topics=topics,
            above=above,
            by=by,
            seed=seed,
            progress=advance,
        )
    for sentence in result.notes:
        note(sentence, quiet=quiet)
    write_frame(result.frame, output_format, output, digits=digits)
    if figure is not None:
        save_figure(incompleteness_curves(result), figure)
