"""For any measure: try every assignment if there are few, or search for a good one."""

import itertools
from collections.abc import Iterable, Iterator

import numpy as np

from gradewise.arrays import Ints
from gradewise.distance.pace import tell_sums
from gradewise.distance.pair import Lead, Pair
from gradewise.distance.scoring import batch_size, score_pair
from gradewise.measures.measure import Measure

MOST_TRIALS = 60_000  # assignments that are all tried
SAME = 1e-12  # bounds that differ by rounding only
_MANY_LEVELS = 64  # above which a climb tries some levels only
_FEW_LEVELS = 8


def can_try_all(pair: Pair, unretrieved: int, most: int = MOST_TRIALS) -> bool:
    """Whether there are few enough assignments to try all."""
    elsewhere = 1
    for level in range(1, pair.levels + 1):  # numbers of documents of each level
        elsewhere = elsewhere * (unretrieved + level) // level
    free = int(pair.free.sum())
    return free < 40 and (pair.levels + 1) ** free * elsewhere <= most


def try_all(measure: Measure, pair: Pair, unretrieved: int) -> Lead:
    """Return the largest lead of the first list over all assignments."""
    best: Lead | None = None
    for elsewhere in _numbers(pair.levels, unretrieved):
        further = np.concatenate([[0], elsewhere])
        found = best_of(measure, pair, _assignments(pair), further)
        if best is None or found.value > best.value:
            best = found
    assert best is not None
    return best


def best_alone(measure: Measure, pair: Pair) -> float:
    """Return the largest value of the first list over all assignments."""
    return max(float(score_pair(measure, pair, part)[0].max()) for part in _assignments(pair))


def _assignments(pair: Pair) -> Iterator[Ints]:
    """Give every assignment of levels to the free documents, in batches."""
    free = np.flatnonzero(pair.free)
    size = pair.levels + 1
    powers = size ** np.arange(len(free))[::-1]
    for number in _batches(pair, size ** len(free)):
        levels = np.tile(pair.level, (len(number), 1))
        levels[:, free] = number[:, None] // powers % size
        yield levels


def _changes(pair: Pair, levels: Ints) -> Iterator[Ints]:
    """Give every assignment that differs in the level of one free document, in batches."""
    free, tried = np.flatnonzero(pair.free), tried_levels(pair)
    for number in _batches(pair, len(free) * len(tried)):
        changed = np.tile(levels, (len(number), 1))
        document, level = np.divmod(number, len(tried))
        changed[np.arange(len(number)), free[document]] = tried[level]
        tell_sums(len(number) * sums_of_trial(len(pair.level), pair.levels))
        yield changed


def tried_levels(pair: Pair) -> Ints:
    """Return the levels that a climb gives to a document: all, or some of very many."""
    if pair.levels <= _MANY_LEVELS:
        return np.arange(pair.levels + 1)
    return np.unique(np.linspace(0, pair.levels, _FEW_LEVELS).round().astype(np.int64))


def sums_of_trial(documents: int, levels: int) -> float:
    """Return how many sums of a walk take as long as to score an assignment."""
    return 2.0 * (documents * min(levels, 8) + 8 * levels**2)


def _batches(pair: Pair, number: int) -> Iterator[Ints]:
    """Give the numbers 0, 1, ... of assignments, as many at a time as are scored together."""
    batch = batch_size(pair)
    for low in range(0, number, batch):
        yield np.arange(low, min(low + batch, number))


def best_of(measure: Measure, pair: Pair, batches: Iterable[Ints], further: Ints) -> Lead:
    """Return the largest lead of the first list over given assignments."""
    best, where = -np.inf, None
    for part in batches:
        leads = np.subtract(*score_pair(measure, pair, part, np.tile(further, (len(part), 1))))
        place = int(np.argmax(leads))
        if where is None or leads[place] > best:
            best, where = float(leads[place]), part[place].copy()
    assert where is not None
    return Lead.under(where, best, best, further)


def climb(
    measure: Measure, pair: Pair, starts: list[Ints], upper: float, *, most: int = 60
) -> Lead:
    """Return a lead that no change of a single document's level makes larger, from good starts.

    Stop where it reaches the upper bound.
    """
    nothing = np.zeros(pair.levels + 1, np.int64)
    ordered = sorted(starts, key=lambda levels: levels.tolist())
    batches = (np.stack([ordered[n] for n in some]) for some in _batches(pair, len(ordered)))
    best = best_of(measure, pair, batches, nothing)
    for _ in range(most):
        if best.value >= upper - SAME or not pair.free.any():
            break
        found = best_of(measure, pair, _changes(pair, best.levels), nothing)
        if found.value <= best.value + 1e-15:
            break
        best = found
    return best


def _numbers(levels: int, unretrieved: int) -> list[Ints]:
    """Return all ways to give each level a number of documents, at most so many in all."""
    ways = itertools.product(range(unretrieved + 1), repeat=levels)
    return [np.array(way, np.int64) for way in ways if sum(way) <= unretrieved]
