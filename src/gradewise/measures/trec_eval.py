"""trec_eval's table of measures: its names, parameters and order of printing.

Most measures are ours under another name. The few that only trec_eval defines in its own way are
declared here and are not in the registry.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Judged, Lists
from gradewise.errors import MeasureError, did_you_mean
from gradewise.measures.average_precision import AP, GMAP, SP
from gradewise.measures.counts import NumNonrelRet, NumQ, NumRel, NumRelRet, NumRet, Unjudged
from gradewise.measures.cumulated_gain import DCG, ideal_dcg, nDCG
from gradewise.measures.first_relevant import RR
from gradewise.measures.gains import gain_table
from gradewise.measures.incomplete import Bpref, GMBpref, infAP
from gradewise.measures.interpolated import AvgIPrec, IPrec
from gradewise.measures.measure import Measure, ratio
from gradewise.measures.precision import P, R, RelP, Rprec, Success
from gradewise.measures.rank_biased import RBP, RBPResidual
from gradewise.measures.sets import SetAP, SetF, SetP, SetR, SetRelP, Utility
from gradewise.measures.trec_gains import BinG, G, RnDCG, nDCGrel

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
RECALLS = tuple(step / 10 for step in range(11))
MULTIPLES = tuple(step / 5 for step in range(1, 11))


class TrecRBP(RBP):
    """trec_eval's rbp: p = 0.9, and graded gains divided by the highest of the topic."""

    name = "rbp"
    p: float = 0.9
    static = False

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        gain = gain_table(self.gains, judged.scale)
        best_grade = np.where(judged.counts[:, 1:] > 0, judged.scale, 0).max(axis=1, initial=0)
        highest = np.array([self._highest_gain(int(grade)) for grade in best_grade])
        hits = judged.relevant_hits
        terms = gain[hits.level] * (1 - self.p) * self.p ** (hits.rank - 1.0)
        return hits.sums(terms) / judged.per_list(np.maximum(highest, 1.0))

    def _highest_gain(self, best_grade: int) -> float:
        """Return the highest gain that is named, or that a grade up to the topic's best has."""
        named = dict(self.gains) if isinstance(self.gains, tuple) else {}
        unnamed = (grade for grade in range(best_grade, 0, -1) if grade not in named)
        return max([*named.values(), next(unnamed, 0)])

    def check(self) -> None:
        """Accept gains above 1, which are scaled down."""


class TrecRBPResidual(RBPResidual):
    """trec_eval's rbp_resid: p = 0.9, and 0 where no document is unjudged."""

    name = "rbp_resid"
    p: float = 0.9

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        complete = judged.hits.counts(judged.is_judged) == judged.retrieved
        return np.where(complete, 0.0, super().compute(judged))


class TrecRnDCG(RnDCG):
    """trec_eval's Rndcg: 0 where no document is relevant at the level of -l."""

    name = "Rndcg"
    rel: int = 1

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        relevant = judged.per_list(judged.relevant(self.rel))
        return np.where(relevant > 0, super().compute(judged), 0.0)


class IdealDCG(DCG):
    """trec_eval's ideal_dcg: the DCG of the ideal list of the topic."""

    name = "ideal_dcg"
    static = False

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        return judged.per_list(ideal_dcg(self, judged))


class TrecParameterError(MeasureError):
    """The parameters of a measure cannot be used; trec_eval ends with another exit code."""


def _sum_precisions(judged: Judged, rel: int, cutoff: float | None = None) -> Floats:
    """Add up precisions as trec_eval does, rank after rank, so that no printed digit differs."""
    hits = judged.hits_of(rel)
    precisions = hits.running() / hits.rank
    return hits.sums(precisions if cutoff is None else precisions * (hits.rank <= cutoff))


class TrecAP(AP):  # noqa: D101 - it has that of AP
    __doc__ = AP.__doc__  # the same, divided by R at the end
    name = "map"

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        total = _sum_precisions(judged, self.rel, self.cutoff)
        return ratio(total, judged.per_list(judged.relevant(self.rel)))


class TrecGMAP(TrecAP):  # noqa: D101 - it has that of GMAP
    __doc__ = GMAP.__doc__
    name = "gm_map"
    aggregate = "geometric"


class TrecAvgIPrec(AvgIPrec):  # noqa: D101 - it has that of AvgIPrec
    __doc__ = AvgIPrec.__doc__  # the same, added up from the highest recall level down
    name = "11pt_avg"

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        falling = sorted(self.recalls, reverse=True)
        levels = [IPrec(rel=self.rel, cutoff=recall).compute(judged) for recall in falling]
        return np.add.accumulate(levels)[-1] / len(levels)


# Trec_eval's measures that differ from ours in the last digit only.
SUMMED_ALIKE: dict[type[Measure], type[Measure]] = {
    TrecAP: AP,
    TrecGMAP: GMAP,
    TrecAvgIPrec: AvgIPrec,
}


