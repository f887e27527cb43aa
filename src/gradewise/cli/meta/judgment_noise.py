"""gradewise meta judgment-noise: how much scores vary because judgments do."""

from typing import Annotated

import typer

from gradewise.cli import options as opt


def judgment_noise(
    qrels: opt.Qrels,
    runs: opt.Runs,
    flip: Annotated[
        list[str],
        typer.Option(
            help="Probability that a grade changes: 2:1:0.1 judges a tenth of the documents "
            "of grade 2 as grade 1; repeat for more.",
            metavar="FROM:TO:P",
        ),
    ],
    measure: Annotated[
        str, typer.Option("-m", "--measure", help="Measure, such as nDCG@10.", metavar="MEASURE")
    ] = "AP",
    replicates: Annotated[
        int, typer.Option(help="Number of simulated sets of judgments.", min=2)
    ] = 100,
    half_width: Annotated[
        float | None,
        typer.Option(
            help="Also print how many topics an interval of this half-width needs.",
            metavar="WIDTH",
        ),
    ] = None,
    level: Annotated[
        float, typer.Option(help="Confidence level of the interval.", metavar="LEVEL")
    ] = 0.95,
    output_format: opt.Printed = None,
    output: opt.Output = "-",
    figure: opt.Figure = None,
    seed: opt.Seed = 0,
    ties: opt.Ties = "trec",
    digits: opt.Digits = 5,
    columns: opt.Columns = None,
    names: opt.RunNames = "file",
    quiet: opt.Quiet = False,
) -> None:
    """Judgment noise: variance of scores under repeated, noisy judgments.

    sigma_mu2 is the variance between topics, sigma_d2 the variance between judgments of a topic;
    standard_error is that of the mean over topics, from both.
    """
    from gradewise.cli.formats import write_frame
    from gradewise.cli.watching import progress_bar
    from gradewise.meta import judgment_noise as study

    opt.check_figure(figure)
    flips = _flips(flip)
    judged = opt.join_runs(
        qrels, runs, [measure], ties=ties, seed=seed, columns=columns, names=names, quiet=quiet
    )
    with progress_bar("judgments", replicates, quiet=quiet) as advance:
        noise = study(
            judged, measure, flips=flips, replicates=replicates, seed=seed, progress=advance
        )
    frame = noise.frame
    if half_width is not None:
        plan = noise.plan(half_width, level=level)
        frame = frame.hstack(plan.select("topics_needed", "topics_without_noise"))
    write_frame(frame, output_format, output, digits=digits)
    opt.draw(figure, lambda figures: figures.judgment_noise_figure(noise))


def _flips(texts: list[str]) -> dict[int, dict[int, float]]:
    """Read 2:1:0.1 as {2: {1: 0.1}}."""
    from gradewise.errors import OptionError

    flips: dict[int, dict[int, float]] = {}
    for text in texts:
        try:
            grade, other, chance = text.split(":")
            others = flips.setdefault(int(grade), {})
            twice = int(other) in others
            others[int(other)] = float(chance)
        except ValueError:
            raise OptionError(
                f"--flip {text}: expected FROM:TO:PROBABILITY, such as 2:1:0.1"
            ) from None
        if twice:
            raise OptionError(f"--flip {text}: {grade}:{other} is given twice")
    return flips
