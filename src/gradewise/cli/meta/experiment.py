"""gradewise meta experiment: the random experiments behind AP, GAP, xGAP and eGAP."""

from typing import Annotated

import typer

from gradewise.cli import options as opt
from gradewise.cli.meta.sensitivity import Counts, Grades, read_counts, read_grades

DEFAULT_MEASURES = ["GAP", "xGAP", "eGAP"]


def experiment(
    grades: Grades,
    relevant: Counts,
    measure: opt.Measures = None,
    draws: Annotated[int, typer.Option(help="Number of repetitions.", min=1)] = 10_000,
    every: Annotated[
        bool, typer.Option("--every", help="Also print the means after fewer draws.")
    ] = False,
    output_format: opt.Printed = None,
    output: opt.Output = "-",
    figure: opt.Figure = None,
    seed: opt.Seed = 0,
    digits: opt.Digits = 4,
) -> None:
    """Random experiments: repeat the experiment that defines AP, GAP, xGAP or eGAP.

    Each repetition picks a relevant document and a rank at or above it; mean is the share in which
    the document at that rank is relevant too. low and high are the 95% interval of the mean, and
    exact is the value of the measure.
    """
    from gradewise.cli.formats import write_frame
    from gradewise.collection.one_list import judge_list
    from gradewise.meta import experiment as study

    opt.check_figure(figure)
    judged = judge_list(read_grades(grades), read_counts(relevant))
    found = study(judged, measure or DEFAULT_MEASURES, draws=draws, seed=seed)
    frame = found.frame
    if not every:
        frame = frame.filter(frame["draws"] == draws)
    write_frame(frame, output_format, output, digits=digits)
    opt.draw(figure, lambda figures: figures.convergence_curves(found))
