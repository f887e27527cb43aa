"""Soft labels: for every document of a panel, how likely it has each grade."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.qrels import Qrels
from gradewise.errors import OptionError
from gradewise.meta.judging.frames import frame_of
from gradewise.meta.judging.panel import NONE, Panel
from gradewise.showing import Shown
from gradewise.stats.agreement import cohen_kappa

if TYPE_CHECKING:
    import polars as pl

_BINS = 10


@dataclass(frozen=True, eq=False)
class SoftLabels(Shown):
    """Probabilities of grades, `chances[row, level]`, for the rows and the scale of a panel.

    `confusion[judge, true, given]` is how likely each of `judges` is to give each level. With a
    `temperature` above 1, the judges count as fewer independent ones: their number over it.
    `truth` is the judge whose labels were taken as correct, if any.
    """

    panel: Panel
    method: str
    judges: tuple[str, ...]
    chances: Floats
    confusion: Floats
    temperature: float = 1.0
    truth: str | None = None

    @property
    def levels(self) -> Ints:
        """The most likely level of each document; the lowest of equally likely ones."""
        return np.argmax(self.chances, axis=1)

    @property
    def uncertain(self) -> Bools:
        """Which documents may have more than one grade."""
        return self.chances.max(axis=1) < 1

    def qrels(self) -> Qrels:
        """Return the most likely grades as qrels."""
        return self.panel.qrels_of(self.levels)

    def draw(self, rng: np.random.Generator) -> Ints:
        """Draw a level for every document."""
        edges = np.cumsum(self.chances, axis=1)[:, :-1]
        return np.asarray((rng.random((len(edges), 1)) >= edges).sum(axis=1))

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame: topic, document, grade (most likely), expected, P(0), P(1), ..."""
        import polars as pl

        panel = self.panel
        names = np.array(panel.topics, object)
        columns = {f"P({g})": self.chances[:, k] for k, g in enumerate(panel.scale.tolist())}
        return pl.DataFrame(
            {
                "topic": names[panel.topic].tolist(),
                "document": panel.docs.to_list(),
                "grade": panel.scale[self.levels],
                "expected": self.chances @ panel.scale.astype(np.float64),
                **columns,
            }
        )

    @property
    def reliability(self) -> "pl.DataFrame":
        """A frame: judge, true, given, chance: how likely a judge gives which grade."""
        scale = self.panel.scale.tolist()
        rows = [
            (name, scale[a], scale[b], float(table[a, b]))
            for name, table in zip(self.judges, self.confusion, strict=True)
            for a in range(len(scale))
            for b in range(len(scale))
        ]
        return frame_of(rows, "judge true given chance")

    def calibration(self, judge: str) -> "pl.DataFrame":
        """Compare the chances with the labels of a judge who was not combined.

        A frame with a row for each tenth of the chances: chance (their mean), share (of documents
        whose label it was) and documents. Chances that are too sure have shares nearer the middle.
        """
        chances, labels = self._against(judge)
        hit = np.eye(chances.shape[1])[labels].astype(np.bool_)
        place = np.minimum((chances * _BINS).astype(np.int64), _BINS - 1)
        rows: list[tuple[Any, ...]] = []
        for bin_ in range(_BINS):
            mine = place == bin_
            if mine.any():
                rows.append((float(chances[mine].mean()), float(hit[mine].mean()), int(mine.sum())))
        return frame_of(rows, "chance share documents")

    def quality(self, judge: str) -> dict[str, float]:
        """Return how well the chances predict the labels of a judge who was not combined.

        `accuracy` and `kappa_quadratic` are those of the most likely grades; `brier` is the mean
        squared error of the chances (0 to 2) and `log_loss` the mean of -log of the chance of the
        label; for both, lower is better.
        """
        chances, labels = self._against(judge)
        grades = chances.shape[1]
        table = np.zeros((grades, grades))
        np.add.at(table, (labels, np.argmax(chances, axis=1)), 1)
        own = np.maximum(chances[np.arange(len(labels)), labels], 1e-12)
        return {
            "accuracy": float(np.trace(table) / table.sum()),
            "kappa_quadratic": float(cohen_kappa(table, weights="quadratic")),
            "brier": float(((chances - np.eye(grades)[labels]) ** 2).sum(axis=1).mean()),
            "log_loss": float(-np.log(own).mean()),
        }

    def _against(self, judge: str) -> tuple[Floats, Ints]:
        if judge in self.judges:
            raise OptionError(f"{judge} was combined with the others, so cannot test the result")
        labels = self.panel.levels[self.panel.place_of(judge)]
        labeled = (labels != NONE) & self.uncertain
        if not labeled.any():
            raise OptionError(f"{judge} has no label for a document whose grade is uncertain")
        return self.chances[labeled], labels[labeled]
