"""The values of both lists of a pair when unjudged documents have levels."""

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Judged, Lists
from gradewise.distance.pair import FREE, Pair
from gradewise.kernels import pivots
from gradewise.measures.measure import Measure
from gradewise.measures.pivot import Pivot

_BATCH = 4_000_000  # levels, or entries of tables over levels, that are held together


def batch_size(pair: Pair) -> int:
    """Return how many assignments are scored together, so that memory is bounded."""
    return max(1, _BATCH // max(len(pair.level), pair.levels**2, 1))


def score_pair(
    measure: Measure, pair: Pair, levels: Ints, unretrieved: Ints | None = None
) -> Floats:
    """Return the values of both lists under assignments, [list, assignment].

    `levels[a, d]` is the level of document d under assignment a; FREE stays unjudged.
    `unretrieved[a, l]` counts further documents of level l that neither list holds.
    """
    levels = np.ascontiguousarray(levels)
    size = pair.levels + 1
    inside = np.bincount(pair.level[~pair.free], minlength=size)
    counts = pivots.count_levels(levels, size) + (pair.judged_counts - inside)
    if unretrieved is not None:
        counts = counts + unretrieved
    if isinstance(measure, Pivot):
        return _score_pivots(measure, pair, levels, counts)
    return measure.values(_judged_under(pair, levels, counts)).reshape(2, -1)


def _score_pivots(measure: Pivot, pair: Pair, levels: Ints, counts: Ints) -> Floats:
    """Return the values of a pivot measure, whose table and discount need numbers of levels only.

    Many assignments have the same numbers, and make the same topic.
    """
    distinct, topic = _distinct_rows(counts)
    number, deepest = len(distinct), int(pair.retrieved.max())
    lists = Lists(pair.scale, distinct, np.arange(number), np.zeros(number, np.int64))
    table = measure.kernel(lists)[:, 1:, 1:]
    table = np.ascontiguousarray(np.broadcast_to(table, (number, *table.shape[1:])))
    ranks = np.tile(np.arange(1, deepest + 1), number)
    discount = measure.discount(ranks, np.arange(number).repeat(deepest), lists)
    if measure.cutoff is not None:
        discount = np.where(ranks <= measure.cutoff, discount, 0.0)
    discount = discount.reshape(number, deepest)
    return np.stack(
        [pivots.score_pivots(levels, order, topic, table, discount) for order in pair.orders]
    )


def _distinct_rows(rows: Ints) -> tuple[Ints, Ints]:
    """Return the distinct rows, and which of them each row is."""
    order = np.lexsort(rows.T)
    ordered = rows[order]
    begins = np.ones(len(rows), np.bool_)
    begins[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    which = np.empty(len(rows), np.int64)
    which[order] = np.cumsum(begins) - 1
    return ordered[begins], which


def _judged_under(pair: Pair, levels: Ints, counts: Ints) -> Judged:
    """Return both lists under assignments, each of them a topic of its own."""
    topic = np.tile(np.arange(len(levels)), 2)
    lists = Lists(pair.scale, counts, topic, pair.retrieved.repeat(len(levels)))
    ranked = np.concatenate([levels[:, order].ravel() for order in pair.orders])
    return Judged.of_levels(lists, ranked, judged=ranked != FREE, runs=["first", "second"])
