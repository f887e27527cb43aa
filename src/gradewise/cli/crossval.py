"""gradewise crossval: train for one measure, test with another."""

from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from gradewise.cli.formats import FrameFormat
from gradewise.cli.learning import (
    ALL_ALGORITHMS,
    Algorithms,
    BatchSize,
    BoosterOptions,
    Epochs,
    Hidden,
    LearningRates,
    Normalize,
    Optimizer,
    Patience,
    Sigma,
    StopAfter,
    Trees,
    Truncation,
    net_parameters,
    refuse_net_options,
    refuse_tree_options,
    tree_parameters,
)
from gradewise.cli.options import Digits, Jobs, Measures, Output, Printed, Quiet
from gradewise.learn.trees.boosters import BOOSTERS

if TYPE_CHECKING:
    from gradewise.learn import CrossValidation, FeatureSet


def crossval(
    context: typer.Context,
    data: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE", help="LETOR files: the parts, three or more; or one file to split."
        ),
    ],
    algorithm: Algorithms = None,
    objective: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MEASURE",
            help="Measure to train for, or built-in (trees); repeat. Default: AP, GAP, nDCG.",
        ),
    ] = None,
    measure: Measures = None,
    pair: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="MEASURE MEASURE", help="Two objectives to compare; ° marks the better."
        ),
    ] = None,
    folds: Annotated[int, typer.Option(help="Number of parts of a single file.", min=3)] = 5,
    seeds: Annotated[int, typer.Option(help="Number of seeds to average over.", min=1)] = 5,
    jobs: Jobs = 1,
    keep: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Resume interrupted work from this folder.")
    ] = None,
    hidden: Hidden = 10,
    optimizer: Optimizer = "sgd",
    learning_rate: LearningRates = None,
    epochs: Epochs = 300,
    patience: Patience = 16,
    batch_size: BatchSize = 1,
    sigma: Sigma = 1.0,
    truncation: Truncation = None,
    trees: Trees = 300,
    stop_after: StopAfter = None,
    booster_option: BoosterOptions = None,
    normalize: Normalize = "none",
    output_format: Printed = "table",
    output: Output = "-",
    digits: Digits = 4,
    quiet: Quiet = False,
) -> None:
    """Cross-validate: train for some measures, test with others.

    • marks a significant difference from training for the test measure itself, and ° the better
    objective of --pair: the t-test, the Wilcoxon test and the sign test must all reach 0.05.

    \b
    Examples:
      gradewise crossval S1.txt S2.txt S3.txt --objective AP --objective GAP -m P@10
      gradewise crossval data.txt -a lambdarank -a lightgbm --jobs 4 --keep results
    """  # noqa: D301
    from gradewise.cli.watching import progress_bar
    from gradewise.learn import crossval as cross_validate
    from gradewise.learn import split

    named = algorithm or ["lambdarank"]
    trained = objective or ["AP", "GAP", "nDCG"]
    grown = _tree_parameters(context, named)
    sets = _read_parts(data)
    parts = split(sets[0], folds) if len(sets) == 1 else sets
    rates = len(learning_rate or [0])
    steps = sum(trees if name in BOOSTERS else epochs * rates for name in named)
    total = steps * len(trained) * seeds * len(parts)
    with progress_bar("epochs and trees", total, quiet=quiet) as advance:
        result = cross_validate(
            parts,
            cast(Any, named),
            trained,
            measure or ["AP", "nDCG@10", "P@10"],
            seeds=seeds,
            pair=pair,
            normalize=normalize,
            jobs=jobs,
            keep=keep,
            progress=advance,
            trees=grown,
            **net_parameters(context),
        )
    _write(result, output_format, output, digits)


def _tree_parameters(context: typer.Context, named: list[str]) -> dict[str, Any]:
    """Return parameters for trees; refuse options that none of the algorithms uses."""
    from gradewise.errors import check_choice

    for name in named:
        check_choice("--algorithm", name, ALL_ALGORITHMS)
    grown = [name for name in named if name in BOOSTERS]
    if not grown:
        refuse_tree_options(context, f"give -a {' or -a '.join(BOOSTERS)}")
        return {}
    if len(grown) == len(named):
        refuse_net_options(context)
    return tree_parameters(context)


def _read_parts(paths: list[str]) -> "list[FeatureSet]":
    """Read the parts with the same number of features; some may lack the last ones."""
    from gradewise.learn import read_letor

    parts = [read_letor(path) for path in paths]
    width = max(part.width for part in parts)
    return [
        part if part.width == width else read_letor(path, width=width)
        for part, path in zip(parts, paths, strict=True)
    ]


def _write(result: "CrossValidation", output_format: FrameFormat, output: str, digits: int) -> None:
    from gradewise.cli.formats import write_frame
    from gradewise.files import write_text

    if output_format in ("csv", "json"):
        write_frame(result.frame, output_format, output, digits=digits)
        return
    table = result.table(digits)
    printed = {"table": table.to_text, "markdown": table.to_markdown, "latex": table.to_latex}
    write_text(output, printed[output_format]())
