"""gradewise train: a ranker from LETOR files."""

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from gradewise.cli import learning
from gradewise.cli import options as opt
from gradewise.learn.nets.algorithms import AlgorithmName
from gradewise.learn.trees.boosters import BoosterName

if TYPE_CHECKING:
    from gradewise.learn import NetRanker, TreeRanker


def train(
    context: typer.Context,
    data: Annotated[
        list[str],
        typer.Argument(help="Training topics: LETOR or SVMlight files."),
    ],
    validation: Annotated[
        list[str] | None,
        typer.Option(
            "-v",
            "--validation",
            help="Topics that choose the epoch or the number of trees; repeat for more.",
        ),
    ] = None,
    algorithm: Annotated[
        AlgorithmName, typer.Option("-a", "--algorithm", help="Algorithm that trains a net.")
    ] = "lambdarank",
    booster: Annotated[
        BoosterName | None,
        typer.Option(help="Train boosted trees with this library instead of a net."),
    ] = None,
    objective: Annotated[str, typer.Option(help="Measure to train for.")] = "GAP",
    measure: Annotated[
        str | None,
        typer.Option(
            "-m",
            "--measure",
            help="Measure for validation. Default: the objective.",
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            help="Model file. Default: model.safetensors, model.txt or model.json.",
        ),
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
    checkpoint: Annotated[
        str | None,
        typer.Option(help="Save the state of training here, and resume from it."),
    ] = None,
    figure: opt.Figure = None,
    seed: opt.Seed = 0,
    quiet: opt.Quiet = False,
) -> None:
    """Train a neural net or boosted trees for a measure, on LETOR files."""
    from gradewise.cli.watching import note, progress_bar
    from gradewise.learn import read_letor

    opt.check_figure(figure)
    shared = {"objective": objective, "eval_measure": measure, "random_state": seed}
    if booster is None:
        learning.refuse_tree_options(context, "give --booster")
        shared |= {"algorithm": algorithm, "normalize": normalize, "checkpoint": checkpoint}
        work = _plan_net(shared | learning.net_parameters(context))
    else:
        learning.refuse_net_options(context, "algorithm", "normalize", "checkpoint")
        grown = {"booster": booster, **shared, **learning.tree_parameters(context)}
        grown["early_stopping_rounds"] = (stop_after or trees) if validation else None
        work = _plan_trees(grown)
    ranker, topics = work.ranker, read_letor(data)
    held = [topics] if booster else []  # for trees, the training topics give a value
    if validation:
        held = [read_letor(validation, width=topics.width)]
    with progress_bar(work.unit, work.amount, quiet=quiet) as advance:
        ranker.fit(topics, eval_set=held, progress=advance)
    path = output or work.file
    ranker.save(path)
    note(*ranker.notes_, quiet=quiet)
    where = "validation" if validation else "training"
    value = f"{work.measure} {ranker.best_value_:.4f} on {where} topics"
    typer.echo(f"{path}: {_stage(ranker)}, {value}")
    title = f"{booster or algorithm} for {objective}"
    opt.draw(figure, lambda figures: figures.learning_curves(ranker.curves_, title=title))


class _Plan(NamedTuple):
    """A ranker to train, the measure that validates it, the amount of work, the model's file."""

    ranker: "NetRanker | TreeRanker"
    measure: str
    unit: str
    amount: int
    file: str


def _plan_net(parameters: dict[str, Any]) -> _Plan:
    """Return a net to train; what cannot be trained or saved is refused before data are read."""
    from gradewise.learn import NetRanker
    from gradewise.learn.nets.storage import check_storing

    check_storing()
    ranker = NetRanker(**parameters)
    ranker.recipe()
    measure = str(ranker.eval_measure or ranker.objective)
    epochs = ranker.epochs * len(ranker.rates())
    return _Plan(ranker, measure, "epochs", epochs, "model.safetensors")


def _plan_trees(parameters: dict[str, Any]) -> _Plan:
    """Return trees to grow; what cannot be trained is refused before data are read."""
    from gradewise.learn import TreeRanker
    from gradewise.learn.trees.boosters import BOOSTERS

    ranker = TreeRanker(**parameters)
    measure, file = str(ranker.eval_measures()[0]), BOOSTERS[ranker.booster].model_file
    return _Plan(ranker, measure, "trees", ranker.n_estimators, file)


def _stage(ranker: Any) -> str:
    """Say where training stopped."""
    if hasattr(ranker, "best_epoch_"):
        return f"epoch {ranker.best_epoch_}, learning rate {ranker.best_learning_rate_:g}"
    return f"{ranker.best_iteration_ or ranker.n_estimators} trees of {ranker.booster}"
