"""What every measure is: a name, parameters, a cutoff, and a value for each list."""

from abc import ABCMeta, abstractmethod
from collections.abc import Mapping
from inspect import Parameter, Signature, get_annotations
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, dataclass_transform

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Hits, Judged, Lists
from gradewise.errors import MeasureError, did_you_mean
from gradewise.measures.parameters import PARAMETERS, as_literal

LARGEST_CUTOFF = 100_000_000  # no list is as long, and some measures add up all ranks to there

if TYPE_CHECKING:
    from gradewise.collection.pool import Pool
    from gradewise.collection.qrels import Qrels

Cutoff = Literal["none", "optional", "required", "recall"]
Aggregate = Literal["mean", "sum", "geometric"]
Self = TypeVar("Self", bound="Measure")


@dataclass_transform(kw_only_default=True)
class MeasureType(ABCMeta):
    """What makes the name of a measure stand for the measure with its defaults.

    `nDCG @ 10` is a measure as `nDCG(dcg="exp-log2") @ 10` is; `AP`, printed and compared, is the
    same as `AP()`.
    """

    name: str
    _parameters: dict[str, Any]  # name -> default

    def __matmul__(cls: type[Self], cutoff: float) -> Self:  # type: ignore[misc]
        return cls(cutoff=cutoff)

    def __repr__(cls) -> str:
        return cls.name

    def __hash__(cls) -> int:  # that of cls(), which it equals
        return hash(cls._default_key())

    def _default_key(cls) -> tuple[Any, ...]:
        return (cls.name, None, *cls._parameters.values())


