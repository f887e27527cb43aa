"""gradewise crossval: train for one measure, test with another."""

from typing import TYPE_CHECKING, Annotated

import typer

from gradewise.cli.formats import FrameFormat
from gradewise.cli.learning import (
    Algorithm,
    Batch,
    Epochs,
    Hidden,
    Normalise,
    Normalising,
    Optimizer,
    Optimizers,
    PairDepth,
    Patience,
    Rates,
    Sigma,
)
from gradewise.cli.options import Digits, Measures, Output, Printed, Quiet

if TYPE_CHECKING:
    from gradewise.learn.training import Algorithm as Known


def crossval(
    data: Annotated[
        list[str],
        typer.Argument(help="LETOR files: the parts, three or more; or one, which is cut."),
    ],
    algorithm: Annotated[
        list[Algorithm] | None,
        typer.Option("-a", "--algorithm", help="How to train; repeat. Default: lambdarank."),
    ] = None,
    objective: Annotated[
        list[str] | None,
        typer.Option(help="A measure to train for; repeat. Default: AP, GAP, nDCG."),
    ] = None,
    measure: Measures = None,
    pair: Annotated[
        tuple[str, str] | None, typer.Option(help="Two objectives to compare, for the mark °.")
    ] = None,
    folds: Annotated[int, typer.Option(help="Parts to cut a single file into.", min=3)] = 5,
    seeds: Annotated[int, typer.Option(help="How many seeds to average over.", min=1)] = 5,
    jobs: Annotated[int, typer.Option(help="Processes to use.", min=1)] = 1,
    keep: Annotated[
        str | None, typer.Option(help="Folder for results, to take the work up again.")
    ] = None,
    hidden: Hidden = 10,
    optimizer: Optimizers = Optimizer.sgd,
    learning_rate: Rates = None,
    epochs: Epochs = 300,
    patience: Patience = 16,
    batch: Batch = 1,
    sigma: Sigma = 1.0,
    depth: PairDepth = None,
    normalise: Normalising = Normalise.none,
    output_format: Printed = FrameFormat.table,
    output: Output = "-",
    digits: Digits = 4,
    quiet: Quiet = False,
) -> None:
    """Train for some measures and test with others, over folds and seeds.

    • marks a difference from training for the test measure itself, ° the better one of --pair,
    where the t-test, Wilcoxon's and the sign test all find one at 0.05.
    """
    from gradewise.cli.formats import write_frame
    from gradewise.cli.watching import progress_bar
    from gradewise.collection.letor import read_letor
    from gradewise.files import write_text
    from gradewise.learn.cross_validation import crossval as study
    from gradewise.learn.folds import split

    sets = [read_letor(path) for path in data]
    width = max(part.width for part in sets)  # a part may lack the last features
    sets = [
        part if part.width == width else read_letor(path, width=width)
        for part, path in zip(sets, data, strict=True)
    ]
    parts = split(sets[0], folds) if len(sets) == 1 else sets
    chosen: list[Known] = [each.value for each in algorithm or [Algorithm.lambdarank]]
    trained = objective or ["AP", "GAP", "nDCG"]
    rates = len(learning_rate or [0])
    total = len(chosen) * len(trained) * seeds * len(parts) * epochs * rates
    with progress_bar("epochs", total, quiet=quiet) as advance:
        result = study(
            parts,
            chosen,
            trained,
            measure or ["AP", "nDCG@10", "P@10"],
            seeds=seeds,
            pair=pair,
            normalise=normalise.value,
            jobs=jobs,
            keep=keep,
            progress=advance,
            hidden=hidden,
            optimizer=optimizer.value,
            learning_rate=learning_rate or None,
            epochs=epochs,
            patience=patience,
            batch=batch,
            sigma=sigma,
            depth=depth,
        )
    if output_format in (FrameFormat.csv, FrameFormat.json):
        write_frame(result.frame, output_format, output, digits=digits)
        return
    table = result.table(digits)
    printed = {"table": table.to_text, "markdown": table.to_markdown, "latex": table.to_latex}
    write_text(output, printed[output_format.value]())
