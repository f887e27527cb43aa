"""The distance between two runs, topic by topic."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from gradewise.libraries import pl
from gradewise.measures.average_precision import AP
from gradewise.measures.measure import Measure
from gradewise.showing import Shown

_NOT_AVERAGED = ("topic", "exact", "winner", "score_a", "score_b", "relevant")


@dataclass(frozen=True, eq=False)
class TopicDistance:
    """How far two lists of a topic could differ.

    `value` is the distance, or the largest one found; no assignment of grades to unjudged
    documents gives more than `upper`. `assignment` attains the value, together with `outside`:
    numbers of further relevant documents by grade, in neither list or below the scored depth.
    Under it, `relevant` counts the relevant documents of the topic by grade, and `scores` are the
    values of the two lists. `known` is the difference on judged documents alone. `a_over_b` and
    `b_over_a` bound how far either list could lead if only documents that are in the lists, or are
    judged relevant, were relevant; they may be negative. `residual` is what ranks beyond the end
    of the winner's list could add to RBP, and is part of the value. `ssp` is the SSP distance at
    the same depth, for AP only. `judged` is the share of documents that are judged.
    """

    topic: str
    value: float
    upper: float
    winner: Literal["a", "b"] | None
    scores: tuple[float, float]
    known: float
    a_over_b: float
    b_over_a: float
    residual: float
    ssp: float | None
    judged: float
    relevant: dict[int, int]
    assignment: dict[str, int]
    outside: dict[int, int]

    @property
    def lower(self) -> float:
        """The largest distance found: the value."""
        return self.value

    @property
    def exact(self) -> bool:
        """Whether the value is the distance, not a lower bound."""
        return bool(self.upper <= self.value)


@dataclass(frozen=True, eq=False)
class Med(Shown):
    """The distance between two runs, topic by topic.

    Examples
    --------
    >>> import gradewise as gw
    >>> a = {"t": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}
    >>> b = {"t": {"d2": 3.0, "d4": 2.0, "d1": 1.0}}
    >>> result = gw.distance.med(a, b, {"t": {"d1": 1}}, "AP@3")
    >>> result.value
    0.6666666666666667
    >>> result["t"].assignment
    {'d2': 0, 'd4': 0, 'd3': 0}
    """

    measure: Measure
    names: tuple[str, str]
    distances: tuple[TopicDistance, ...]

    @property
    def topics(self) -> list[str]:
        """The topics, in the order of the judgments."""
        return [distance.topic for distance in self.distances]

    def __getitem__(self, topic: str) -> TopicDistance:
        for distance in self.distances:
            if distance.topic == topic:
                return distance
        raise KeyError(topic)

    @property
    def value(self) -> float:
        """The mean distance over topics."""
        return float(np.mean([distance.value for distance in self.distances]))

    @property
    def upper(self) -> float:
        """The mean of the upper bounds; equal to the value if all topics are exact."""
        return float(np.mean([distance.upper for distance in self.distances]))

    @property
    def exact(self) -> bool:
        """Whether the distances of all topics are exact."""
        return all(distance.exact for distance in self.distances)

    @property
    def known(self) -> float:
        """The difference of the means on judged documents alone, first run minus second."""
        return float(np.mean([distance.known for distance in self.distances]))

    @property
    def difference(self) -> tuple[float, float]:
        """The interval that contains the difference of the means, first run minus second.

        Unjudged documents in neither list are assumed not to be relevant.
        """
        low = -float(np.mean([distance.b_over_a for distance in self.distances]))
        return low, float(np.mean([distance.a_over_b for distance in self.distances]))

    @property
    def judged(self) -> float:
        """The mean share of documents that are judged."""
        return float(np.mean([distance.judged for distance in self.distances]))

    @property
    def frame(self) -> "pl.DataFrame":
        """A frame with one row per topic.

        Its columns are topic, med, upper, exact, winner, score_a, score_b, known, a_over_b,
        b_over_a, residual, relevant, judged, ssp.
        """
        named = dict(zip(("a", "b"), self.names, strict=True))
        rows = [
            {
                "topic": each.topic,
                "med": each.value,
                "upper": each.upper,
                "exact": each.exact,
                "winner": None if each.winner is None else named[each.winner],
                "score_a": each.scores[0],
                "score_b": each.scores[1],
                "known": each.known,
                "a_over_b": each.a_over_b,
                "b_over_a": each.b_over_a,
                "residual": each.residual,
                "relevant": sum(each.relevant.values()),
                "judged": each.judged,
                "ssp": each.ssp,
            }
            for each in self.distances
        ]
        return pl.DataFrame(rows, infer_schema_length=None)

    @property
    def summary(self) -> "pl.DataFrame":
        """A frame with one row, topic "all": means over topics of the columns of `frame`."""
        frame = self.frame
        means = [pl.col(name).mean() for name in frame.columns if name not in _NOT_AVERAGED]
        row = frame.select(
            pl.lit("all").alias("topic"),
            pl.lit(self.exact).alias("exact"),
            pl.lit(None, pl.String).alias("winner"),
            *[pl.lit(None, pl.Float64).alias(name) for name in ("score_a", "score_b")],
            pl.lit(None, pl.Int64).alias("relevant"),
            *means,
        )
        return row.select(frame.columns)

    @property
    def conclusion(self) -> str:
        """What follows for the two runs, as one sentence."""
        a, b = self.names
        low, high = self.difference
        known = f"{self.measure} of {a} minus {b} is {self.known:+.4f} on judged documents"
        if low > 0 or high < 0:
            ahead, behind = (a, b) if low > 0 else (b, a)
            return (
                f"{known}; {ahead} is ahead of {behind}, whatever the grades of the unjudged "
                "documents in their lists"
            )
        return (
            f"{known} and could be from {low:+.4f} to {high:+.4f} with complete judgments: "
            "either run could be ahead"
        )

    @property
    def tells_little(self) -> bool:
        """Whether the distance is close to 1 merely because few documents are judged.

        With nothing judged, one relevant document at the top of one list and absent from the
        other gives an AP distance of 1.
        """
        return isinstance(self.measure, AP) and self.judged < 0.1 and self.value > 0.8