class Yaap(SP):
    """trec_eval's yaap: ln((1 + s) / (1 + R - s)), with s the sum of precisions."""

    name = "yaap"
    precisions_over = None

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        precisions = _sum_precisions(judged, self.rel)
        relevant = judged.per_list(judged.relevant(self.rel))
        return np.where(relevant > 0, np.log((1 + precisions) / (1 + relevant - precisions)), 0.0)


@dataclass(frozen=True)
class Settings:
    """The options of the command line that measures depend on."""

    level: int = 1
    collection_size: int = 0


@dataclass(frozen=True)
class Line:
    """A line of output: its name, and the measure whose value it shows."""

    name: str
    measure: Measure | None = None  # None for runid and relstring
    length: int = 0  # of relstring


Make = Callable[[Any, Settings], Measure]


def _at_level(measure: type[Measure]) -> Make:
    """Make a measure that counts documents as relevant from the level of -l on."""
    return lambda _, settings: measure(rel=settings.level)


def _at_cutoff(measure: type[Measure], *, levels: bool = True) -> Make:
    def make(cutoff: Any, settings: Settings) -> Measure:
        return measure(cutoff=cutoff, **({"rel": settings.level} if levels else {}))

    return make


def _with_gains(measure: type[Measure]) -> Make:
    def make(pairs: Any, settings: Settings) -> Measure:
        gains = {grade: gain for grade, gain in pairs.items() if grade != "p"}
        options: dict[str, Any] = {"gains": gains or None}
        if "p" in pairs:
            options["p"] = pairs["p"]
        if measure is TrecRnDCG:
            options["rel"] = settings.level
        return measure(**options)

    return make


def _set_f(numbers: Any, settings: Settings) -> Measure:
    square = numbers[0] if numbers else 1.0
    if square < 0:
        raise MeasureError(f"set_F: the parameter must not be negative, but is {square}")
    if square == 0:
        return SetP(rel=settings.level)
    return SetF(rel=settings.level, beta=math.sqrt(square))


def _utility(numbers: Any, settings: Settings) -> Measure:
    weights = numbers or (1.0, -1.0, 0.0, 0.0)
    size = settings.collection_size or None
    return Utility(rel=settings.level, weights=weights, size=size)


def _points(numbers: Any, settings: Settings) -> Measure:
    return TrecAvgIPrec(rel=settings.level, recalls=numbers or RECALLS)


def _residual(pairs: Any, settings: Settings) -> Measure:
    return TrecRBPResidual(p=pairs["p"]) if "p" in pairs else TrecRBPResidual()


@dataclass(frozen=True)
class Entry:
    """A measure of trec_eval: how its parameters are read, and how it is made.

    `kind` is "plain" (no parameters), "whole" or "real" (a line for each place), "numbers" or
    "pairs" (one line, whose name repeats the parameters).
    """

    name: str
    kind: str
    make: Make | None
    groups: str = ""  # o = official, a = all_trec, s = set
    places: tuple[float, ...] = ()


