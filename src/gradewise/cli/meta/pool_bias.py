"""gradewise meta pool-bias: whether judgments are fair to runs outside the pool."""

from typing import Annotated

import typer

from gradewise.cli import options as opt

DEFAULT_MEASURES = ["AP", "nDCG", "GAP"]


def pool_bias(
    qrels: opt.Qrels,
    runs: opt.Runs,
    measure: opt.Measures = None,
    group: Annotated[
        list[str] | None,
        typer.Option(
            help="Runs whose names start with this form a group; repeat for more. "
            "Every other run is its own group.",
            metavar="PREFIX",
        ),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(help="Pool depth: documents taken from each list. Default: all.", min=1),
    ] = None,
    figure: opt.Figure = None,
    output_format: opt.Printed = None,
    output: opt.Output = "-",
    digits: opt.Digits = 4,
    columns: opt.Columns = None,
    names: opt.RunNames = "file",
    quiet: opt.Quiet = False,
) -> None:
    """Fairness to new runs: score each run without its unique contributions.

    A document that only one group of runs retrieved counts as unjudged when that group is scored.
    """
    from gradewise.cli.formats import write_frame
    from gradewise.errors import OptionError
    from gradewise.meta import pool_bias as study

    opt.check_figure(figure)
    named = opt.named_runs(runs, columns, names)
    groups = {
        name: next((prefix for prefix in group or [] if name.startswith(prefix)), name)
        for name in named
    }
    for prefix in group or []:
        if prefix not in groups.values():
            raise OptionError(f"--group {prefix}: no run's name starts with {prefix}")
    measures = measure or DEFAULT_MEASURES
    judged = opt.join_runs(qrels, named, measures, columns=columns, quiet=quiet)
    result = study(judged, measures, groups=groups, depth=depth)
    write_frame(result.frame, output_format, output, digits=digits)
    opt.draw(figure, lambda figures: figures.pool_bias_bars(result))
