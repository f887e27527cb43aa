"""Labels that are not grades: every document has a gain of its own, or an order only.

A teacher's scores, for example, are any numbers. A gain-discount measure needs their gains and
nothing else; RankNet needs their order.
"""

from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats, Ints, offsets_of
from gradewise.collection.judged import Lists
from gradewise.errors import InputError, MeasureError
from gradewise.measures.gain_discount import GainDiscount
from gradewise.measures.measure import Measure, ratio


@dataclass(frozen=True, eq=False)
class OwnGains:
    """The gain of each row, a whole number for each distinct one, and the weight of each rank."""

    gains: Floats
    marks: Ints
    weight: Floats


def is_whole(labels: Floats) -> bool:
    """Return whether labels are whole numbers, which are grades."""
    return bool((labels == np.rint(labels)).all())


def own_gains(measure: Measure | None, labels: Floats, sizes: Ints) -> OwnGains:
    """Return the gains that a measure gives to labels, list after list; without one, the labels."""
    if not len(labels):
        raise InputError("there are no documents")
    if not np.isfinite(labels).all():
        raise InputError("labels must be finite numbers")
    values, marks = np.unique(labels, return_inverse=True)
    marks = np.ascontiguousarray(marks, np.int64)
    if measure is None:
        return OwnGains(np.ascontiguousarray(labels, np.float64), marks, np.zeros(len(labels)))
    if not isinstance(measure, GainDiscount) or not _follows_from_gains(measure):
        raise MeasureError(
            f"{measure} needs grades, which are whole numbers; for other labels, train for nDCG, "
            "DCG, RBP or 'pairwise'"
        )
    lists = _lists(np.unique(values[values > 0]), sizes)
    table = measure.gain(lists)
    gains = table[np.searchsorted(lists.scale, values, "right")][marks]
    return OwnGains(np.ascontiguousarray(gains), marks, _weights(measure, lists, gains, sizes))


def _follows_from_gains(measure: GainDiscount) -> bool:
    """Return whether the measure needs nothing of a topic but the gains of its documents."""
    given = getattr(measure, "gains", None)
    by_rule = given is None or isinstance(given, str)
    return by_rule and (measure.static or measure.ideal_discounts(1) is not None)


def _lists(scale: Floats, sizes: Ints) -> Lists:
    """Return lists of documents on a scale; how many there are of each is not counted."""
    uncounted = np.broadcast_to(np.int64(0), (len(sizes), len(scale) + 1))
    return Lists(scale, uncounted, np.arange(len(sizes)), sizes)  # type: ignore[arg-type]


def _weights(measure: GainDiscount, lists: Lists, gains: Floats, sizes: Ints) -> Floats:
    """Return D(n) / Z for each rank of each list."""
    owner, starts = np.arange(len(sizes)).repeat(sizes), offsets_of(sizes)[:-1]
    rank = np.arange(len(owner)) - starts.repeat(sizes) + 1
    weight = measure.discount(rank, owner, lists)
    if measure.cutoff is not None:
        weight = np.where(rank <= measure.cutoff, weight, 0.0)
    ideal = measure.ideal_discounts(int(sizes.max()))
    if ideal is None:
        norm = np.broadcast_to(measure.norm(lists), (len(sizes),))
    else:
        best_first = np.lexsort((-gains, owner))
        norm = np.add.reduceat(gains[best_first] * ideal[rank - 1], starts)
    return np.ascontiguousarray(ratio(weight, norm[owner]), np.float64)
