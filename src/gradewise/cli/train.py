"""gradewise train: a ranker from LETOR files."""

from typing import Annotated

import typer

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
from gradewise.cli.options import Figure, Quiet, Seed, check_figure


def train(
    data: Annotated[list[str], typer.Argument(help="Training topics: LETOR or SVMlight text.")],
    validation: Annotated[
        list[str] | None,
        typer.Option("-v", "--validation", help="Topics by which the epoch is chosen; repeat."),
    ] = None,
    algorithm: Annotated[
        Algorithm, typer.Option("-a", "--algorithm", help="How to train.")
    ] = Algorithm.lambdarank,
    objective: Annotated[str, typer.Option(help="The measure to train for.")] = "GAP",
    measure: Annotated[
        str | None,
        typer.Option("-m", "--measure", help="The measure that chooses the epoch; the objective."),
    ] = None,
    output: Annotated[
        str, typer.Option("-o", "--output", help="Where to write the model, a safetensors file.")
    ] = "model.safetensors",
    hidden: Hidden = 10,
    optimizer: Optimizers = Optimizer.sgd,
    learning_rate: Rates = None,
    epochs: Epochs = 300,
    patience: Patience = 16,
    batch: Batch = 1,
    sigma: Sigma = 1.0,
    depth: PairDepth = None,
    normalise: Normalising = Normalise.none,
    checkpoint: Annotated[
        str | None, typer.Option(help="File for the state of training; goes on from it.")
    ] = None,
    figure: Figure = None,
    seed: Seed = 0,
    quiet: Quiet = False,
) -> None:
    """Train a net for a measure, on documents with features and grades."""
    from gradewise.cli.watching import note, progress_bar
    from gradewise.collection.letor import read_letor
    from gradewise.learn import NetRanker

    check_figure(figure)
    ranker = NetRanker(
        algorithm.value,
        objective,
        hidden=hidden,
        optimizer=optimizer.value,
        learning_rate=learning_rate or None,
        epochs=epochs,
        patience=patience,
        batch=batch,
        sigma=sigma,
        depth=depth,
        validation_measure=measure,
        normalise=normalise.value,
        seed=seed,
        checkpoint=checkpoint,
    )
    ranker.recipe()  # refuse what cannot be trained before reading
    topics = read_letor(data)
    held = read_letor(validation, width=topics.width) if validation else None
    total = epochs * len(ranker.rates())
    with progress_bar("epochs", total, quiet=quiet) as advance:
        ranker.fit(topics, validation=held, progress=advance)
    for sentence in ranker.notes_:
        note(sentence, quiet=quiet)
    ranker.save(output)
    where = "training" if held is None else "validation"
    typer.echo(
        f"{output}: epoch {ranker.best_epoch_}, learning rate {ranker.best_learning_rate_:g}, "
        f"{measure or objective} {ranker.best_value_:.4f} on {where} topics"
    )
    if figure is not None:
        from gradewise.report.figures.learning import learning_curves
        from gradewise.report.figures.theme import save_figure

        title = f"{algorithm.value} for {objective}"
        save_figure(learning_curves(ranker.curves_, title=title), figure)
