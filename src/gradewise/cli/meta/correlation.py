"""gradewise meta correlation: how measures agree."""

from typing import Annotated

import typer

from gradewise.choices import list_titles
from gradewise.cli import options as opt
from gradewise.stats.correlations import CORRELATIONS, Correlation

DEFAULT_MEASURES = ["AP", "nDCG", "GAP", "xGAP", "eGAP", "RBP", "Bpref"]
GRID_MEASURES = ["GAP", "AP", "nDCG", "RBP", "Bpref"]

TopicRule = Annotated[
    str | None,
    typer.Option(
        help="Topics to use: a rule such as 'R(1) >= 10*R(2) > 0', a file, ids or a regular "
        "expression.",
        metavar="TOPICS",
    ),
]
Above = Annotated[
    float,
    typer.Option(
        help="Use only runs at or above this quantile of their means.", metavar="QUANTILE", min=0
    ),
]
By = Annotated[str, typer.Option(help="Measure whose means --above applies to.", metavar="MEASURE")]
Kind = Annotated[Correlation, typer.Option(help=f"Correlation: {list_titles(CORRELATIONS)}.")]


def correlation(
    qrels: opt.Qrels,
    runs: opt.Runs,
    measure: opt.Measures = None,
    kind: Kind = "tau",
    topics: TopicRule = None,
    above: Above = 0.0,
    by: By = "AP",
    grid: Annotated[
        bool,
        typer.Option("--grid", help="Correlate GAP, xGAP and eGAP with -m over a grid of g."),
    ] = False,
    step: Annotated[
        float | None,
        typer.Option(
            help="Step of the grid; default 0.1 for two grades, else 0.2.", metavar="STEP"
        ),
    ] = None,
    g: Annotated[
        list[str] | None,
        typer.Option(
            "--g", help="Point of the grid, such as 0.5,0.5; repeat for more.", metavar="G"
        ),
    ] = None,
    figure: opt.Figure = None,
    scatter: Annotated[
        bool,
        typer.Option(
            "--scatter", help="Plot runs by the first two measures instead of the matrix."
        ),
    ] = False,
    output_format: opt.Printed = None,
    output: opt.Output = "-",
    replicates: opt.Replicates = 1000,
    seed: opt.Seed = 0,
    ties: opt.Ties = "trec",
    digits: opt.Digits = 3,
    columns: opt.Columns = None,
    names: opt.RunNames = "file",
    quiet: opt.Quiet = False,
) -> None:
    """Rank correlations between measures over runs, with confidence intervals."""
    from gradewise.cli.formats import write_frame
    from gradewise.cli.watching import note
    from gradewise.meta import Agreement, ThresholdGrid, threshold_grid
    from gradewise.meta import correlation as study

    opt.check_figure(figure)
    measures = measure or (GRID_MEASURES if grid else DEFAULT_MEASURES)
    judged = opt.join_runs(
        qrels,
        runs,
        [*measures, *([by] if above else [])],
        ties=ties,
        seed=seed,
        columns=columns,
        names=names,
        quiet=quiet,
    )
    result: Agreement | ThresholdGrid
    if grid:
        result = threshold_grid(
            judged,
            others=measures,
            probabilities=_numbers(g) if g else None,
            step=step,
            kind=kind,
            topics=topics,
            above=above,
            by=by,
        )
    else:
        result = study(
            judged,
            measures,
            kind=kind,
            topics=topics,
            above=above,
            by=by,
            replicates=replicates,
            seed=seed,
        )
    note(*result.notes, quiet=quiet)
    write_frame(result.frame, output_format, output, digits=digits)
    chart = "threshold_curves" if grid else "scatter" if scatter else "agreement_map"
    opt.draw(figure, lambda figures: getattr(figures, chart)(result))


def _numbers(texts: list[str]) -> list[list[float]]:
    try:
        return [[float(part) for part in text.split(",")] for text in texts]
    except ValueError:
        raise typer.BadParameter("--g takes numbers, such as 0.5,0.5") from None
