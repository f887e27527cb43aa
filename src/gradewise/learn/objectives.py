"""What kernels need to know about a measure on lists: a family and small tables of numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gradewise.arrays import Bools, Floats, Ints, offsets_of, rows_of_lists
from gradewise.collection.judged import Lists
from gradewise.collection.levels import to_levels
from gradewise.errors import InputError, MeasureError, OptionError, check_least
from gradewise.measures.first_relevant import ERR, RR
from gradewise.measures.gain_discount import GainDiscount, binary_gain
from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.measures.measure import Measure, ratio, refuse_intents
from gradewise.measures.parameters import EQUAL
from gradewise.measures.pivot import Pivot

Family = Literal["pivot", "gain-discount", "cascade", "first"]
Grades = int | Sequence[int] | None
_FAMILIES: tuple[Family, ...] = ("pivot", "gain-discount", "cascade", "first")


@dataclass(frozen=True, eq=False)
class Tables:
    """A measure on lists: K of each list, or gains of levels; and the weight of each rank.

    `levels[row]` is the level of each document and `weight[row]` the discount of each rank; list q
    has rows `offsets[q]:offsets[q + 1]`. `scale` holds the positive grades. `useful[q]`
    is whether a list has a relevant document and one that is less relevant.
    """

    family: Family
    levels: Ints
    offsets: Ints
    kernel: Floats
    gain: Floats
    weight: Floats
    useful: Bools
    scale: Ints

    @property
    def code(self) -> int:
        """The family as kernels know it."""
        return _FAMILIES.index(self.family)

    def take(self, lists: Ints) -> "Tables":
        """Return the tables of some lists."""
        rows = rows_of_lists(self.offsets, lists)
        sizes = (self.offsets[1:] - self.offsets[:-1])[lists]
        return Tables(
            self.family,
            self.levels[rows],
            offsets_of(sizes),
            self.kernel[lists] if len(self.kernel) > 1 else self.kernel,
            self.gain,
            self.weight[rows],
            self.useful[lists],
            self.scale,
        )


def tables_of(measure: Measure, lists: Lists, levels: Ints) -> Tables:
    """Return a measure's tables for lists that hold all their judged documents.

    `levels` are those of the documents, list after list.
    """
    offsets = offsets_of(lists.retrieved)
    owner = np.arange(len(lists)).repeat(lists.retrieved)
    rank = np.arange(len(owner)) - offsets[:-1].repeat(lists.retrieved) + 1
    levels = np.maximum(levels, 0).astype(np.int64)
    kernel: Floats = np.zeros((1, 1, 1))
    gain: Floats = np.zeros(len(lists.scale) + 1)
    family: Family
    check_trainable(measure)
    if isinstance(measure, Pivot):
        family, kernel = "pivot", measure.kernel(lists)
        weight = measure.discount(rank, lists.topic[owner], lists)
    elif isinstance(measure, GainDiscount):
        family, gain = "gain-discount", measure.gain(lists)
        norm = np.broadcast_to(measure.norm(lists), (len(lists),))
        weight = ratio(measure.discount(rank, owner, lists), norm[owner])
    elif isinstance(measure, ERR):
        family, gain = "cascade", measure.stops(lists)
        weight = ratio(1 / rank, measure.norm(lists)[owner])
    else:
        assert isinstance(measure, RR)
        family, gain, weight = "first", binary_gain(lists, measure.rel), 1 / rank
    if measure.cutoff is not None:
        weight = np.where(rank <= measure.cutoff, weight, 0.0)
    return Tables(
        family,
        levels,
        offsets,
        np.ascontiguousarray(kernel, np.float64),
        np.ascontiguousarray(gain, np.float64),
        np.ascontiguousarray(weight, np.float64),
        _useful(levels, offsets),
        lists.scale,
    )


def graded_tables(measure: Measure, grades: Floats, sizes: Ints, given: Grades = None) -> Tables:
    """Return a measure's tables for lists of grades, one list after the other."""
    lists, levels = graded_lists(measure, grades, sizes, given)
    return tables_of(measure, lists, levels)


def graded_lists(
    measure: Measure, grades: Floats, sizes: Ints, given: Grades = None
) -> tuple[Lists, Ints]:
    """Return lists that hold all their judged documents, and the levels of these."""
    if not len(grades):
        raise InputError("there are no documents")
    if not np.isfinite(grades).all() or (grades != np.rint(grades)).any():
        raise InputError("grades must be whole numbers")
    whole = grades.astype(np.int64)
    scale = scale_of(measure, whole, given)
    levels = np.maximum(to_levels(whole, scale), 0)
    return Lists.of_documents(scale, levels, sizes), levels


def scale_of(measure: Measure, grades: Ints, given: Grades = None) -> Ints:
    """Return the positive grades: as given, as the numbers of g tell, or those that occur."""
    found = np.unique(grades[grades > 0])
    g = getattr(measure, "g", EQUAL)
    if isinstance(given, int):
        scale = np.arange(1, given + 1)
    elif given is not None:
        scale = np.array(sorted(grade for grade in given if grade > 0), np.int64)
    elif g != EQUAL:
        if not isinstance(g[0], tuple) and len(g) == len(found):
            return found
        named = [pair[0] for pair in g] if isinstance(g[0], tuple) else range(1, len(g) + 1)
        scale = np.array(list(named), np.int64)
    else:
        return found
    strangers = np.setdiff1d(found, scale)
    if len(strangers):
        known = ", ".join(map(str, scale))
        raise MeasureError(
            f"{measure}: there are documents of grade {strangers[-1]}, but the positive grades are "
            f"{known}; give g a number for each grade, or list the grades with grades="
        )
    return scale


def check_pair_weights(sigma: float, truncation: int | None = None) -> None:
    """Raise an OptionError unless pairs of documents can be weighed by these."""
    if not sigma > 0:
        raise OptionError(f"sigma must be above 0, not {sigma}")
    check_least(1, truncation=truncation)


def evaluating(measure: MeasureLike) -> Measure:
    """Return the measure that evaluates a ranker, or raise a MeasureError if it needs intents."""
    parsed = parse_measure(measure)
    refuse_intents(parsed, "documents with features have a single grade each")
    return parsed


def check_trainable(measure: Measure) -> None:
    """Raise a MeasureError unless LambdaRank can train for a measure."""
    if not isinstance(measure, (Pivot, GainDiscount, ERR, RR)):
        raise MeasureError(
            f"{measure} cannot be an objective; choose a pivot or gain-discount measure, RR or ERR "
            "(gradewise measures NAME shows the family)"
        )


def check_soft(measure: Measure) -> None:
    """Raise a MeasureError unless SoftRank can train for a measure."""
    smooth = isinstance(measure, GainDiscount)
    if isinstance(measure, Pivot):
        smooth = type(measure).discount is Pivot.discount and measure.cutoff is None
    if not smooth:
        raise MeasureError(
            f"{measure} has no soft version; SoftRank supports gain-discount measures, and pivot "
            "measures with discount 1/n and no cutoff (AP, GAP, eGAP, xGAP, GenAP)"
        )


def _useful(levels: Ints, offsets: Ints) -> Bools:
    filled = offsets[1:] > offsets[:-1]
    useful = np.zeros(len(filled), np.bool_)
    starts = offsets[:-1][filled]
    highest = np.maximum.reduceat(levels, starts)
    useful[filled] = (highest > 0) & (np.minimum.reduceat(levels, starts) < highest)
    return useful
