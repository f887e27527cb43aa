"""The largest and the smallest value that a measure can have, and the distributions that have it.

The best list has the highest levels at the ranks that weigh most, the worst at those that weigh
least. Where the measure does not tell ranks or levels apart, any order has the extreme value, and
all of them are equally likely under the distribution of maximum entropy: of a block of ranks that
weigh the same, each has the same chances, and levels that count the same share them in proportion
to their numbers of documents. Level 0 is such a level among those that are worth nothing.
"""

from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.meta.forms import Form

ROUNDING = 1e-12  # of a value


@dataclass(frozen=True)
class Extremes:
    """The extremes of lists: p[n, a, l] and values[l].

    `one_best` and `one_worst` tell for which lists no other distribution of the same or higher
    entropy has that value.
    """

    best: Floats
    worst: Floats
    high: Floats
    low: Floats
    one_best: Bools
    one_worst: Bools


def find_extremes(form: Form, counts: Floats, inside: Bools) -> Extremes:
    """Return the extremes for lists with counts[a, l] documents at the ranks inside[n, l]."""
    size = inside.sum(axis=0)
    weight = form.linear.sum(axis=1)
    first, last = _find_blocks(form, weight, size)
    levels = _group_levels(form)
    best = _fill(levels, counts, size, first, last + 1) * inside[:, None]
    worst = _fill(levels, counts, size, size - 1 - last, size - first) * inside[:, None]
    high, low = form.value(best), form.value(worst)
    falling = ((weight[1:] <= weight[:-1]) | ~inside[1:]).all(axis=0)
    one = [falling & _unmixed(form, weight, p) for p in (best, worst)]
    return Extremes(best, worst, high, low, *one)


def _find_blocks(form: Form, weight: Floats, size: Ints) -> tuple[Ints, Ints]:
    """Return the first and the last rank, from 0, of the block to which each rank belongs.

    In the pivot family, only ranks that weigh nothing are alike: two that weigh the same still feel
    which of them is above.
    """
    rank = np.arange(len(weight))[:, None]
    same = weight[1:] == weight[:-1]
    if form.kernel is not None:
        same &= weight[1:] == 0
    edge = np.ones((1, len(size)), np.bool_)
    begins, ends = np.concatenate([edge, ~same]), np.concatenate([~same, edge])
    first = np.maximum.accumulate(np.where(begins, rank, 0))
    last = np.minimum.accumulate(np.where(ends, rank, len(weight))[::-1])[::-1]
    return first, np.maximum(np.minimum(last, size - 1), first)


def _unmixed(form: Form, weight: Floats, p: Floats) -> Bools:
    """Tell for which lists no worthy document could be at another rank that weighs the same.

    In the pivot family, spreading one over such ranks changes the value.
    """
    if form.kernel is None:
        return np.ones(weight.shape[1], np.bool_)
    worthy = (form.linear * p).sum(axis=1) > 0
    tied = (weight[1:] == weight[:-1]) & (worthy[1:] | worthy[:-1])
    return np.asarray(~tied.any(axis=0))


def _fill(levels: list[list[int]], counts: Floats, size: Ints, low: Ints, high: Ints) -> Floats:
    """Return the chances if levels take places in order; a rank's block is low <= place < high.

    The last group of levels shares the places that are left with level 0.
    """
    p = np.zeros((len(low), *counts.shape))
    taken = np.zeros(len(size))
    for group in levels:
        number = counts[group].sum(axis=0) if group is not levels[-1] else size - taken
        overlap = np.minimum(high, taken + number) - np.maximum(low, taken)
        chance = np.maximum(overlap, 0) / (high - low)
        p[:, group] = chance[:, None] * counts[group] / np.maximum(number, 1e-300)
        taken = taken + number
    return p


def _group_levels(form: Form) -> list[list[int]]:
    """Group the levels that a measure treats alike, best first; last those worth nothing."""
    groups: list[list[int]] = []
    worthless = []
    for level in np.argsort(form.linear.sum(axis=(0, 2)), kind="stable").tolist():
        if not form.linear[:, level].any():
            worthless.append(level)
        elif groups and _alike(form, groups[-1][0], level):
            groups[-1].append(level)
        else:
            groups.append([level])
    return [*reversed(groups), worthless]


def _alike(form: Form, first: int, second: int) -> bool:
    same = np.allclose(form.linear[:, first], form.linear[:, second], rtol=1e-12, atol=0)
    if form.kernel is None or not same:
        return bool(same)
    rows = np.allclose(form.kernel[first], form.kernel[second], rtol=1e-12, atol=0)
    columns = np.allclose(form.kernel[:, first], form.kernel[:, second], rtol=1e-12, atol=0)
    return bool(rows and columns)
