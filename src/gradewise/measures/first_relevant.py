"""Measures of a user who stops at what satisfies: RR, ERR, nERR and iRBU."""

from typing import ClassVar

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Hits, Judged, Lists
from gradewise.errors import MeasureError
from gradewise.measures.gain_discount import binary_gain
from gradewise.measures.gains import GainRuleName, gain_table
from gradewise.measures.ideal import Ideal, ideal_lists
from gradewise.measures.measure import Measure, ratio
from gradewise.measures.parameters import Gains, Pairs
from gradewise.measures.references import (
    CHAPELLE_2009,
    NTCIREVAL,
    SAKAI_2011,
    SAKAI_2021,
    TREC_EVAL,
)
from gradewise.measures.registry import register


@register
class RR(Measure):
    """Reciprocal rank of the first relevant document.

    Definition
    ----------
    RR = 1/n for the smallest n with r_n >= rel; 0 if there is none, or none down to the cutoff.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.score("RR", grades=[0, 1, 1], relevant={1: 2})
    0.5
    """

    rel: int = 1
    differs = (
        "Tied documents: ir_measures' RR@k puts the smaller id first; the MRR@k of BEIR and MTEB "
        "keeps the order of the run, as `ties='input'` does.",
    )
    references = (TREC_EVAL,)

    def satisfaction(self, lists: Lists) -> Floats:
        """Return 1 for relevant levels: a user stops at the first."""
        return binary_gain(lists, self.rel)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = self.within_cutoff(judged.hits_of(self.rel))
        lists, first = np.unique(hits.list, return_index=True)
        values = np.zeros(len(judged))
        values[lists] = 1 / hits.rank[first]
        return values


_GAINS = (
    "the gain of each grade, {grade: gain}, 'linear' or 'exp'; a user stops at a document with "
    "chance gain / (highest gain + 1); grades not named keep the usual gain, "
)


class _Cascade(Measure):
    """What measures have in common whose users stop at a document with a chance that gains give."""

    gains: Gains = None
    max_grade: int | None = None
    usual: ClassVar[GainRuleName] = "linear"

    def stops(self, lists: Lists) -> Floats:
        """Return the chance that a user stops at a document of each level: h / (highest + 1)."""
        if self.max_grade is not None and len(lists.scale) and lists.scale[-1] > self.max_grade:
            raise MeasureError(f"{self}: the qrels have grade {lists.scale[-1]}, above max_grade")
        if (self.gains or self.usual) == "exp":
            # As a difference of shares, since 2^max is no number for grades above 1023.
            grades = lists.scale.astype(np.float64)
            highest = float(self.max_grade or lists.scale.max(initial=0))
            return np.concatenate([[0.0], np.exp2(grades - highest) - np.exp2(-highest)])
        table = gain_table(self.gains, lists.scale, usual=self.usual)
        return table / (max(table.max(), self._highest_stated()) + 1)

    def _highest_stated(self) -> float:
        """Return the highest gain that parameters state, whatever grades occur in the qrels."""
        named: Pairs = self.gains if isinstance(self.gains, tuple) else ()
        top = np.array([] if self.max_grade is None else [self.max_grade], np.int64)
        stated = gain_table(self.gains, top, usual=self.usual)
        return max([*stated.tolist(), *(gain for _, gain in named)])


def stop_chances(hits: Hits, stops: Floats) -> Floats:
    """Return the chance that a user stops at each hit: s(r_n) Π_{m < n} (1 - s(r_m))."""
    chances = stops[hits.level]
    for level in range(1, len(stops)):
        here = hits.level == level
        chances = chances * (1 - stops[level]) ** (hits.running(here) - here)
    return chances


@register
class ERR(_Cascade):
    """Expected reciprocal rank of the document at which a user stops.

    Definition
    ----------
    ERR = Σ_n (1/n) s(r_n) Π_{m < n} (1 - s(r_m)), where s(r) = h(r) / (h_max + 1) is the chance
    that a document of grade r satisfies, and h_max the highest gain. With the usual gain 2^r - 1
    this is s(r) = (2^r - 1) / 2^max, where max is the highest grade.

    Examples
    --------
    Highest grade 1: each relevant document satisfies half of the users. 1/2 + 1/3 · 1/2 · 1/2.

    >>> import gradewise as gw
    >>> round(gw.score("ERR", grades=[1, 0, 1], relevant={1: 2}), 4)
    0.5833
    """

    usual: ClassVar[GainRuleName] = "exp"
    meanings: ClassVar[dict[str, str]] = {"gains": _GAINS + "2^grade - 1"}
    differs: ClassVar[tuple[str, ...]] = (
        "gdeval, and ir_measures' ERR@k by it, assumes that the highest grade is 4: "
        "`ERR(max_grade=4)@k`.",
        "NTCIREVAL's ERR takes the gains that it is given, usually the grades: "
        "`ERR(gains='linear')`.",
    )
    references: ClassVar[tuple[str, ...]] = (CHAPELLE_2009,)

    def satisfaction(self, lists: Lists) -> Floats | None:
        """Return the chance that a document of each level satisfies."""
        return self.stops(lists)

    def norm(self, lists: Lists) -> Floats:
        """Return what the value of each list is divided by."""
        return np.ones(len(lists))

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = self.within_cutoff(judged.relevant_hits)
        total = hits.sums(stop_chances(hits, self.stops(judged)) / hits.rank)
        return ratio(total, self.norm(judged))


