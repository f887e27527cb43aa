"""Training at every learning rate, with checkpoints; the best net by each measure."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gradewise.learn.features import FeatureSet
from gradewise.learn.nets.checkpoints import Checkpoint
from gradewise.learn.nets.recipe import Recipe
from gradewise.learn.nets.row_inputs import NOTHING_GIVEN, RowInputs
from gradewise.learn.nets.training import Best, Training, TrainingData, prepare
from gradewise.libraries import pl
from gradewise.measures.measure import Measure


@dataclass(frozen=True, eq=False)
class Fitted:
    """The result of training: for each measure, the best net, its epoch and its learning rate."""

    rates: tuple[float, ...]
    best: tuple[Best, ...]
    best_rates: tuple[float, ...]
    rows: tuple[list[list[float]], ...]
    data: TrainingData


def fit(
    recipe: Recipe,
    rates: Sequence[float],
    train: FeatureSet,
    validation: FeatureSet | None,
    measures: Sequence[Measure],
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
    given: RowInputs = NOTHING_GIVEN,
) -> Fitted:
    """Train at each learning rate; resume from the checkpoint, if that file exists."""
    data = prepare(recipe.objective, train, validation, given)
    trainings = [Training(recipe, rate, n, data, measures) for n, rate in enumerate(rates)]
    kept = None if checkpoint is None else Checkpoint(Path(checkpoint), trainings)
    if kept is not None:
        kept.resume()
    if progress is not None:
        progress(sum(training.progress.epoch for training in trainings))
    for training in trainings:
        while not training.finished:
            training.run_epoch()
            if kept is not None:
                kept.keep(last=training.finished)
            if progress is not None:
                progress(1)
    chosen = [
        max(trainings, key=lambda training: training.best[n].value) for n in range(len(measures))
    ]
    return Fitted(
        tuple(rates),
        tuple(training.best[n] for n, training in enumerate(chosen)),
        tuple(training.rate for training in chosen),
        tuple(training.progress.curves for training in trainings),
        data,
    )


def curves_frame(
    rates: Sequence[float],
    rows: Sequence[Sequence[Sequence[float]]],
    objective: Measure,
    measures: Sequence[Measure],
    validated: bool,
) -> "pl.DataFrame":
    """Return learning curves as a frame: learning_rate, restart, epoch, data, measure, value."""
    series = [("train", "loss"), ("train", str(objective))]
    series += [(data, str(m)) for m in measures for data in ("train", "validation")]
    kept = [
        place
        for place, name in enumerate(series)
        if name not in series[:place] and (validated or name[0] == "train")
    ]
    cells = [
        (rate, int(row[1]), int(row[0]), *series[place], float(row[place + 2]))
        for rate, epochs in zip(rates, rows, strict=True)
        for row in epochs
        for place in kept
    ]
    columns = ["learning_rate", "restart", "epoch", "data", "measure", "value"]
    return pl.DataFrame(cells, schema=columns, orient="row")
