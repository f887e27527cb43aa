"""gradewise train: a ranker from LETOR files."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gradewise.cli.learning import (
    NET_OPTIONS,
    TREE_OPTIONS,
    Algorithm,
    Batch,
    Booster,
    BoosterOptions,
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
    StopAfter,
    Trees,
    booster_parameters,
    refuse,
)
from gradewise.cli.options import Figure, Quiet, Seed, check_figure

if TYPE_CHECKING:
    import polars as pl

    from gradewise.learn.nets.training import Algorithm as Known


def train(
    context: typer.Context,
    data: Annotated[list[str], typer.Argument(help="Training topics: LETOR or SVMlight text.")],
    validation: Annotated[
        list[str] | None,
        typer.Option(
            "-v", "--validation", help="Topics by which it is chosen when to stop; repeat."
        ),
    ] = None,
    algorithm: Annotated[
        Algorithm, typer.Option("-a", "--algorithm", help="How to train a net.")
    ] = Algorithm.lambdarank,
    booster: Annotated[
        Booster | None, typer.Option(help="Grow trees with this library, in place of a net.")
    ] = None,
    objective: Annotated[str, typer.Option(help="The measure to train for.")] = "GAP",
    measure: Annotated[
        str | None,
        typer.Option("-m", "--measure", help="The measure that chooses when; the objective."),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", help="Where to write the model. Default: by its kind."),
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
    checkpoint: Annotated[
        str | None, typer.Option(help="File for the state of training; goes on from it.")
    ] = None,
    figure: Figure = None,
    seed: Seed = 0,
    quiet: Quiet = False,
) -> None:
    """Train a net or trees for a measure, on documents with features and grades."""
    check_figure(figure)
    if booster is None:
        refuse(context, TREE_OPTIONS, "is for trees: give --booster")
        net = {
            "hidden": hidden,
            "optimizer": optimizer.value,
            "learning_rate": learning_rate or None,
            "epochs": epochs,
            "patience": patience,
            "batch": batch,
            "sigma": sigma,
            "depth": depth,
            "validation_measure": measure,
            "normalise": normalise.value,
            "seed": seed,
            "checkpoint": checkpoint,
        }
        target = output or "model.safetensors"
        _train_net(data, validation, algorithm.value, objective, net, target, figure, quiet)
        return
    refuse(context, (*NET_OPTIONS, "normalise"), "is for nets, not for trees")
    grown = {
        "booster": booster.value,
        "n_estimators": trees,
        "early_stopping_rounds": (stop_after or trees) if validation else None,
        "eval_measure": measure,
        "sigma": sigma,
        "truncation": depth,
        "random_state": seed,
        **booster_parameters(booster_option, learning_rate),
    }
    target = output or ("model.txt" if booster is Booster.lightgbm else "model.json")
    _train_trees(data, validation, objective, grown, target, figure, quiet)


def _train_net(
    data: list[str],
    validation: list[str] | None,
    algorithm: "Known",
    objective: str,
    options: dict[str, Any],
    output: str,
    figure: str | None,
    quiet: bool,
) -> None:
    from gradewise.cli.watching import progress_bar
    from gradewise.learn import NetRanker
    from gradewise.learn.letor import read_letor
    from gradewise.learn.nets.storage import check_storing

    check_storing()
    ranker = NetRanker(algorithm, objective, **options)
    ranker.recipe()  # refuse what cannot be trained before reading
    topics = read_letor(data)
    held = read_letor(validation, width=topics.width) if validation else None
    with progress_bar("epochs", ranker.epochs * len(ranker.rates()), quiet=quiet) as advance:
        ranker.fit(topics, validation=held, progress=advance)
    ranker.save(output)
    measure = options["validation_measure"] or objective
    stage = f"epoch {ranker.best_epoch_}, learning rate {ranker.best_learning_rate_:g}"
    _tell(ranker.notes_, output, stage, measure, ranker.best_value_, held is not None, quiet)
    _draw(ranker.curves_, f"{algorithm} for {objective}", figure)


def _train_trees(
    data: list[str],
    validation: list[str] | None,
    objective: str,
    options: dict[str, Any],
    output: str,
    figure: str | None,
    quiet: bool,
) -> None:
    from gradewise.cli.watching import progress_bar
    from gradewise.learn import TreeRanker
    from gradewise.learn.letor import read_letor

    ranker = TreeRanker(objective, **options)
    measure = str(ranker.eval_measures()[0])  # refuse what cannot be trained before reading
    topics = read_letor(data)
    held = read_letor(validation, width=topics.width) if validation else topics
    with progress_bar("trees", ranker.n_estimators, quiet=quiet) as advance:
        ranker.fit(topics, eval_set=[held], progress=advance)
    ranker.save(output)
    stage = f"{ranker.best_iteration_ or ranker.n_estimators} trees of {ranker.booster}"
    chosen = bool(validation)
    _tell(ranker.notes_, output, stage, measure, ranker.best_value_, chosen, quiet)
    _draw(ranker.curves_, f"{ranker.booster} for {objective}", figure)


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