TABLE = (
    Entry("runid", "plain", None, "oas"),
    Entry("num_q", "plain", lambda _, __: NumQ(), "oas"),
    Entry("num_ret", "plain", lambda _, __: NumRet(), "oas"),
    Entry("num_rel", "plain", _at_level(NumRel), "oas"),
    Entry("num_rel_ret", "plain", _at_level(NumRelRet), "oas"),
    Entry("map", "plain", _at_level(TrecAP), "oa"),
    Entry("gm_map", "plain", _at_level(TrecGMAP), "oa"),
    Entry("Rprec", "plain", _at_level(Rprec), "oa"),
    Entry("bpref", "plain", _at_level(Bpref), "oa"),
    Entry("recip_rank", "plain", _at_level(RR), "oa"),
    Entry("iprec_at_recall", "real", _at_cutoff(IPrec), "oa", RECALLS),
    Entry("P", "whole", _at_cutoff(P), "oa", CUTOFFS),
    Entry("relstring", "numbers", None, "a"),
    Entry("recall", "whole", _at_cutoff(R), "a", CUTOFFS),
    Entry("infAP", "plain", _at_level(infAP), "a"),
    Entry("gm_bpref", "plain", _at_level(GMBpref), "a"),
    Entry("Rprec_mult", "real", lambda x, s: Rprec(mult=x, rel=s.level), "a", MULTIPLES),
    Entry("utility", "numbers", _utility, "as"),
    Entry("11pt_avg", "numbers", _points, "a"),
    Entry("binG", "plain", _at_level(BinG), "a"),
    Entry("G", "pairs", _with_gains(G), "a"),
    Entry("dcg", "pairs", _with_gains(DCG)),
    Entry("ideal_dcg", "pairs", _with_gains(IdealDCG)),
    Entry("ndcg", "pairs", _with_gains(nDCG), "a"),
    Entry("ndcg_rel", "pairs", _with_gains(nDCGrel), "a"),
    Entry("Rndcg", "pairs", _with_gains(TrecRnDCG), "a"),
    Entry("ndcg_cut", "whole", _at_cutoff(nDCG, levels=False), "a", CUTOFFS),
    Entry("map_cut", "whole", _at_cutoff(TrecAP), "a", CUTOFFS),
    Entry("relative_P", "whole", _at_cutoff(RelP), "a", CUTOFFS),
    Entry("success", "whole", _at_cutoff(Success), "a", (1, 5, 10)),
    Entry("set_P", "plain", _at_level(SetP), "as"),
    Entry("set_relative_P", "plain", _at_level(SetRelP), "as"),
    Entry("set_recall", "plain", _at_level(SetR), "as"),
    Entry("set_map", "plain", _at_level(SetAP), "as"),
    Entry("set_F", "numbers", _set_f, "as"),
    Entry("num_nonrel_judged_ret", "plain", _at_level(NumNonrelRet), "a"),
    Entry("yaap", "plain", _at_level(Yaap)),
    Entry("rbp", "pairs", _with_gains(TrecRBP), "a"),
    Entry("rbp_resid", "pairs", _residual, "a"),
    Entry("unj", "whole", _at_cutoff(Unjudged, levels=False), "a", (5, 10, 20)),
)
GROUPS = {"official": "o", "all_trec": "a", "set": "s"}
_NOT_DONE = ("prefs", "all_prefs", "qrels_jg", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg")
_BY_NAME = {entry.name: entry for entry in TABLE}


def choose_lines(requests: Sequence[str], settings: Settings) -> list[Line]:
    """Return the lines that the arguments of -m ask for, in trec_eval's order.

    A measure asked for several times has the parameters that were given first.
    """
    wanted: dict[str, str | None] = {}
    for request in requests or ["official"]:
        name, dot, parameters = request.partition(".")
        if dot and not parameters:
            raise MeasureError(f"-m {request}: expected parameters after the dot")
        if name in GROUPS:
            for entry in TABLE:
                if GROUPS[name] in entry.groups:
                    wanted.setdefault(entry.name, None)
        elif name in _BY_NAME:
            wanted[name] = wanted.get(name) or (parameters or None)
        elif name in _NOT_DONE or name.startswith("prefs_"):
            raise MeasureError(f"-m {request}: preferences and judgment groups are not available")
        else:
            hint = did_you_mean(name, [*_BY_NAME, *GROUPS])
            raise MeasureError(f"-m {request}: trec_eval has no measure {name!r}{hint}")
    try:
        return [
            line
            for entry in TABLE
            if entry.name in wanted
            for line in _lines(entry, wanted[entry.name], settings)
        ]
    except MeasureError as error:
        raise TrecParameterError(str(error)) from None


def _lines(entry: Entry, parameters: str | None, settings: Settings) -> list[Line]:
    if entry.kind == "plain":
        return [Line(entry.name, entry.make and entry.make(None, settings))]
    suffix = "" if parameters is None else f"_{parameters}"
    if entry.kind == "pairs":
        assert entry.make is not None
        return [Line(entry.name + suffix, entry.make(_pairs(entry.name, parameters), settings))]
    numbers = _numbers(entry.name, parameters)
    if entry.kind == "numbers":
        if entry.make is None:
            return [Line(entry.name + suffix, length=max(int(numbers[0]), 0) if numbers else 10)]
        return [Line(entry.name + suffix, entry.make(numbers, settings))]
    places = sorted(map(int, numbers) if entry.kind == "whole" else numbers) or entry.places
    if len(set(places)) < len(places):
        raise MeasureError(f"-m {entry.name}.{parameters}: a cutoff or level is given twice")
    shown = "{:d}" if entry.kind == "whole" else "{:3.2f}"
    make = entry.make
    assert make is not None
    return [Line(f"{entry.name}_{shown.format(place)}", make(place, settings)) for place in places]


def _numbers(name: str, parameters: str | None) -> tuple[float, ...]:
    if parameters is None:
        return ()
    try:
        return tuple(float(number) for number in parameters.split(","))
    except ValueError:
        raise MeasureError(f"-m {name}.{parameters}: the parameters are not numbers") from None


def _pairs(name: str, parameters: str | None) -> dict[Any, float]:
    pairs: dict[Any, float] = {}
    for pair in parameters.split(",") if parameters else ():
        key, equals, value = pair.partition("=")
        try:
            pairs.setdefault(key if key == "p" else int(key), float(value))
        except ValueError:
            equals = ""
        if not equals:
            raise MeasureError(f"-m {name}.{parameters}: write parameters as grade=gain")
    return pairs


def relevance_string(judged: Judged, grades: Ints, row: int, length: int) -> str:
    """Return trec_eval's relstring: a character for the grade of each of the first documents.

    "-" stands for a document that is not in the qrels, "." for one with a negative grade, ">" for
    a grade above 9. `grades` holds the grade of each level.
    """
    mine = judged.hits.list == row
    marks = ["-"] * min(length, int(judged.retrieved[row]))
    for rank, level in zip(judged.hits.rank[mine], judged.hits.level[mine], strict=True):
        if rank <= len(marks):
            grade = -1 if level < 0 else int(grades[level])
            marks[rank - 1] = "." if grade < 0 else str(grade) if grade < 10 else ">"
    return "".join(marks)


def level_grades(lists: Lists) -> Ints:
    """Return the grade of levels 0..c."""
    return np.concatenate([[0], lists.scale])
