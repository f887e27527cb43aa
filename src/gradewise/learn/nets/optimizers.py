"""Optimizers: how a step changes the weights of a net."""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from gradewise.learn.nets.network import Array, Weights

OptimizerName = Literal["sgd", "adam"]


class Sgd:
    """Plain stochastic gradient descent, as in the papers."""

    usual_rate: float | None = None  # the algorithm knows

    def __init__(self, rate: float) -> None:
        self.rate = np.float32(rate)

    def step(self, weights: Weights, gradient: Weights) -> None:
        """Change weights in place."""
        for name, slope in gradient.items():
            weights[name] -= self.rate * slope

    def state(self) -> Weights:
        """Return what it remembers."""
        return {}

    def set_state(self, state: Mapping[str, Array]) -> None:
        """Set what `state` returned."""


class Adam(Sgd):
    """Adam (Kingma & Ba 2015) with its usual constants."""

    usual_rate = 0.01

    def __init__(self, rate: float) -> None:
        super().__init__(rate)
        self.steps = 0
        self.mean: Weights = {}
        self.square: Weights = {}

    def step(self, weights: Weights, gradient: Weights) -> None:
        """Change weights in place."""
        self.steps += 1
        for name, slope in gradient.items():
            mean = self.mean.setdefault(name, np.zeros_like(slope))
            square = self.square.setdefault(name, np.zeros_like(slope))
            mean += np.float32(0.1) * (slope - mean)
            square += np.float32(0.001) * (slope * slope - square)
            unbiased = mean / np.float32(1 - 0.9**self.steps)
            spread = np.sqrt(square / np.float32(1 - 0.999**self.steps)) + np.float32(1e-8)
            weights[name] -= self.rate * unbiased / spread

    def state(self) -> Weights:
        """Return what it remembers."""
        kept = {f"mean.{name}": array for name, array in self.mean.items()}
        kept |= {f"square.{name}": array for name, array in self.square.items()}
        return kept | {"steps": np.array([self.steps], np.float32)} if kept else {}

    def set_state(self, state: Mapping[str, Array]) -> None:
        """Set what `state` returned."""
        self.steps = int(state["steps"][0]) if state else 0
        for kind, kept in (("mean.", self.mean), ("square.", self.square)):
            kept.clear()
            found = {name: array for name, array in state.items() if name.startswith(kind)}
            kept.update({name.removeprefix(kind): array.copy() for name, array in found.items()})


OPTIMIZERS: dict[OptimizerName, type[Sgd]] = {"sgd": Sgd, "adam": Adam}
