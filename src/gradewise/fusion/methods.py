"""The fusion methods by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from gradewise.arrays import Floats
from gradewise.errors import OptionError, did_you_mean
from gradewise.fusion import combining
from gradewise.fusion.lists import Lists

Method = Literal[
    "rrf",
    "combsum",
    "combmnz",
    "combgmnz",
    "combanz",
    "combmed",
    "combmin",
    "combmax",
    "w_sum",
    "w_mnz",
    "mixed",
    "rbc",
    "isr",
    "log_isr",
    "logn_isr",
    "bordafuse",
    "w_bordafuse",
    "condorcet",
    "w_condorcet",
]


class Parameter(NamedTuple):
    """A parameter of a method: its default, and the values it may have, least and greatest."""

    default: float
    low: float
    high: float = float("inf")


@dataclass(frozen=True)
class FusionMethod:
    """A method: its function from lists to the scores of documents, its title and what it needs.

    It uses the `scores` of lists, which are normalized first, or their ranks alone. If it is
    `weighted`, its function also takes a weight for each run. If it goes `by_pair`, it needs room
    for every document in every run.
    """

    function: Callable[..., Floats]
    title: str
    uses: Literal["scores", "ranks"]
    weighted: bool = False
    by_pair: bool = False
    parameters: Mapping[str, Parameter] = field(default_factory=dict)

    def apply(self, lists: Lists, weights: Floats, parameters: Mapping[str, float]) -> Floats:
        """Return the fused score of each document."""
        given = (weights,) if self.weighted else ()
        return self.function(lists, *given, **parameters)

    def settle(self, name: str, given: Mapping[str, Any]) -> dict[str, float]:
        """Return the value of every parameter, the default where none is given."""
        for key in given:
            if key not in self.parameters:
                known = ", ".join(self.parameters) or "none"
                raise OptionError(
                    f"{name} has no parameter {key!r} (its parameters: {known})"
                    f"{did_you_mean(key, self.parameters)}"
                )
        settled = {key: each.default for key, each in self.parameters.items()} | dict(given)
        for key, value in settled.items():
            _, low, high = self.parameters[key]
            if not (isinstance(value, (int, float)) and low <= value <= high):
                wanted = (
                    f"at least {low:g}" if high == float("inf") else f"from {low:g} to {high:g}"
                )
                raise OptionError(f"{key} must be {wanted}, not {value}")
        return settled


def _by_scores(function: Callable[..., Floats], title: str, **more: Any) -> FusionMethod:
    return FusionMethod(function, title, "scores", **more)


def _by_ranks(function: Callable[..., Floats], title: str, **more: Any) -> FusionMethod:
    return FusionMethod(function, title, "ranks", **more)


METHODS: dict[Method, FusionMethod] = {
    "rrf": _by_ranks(
        combining.reciprocal_rank,
        "reciprocal rank fusion",
        weighted=True,
        parameters={"k": Parameter(60, low=0)},
    ),
    "combsum": _by_scores(combining.comb_sum, "sum"),
    "combmnz": _by_scores(combining.comb_mnz, "sum, times the number of runs"),
    "combgmnz": _by_scores(
        combining.comb_gmnz,
        "sum, times a power of the number of runs",
        parameters={"gamma": Parameter(1, low=0)},
    ),
    "combanz": _by_scores(combining.comb_anz, "mean"),
    "combmed": _by_scores(combining.comb_med, "median"),
    "combmin": _by_scores(combining.comb_min, "minimum"),
    "combmax": _by_scores(combining.comb_max, "maximum"),
    "w_sum": _by_scores(combining.weighted_sum, "weighted sum", weighted=True),
    "w_mnz": _by_scores(
        combining.weighted_mnz, "sum, times the weights of the runs", weighted=True
    ),
    "mixed": _by_scores(
        combining.mixed, "weighted sum, times the root of the number of runs", weighted=True
    ),
    "rbc": _by_ranks(
        combining.rank_biased_centroid,
        "rank-biased centroids",
        weighted=True,
        parameters={"phi": Parameter(0.8, low=0, high=1)},
    ),
    "isr": _by_ranks(combining.inverse_square_rank, "inverse square rank"),
    "log_isr": _by_ranks(combining.log_inverse_square_rank, "logarithmic inverse square rank"),
    "logn_isr": _by_ranks(
        combining.smoothed_log_inverse_square_rank,
        "smoothed logarithmic inverse square rank",
        parameters={"sigma": Parameter(0.01, low=0, high=1)},
    ),
    "bordafuse": _by_ranks(combining.borda, "Borda count"),
    "w_bordafuse": _by_ranks(combining.borda, "weighted Borda count", weighted=True),
    "condorcet": _by_ranks(combining.condorcet, "Condorcet-fuse, by majorities", by_pair=True),
    "w_condorcet": _by_ranks(
        combining.condorcet, "Condorcet-fuse with weighted votes", weighted=True, by_pair=True
    ),
}
