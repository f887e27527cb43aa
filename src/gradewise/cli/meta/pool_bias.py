"""gradewise meta pool-bias: are runs treated fairly that did not add to the pool."""

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
            help="Runs of one group, by the beginning of their names; repeat. "
            "Other runs are groups of their own."
        ),
    ] = None,
    depth: Annotated[
        int | None, typer.Option(help="Documents of each list in the pool; default all.", min=1)
    ] = None,
    figure: Figure = None,
    output_format: Printed = "table",
    output: Output = "-",
    digits: Digits = 4,
    quiet: Quiet = False,
) -> None:
    """Show what runs lose when the documents that only their group found were never judged."""
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
            raise OptionError(f"--group {prefix}: no run's name begins so")
    measures = measure or DEFAULT_MEASURES
    judged = join_runs(qrels, runs, measures, quiet=quiet)
    result = study(judged, measures, groups=groups, depth=depth)
    write_frame(result.frame, output_format, output, digits=digits)
    if figure is not None:
        save_figure(pool_bias_bars(result), figure)
