"""gradewise counterfactual: what runs would be worth to the users of a log."""

from typing import Annotated

import typer

from gradewise.choices import list_titles
from gradewise.cli import options as opt
from gradewise.cli.click_options import ClickColumns, Clicks, Level, read_log
from gradewise.clicks.estimators import METHODS, Method

_EXAMINATION = "--examination takes numbers such as 1,0.7,0.5"


def counterfactual(
    clicks: Clicks,
    runs: opt.Runs,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--measure",
            help="Additive measures, such as P@5,RBP; or repeat the option. Default: DCG@10.",
        ),
    ] = None,
    method: Annotated[Method, typer.Option(help=f"Estimator: {list_titles(METHODS)}.")] = "dr",
    examination: Annotated[
        str | None,
        typer.Option(
            metavar="X,X,...",
            help="Examination of ranks 1, 2, ... Default: from a fitted position-based model.",
        ),
    ] = None,
    clip: Annotated[
        float | None,
        typer.Option(help="Upper limit on the weight of a click. Default: none.", min=0),
    ] = None,
    pairs: Annotated[bool, typer.Option("--pairs", help="Print differences between runs.")] = (
        False
    ),
    level: Level = 0.95,
    replicates: opt.Replicates = 2000,
    columns: ClickColumns = None,
    output_format: opt.Printed = None,
    output: opt.Output = "-",
    digits: opt.Digits = 4,
    seed: opt.Seed = 0,
    quiet: opt.Quiet = False,
) -> None:
    """Estimate from a click log how well other runs would serve its users.

    Measures must be additive, such as DCG@10 (the default), P@5 or RBP. coverage is the share of a
    run's weight on documents that were shown in the log; the rest counts as not relevant.
    """
    from gradewise.cli.formats import write_frame
    from gradewise.clicks.counterfactual import estimate

    log = read_log(clicks, columns, quiet=quiet)
    found = estimate(
        log,
        opt.named_runs(runs),
        measure or ["DCG@10"],
        method=method,
        examination=None if examination is None else opt.parse_numbers(examination, _EXAMINATION),
        clip=clip,
        level=level,
        replicates=replicates,
        seed=seed,
    )
    write_frame(found.pairs if pairs else found.frame, output_format, output, digits=digits)
