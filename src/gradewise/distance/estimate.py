"""What distances will take, found before they are computed: seconds, and memory.

A walk over n free documents of the first list, of which c are in the second, makes a sum for each
point of the grid and each number of relevant documents within it: about n c (c / 3.5 + 1). It
holds three triangles of numbers. What finds the set of documents walks again, and a
half more. Bounds of some measures hold a square of numbers for each level.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from math import inf

from gradewise.distance.align import Aligned, TopicLists
from gradewise.distance.pace import SUMS_PER_SECOND
from gradewise.distance.pair import Pair
from gradewise.distance.solvers import Solver, find_solver
from gradewise.distance.trials import can_try_all, sums_of_trial, tried_levels
from gradewise.effort import Effort, begin
from gradewise.errors import counted
from gradewise.measures.measure import Measure

_LOOKED_AT = 2000  # pairs; of more, some are looked at
_SETS = 2.5  # walks that finding a set of documents takes, and half of them for each list
_STEPS = 10  # of a climb
_LONG_LIST = 1000  # documents; shorter lists need little memory
_FEW = 20.0  # seconds; less is not looked into
_SQUARES = 12  # of relaxations, besides one for each level


def begin_distances(
    measure: Measure,
    aligned: Aligned,
    k: int | None,
    depth: int | None,
    *,
    sets: bool = True,
) -> None:
    """Say how long the distances of all pairs of runs will take, or refuse them.

    `sets` tells whether the documents are wanted that give a distance.
    """
    runs, topics = len(aligned.runs), len(aligned.topics)
    pairs = runs * (runs - 1) // 2
    longest = min(aligned.longest, k or aligned.longest, depth or aligned.longest)
    if pairs * topics * _most_sums(longest, len(aligned.scale)) < _FEW * SUMS_PER_SECOND:
        return
    sums = memory = 0.0
    looked_at = 0
    for pair in _some_pairs(aligned.lists(k, depth), runs, max(1, pairs * topics // _LOOKED_AT)):
        solver = find_solver(measure, pair)
        if not solver.walks(pair):
            return
        looked_at += 1
        for side in (pair, pair.swapped()):
            sums += _sums(solver, side, sets=sets)
            memory = max(memory, _memory(solver, side))
    what = f"the {measure} distance of {counted(pairs, 'pair')} of runs on "
    what += counted(topics, "topic")
    seconds = sums / SUMS_PER_SECOND * pairs * topics / max(looked_at, 1)
    begin(Effort(what, seconds, memory, "cut the lists (--depth, k=)"))


def _most_sums(longest: int, levels: int) -> float:
    """Return more sums than any solver makes for two lists of at most so many documents."""
    if longest > _LONG_LIST:
        return inf
    trials = _STEPS * 2 * longest * (levels + 1) * sums_of_trial(2 * longest, levels)
    return 2 * ((6 * levels + longest + 2) * longest**3 / 3 + trials)


def _some_pairs(topics: Iterable[TopicLists], runs: int, step: int) -> Iterator[Pair]:
    """Give every so many-th pair of lists, over all topics."""
    every = ((lists, a, b) for lists in topics for a in range(runs) for b in range(a + 1, runs))
    for lists, first, second in islice(every, 0, None, step):
        yield lists.pair(first, second)[0]


def _sums(solver: Solver, pair: Pair, *, sets: bool) -> float:
    if solver.climbs and can_try_all(pair, 0):
        return 0.0
    rows, columns = len(pair.grid.first), len(pair.grid.second)
    walks = solver.walks(pair) + (_SETS / 2 if sets and not solver.climbs else 0.0)
    sums = walks * (rows * columns * (columns / 3.5 + 1) + rows * rows)
    if solver.climbs:
        tried = int(pair.free.sum()) * len(tried_levels(pair))
        sums += _STEPS * tried * sums_of_trial(len(pair.level), pair.levels)
    return sums


def _memory(solver: Solver, pair: Pair) -> float:
    rows, columns = len(pair.grid.first), len(pair.grid.second)
    memory = 4.0 * rows**2 + (4.0 + 4.0 + 2.0) * columns**2  # triangles of 8 and 4 bytes
    if solver.title == "climbing":
        memory += 8.0 * (pair.levels + _SQUARES) * rows**2
    return memory
