"""A recipe: everything that a training depends on besides the data and the learning rate."""

from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import OptionError, check_choice
from gradewise.learn.list_losses import Losses
from gradewise.learn.nets.algorithms import ALGORITHMS, AlgorithmName
from gradewise.learn.nets.optimizers import OPTIMIZERS, OptimizerName
from gradewise.learn.objectives import Tables
from gradewise.measures.measure import Measure


@dataclass(frozen=True)
class Recipe:
    """How to train; see `NetRanker` for the meaning of each part."""

    algorithm: AlgorithmName
    objective: Measure
    hidden: int = 10
    optimizer: OptimizerName = "sgd"
    epochs: int = 300
    patience: int = 16
    batch_size: int = 1
    sigma: float = 1.0
    truncation: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        check_choice("algorithm", self.algorithm, tuple(ALGORITHMS))
        check_choice("optimizer", self.optimizer, tuple(OPTIMIZERS))
        for name in ("epochs", "patience", "batch_size"):
            if getattr(self, name) < 1:
                raise OptionError(f"{name} must be at least 1, not {getattr(self, name)}")
        if self.hidden < 0:
            raise OptionError(f"hidden must be 0 (a linear net) or more, not {self.hidden}")
        if not self.sigma > 0:
            raise OptionError(f"sigma must be above 0, not {self.sigma}")
        if self.truncation is not None and self.truncation < 1:
            raise OptionError(f"truncation must be at least 1, not {self.truncation}")
        ALGORITHMS[self.algorithm].check(self.objective)

    def losses(self, tables: Tables, scores: Floats, rng: np.random.Generator) -> Losses:
        """Return the losses of lists and their gradients."""
        compute = ALGORITHMS[self.algorithm].compute
        return compute(tables, scores, rng, self.sigma, self.truncation)
