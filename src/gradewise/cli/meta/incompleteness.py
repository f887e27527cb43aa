"""gradewise meta incompleteness: how robust measures are to missing judgments."""

from typing import Annotated

import typer

from gradewise.cli import options as opt
from gradewise.cli.meta.correlation import Above, By, Kind, TopicRule

DEFAULT_MEASURES = ["AP", "GAP", "xGAP", "eGAP", "nDCG", "RBP", "Bpref", "infAP"]


def incompleteness(
    qrels: opt.Qrels,
    runs: opt.Runs,
    measure: opt.Measures = None,
    rate: Annotated[
        list[float] | None,
        typer.Option(
            help="Share of the pool to keep; repeat for more. Default: 1, 0.9, ..., 0.1, 0.05.",
            metavar="SHARE",
        ),
    ] = None,
    replicates: Annotated[
        int, typer.Option(help="Number of series of nested samples.", min=1)
    ] = 10,
    judged_only: opt.JudgedOnly = False,
    kind: Kind = "tau",
    topics: TopicRule = None,
    above: Above = 0.0,
    by: By = "AP",
    figure: opt.Figure = None,
    output_format: opt.Printed = None,
    output: opt.Output = "-",
    seed: opt.Seed = 0,
    digits: opt.Digits = 3,
    columns: opt.Columns = None,
    names: opt.RunNames = "file",
    quiet: opt.Quiet = False,
) -> None:
    """Robustness: how the ranking of runs changes as judgments are removed.

    tau is the correlation with the ranking by all judgments.
    """
    from gradewise.cli.formats import write_frame
    from gradewise.cli.watching import note, progress_bar
    from gradewise.meta import incompleteness as study
    from gradewise.meta.incompleteness import RATES

    opt.check_figure(figure)
    rates = rate or list(RATES)
    measures = measure or DEFAULT_MEASURES
    needed = [*measures, *([by] if above else [])]
    judged = opt.join_runs(qrels, runs, needed, columns=columns, names=names, quiet=quiet)
    with progress_bar("samples", len(rates) * replicates, quiet=quiet) as advance:
        result = study(
            judged,
            measures,
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
    note(*result.notes, quiet=quiet)
    write_frame(result.frame, output_format, output, digits=digits)
    opt.draw(figure, lambda figures: figures.incompleteness_curves(result))
