"""What rankers ask of a library of boosted trees, and what they hand over to it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.errors import MissingDependencyError
from gradewise.learn.trees.metric import Metric
from gradewise.learn.trees.objective import Objective

ABOUT = "gradewise"  # under which a model's file says what it was trained for


@dataclass(frozen=True, eq=False)
class Rows:
    """Features and grades, list after list; features may be a sparse matrix."""

    x: Any
    grades: Ints
    sizes: Ints
    weight: Floats | None = None


@dataclass(eq=False)
class Watch:
    """Values of metrics on held-out lists after each iteration: `history[set][metric]`.

    `full` is true when no metric has improved on the first set for `patience` iterations.
    """

    metrics: Sequence[Metric]
    held: Sequence[Rows]
    patience: int | None = None
    progress: Callable[[int], None] | None = None
    history: list[list[list[float]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.history = [[[] for _ in self.metrics] for _ in self.held]

    def look(self, scores: Sequence[Floats]) -> None:
        """Compute the metrics for the scores of each set."""
        for held, values, rows in zip(self.held, self.history, scores, strict=True):
            for metric, each in zip(self.metrics, values, strict=True):
                each.append(metric(held.grades, rows, held.weight, held.sizes)[1])
        if self.progress is not None:
            self.progress(1)

    def best(self, place: int) -> int:
        """Return the iteration, from 1 on, at which a metric was best on the first set."""
        values = np.array(self.history[0][place])
        higher = self.metrics[place].measure.higher_is_better
        return int(np.argmax(values if higher else -values)) + 1

    @property
    def full(self) -> bool:
        """Whether training should stop."""
        if self.patience is None or not self.held:
            return False
        done = len(self.history[0][0])
        return all(done - self.best(n) >= self.patience for n in range(len(self.metrics)))


class Booster(ABC):
    """A library of boosted trees.

    `module` is what is imported, `objectives` are the library's own for rankings, its default
    first, and `model_file` is the usual name of a model in the library's own format.
    """

    module: ClassVar[str]
    title: ClassVar[str]
    file_format: ClassVar[str]
    model_file: ClassVar[str]
    objectives: ClassVar[tuple[str, ...]]

    def __init__(self) -> None:
        try:
            self.library: Any = import_module(self.module)
        except ImportError:
            raise MissingDependencyError(self.module, "boost", "training trees") from None

    @staticmethod
    @abstractmethod
    def wrote(content: bytes) -> bool:
        """Return whether the library wrote a model that starts with `content`."""

    @abstractmethod
    def parameters(self) -> frozenset[str]:
        """Return the names of all parameters that the library knows, aliases among them."""

    @abstractmethod
    def train(
        self,
        rows: Rows,
        objective: Objective | str,
        parameters: Mapping[str, Any],
        iterations: int,
        watch: Watch,
    ) -> Any:
        """Return a model."""

    @abstractmethod
    def predict(self, model: Any, x: Any, iterations: int | None) -> Floats:
        """Return a score for each row, by the first iterations or by all."""

    @abstractmethod
    def importances(self, model: Any, width: int) -> Floats:
        """Return how much each feature has lowered the loss, in total."""

    @abstractmethod
    def width(self, model: Any) -> int:
        """Return how many features a model takes."""

    @abstractmethod
    def dump(self, model: Any, iterations: int | None, about: Mapping[str, Any]) -> bytes:
        """Return a model in the library's own format, with what is known about it."""

    @abstractmethod
    def parse(self, content: bytes) -> tuple[Any, dict[str, Any]]:
        """Read what `dump`, or the library itself, wrote."""
