"""gradewise train: a ranker from LETOR files."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gradewise.cli.learning import (
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
from gradewise.cli.options import Figure, Quiet, Seed, check_figure
from gradewise.learn.nets.algorithms import AlgorithmName
from gradewise.learn.trees.boosters import BoosterName

if TYPE_CHECKING:
    import polars as pl


def train(
    context: typer.Context,
    data: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Training topics: LETOR or SVMlight files."),
    ],
    validation: Annotated[
        list[str] | None,
        typer.Option(
            "-v",
            "--validation",
            metavar="FILE",
            help="Topics that choose the epoch or number of trees; repeat.",
        ),
    ] = None,
    algorithm: Annotated[
        AlgorithmName, typer.Option("-a", "--algorithm", help="How to train a net.")
    ] = "lambdarank",
    booster: Annotated[
        BoosterName | None, typer.Option(help="Train trees with this library instead of a net.")
    ] = None,
    objective: Annotated[
        str, typer.Option(metavar="MEASURE", help="Measure to train for.")
    ] = "GAP",
    measure: Annotated[
        str | None,
        typer.Option(
            "-m",
            "--measure",
            metavar="MEASURE",
            help="Measure that chooses the epoch. Default: the objective.",
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="File for the model. Default: named by its format.",
        ),
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
    checkpoint: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="File for the state of training; resume from it."),
    ] = None,
    figure: Figure = None,
    seed: Seed = 0,
    quiet: Quiet = False,
) -> None:
    """Train a neural net or boosted trees for a measure, on LETOR files.

    \b
    Examples:
      gradewise train train.txt -v validation.txt -a softrank --objective GAP -m P@10
      gradewise train train.txt --booster lightgbm --booster-option num_leaves=15
    """  # noqa: D301
    check_figure(figure)
    shared = {"objective": objective, "eval_measure": measure, "random_state": seed}
    if booster is None:
        refuse_tree_options(context, "give --booster")
        shared |= {"algorithm": algorithm, "normalize": normalize, "checkpoint": checkpoint}
        _train_net(data, validation, shared | net_parameters(context), output, figure, quiet)
        return
    refuse_net_options(context, "algorithm", "normalize", "checkpoint")
    grown = {"booster": booster, **shared, **tree_parameters(context)}
    grown["early_stopping_rounds"] = (stop_after or trees) if validation else None
    _train_trees(data, validation, grown, output, figure, quiet)


def _train_net(
    data: list[str],
    validation: list[str] | None,
    parameters: dict[str, Any],
    output: str | None,
    figure: str | None,
    quiet: bool,
) -> None:
    from gradewise.cli.watching import progress_bar
    from gradewise.learn import NetRanker, read_letor
    from gradewise.learn.nets.storage import check_storing

    check_storing()
    ranker = NetRanker(**parameters)
    ranker.recipe()  # refuse what cannot be trained before reading
    topics = read_letor(data)
    held = [read_letor(validation, width=topics.width)] if validation else []
    with progress_bar("epochs", ranker.epochs * len(ranker.rates()), quiet=quiet) as advance:
        ranker.fit(topics, eval_set=held, progress=advance)
    path = output or "model.safetensors"
    ranker.save(path)
    measure = str(ranker.eval_measure or ranker.objective)
    stage = f"epoch {ranker.best_epoch_}, learning rate {ranker.best_learning_rate_:g}"
    _tell(ranker.notes_, path, stage, measure, ranker.best_value_, bool(held), quiet)
    _draw(ranker.curves_, f"{ranker.algorithm} for {ranker.objective}", figure)


def _train_trees(
    data: list[str],
    validation: list[str] | None,
    parameters: dict[str, Any],
    output: str | None,
    figure: str | None,
    quiet: bool,
) -> None:
    from gradewise.cli.watching import progress_bar
    from gradewise.learn import TreeRanker, read_letor
    from gradewise.learn.trees.boosters import BOOSTERS

    ranker = TreeRanker(**parameters)
    measure = str(ranker.eval_measures()[0])  # refuse what cannot be trained before reading
    topics = read_letor(data)
    held = read_letor(validation, width=topics.width) if validation else topics
    with progress_bar("trees", ranker.n_estimators, quiet=quiet) as advance:
        ranker.fit(topics, eval_set=[held], progress=advance)
    path = output or BOOSTERS[ranker.booster].model_file
    ranker.save(path)
    stage = f"{ranker.best_iteration_ or ranker.n_estimators} trees of {ranker.booster}"
    _tell(ranker.notes_, path, stage, measure, ranker.best_value_, bool(validation), quiet)
    _draw(ranker.curves_, f"{ranker.booster} for {ranker.objective}", figure)


def _tell(
    notes: Sequence[str],
    output: str,
    stage: str,
    measure: str,
    value: float | None,
    held: bool,
    quiet: bool,
) -> None:
    """Print what was left out, and what was found."""
    from gradewise.cli.watching import note

    for sentence in notes:
        note(sentence, quiet=quiet)
    where = "validation" if held else "training"
    typer.echo(f"{output}: {stage}, {measure} {value:.4f} on {where} topics")


def _draw(curves: "pl.DataFrame", title: str, figure: str | None) -> None:
    if figure is not None:
        from gradewise.report.figures.learning import learning_curves
        from gradewise.report.figures.theme import save_figure

        save_figure(learning_curves(curves, title=title), figure)
