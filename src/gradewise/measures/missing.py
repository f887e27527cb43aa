"""What becomes of judged topics that a run lacks, by name."""

from typing import Literal, NamedTuple

Missing = Literal["zero", "drop"]


class MissingRule(NamedTuple):
    """A rule for a missing topic."""

    title: str


MISSING: dict[Missing, MissingRule] = {
    "zero": MissingRule("scores 0"),
    "drop": MissingRule("left out of the run's means"),
}
