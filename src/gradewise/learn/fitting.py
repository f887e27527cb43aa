"""Training at every learning rate, with checkpoints; the best net by each measure."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gradewise.collection.features import FeatureSet
from gradewise.errors import InputError
from gradewise.learn.net import Array, Weights
from gradewise.learn.storing import read_arrays, write_arrays
from gradewise.learn.training import Best, Progress, Recipe, Training, TrainingData, prepare
from gradewise.measures.measure import Measure

if TYPE_CHECKING:
    import polars as pl

CHECKPOINT_SECONDS = 1.0  # least time between two checkpoints


@dataclass(frozen=True, eq=False)
class Fitted:
    """What training gave: for each measure, the best net, its epoch and its learning rate."""

    measures: tuple[Measure, ...]
    objective: Measure
    rates: tuple[float, ...]
    best: tuple[Best, ...]
    best_rates: tuple[float, ...]
    rows: tuple[list[list[float]], ...]
    data: TrainingData

    @property
    def curves(self) -> "pl.DataFrame":
        """A frame with columns learning_rate, restart, epoch, data, measure, value."""
        validated = self.data.validation is not None
        return curves_frame(self.rates, self.rows, self.objective, self.measures, validated)


def fit(
    recipe: Recipe,
    rates: Sequence[float],
    train: FeatureSet,
    validation: FeatureSet | None,
    measures: Sequence[Measure],
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Fitted:
    """Train at each learning rate; go on from the checkpoint, if that file is there."""
    data = prepare(recipe.objective, train, validation)
    trainings = [Training(recipe, rate, n, data, measures) for n, rate in enumerate(rates)]
    keeper = None if checkpoint is None else _Keeper(Path(checkpoint), trainings)
    if keeper is not None:
        keeper.resume()
    if progress is not None:
        progress(sum(training.progress.epoch for training in trainings))
    for training in trainings:
        while not training.finished:
            training.run_epoch()
            if keeper is not None:
                keeper.keep(last=training.finished)
            if progress is not None:
                progress(1)
    chosen = [
        max(trainings, key=lambda training: training.best[n].value) for n in range(len(measures))
    ]
    return Fitted(
        tuple(measures),
        recipe.objective,
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
    import polars as pl

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


class _Keeper:
    """Writes trainings to a file, and sets them to what the file holds."""

    def __init__(self, path: Path, trainings: Sequence[Training]) -> None:
        self.path, self.trainings = path, trainings
        self.fingerprint = _fingerprint(trainings)
        self.written = time.monotonic()

    def keep(self, *, last: bool) -> None:
        """Write a checkpoint, unless the last one was just written."""
        now = time.monotonic()
        if not last and now - self.written < CHECKPOINT_SECONDS:
            return
        arrays: dict[str, Array] = {}
        about: list[dict[str, Any]] = []
        for place, training in enumerate(self.trainings):
            groups = {"weights": training.weights, "optimizer": training.optimizer.state()}
            groups |= {f"best{n}": best.weights for n, best in enumerate(training.best)}
            for group, values in groups.items():
                arrays |= {f"{place}/{group}/{name}": array for name, array in values.items()}
            about.append(
                {
                    "progress": asdict(training.progress),
                    "best": [[best.value, best.epoch] for best in training.best],
                }
            )
        write_arrays(
            self.path, "checkpoint", arrays, {"fingerprint": self.fingerprint, "trainings": about}
        )
        self.written = now

    def resume(self) -> None:
        """Set the trainings to what the file holds, if it is there."""
        if not self.path.exists():
            return
        arrays, about = read_arrays(self.path, "checkpoint")
        if about.get("fingerprint") != self.fingerprint:
            raise InputError(
                f"{self.path}: is the checkpoint of another training (other data or options); "
                "remove it, or name another file"
            )
        for place, (training, kept) in enumerate(
            zip(self.trainings, about["trainings"], strict=True)
        ):
            training.progress = Progress(**kept["progress"])
            training.weights = _group(arrays, f"{place}/weights/")
            training.optimizer.set_state(_group(arrays, f"{place}/optimizer/"))
            training.best = [
                Best(value, epoch, _group(arrays, f"{place}/best{n}/"))
                for n, (value, epoch) in enumerate(kept["best"])
            ]


def _group(arrays: dict[str, Array], prefix: str) -> Weights:
    return {
        name.removeprefix(prefix): array.copy()
        for name, array in arrays.items()
        if name.startswith(prefix)
    }


def _fingerprint(trainings: Sequence[Training]) -> str:
    """Return a text that changes with the data, the recipe, the rates and the measures."""
    data = trainings[0].data
    settings = (trainings[0].recipe, [t.rate for t in trainings], trainings[0].measures)
    digest = blake2b(repr(settings).encode(), digest_size=16)
    for part in (data.train, data.validation):
        if part is not None:
            for array in (part.features, part.grades, part.offsets, data.scale):
                digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
