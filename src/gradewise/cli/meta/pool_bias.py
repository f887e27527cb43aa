"""gradewise meta pool-bias: whether judgments are fair to runs outside the pool."""

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
    Runs,
    check_figure,
    join_runs,
    run_names,
)

DEFAULT_MEASURES = ["AP", "nDCG", "GAP"]


def pool_bias(
    qrels: Qrels,
    runs: Runs,
    measure: Measures = None,
    group: Annotated[
        list[str] | None,
        typer.Option(
            help="Prefix of the names of runs that form a group; repeat for more. "
            "Every other run is its own group.",
            metavar="PREFIX",
        ),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(
            help="Pool depth: documents taken from each list; default all.", metavar="N", min=1
        ),
    ] = None,
    figure: Figure = None,
    output_format: Printed = "table",
    output: Output = "-",
    digits: Digits = 4,
    quiet: Quiet = False,
) -> None:
    """Fairness to new runs: score each run without its unique contributions.

    A document that only one group of runs retrieved counts as unjudged when that group is scored.

    Example: gradewise meta pool-bias qrels.txt run*.txt -m AP --depth 100
    """
    from gradewise.cli.formats import write_frame
    from gradewise.errors import OptionError
    from gradewise.meta import pool_bias as study
    from gradewise.report.figures.incompleteness import pool_bias_bars
    from gradewise.report.figures.theme import save_figure

    check_figure(figure)
    groups = {
        name: next((prefix for prefix in group or [] if name.startswith(prefix)), name)
        for name in run_names(runs)
    }
    for prefix in group or []:
        if prefix not in groups.values():
            raise OptionError(f"--group {prefix}: no run's name starts with {prefix}")
    measures = measure or DEFAULT_MEASURES
    judged = join_runs(qrels, runs, measures, quiet=quiet)
    result = study(judged, measures, groups=groups, depth=depth)
    write_frame(result.frame, output_format, output, digits=digits)
    if figure is not None:
        save_figure(pool_bias_bars(result), figure)
