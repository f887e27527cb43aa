"""A recipe: everything that a training depends on besides the data and the learning rate."""

from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats
from gradewise.errors import OptionError, check_choice, check_least
from gradewise.learn.list_losses import NO_PULL, Losses
from gradewise.learn.nets.algorithms import ALGORITHMS, AlgorithmName
from gradewise.learn.nets.optimizers import OPTIMIZERS, OptimizerName
from gradewise.learn.objectives import Tables, check_pair_weights
from gradewise.learn.positions import check_regularization
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
    bias_regularization: float = 0.0

    def __post_init__(self) -> None:
        check_choice("algorithm", self.algorithm, tuple(ALGORITHMS))
        check_choice("optimizer", self.optimizer, tuple(OPTIMIZERS))
        check_least(1, epochs=self.epochs, patience=self.patience, batch_size=self.batch_size)
        if self.hidden < 0:
            raise OptionError(f"hidden must be 0 (a linear net) or more, not {self.hidden}")
        check_pair_weights(self.sigma, self.truncation)
        check_regularization(self.bias_regularization)
        ALGORITHMS[self.algorithm].check(self.objective)

    def losses(
        self, tables: Tables, scores: Floats, rng: np.random.Generator, pull: Floats = NO_PULL
    ) -> Losses:
        """Return the losses of lists and their gradients; `pull` weighs pairs of documents."""
        compute = ALGORITHMS[self.algorithm].compute
        return compute(tables, scores, rng, self.sigma, self.truncation, pull)
