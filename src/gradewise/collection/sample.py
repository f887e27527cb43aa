"""Sample: how judged documents were drawn from a pool that was not judged in full."""

from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Bools, Floats, Ints

_CERTAIN = (0, 2)  # methods by which a document was sure to be judged
_STRATA = "topic 0 document stratum grade"
_CHANCES = "topic document grade method probability"


@dataclass(frozen=True, eq=False)
class Sample:
    """What is known of each judged document: its stratum, or how likely it was to be drawn.

    One of the two is given, with a value for each row of the qrels. Within a stratum every
    document of the pool was equally likely to be drawn; those that were not have a grade below 0.
    """

    stratum: Ints | None = None
    probability: Floats | None = None

    @property
    def note(self) -> str:
        """What the columns of the judgments were taken for."""
        columns = _CHANCES if self.stratum is None else _STRATA
        return f"the judgments have 5 columns, read as {columns}"

    def take(self, rows: Ints | Bools) -> "Sample":
        """Return what is known of some documents."""
        stratum, probability = self.stratum, self.probability
        return Sample(
            None if stratum is None else stratum[rows],
            None if probability is None else probability[rows],
        )


def inclusion_probabilities(method: Floats, probability: Floats) -> Floats:
    """Return how likely documents were to be judged, given why they were and their chance.

    Methods are those of the Million Query and Web tracks: 0 and 2 stand for documents that another
    method chose, alone or as well, which were sure to be judged; all others for the sample.
    """
    return np.where(np.isin(method, _CERTAIN), 1.0, probability)
