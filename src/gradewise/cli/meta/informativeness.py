"""gradewise meta informativeness: how much a measure's value says about a list."""

from typing import Annotated

import typer

from gradewise.cli import options as opt

DEFAULT_MEASURES = ["AP", "GAP", "nDCG", "P@10"]


def informativeness(
    qrels: opt.Qrels,
    runs: opt.Runs,
    measure: opt.Measures = None,
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
        typer.Option(help="Use only lists with at least this many relevant documents.", min=1),
    ] = 5,
    least_top: Annotated[
        int,
        typer.Option(
            help="Use only lists with at least this many documents of the highest grade.", min=0
        ),
    ] = 5,
    keep: Annotated[
        str | None,
        typer.Option(help="Folder for partial results; interrupted work resumes from it."),
    ] = None,
    jobs: opt.Jobs = 1,
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
    """Informativeness: how well a measure's value describes the ranked list.

    Each list is inferred from the value of a measure by maximum entropy. rms and mae compare the
    inferred precision-recall curve with the actual one at each relevance threshold. The row R/N is
    the error without a measure, where all ranks are equally likely to be relevant.
    """
    from gradewise.cli.formats import write_frame
    from gradewise.cli.watching import note, progress_bar
    from gradewise.meta import advise
    from gradewise.meta import informativeness as study
    from gradewise.meta.correlation import simplex

    opt.check_figure(figure)
    measures = list(measure or (["nDCG"] if sweep else DEFAULT_MEASURES))
    judged = opt.join_runs(
        qrels, runs, measures, seed=seed, columns=columns, names=names, quiet=quiet
    )
    if sweep:
        points = simplex(len(judged.scale), step).tolist()
        measures = [f"GAP(g={point})" for point in points] + measures
    with progress_bar("lists", len(judged) * (len(measures) + 1), quiet=quiet) as advance:
        result = study(
            judged,
            measures,
            least=least,
            least_top=least_top,
            baseline=True,
            jobs=jobs,
            keep=keep,
            progress=advance,
        )
    write_frame(
        result.inferences if inferred else result.frame, output_format, output, digits=digits
    )
    if len(measures) > 1:
        note(str(advise(result, replicates=replicates, seed=seed)), quiet=quiet)
    chart = "sweep_curves" if sweep else "error_bars"
    opt.draw(figure, lambda figures: getattr(figures, chart)(result))
