"""Checkpoints: training written to a file, and resumed from it."""

import time
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from gradewise.errors import InputError
from gradewise.learn.nets.network import Array, Weights
from gradewise.learn.nets.storage import read_arrays, write_arrays
from gradewise.learn.nets.training import Best, Progress, Training

CHECKPOINT_SECONDS = 1.0  # least time between two checkpoints


class Checkpoint:
    """Writes trainings to a file, and resumes them from it."""

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
            self.path,
            "checkpoint",
            arrays,
            {"fingerprint": self.fingerprint, "trainings": about},
            at_once=True,
        )
        self.written = now

    def resume(self) -> None:
        """Resume the trainings from the file, if it exists."""
        if not self.path.exists():
            return
        arrays, about = read_arrays(self.path, "checkpoint")
        if about.get("fingerprint") != self.fingerprint:
            raise InputError(
                f"{self.path}: was written with other data or options; remove it, or choose "
                "another file"
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
    for array in data.given.arrays():
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
