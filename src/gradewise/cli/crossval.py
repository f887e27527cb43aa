"""gradewise crossval: train for one measure, test with another."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gradewise.cli.learning import (
    NET_OPTIONS,
    TREE_OPTIONS,
    Batch,
    BoosterOptions,
    Epochs,
    Hidden,
    Normalise,
    Normalising,
    Optimizer,
    Optimizers,
    PairDepth,
    Patience,
    Ranker,
    Rates,
    Sigma,
    StopAfter,
    Trees,
    booster_parameters,
    refuse,
)
from gradewise.cli.options import Digits, FrameFormat, Jobs, Measures, Output, Printed, Quiet

if TYPE_CHECKING:
    from gradewise.learn.nets.training import Algorithm
    from gradewise.learn.trees.boosters import Name


def crossval(
    context: typer.Context,
    data: Annotated[
        list[str],
        typer.Argument(help="LETOR files: the parts, three or more; or one, which is cut."),
    ],
    algorithm: Annotated[
        list[Ranker] | None,
        typer.Option(
            "-a", "--algorithm", help="How to train, nets or trees; repeat. Default: lambdarank."
        ),
    ] = None,
    objective: Annotated[
        list[str] | None,
        typer.Option(
            help="A measure to train for; repeat. For trees also built-in. Default: AP, GAP, nDCG."
        ),
    ] = None,
    measure: Measures = None,
    pair: Annotated[
        tuple[str, str] | None, typer.Option(help="Two objectives to compare, for the mark °.")
    ] = None,
    folds: Annotated[int, typer.Option(help="Parts to cut a single file into.", min=3)] = 5,
    seeds: Annotated[int, typer.Option(help="How many seeds to average over.", min=1)] = 5,
    jobs: Jobs = 1,
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
    trees: Trees = 300,
    stop_after: StopAfter = None,
    booster_option: BoosterOptions = None,
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
    from gradewise.files import write_text
    from gradewise.learn.letor import read_letor
    from gradewise.learn.studies.cross_validation import crossval as study
    from gradewise.learn.studies.folds import split

    named = algorithm or [Ranker.lambdarank]
    chosen: list[Algorithm | Name] = [each.value for each in named]
    grown: dict[str, Any] = {}
    if not any(each.is_booster for each in named):
        refuse(context, TREE_OPTIONS, "is for trees: give -a lightgbm or -a xgboost")
    elif all(each.is_booster for each in named):
        refuse(context, NET_OPTIONS[1:], "is for nets, not for trees")
    if any(each.is_booster for each in named):
        grown = {
            "n_estimators": trees,
            "early_stopping_rounds": stop_after,
            "sigma": sigma,
            "truncation": depth,
            **booster_parameters(booster_option, learning_rate),
        }
    sets = [read_letor(path) for path in data]
    width = max(part.width for part in sets)  # a part may lack the last features
    sets = [
        part if part.width == width else read_letor(path, width=width)
        for part, path in zip(sets, data, strict=True)
    ]
    parts = split(sets[0], folds) if len(sets) == 1 else sets
    trained = objective or ["AP", "GAP", "nDCG"]
    steps = sum(trees if n.is_booster else epochs * len(learning_rate or [0]) for n in named)
    total = steps * len(trained) * seeds * len(parts)
    with progress_bar("epochs and trees", total, quiet=quiet) as advance:
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
            trees=grown,
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
