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
    """Features and labels, list after list; features may be a sparse matrix.

    Labels are grades, or any numbers in training; `start` are scores to begin from.
    """

    x: Any
    grades: Any
    sizes: Ints
    weight: Floats | None = None
    start: Floats | None = None
    position: Ints | None = None
    names: tuple[str, ...] | None = None


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
    first, and `model_file` is the usual name of a model in the library's own format. `rates` are
    the names of the learning rate, and `usual_rate` is the library's default. Names of features
    cannot hold the characters `not_in_names`.
    """

    module: ClassVar[str]
    title: ClassVar[str]
    file_format: ClassVar[str]
    model_file: ClassVar[str]
    objectives: ClassVar[tuple[str, ...]]
    rates: ClassVar[tuple[str, ...]]
    usual_rate: ClassVar[float]
    not_in_names: ClassVar[str]

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
        before: Any = None,
    ) -> Any:
        """Return a model; it continues the one `before`, if there is one."""

    def learning_rate(self, parameters: Mapping[str, Any]) -> float:
        """Return the learning rate among the library's parameters, or its default."""
        given = [parameters[name] for name in self.rates if name in parameters]
        return float(given[0]) if given else self.usual_rate

    def feature_names(self, names: Sequence[str] | None) -> list[str] | None:
        """Return names as the library takes them: others get an underscore, or a number."""
        if names is None:
            return None
        plain = ["".join("_" if c in self.not_in_names else c for c in name) for name in names]
        if len(set(plain)) < len(plain):
            plain = [f"{name}_{n}" for n, name in enumerate(plain)]
        return plain

    @abstractmethod
    def with_gains(self, rows: Rows, table: Floats) -> tuple[Rows, dict[str, Any]]:
        """Return rows and parameters by which labels 0, 1, ... are worth the gains of a table."""

    @abstractmethod
    def grown(self, model: Any) -> int:
        """Return how many iterations a model has."""

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
    def plain_trees(self, model: Any, iterations: int | None) -> list[dict[str, Any]]:
        """Return trees of `split < split_condition` as search engines read them."""

    @abstractmethod
    def parse(self, content: bytes) -> tuple[Any, dict[str, Any]]:
        """Read what `dump`, or the library itself, wrote."""