class Measure(metaclass=MeasureType):
    """A measure is a description: two with the same name and parameters are equal.

    Subclasses declare parameters as annotated attributes with defaults, whose meaning and checks
    are in `parameters`. (Dataclasses would do the same, and take a third of the time of
    `import gradewise` to write their methods.)
    """

    cutoff: int | float | None = None
    judged_only: bool = False

    name: ClassVar[str] = "Measure"
    family: ClassVar[str] = "other"
    aliases: ClassVar[tuple[str, ...]] = ()
    cutoff_rule: ClassVar[Cutoff] = "optional"
    aggregate: ClassVar[Aggregate] = "mean"
    higher_is_better: ClassVar[bool] = True
    uses_scores: ClassVar[bool] = False
    uses_intents: ClassVar[bool] = False
    uses_sessions: ClassVar[bool] = False  # knows the queries that a list consists of
    uses_sample: ClassVar[bool] = False  # estimates from how documents of a pool were drawn
    uses_preferences: ClassVar[bool] = False  # needs no grades where preferences were judged
    always_shown: ClassVar[frozenset[str]] = frozenset()
    references: ClassVar[tuple[str, ...]] = ()
    differs: ClassVar[tuple[str, ...]] = ()  # what other tools compute under the same name
    meanings: ClassVar[dict[str, str]] = {}  # of parameters, where they are not the usual ones
    unjudged: ClassVar[str] = "count as not relevant"
    not_positive: ClassVar[str] = "judged, not relevant"
    beyond_end: ClassVar[str] = "ranks beyond the end of the list count as not relevant"
    no_relevant: ClassVar[str] = "0"
    missing_topic: ClassVar[str] = "0"

    # For distances: relevant documents that a list lacks divide its value at most, or lower it in
    # other ways too, or matter in any way; and what the value is at most, where that is declared.
    elsewhere: ClassVar[Literal["divides", "lowers", "matters"]] = "divides"
    highest: ClassVar[float | None] = None

    _parameters: ClassVar[dict[str, Any]] = {"judged_only": False}  # name -> default

    def __init_subclass__(cls) -> None:
        declared = get_annotations(cls)
        own = {
            name: cls.__dict__[name]
            for name in declared
            if name in PARAMETERS.keys() & cls.__dict__.keys()
        }
        cls._parameters = dict(sorted({**cls._parameters, **own}.items()))
        options = {**cls._parameters, "cutoff": None}
        cls.__signature__ = Signature(  # type: ignore[attr-defined]
            [Parameter(n, Parameter.KEYWORD_ONLY, default=d) for n, d in options.items()]
        )

    def __init__(self, *, cutoff: int | float | None = None, **values: Any) -> None:
        self._check_names(values)
        for name, default in self._parameters.items():
            try:
                checked = PARAMETERS[name].check(values.get(name, default))
            except MeasureError as error:
                raise MeasureError(f"{self.name}: {name} {error}") from None
            self.__dict__[name] = checked
        self.__dict__["cutoff"] = self._checked_cutoff(cutoff)
        self.check()

    def check(self) -> None:
        """Raise a MeasureError if the parameters do not go together."""

    @classmethod
    def parameters(cls) -> dict[str, Any]:
        """Return the parameters and their defaults, in the order of their names."""
        return cls._parameters

    @classmethod
    def _check_names(cls, values: Mapping[str, Any]) -> None:
        known = list(cls._parameters)
        for name in values:
            if name not in known:
                raise MeasureError(
                    f"{cls.name} has no parameter {name!r}{did_you_mean(name, known)} "
                    f"(it has {', '.join(known)})"
                )

    def _checked_cutoff(self, cutoff: int | float | None) -> int | float | None:
        rule = self.cutoff_rule
        if cutoff is None:
            return None
        if rule == "none":
            raise MeasureError(f"{self.name} takes no cutoff")
        if isinstance(cutoff, bool) or not isinstance(cutoff, (int, float)):
            raise MeasureError(f"{self.name}: the cutoff must be a number, not {cutoff!r}")
        if rule == "recall":
            if not 0 <= cutoff <= 1:
                raise MeasureError(f"{self.name}@{cutoff}: recall must be between 0 and 1")
            return float(cutoff)
        if not 1 <= cutoff <= LARGEST_CUTOFF or cutoff != int(cutoff):
            shown = f"@{cutoff}" if abs(cutoff) < 10**20 else ""
            most = f", at most {LARGEST_CUTOFF:,}" if cutoff > 1 else ""
            raise MeasureError(
                f"{self.name}{shown}: the cutoff must be a whole number of 1 or more{most}"
            )
        return int(cutoff)

    def check_cutoff(self) -> None:
        """Raise a MeasureError if the measure needs a cutoff and has none yet."""
        if self.cutoff is None and self.cutoff_rule in ("required", "recall"):
            example = "0.5" if self.cutoff_rule == "recall" else "10"
            raise MeasureError(f"{self.name} needs a cutoff, such as {self.name}@{example}")

    def __str__(self) -> str:
        shown = [
            f"{name}={as_literal(getattr(self, name))}"
            for name, default in self._parameters.items()
            if getattr(self, name) != default or name in self.always_shown
        ]
        inside = f"({','.join(shown)})" if shown else ""
        return f"{self.name}{inside}" + ("" if self.cutoff is None else f"@{self.cutoff}")

    __repr__ = __str__

    def _key(self) -> tuple[Any, ...]:
        return (self.name, self.cutoff, *[getattr(self, name) for name in self._parameters])

    def __matmul__(self: Self, cutoff: float) -> Self:
        if self.cutoff is not None:
            raise MeasureError(f"{self} already has a cutoff, so @ {cutoff} cannot be added")
        return type(self)(cutoff=cutoff, **{n: getattr(self, n) for n in self._parameters})

    def __eq__(self, other: object) -> bool:
        if isinstance(other, MeasureType):
            return self._key() == other._default_key()
        return isinstance(other, Measure) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{self.name} cannot be changed; make another measure")

    def values(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        self.check_cutoff()
        compared = judged.pool is not None and judged.pool.preferences is not None
        if compared and not self.uses_preferences:
            raise MeasureError(
                f"{self} needs grades, and these judgments are preferences between documents; use "
                "ppref, rpref, wpref, nwpref or APpref"
            )
        if self.judged_only:
            judged = judged.condensed
        return self.compute(judged)

    @abstractmethod
    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list as it stands."""

    def satisfaction(self, lists: Lists) -> Floats | None:
        """Return the chance, by level, that a user stops at a document, if that is the value.

        Then it is Σ_n (1/n) · (the chance to stop at rank n). None for all other measures.
        """
        return None

    def within_cutoff(self, hits: Hits) -> Hits:
        """Return the hits that the cutoff leaves."""
        return hits if self.cutoff is None else hits.where(hits.rank <= self.cutoff)

    def swap_deltas(self, lists: Lists, levels: Ints) -> Floats:
        """Return how the value changes when two documents of a list trade places.

        `lists` holds one list, `levels` the level of the document at each of its ranks. Entry
        [a, b] belongs to the documents at ranks a+1 and b+1. Families have a closed form; here
        every swapped list is scored.
        """
        return _brute_force_deltas(self, lists, levels)

    def expectation(self, lists: Lists, chances: Floats) -> float:
        """Return the expected value when the levels at ranks are independent.

        `lists` holds one list; `chances[n, i]` is the probability that the document at rank n+1
        has level i.
        """
        raise MeasureError(f"{self.name} has no closed form for its expectation")

    def expected_values(self, judged: Judged, chances: Floats) -> Floats:
        """Return the expected value of every list when the levels of hits are uncertain.

        `chances[h, i]` is the probability that hit h has level i, independently of all others; the
        topic's counts stay as they are.
        """
        raise MeasureError(f"{self.name} has no closed form for its expectation")

    def variances(self, judged: Judged, chances: Floats) -> Floats:
        """Return the variance of every list; all else is as for `expected_values`."""
        raise MeasureError(f"{self.name} has no closed form for its expectation")

    def given_levels(self, judged: Judged, chances: Floats) -> Floats:
        """Return the expected value of its list if a hit had each level, [hit, level].

        The part of it that does not depend on the hit is left out: only differences between levels
        have a meaning. All else is as for `expected_values`.
        """
        raise MeasureError(f"{self.name} has no closed form for its expectation")

    def derivatives(self, lists: Lists, levels: Ints) -> Floats:
        """Return how fast the value grows with the gain of the document at each rank.

        `lists` holds one list, whose topic stays as it is, and `levels` the level of the document
        at each of its ranks. NaN where the value jumps as soon as the document gains anything.
        """
        raise MeasureError(f"{self.name} is not a function of gains, so it has no derivative")


def refuse_intents(measure: Measure, reason: str) -> None:
    """Raise a MeasureError if a measure uses intents, where only one grade per document is known.

    `reason` says so, for what is being done.
    """
    if measure.uses_intents:
        raise MeasureError(f"{measure} needs judgments by intent; {reason}")


def refuse_sessions(measure: Measure, reason: str) -> None:
    """Raise a MeasureError if a measure is about sessions, where only one list is known."""
    if measure.uses_sessions:
        raise MeasureError(f"{measure} scores sessions of several queries; {reason}")


def refuse_sample(measure: Measure, judgments: "Qrels | Pool | None", reason: str) -> None:
    """Raise a MeasureError if a measure would estimate from a sample, and `reason` speaks against.

    Where the pool was judged in full, such a measure needs grades only.
    """
    if measure.uses_sample and judgments is not None and judgments.sample is not None:
        raise MeasureError(f"{measure} estimates from a sampled pool; {reason}")


def refuse_preferences(judgments: "Qrels | Pool | None", reason: str) -> None:
    """Raise a MeasureError if preferences were judged where grades are needed, as `reason` says."""
    if judgments is not None and judgments.preferences is not None:
        raise MeasureError(f"the judgments are preferences between documents; {reason}")


def _brute_force_deltas(measure: Measure, lists: Lists, levels: Ints) -> Floats:
    size = len(levels)
    first, second = np.triu_indices(size, 1)
    swapped = np.tile(levels, (len(first) + 1, 1))
    rows = np.arange(1, len(first) + 1)
    swapped[rows, first], swapped[rows, second] = levels[second], levels[first]
    values = measure.values(lists_of_levels(lists, swapped))
    deltas = np.zeros((size, size))
    deltas[first, second] = deltas[second, first] = values[1:] - values[0]
    return deltas


def lists_of_levels(lists: Lists, levels: Ints) -> Judged:
    """Make many lists of one topic, `levels[l, n]` being the level at rank n+1 of list l."""
    count, size = levels.shape
    topic = np.zeros(count, np.int64)
    same = Lists(lists.scale, lists.counts, topic, np.full(count, size))
    return Judged.of_levels(same, levels.ravel(), topics=["topic"])


def ratio(numerator: Floats | Ints | float, denominator: Floats | Ints) -> Floats:
    """Divide, with 0 where the denominator is 0."""
    result = np.zeros(np.broadcast_shapes(np.shape(numerator), np.shape(denominator)))
    np.divide(numerator, denominator, out=result, where=np.asarray(denominator) != 0)
    return result


def check_probabilities(chances: Floats, lists: Lists) -> None:
    """Raise a MeasureError unless the chances are distributions over the levels of the scale."""
    if chances.ndim != 2 or chances.shape[1] != len(lists.scale) + 1:
        raise MeasureError(
            f"chances must have {len(lists.scale) + 1} columns, one for each level from 0; "
            f"they have shape {chances.shape}"
        )
    totals = chances.sum(axis=1)
    if (chances < 0).any() or (np.abs(totals - 1) > 1e-9).any():
        row = int(np.argmax((chances < 0).any(axis=1) | (np.abs(totals - 1) > 1e-9)))
        raise MeasureError(f"the chances at rank {row + 1} are not probabilities that sum to 1")
