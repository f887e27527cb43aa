"""Measures as functions of the probabilities of levels at ranks, for both families."""

from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.judged import Lists
from gradewise.errors import MeasureError
from gradewise.measures.gain_discount import GainDiscount
from gradewise.measures.measure import Measure, ratio
from gradewise.measures.pivot import Pivot


@dataclass(frozen=True)
class Form:
    """A measure as a function of probabilities: S = Σ_n lin_n·p_n + Σ_n d_n p_nᵀ K Σ_{m<n} p_m.

    `linear[n, a, l]`; `discount[n, l]` and `kernel[a, b, l]` are None for measures that are linear.
    """

    linear: Floats
    discount: Floats | None = None
    kernel: Floats | None = None

    def value(self, p: Floats) -> Floats:
        """Return S of each list."""
        value = np.asarray((self.linear * p).sum(axis=(0, 1)))
        if self.kernel is None or self.discount is None:
            return value
        above = np.cumsum(p, axis=0) - p
        felt = (self.kernel * above[:, None]).sum(axis=2)
        return value + (self.discount[:, None] * p * felt).sum(axis=(0, 1))

    def of_list(self, index: int, ranks: int, levels: Ints) -> tuple[Floats, Floats, Floats]:
        """Return lin[n, a], d[n] and K[a, b] of one list, down to a rank, for some levels."""
        linear = _doubles(self.linear[:ranks, levels, index])
        if self.kernel is None or self.discount is None:
            return linear, np.zeros(ranks), np.zeros((len(levels), len(levels)))
        table = self.kernel[levels[:, None], levels, index]
        return linear, _doubles(self.discount[:ranks, index]), _doubles(table)


def form_of(measure: Measure, lists: Lists, size: int) -> Form:
    """Return a measure's expected value as a form in the probabilities of levels at `size` ranks.

    Normalizers are those of the topics; ranks beyond the end of a list contribute nothing.
    """
    inside = np.arange(size)[:, None] < lists.retrieved
    if measure.judged_only:
        raise MeasureError(f"{measure} is not supported here: judged_only changes the ranks")
    if isinstance(measure, Pivot):
        return _pivot(measure, lists, inside)
    if isinstance(measure, GainDiscount):
        return _gain_discount(measure, lists, inside)
    raise MeasureError(
        f"{measure} is not in the pivot or gain-discount family, so its expected value has no "
        "closed form"
    )


def without_last_level(
    linear: Floats, discount: Floats, table: Floats
) -> tuple[tuple[Floats, Floats, Floats], float]:
    """Return lin, d and K without the last level, which is the rest where no document has level 0.

    A constant comes with them: S = constant + their form, with p_n(c) = 1 - Σ_{a<c} p_n(a).
    """
    above = np.arange(len(discount))  # ranks above, all of the last level
    below = discount[::-1].cumsum()[::-1] - discount
    felt = discount[:, None] * above[:, None] * table[:, -1] + below[:, None] * table[-1]
    slope = linear + felt
    constant = linear[:, -1].sum() + (discount * above).sum() * table[-1, -1]
    rest = table[:-1, :-1] - table[:-1, -1:] - table[-1:, :-1] + table[-1, -1]
    return (_doubles(slope[:, :-1] - slope[:, -1:]), discount, _doubles(rest)), float(constant)


def _pivot(measure: Pivot, lists: Lists, inside: Bools) -> Form:
    kernel = measure.kernel(lists)[:, 1:, 1:]
    each = kernel[lists.topic] if len(kernel) > 1 else kernel.repeat(len(lists), axis=0)
    rank = np.arange(1, len(inside) + 1).repeat(len(lists))
    topic = np.tile(lists.topic, len(inside))
    discount = measure.discount(rank, topic, lists).reshape(inside.shape) * inside
    discount = _cut(measure, discount)
    own = np.moveaxis(np.diagonal(each, axis1=1, axis2=2), 0, 1)
    return Form(discount[:, None] * own, discount, np.moveaxis(each, 0, 2).copy())


def _gain_discount(measure: GainDiscount, lists: Lists, inside: Bools) -> Form:
    rank = np.arange(1, len(inside) + 1).repeat(len(lists))
    index = np.tile(np.arange(len(lists)), len(inside))
    weight = _cut(measure, measure.discount(rank, index, lists).reshape(inside.shape) * inside)
    norm = np.broadcast_to(measure.norm(lists), (len(lists),))
    weight = weight * ratio(1.0, norm)
    return Form(weight[:, None] * measure.gain(lists)[1:, None])


def _cut(measure: Measure, weight: Floats) -> Floats:
    if measure.cutoff is not None:
        weight[int(measure.cutoff) :] = 0.0
    return weight


def _doubles(array: Floats) -> Floats:
    return np.ascontiguousarray(array, np.float64)