@register
class nERR(ERR):  # noqa: N801 - the community's spelling
    """Normalized expected reciprocal rank: ERR against that of the ideal list.

    Definition
    ----------
    nERR@k = Σ_{n <= k} (1/n) s(r_n) Π_{m < n} (1 - s(r_m)) / Σ_{n <= k} (1/n) s(y_n)
    Π_{m < n} (1 - s(y_m)), where y is the ideal list of all judged documents of the topic and
    s(r) = h(r) / (h_max + 1). The usual gain is the grade, as at NTCIR; with gains='exp' it is
    ERR with its own usual gain, normalized.

    Examples
    --------
    Highest grade 1: (1/2 + 1/3 · 1/2 · 1/2) / (1/2 + 1/2 · 1/2 · 1/2).

    >>> import gradewise as gw
    >>> round(gw.score("nERR", grades=[1, 0, 1], relevant={1: 2}), 4)
    0.9333
    """

    usual = "linear"
    elsewhere = "lowers"
    highest = 1.0
    meanings: ClassVar[dict[str, str]] = {"gains": _GAINS + "the grade itself"}
    differs: ClassVar[tuple[str, ...]] = (
        "NTCIREVAL's nERR@k with gains 1:2:3 is `nERR@k`; unlike in `ERR`, the usual gain is the "
        "grade.",
    )
    references = (CHAPELLE_2009, SAKAI_2011, NTCIREVAL)

    def satisfaction(self, lists: Lists) -> None:
        """Return None: the value is divided by that of the ideal list."""

    def norm(self, lists: Lists) -> Floats:
        """Return the ERR of the ideal list of each list's topic, down to the cutoff."""
        ideal = ideal_lists(lists, self.stops(lists))
        depth = ideal.total
        if self.cutoff is not None:
            depth = np.minimum(depth, int(self.cutoff))
        return lists.per_list(_ideal_err(ideal, depth))


def _ideal_err(ideal: Ideal, depth: Ints) -> Floats:
    """Return the ERR of ideal lists, whose gains are chances to stop, down to a depth."""
    topics = len(depth)
    total, going_on = np.zeros(topics), np.ones(topics)
    for stop, begin, end in zip(ideal.gain, ideal.begin.T, ideal.end.T, strict=True):
        size = np.minimum(end, depth) - np.minimum(begin, depth)
        topic = np.arange(topics).repeat(size)
        place = np.arange(len(topic)) - (np.cumsum(size) - size)[topic]  # within the stretch
        terms = going_on[topic] * stop * (1 - stop) ** place / (begin[topic] + place + 1)
        total += np.bincount(topic, terms, topics)
        going_on *= (1 - stop) ** size
    return total


@register
class iRBU(_Cascade):  # noqa: N801 - the papers' spelling
    """Intentwise rank-biased utility: ERR's users, for whom utility falls by p with every rank.

    Definition
    ----------
    iRBU = Σ_n p^n s(r_n) Π_{m < n} (1 - s(r_m)), where s(r) = h(r) / (h_max + 1) is the chance
    that a user stops at a document of grade r, and h_max the highest gain.

    Examples
    --------
    Highest grade 1: 0.9 · 1/2 + 0.9^3 · 1/2 · 1/2.

    >>> import gradewise as gw
    >>> round(gw.score("iRBU(p=0.9)", grades=[1, 0, 1], relevant={1: 2}), 5)
    0.63225
    """

    p: float = 0.99
    highest = 1.0
    meanings: ClassVar[dict[str, str]] = {
        "gains": _GAINS + "the grade itself",
        "p": "what remains of the utility with every further rank",
    }
    references = (SAKAI_2021, NTCIREVAL)

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        hits = self.within_cutoff(judged.relevant_hits)
        return hits.sums(stop_chances(hits, self.stops(judged)) * self.p ** (1.0 * hits.rank))
