"""C/W/L: a user model and gains, from which weights and expected utility follow.

A user who looks at rank n goes on to rank n+1 with chance C(n). So V(n) = Π_{m < n} C(m) look at
rank n, W(n) = V(n) / Σ_m V(m) is the share of attention that it gets, and L(n) = V(n) (1 - C(n))
look at it last.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Judged, Lists
from gradewise.collection.one_list import judge_list
from gradewise.errors import MeasureError
from gradewise.libraries import pl
from gradewise.measures.gains import gain_table
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.measures.measure import Measure, ratio
from gradewise.measures.parameters import Expected, Gains, UserLike
from gradewise.measures.references import AZZOPARDI_2019, MOFFAT_2013
from gradewise.measures.registry import register
from gradewise.measures.users import USERS, Patience, User, Walk

LAST_RANK = 1000  # where walks end that nothing else ends, as in cwl_eval
_CELLS = 1 << 20  # of a table of lists and ranks that is made at once
GAINS = (
    "the gain of each grade, {grade: gain}, 'linear' or 'exp', divided by the highest; grades not "
    "named keep the usual gain, the grade itself"
)


def unit_gains(gains: Gains, max_grade: int | None, lists: Lists) -> Floats:
    """Return the gain of each level divided by the highest gain, stated or in the qrels."""
    grades = lists.scale
    if max_grade is not None:
        if len(grades) and grades[-1] > max_grade:
            raise MeasureError(f"the qrels have grade {grades[-1]}, above max_grade={max_grade}")
        grades = np.append(grades, max_grade)
    table = gain_table(gains, grades)
    named = [gain for _, gain in gains] if isinstance(gains, tuple) else []
    highest = max([*table.tolist(), *named])
    return table[: len(lists.scale) + 1] / (highest or 1.0)


@dataclass(frozen=True, eq=False)
class Seen:
    """What users have seen: V(n) of each list and rank, and the expected number beyond them."""

    gain: Floats
    continuation: Floats
    viewed: Floats
    beyond: Floats

    @property
    def items(self) -> Floats:
        """The expected number of documents seen."""
        return _sum_ranks(self.viewed) + self.beyond

    @property
    def total(self) -> Floats:
        """The expected gain of all documents seen."""
        return _sum_ranks(self.viewed * self.gain)


def _sum_ranks(table: Floats) -> Floats:
    """Add up rank after rank, so that zeros below the end of a list change nothing."""
    return np.cumsum(table, axis=1)[:, -1]


class UserModel(Measure):
    """A measure given by a user of the C/W/L framework; its value is the expected rate of gain."""

    gains: Gains = None
    max_grade: int | None = None
    named: ClassVar[str]  # among USERS
    p, T = 0.8, 1.0  # no parameters unless a subclass says so
    meanings: ClassVar[dict[str, str]] = {"gains": GAINS}
    beyond_end = "ranks beyond the end of the list count as seen and not relevant"

    def model(self) -> User:
        """Return the user model."""
        return USERS[self.named]

    def gain(self, lists: Lists) -> Floats:
        """Return the gain of each level, from 0 to 1."""
        return unit_gains(self.gains, self.max_grade, lists)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        values = [self.value(seen) for seen in self.walks(judged)]
        return np.concatenate(values) if values else np.zeros(0)

    def value(self, seen: Seen) -> Floats:
        """Return the expected gain per document seen."""
        return ratio(seen.total, seen.items)

    def walks(self, judged: Judged, *, depth: int = 1) -> Iterator[Seen]:
        """Let users walk down all lists, some lists at a time, and `depth` ranks at least."""
        hits, user = self.within_cutoff(judged.relevant_hits), self.model()
        last = np.full(len(judged), depth)
        np.maximum.at(last, hits.list, hits.rank)
        if user.beyond is None or self.cutoff is not None:
            last[:] = LAST_RANK if self.cutoff is None else int(self.cutoff)
            hits = hits.where(hits.rank <= last[hits.list])
        deepest = int(last.max(initial=1))
        gain = self.gain(judged)[hits.level]
        step = max(_CELLS // deepest, 1)
        for first in range(0, len(judged), step):
            table = np.zeros((min(step, len(judged) - first), deepest))
            here = slice(*np.searchsorted(hits.list, [first, first + len(table)]))
            table[hits.list[here] - first, hits.rank[here] - 1] = gain[here]
            yield self._walk(table, last[first : first + step], user)

    def _walk(self, gain: Floats, last: Ints, user: User) -> Seen:
        """Let users walk down lists to their last ranks; what is beyond has a closed form."""
        walk = Walk(np.arange(1.0, gain.shape[1] + 1), gain, np.cumsum(gain, axis=1))
        chance = np.broadcast_to(user.continuation(walk, self), gain.shape).astype(np.float64)
        ends = user.beyond is None or self.cutoff is not None
        if ends:
            chance[:, -1] = 0.0
        _check_chances(chance, str(self))
        viewed = np.ones_like(gain)
        np.cumprod(chance[:, :-1], axis=1, out=viewed[:, 1:])
        beyond = np.zeros(len(gain))
        if not ends:
            assert user.beyond is not None
            end = np.arange(len(gain)), last - 1
            reached = viewed[end] * chance[end]
            beyond = reached * user.beyond(last + 1.0, walk.total[end], self)
            viewed[walk.rank > last[:, None]] = 0.0
        return Seen(gain, chance, viewed, beyond)


def _check_chances(chance: Floats, measure: str) -> None:
    wrong = ~((chance >= 0) & (chance <= 1))
    if wrong.any():
        row, rank = np.argwhere(wrong)[0]
        raise MeasureError(
            f"{measure}: the probability of going on from rank {rank + 1} must be between 0 and 1, "
            f"not {chance[row, rank]:.6g}"
        )


@register
class CWL(UserModel):
    """Expected utility of a user model of the C/W/L framework, named or your own.

    Definition
    ----------
    A user at rank n goes on to rank n+1 with probability C(n), so V(n) = Π_{m < n} C(m) is the
    probability of reaching rank n. CWL is Σ_n V(n) h(r_n) / Σ_n V(n), the expected gain per
    document seen; with expected='total' it is Σ_n V(n) h(r_n), the expected gain of a user, and
    with expected='items' Σ_n V(n), the expected number of documents seen, which is also the cost
    if each document costs 1. Gains are divided by the highest. With a cutoff k, every user stops
    at rank k. Without one, the users of RBP, INSQ, INST, NERR10 and NERR11 have no last rank, and
    all others stop at rank 1000.

    Examples
    --------
    Half of the users go on from each rank. They see 2 documents and gain 1 + 1/4:

    >>> import gradewise as gw
    >>> gw.score("CWL(user='rbp',p=0.5,expected='total')", grades=[1, 0, 1], relevant={1: 2})
    1.25

    A user of your own, who stops at the first gain and otherwise goes on in 4 of 5 cases: the
    document at rank 2 is seen with probability 0.8, so 0.8 is gained from 1.8 documents.

    >>> def fussy(rank, gain, total):
    ...     return 0.8 * (total == 0)
    >>> round(gw.score(gw.CWL(user=fussy), grades=[0, 1], relevant={1: 2}), 4)
    0.4444
    """

    user: UserLike = "rbp"
    p: float = 0.8
    T: float = 1.0
    expected: Expected = "rate"
    meanings: ClassVar[dict[str, str]] = {
        "gains": GAINS,
        "p": "patience: how likely the users of 'rbp' and 'nerr10' are to go on",
    }
    references = (MOFFAT_2013, AZZOPARDI_2019)
    no_relevant = "0; like any other topic if expected='items'"
    missing_topic = "0; as for an empty list if expected='items'"

    def model(self) -> User:
        """Return the user model that is named, or that a function gives."""
        if isinstance(self.user, str):
            return USERS[self.user]
        own = self.user

        def continuation(walk: Walk, user: Patience) -> Floats:
            chance = np.asarray(own(walk.rank, walk.gain, walk.total), np.float64)
            try:
                return np.broadcast_to(chance, walk.gain.shape)
            except ValueError:
                raise MeasureError(
                    f"{self}: the function must return a row for each list and a column for each "
                    f"rank, like the gains, {walk.gain.shape}, but its shape is {chance.shape}"
                ) from None

        return User(continuation, "a function")

    def value(self, seen: Seen) -> Floats:
        """Return what is expected."""
        if self.expected == "rate":
            return super().value(seen)
        return seen.total if self.expected == "total" else seen.items


def trace_user(
    measure: MeasureLike, grades: Sequence[int | None], relevant: Mapping[int, int]
) -> "pl.DataFrame":
    """Return what the user of a measure does at each rank of a list.

    Parameters
    ----------
    measure
        A measure with a user model of the C/W/L framework: CWL, INST, BPM, NERR8 to NERR11.
    grades
        The grade at each rank; None where the document is unjudged.
    relevant
        How many documents of each grade the topic has, retrieved or not.

    Returns
    -------
    polars.DataFrame
        For each rank its gain, the probability C of going on from there, the share W of attention
        that it gets, and the probability L that it is the last rank that the user looks at.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.trace_user("CWL(user='rbp',p=0.5)", [1, 0, 1], {1: 2})
    shape: (3, 5)
    ┌──────┬──────┬─────┬───────┬───────┐
    │ rank ┆ gain ┆ C   ┆ W     ┆ L     │
    │ ---  ┆ ---  ┆ --- ┆ ---   ┆ ---   │
    │ i64  ┆ f64  ┆ f64 ┆ f64   ┆ f64   │
    ╞══════╪══════╪═════╪═══════╪═══════╡
    │ 1    ┆ 1.0  ┆ 0.5 ┆ 0.5   ┆ 0.5   │
    │ 2    ┆ 0.0  ┆ 0.5 ┆ 0.25  ┆ 0.25  │
    │ 3    ┆ 1.0  ┆ 0.5 ┆ 0.125 ┆ 0.125 │
    └──────┴──────┴─────┴───────┴───────┘
    """
    parsed, size = parse_measure(measure), len(grades)
    if not isinstance(parsed, UserModel):
        raise MeasureError(
            f"{parsed} does not define a user model; CWL, INST, BPM and NERR8 to NERR11 do, and "
            f"CWL(user=...) has those of {', '.join(USERS)}"
        )
    seen = next(parsed.walks(judge_list(grades, relevant), depth=size))
    chance, viewed = seen.continuation[0, :size], seen.viewed[0, :size]
    columns = {
        "rank": np.arange(1, len(viewed) + 1),
        "gain": seen.gain[0, :size],
        "C": chance,
        "W": viewed / seen.items[0],
        "L": viewed * (1 - chance),
    }
    return pl.DataFrame(columns)
