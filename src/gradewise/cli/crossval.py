"""gradewise crossval: train for one measure, test with another."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from gradewise.choices import list_titles
from gradewise.cli import learning
from gradewise.cli import options as opt
from gradewise.cli.formats import FrameFormat
from gradewise.learn.studies.cross_validated import VALIDATIONS, ValidationName
from gradewise.learn.trees.boosters import BOOSTERS

if TYPE_CHECKING:
    from gradewise.learn import CrossValidation, FeatureSet


def crossval(
    context: typer.Context,
    data: Annotated[
        list[str],
        typer.Argument(help="LETOR files: three or more parts, or one file to split into folds."),
    ],
    algorithm: learning.Algorithms = None,
    objective: Annotated[
        list[str] | None,
        typer.Option(
            help="Measure to train for, or built-in (trees); repeat. Default: AP, GAP, nDCG.",
        ),
    ] = None,
    measure: opt.Measures = None,
    pair: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="MEASURE MEASURE", help="Two objectives to compare; ° marks the better one."
        ),
    ] = None,
    validate_by: Annotated[
        ValidationName,
        typer.Option(
            help=f"What chooses the epoch on validation topics: {list_titles(VALIDATIONS)}."
        ),
    ] = "test",
    folds: Annotated[
        int, typer.Option(help="Number of folds to split a single file into.", min=3)
    ] = 5,
    seeds: Annotated[int, typer.Option(help="Number of seeds to average over.", min=1)] = 5,
    jobs: opt.Jobs = 1,
    keep: Annotated[
        str | None,
        typer.Option(help="Folder for partial results; interrupted work resumes from it."),
    ] = None,
    hidden: learning.Hidden = 10,
    optimizer: learning.Optimizer = "sgd",
    learning_rate: learning.LearningRates = None,
    epochs: learning.Epochs = 300,
    patience: learning.Patience = 16,
    batch_size: learning.BatchSize = 1,
    sigma: learning.Sigma = 1.0,
    truncation: learning.Truncation = None,
    trees: learning.Trees = 300,
    stop_after: learning.StopAfter = None,
    booster_option: learning.BoosterOptions = None,
    normalize: learning.Normalize = "none",
    output_format: opt.Printed = None,
    output: opt.Output = "-",
    digits: opt.Digits = 4,
    quiet: opt.Quiet = False,
) -> None:
    """Cross-validate: train for some measures, test with others.

    • marks a significant difference from training for the test measure itself, and ° the better
    objective of --pair. A difference is significant if the t-test, the Wilcoxon test and the sign
    test all have p <= 0.05.
    """
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
            validate_by=validate_by,
            normalize=normalize,
            jobs=jobs,
            keep=keep,
            progress=advance,
            trees=grown,
            **learning.net_parameters(context),
        )
    _write(result, output_format, output, digits)


def _tree_parameters(context: typer.Context, named: list[str]) -> dict[str, Any]:
    """Return parameters for trees; refuse options that none of the algorithms uses."""
    from gradewise.errors import check_choice

    for name in named:
        check_choice("--algorithm", name, learning.ALL_ALGORITHMS)
    grown = [name for name in named if name in BOOSTERS]
    if not grown:
        learning.refuse_tree_options(context, f"give -a {' or -a '.join(BOOSTERS)}")
        return {}
    if len(grown) == len(named):
        learning.refuse_net_options(context)
    return learning.tree_parameters(context)


def _read_parts(paths: list[str]) -> "list[FeatureSet]":
    """Read the parts with the same number of features; some may lack the last ones."""
    from gradewise.learn import read_letor

    parts = [read_letor(path) for path in paths]
    width = max(part.width for part in parts)
    return [
        part if part.width == width else read_letor(path, width=width)
        for part, path in zip(parts, paths, strict=True)
    ]


def _write(
    result: "CrossValidation", output_format: FrameFormat | None, output: str, digits: int
) -> None:
    from gradewise.cli.formats import FRAME_FORMATS, format_of, write_frame
    from gradewise.files import write_text

    chosen = format_of(output_format, output, FRAME_FORMATS)
    marked = result.table(digits)  # csv, json and parquet have a column for each mark instead
    printed: dict[str, Callable[[], str]] = {
        "table": marked.to_text,
        "markdown": marked.to_markdown,
    }
    printed |= {"latex": marked.to_latex, "html": marked.to_html}
    if chosen in printed:
        write_text(output, printed[chosen]())
    else:
        write_frame(result.frame, chosen, output, digits=digits)
