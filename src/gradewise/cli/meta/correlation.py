"""gradewise meta correlation: do measures agree."""

from typing import Annotated

import typer

from gradewise.choices import list_titles
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
    Ties,
    check_figure,
    join_runs,
)
from gradewise.stats.correlations import CORRELATIONS, Correlation

DEFAULT_MEASURES = ["AP", "nDCG", "GAP", "xGAP", "eGAP", "RBP", "Bpref"]

TopicRule = Annotated[
    str | None, typer.Option(help="Topics to use, by a rule such as 'R(1) >= 10*R(2) > 0'.")
]
Above = Annotated[
    float, typer.Option(help="Use runs at or above this quantile of their means only.", min=0)
]
By = Annotated[str, typer.Option(help="The measure whose means --above looks at.")]
Kind = Annotated[Correlation, typer.Option(help=f"Rank correlation: {list_titles(CORRELATIONS)}.")]


def correlation(
    qrels: Qrels,
    runs: Runs,
    measure: Measures = None,
    kind: Kind = "tau",
    topics: TopicRule = None,
    above: Above = 0.0,
    by: By = "AP",
    grid: Annotated[
        bool,
        typer.Option(
            "--grid", help="GAP, xGAP and eGAP with the measures, over threshold probabilities."
        ),
    ] = False,
    step: Annotated[
        float | None, typer.Option(help="Step of the grid; .1 for two grades, else .2.")
    ] = None,
    g: Annotated[
        list[str] | None,
        typer.Option("--g", help="Threshold probabilities of the grid, as in 0.5,0.5; repeat."),
    ] = None,
    figure: Figure = None,
    scatter: Annotated[
        bool, typer.Option("--scatter", help="Draw the first two measures, not the matrix.")
    ] = False,
    output_format: Printed = "table",
    output: Output = "-",
    replicates: Replicates = 1000,
    seed: Seed = 0,
    ties: Ties = "trec",
    digits: Digits = 3,
    quiet: Quiet = False,
) -> None:
    """Rank correlations between measures over runs, with intervals over topics."""
    from gradewise.cli.formats import write_frame
    from gradewise.cli.watching import note
    from gradewise.meta import correlation as study
    from gradewise.meta import threshold_grid
    from gradewise.report.figures import correlation as figures
    from gradewise.report.figures.theme import save_figure

    check_figure(figure)
    judged = join_runs(qrels, runs, ties=ties, seed=seed, quiet=quiet)
    if grid:
        others = measure or ["GAP", "AP", "nDCG", "RBP", "Bpref"]
        points = threshold_grid(
            judged,
            others=others,
            probabilities=_numbers(g) if g else None,
            step=step,
            kind=kind,
            topics=topics,
            above=above,
            by=by,
        )
        frame, notes = points.frame, points.notes
    else:
        agreement = study(
            judged,
            measure or DEFAULT_MEASURES,
            kind=kind,
            topics=topics,
            above=above,
            by=by,
            replicates=replicates,
            seed=seed,
        )
        frame, notes = agreement.frame, agreement.notes
    for sentence in notes:
        note(sentence, quiet=quiet)
    write_frame(frame, output_format, output, digits=digits)
    if figure is not None:
        if grid:
            chart = figures.threshold_curves(points)
        else:
            chart = figures.scatter(agreement) if scatter else figures.agreement_map(agreement)
        save_figure(chart, figure)


def _numbers(texts: list[str]) -> list[list[float]]:
    try:
        return [[float(part) for part in text.split(",")] for text in texts]
    except ValueError:
        raise typer.BadParameter("--g takes numbers, as in 0.5,0.5") from None
