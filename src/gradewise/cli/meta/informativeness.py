"""gradewise meta informativeness: how much a measure's value says about a list."""

from typing import Annotated

import typer

from gradewise.cli.options import (
    Digits,
    Figure,
    Jobs,
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


def informativeness(
    qrels: Qrels,
    runs: Runs,
    measure: Measures = None,
    sweep: Annotated[
        bool, typer.Option("--sweep", help="Also study GAP over a grid of threshold probabilities.")
    ] = False,
    step: Annotated[float, typer.Option(help="Step of the grid.", metavar="STEP")] = 0.1,
    inferred: Annotated[
        bool,
        typer.Option(
            "--inferred", help="Print how well other measures are inferred instead of curves."
        ),
    ] = False,
    least: Annotated[
        int,
        typer.Option(
            help="Use only lists with at least this many relevant documents.", metavar="N", min=1
        ),
    ] = 5,
    least_top: Annotated[
        int,
        typer.Option(
            help="Use only lists with at least this many documents of the highest grade.",
            metavar="N",
            min=0,
        ),
    ] = 5,
    keep: Annotated[
        str | None,
        typer.Option(
            help="Folder for partial results; resumes interrupted work.", metavar="FOLDER"
        ),
    ] = None,
    jobs: Jobs = 1,
    figure: Figure = None,
    output_format: Printed = "table",
    output: Output = "-",
    replicates: Replicates = 1000,
    seed: Seed = 0,
    digits: Digits = 4,
    quiet: Quiet = False,
) -> None:
    """Informativeness: how well a measure's value describes the ranked list.

    Each list is inferred from the value of a measure by maximum entropy. rms and mae compare the
    inferred precision-recall curve with the actual one at each relevance threshold.

    Example: gradewise meta informativeness qrels.txt run*.txt -m AP -m nDCG
    """
    from gradewise.cli.formats import write_frame
    from gradewise.cli.watching import note, progress_bar
    from gradewise.meta import advise
    from gradewise.meta import informativeness as study
    from gradewise.meta.correlation import simplex
    from gradewise.report.figures import informativeness as figures
    from gradewise.report.figures.theme import save_figure

    check_figure(figure)
    measures = list(measure or (["nDCG"] if sweep else DEFAULT_MEASURES))
    judged = join_runs(qrels, runs, measures, seed=seed, quiet=quiet)
    if sweep:
        points = simplex(len(judged.scale), step).tolist()
        measures = [f"GAP(g={point})" for point in points] + measures
    with progress_bar("lists", len(judged) * len(measures), quiet=quiet) as advance:
        result = study(
            judged,
            measures,
            least=least,
            least_top=least_top,
            jobs=jobs,
            keep=keep,
            progress=advance,
        )
    write_frame(
        result.inferences if inferred else result.frame, output_format, output, digits=digits
    )
    if len(result.measures) > 1:
        note(str(advise(result, replicates=replicates, seed=seed)), quiet=quiet)
    if figure is not None:
        save_figure(figures.sweep_curves(result) if sweep else figures.error_bars(result), figure)
