"""What may be given for each training row besides its features and grade."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gradewise.arrays import AnyArray, Floats, Ints
from gradewise.learn.list_losses import NO_PULL
from gradewise.learn.nets.network import Weights
from gradewise.learn.positions import Propensity, inverse_propensities

BIAS = "position_bias"  # among the weights of a net in training


@dataclass(frozen=True, eq=False)
class Positions:
    """Where documents were shown: the positions that there are, and each row's place among them.

    With inverse propensities, `pull` has one for each row; without, biases are learned.
    """

    positions: Ints
    places: Ints
    pull: Floats = field(default_factory=lambda: NO_PULL)

    @staticmethod
    def at(position: Ints, propensity: Propensity) -> "Positions":
        """Return what is known of rows by their positions."""
        positions, places = np.unique(position, return_inverse=True)
        pull = NO_PULL if propensity is None else inverse_propensities(position, propensity)
        return Positions(positions, places.ravel(), pull)

    @property
    def learned(self) -> bool:
        """Whether a bias is learned for each position."""
        return not len(self.pull)

    def rows(self, chosen: Any) -> "Positions":
        """Return some rows."""
        pull = self.pull[chosen] if len(self.pull) else self.pull
        return Positions(self.positions, self.places[chosen], pull)


@dataclass(frozen=True, eq=False)
class RowInputs:
    """Positions, weights and first scores of training rows, each if given.

    Also, weights and first scores of the rows of the evaluation set, and a net to continue.
    """

    shown: Positions | None = None
    weight: Floats | None = None
    start: Floats | None = None
    held_weight: Floats | None = None
    held_start: Floats | None = None
    net: Weights | None = None

    @property
    def biased(self) -> Positions | None:
        """The positions, if a bias is learned for each."""
        return self.shown if self.shown is not None and self.shown.learned else None

    def rows(self, chosen: Any) -> "RowInputs":
        """Return some rows."""
        return replace(
            self,
            shown=None if self.shown is None else self.shown.rows(chosen),
            weight=None if self.weight is None else self.weight[chosen],
            start=None if self.start is None else self.start[chosen],
        )

    def arrays(self) -> Iterator[AnyArray]:
        """Give all arrays, by which a checkpoint knows the inputs again."""
        shown = self.shown
        parts = () if shown is None else (shown.positions, shown.places, shown.pull)
        net = () if self.net is None else self.net.values()
        rows = (self.weight, self.start, self.held_weight, self.held_start)
        for place, each in enumerate((*parts, *rows, *net)):
            if each is not None:
                yield np.array([place])
                yield each


NOTHING_GIVEN = RowInputs()
