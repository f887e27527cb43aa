"""For any measure: try every assignment if there are few, or search for a good one."""

import itertools

import numpy as np

from gradewise.arrays import Ints
from gradewise.distance.pair import Lead, Pair
from gradewise.distance.scoring import score_pair
from gradewise.measures.measure import Measure

MOST_TRIALS = 60_000  # assignments that are all tried
SAME = 1e-12  # bounds that differ by rounding only
_BATCH = 4_000_000  # levels that are scored together


def can_try_all(pair: Pair, unretrieved: int, most: int = MOST_TRIALS) -> bool:
    """Whether there are few enough assignments to try all."""
    elsewhere = 1
    for level in range(1, pair.levels + 1):  # numbers of documents of each level
        elsewhere = elsewhere * (unretrieved + level) // level
    free = int(pair.free.sum())
    return free < 40 and (pair.levels + 1) ** free * elsewhere <= most


def try_all(measure: Measure, pair: Pair, unretrieved: int) -> Lead:
    """Return the largest lead of the first list over all assignments."""
    levels = _assignments(pair)
    best: Lead | None = None
    for elsewhere in _numbers(pair.levels, unretrieved):
        further = np.concatenate([[0], elsewhere])
        found = best_of(measure, pair, levels, further)
        if best is None or found.value > best.value:
            best = found
    assert best is not None
    return best


def best_alone(measure: Measure, pair: Pair) -> float:
    """Return the largest value of the first list over all assignments."""
    levels = _assignments(pair)
    batch = max(1, _BATCH // max(pair.rank.shape[1], 1))
    parts = (levels[low : low + batch] for low in range(0, len(levels), batch))
    return max(float(score_pair(measure, pair, part)[0].max()) for part in parts)


def _assignments(pair: Pair) -> Ints:
    """Return every assignment of levels to the free documents."""
    free = np.flatnonzero(pair.free)
    size = pair.levels + 1
    powers = size ** np.arange(len(free))[::-1]
    number = np.arange(size ** len(free))
    levels = np.tile(pair.level, (len(number), 1))
    levels[:, free] = number[:, None] // powers % size
    return levels


def best_of(measure: Measure, pair: Pair, levels: Ints, further: Ints) -> Lead:
    """Return the largest lead of the first list over given assignments."""
    batch = max(1, _BATCH // max(pair.rank.shape[1], 1))
    best, where = -np.inf, 0
    for low in range(0, len(levels), batch):
        part = levels[low : low + batch]
        leads = np.subtract(*score_pair(measure, pair, part, np.tile(further, (len(part), 1))))
        place = int(np.argmax(leads))
        if leads[place] > best:
            best, where = float(leads[place]), low + place
    return Lead.under(levels[where], best, best, further)


def climb(
    measure: Measure, pair: Pair, starts: list[Ints], upper: float, *, most: int = 60
) -> Lead:
    """Return a lead that no change of a single document's level makes larger, from good starts.

    Stop where it reaches the upper bound.
    """
    free, grades = np.flatnonzero(pair.free), np.arange(pair.levels + 1)
    nothing = np.zeros(pair.levels + 1, np.int64)
    ordered = sorted(starts, key=lambda levels: levels.tolist())
    best = best_of(measure, pair, np.stack(ordered), nothing)
    for _ in range(most):
        if best.value >= upper - SAME:
            break
        changed = np.tile(best.levels, (len(free) * len(grades), 1))
        changed[np.arange(len(changed)), free.repeat(len(grades))] = np.tile(grades, len(free))
        found = best_of(measure, pair, changed, nothing) if len(free) else best
        if found.value <= best.value + 1e-15:
            break
        best = found
    return best


def _numbers(levels: int, unretrieved: int) -> list[Ints]:
    """Return all ways to give each level a number of documents, at most so many in all."""
    ways = itertools.product(range(unretrieved + 1), repeat=levels)
    return [np.array(way, np.int64) for way in ways if sum(way) <= unretrieved]
