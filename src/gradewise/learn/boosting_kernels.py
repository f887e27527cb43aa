"""Loops over pairs for boosted trees, compiled: gradients and Hessians of LambdaMART.

Lists are flat rows, as in `kernels`. Pairs of documents of the same level have no gradient, so the
documents of a list are brought together by level; the innermost loop then runs over neighbours in
memory, without a branch.
"""

import math
from typing import Any

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.learn.compiled import compiled
from gradewise.learn.kernels import fill_swap_tables

SMALLEST_HESSIAN = 1e-16  # as XGBoost's; a Hessian of 0 would let leaves divide by it
NEAR = 0.01  # LightGBM adds this to the distance of two scores that it divides by
_RUN = 8  # documents that are sorted by insertion
_FAR = 300.0  # where exp(score) and its square are still numbers
_GOLDEN, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


@compiled
def _mixed(state: Any) -> Any:
    """Return the next number of splitmix64."""
    word = state + np.uint64(_GOLDEN)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(_FIRST)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(_SECOND)
    return word ^ (word >> np.uint64(31))


@compiled
def _sort_by_score(scores: Floats, order: Ints, spare: Ints) -> None:
    """Fill `order` with positions by falling score: a merge sort of short sorted runs.

    (NumPy's argsort would take half of all the time that compiling takes.)
    """
    size = len(scores)
    for begin in range(0, size, _RUN):
        for n in range(begin, min(begin + _RUN, size)):
            score, hole = scores[n], n
            while hole > begin and scores[order[hole - 1]] < score:
                order[hole] = order[hole - 1]
                hole -= 1
            order[hole] = n
    width = _RUN
    while width < size:
        for low in range(0, size - width, 2 * width):
            middle, high = low + width, min(low + 2 * width, size)
            if scores[order[middle - 1]] >= scores[order[middle]]:
                continue
            for n in range(low, middle):
                spare[n] = order[n]
            left, right, n = low, middle, low
            while left < middle and right < high:
                if scores[spare[left]] >= scores[order[right]]:
                    order[n] = spare[left]
                    left += 1
                else:
                    order[n] = order[right]
                    right += 1
                n += 1
            for rest in range(left, middle):
                order[n + rest - left] = spare[rest]
        width *= 2


@compiled
def _state_of(scores: Floats, levels: Ints, seed: int, order: Ints) -> Any:
    """Return a random number that follows from the seed, the ranking with its ties, and levels.

    Scores themselves are left out: their last digits depend on the order of sums.
    """
    state: Any = _mixed(np.uint64(seed))
    for n in range(len(order)):
        row = order[n]
        tied = n > 0 and scores[row] == scores[order[n - 1]]
        state = _mixed(state ^ np.uint64(4 * row + 2 * tied + 1) ^ np.uint64(levels[row] << 32))
    return state


@compiled
def fill_order(scores: Floats, levels: Ints, seed: int, order: Ints, spare: Ints) -> None:
    """Fill `order` with the rows of one list by falling score; equal scores in random order.

    The random order is another one when the ranking changes, from one iteration to the next, and a
    list gets the same one in any process.
    """
    _sort_by_score(scores, order, spare)
    size, begin = len(order), 0
    state: Any = np.uint64(0)
    for n in range(1, size + 1):
        if n < size and scores[order[n]] == scores[order[begin]]:
            continue
        if n - begin > 1:
            if state == np.uint64(0):
                state = _state_of(scores, levels, seed, order)
            for place in range(n - 1, begin, -1):
                state = _mixed(state)
                other = begin + np.int64(state % np.uint64(place - begin + 1))
                order[place], order[other] = order[other], order[place]
        begin = n


@compiled
def order_lists(
    scores: Floats,
    levels: Ints,
    offsets: Ints,
    first: int,
    last: int,
    seed: int,
    order: Ints,
) -> None:
    """Fill `order` with the rows of lists first..last-1 by rank."""
    spare = np.zeros(np.diff(offsets[first : last + 1]).max(), np.int64)
    for q in range(first, last):
        low, high = offsets[q], offsets[q + 1]
        fill_order(scores[low:high], levels[low:high], seed, order[low:high], spare)
        for n in range(low, high):
            order[n] += low


@compiled
def _pull_apart(
    better: bool,
    score: float,
    own: float,
    change: float,
    factor: float,
    least: float,
    distance: float,
    shifts: Floats,
    scores: Floats,
    powers: Floats,
    slopes: Floats,
    curves: Floats,
) -> tuple[float, float]:
    """Add the λ's of one document and all lower-ranked ones of one other level.

    With powers e^(σ s), the chance of a pair to be the wrong way round is a ratio of sums of them.
    Return the sums of |λ| and of second derivatives, which belong to the document itself.
    """
    lambdas, curved = 0.0, 0.0
    sign = 1.0 if better else -1.0
    for k in range(len(shifts)):
        apart = least + distance * (score - scores[k])
        inverse = 1.0 / ((own + powers[k]) * apart)
        step = abs(change + factor * shifts[k]) * (powers[k] if better else own) * inverse
        bend = step * (own if better else powers[k]) * inverse * apart
        lambdas += step
        curved += bend
        slopes[k] += sign * step
        curves[k] += bend
    return lambdas, curved


@compiled
def _group_by_level(
    by_rank: Ints,
    rank_scores: Floats,
    below: Floats,
    sigma: float,
    start: Ints,
    place: Ints,
    moved: Floats,
    scores: Floats,
    powers: Floats,
) -> bool:
    """Bring the documents of a list together by level, in the order of ranks within each.

    `start` receives where each level begins, `place` where the document of each rank went, and
    `moved[x]` what it is worth to each that a document of level x takes its place. Return whether
    scores are too far apart for their powers, which are then left to be taken pair by pair.
    """
    width, size = len(start) - 1, len(by_rank)
    for y in range(width + 1):
        start[y] = 0
    for n in range(size):
        start[by_rank[n] + 1] += 1
    for y in range(width):
        start[y + 1] += start[y]
    now = start.copy()
    middle = 0.5 * (rank_scores[0] + rank_scores[size - 1])
    wide = sigma * (rank_scores[0] - middle) > _FAR
    for n in range(size):
        y = by_rank[n]
        k = now[y]
        now[y] += 1
        place[n] = k
        scores[k] = rank_scores[n]
        powers[k] = 0.0 if wide else math.exp(sigma * (rank_scores[n] - middle))
        for x in range(width):
            moved[x, k] = below[n, y] - below[n, x]
    return wide


@compiled
def boost_lists(
    scores: Floats,
    levels: Ints,
    offsets: Ints,
    first: int,
    last: int,
    family: int,
    kernel: Floats,
    gain: Floats,
    weight: Floats,
    sigma: float,
    truncation: int,
    normalize: bool,
    seed: int,
    gradient: Floats,
    hessian: Floats,
) -> None:
    """Fill gradients and Hessians of the rows of lists first..last-1.

    They are those of Σ |Δ_ij| log(1 + exp(-σ (s_i - s_j))) over pairs with grade i above grade j,
    of which the higher-ranked stands within the truncation, Δ being held fixed. If `normalize`, Δ
    is divided by the distance of the scores, and both are scaled by log2(1 + Λ) / Λ, where Λ is
    the sum of |λ| over both ends of all pairs of the list, as in LightGBM.
    """
    width, longest = len(gain), 0
    for q in range(first, last):
        longest = max(longest, offsets[q + 1] - offsets[q])
    above, below = np.zeros((longest, width)), np.zeros((longest, width))
    factor, order = np.zeros(longest), np.zeros(longest, np.int64)
    by_rank, rank_scores = np.zeros(longest, np.int64), np.zeros(longest)
    place, moved = np.zeros(longest, np.int64), np.zeros((width, longest))
    near, powers = np.zeros(longest), np.zeros(longest)
    slope, curve = np.zeros(longest), np.zeros(longest)
    start = np.zeros(width + 1, np.int64)
    for q in range(first, last):
        low, high = offsets[q], offsets[q + 1]
        size = high - low
        fill_order(scores[low:high], levels[low:high], seed, order[:size], place)
        for n in range(size):
            by_rank[n] = levels[low + order[n]]
            rank_scores[n] = scores[low + order[n]]
            slope[n] = curve[n] = 0.0
        table = kernel[q if len(kernel) > 1 else 0]
        fill_swap_tables(
            family, by_rank[:size], table, gain, weight[low:high], above, below, factor
        )
        wide = _group_by_level(
            by_rank[:size], rank_scores[:size], below, sigma, start, place, moved, near, powers
        )
        scaled = normalize and rank_scores[0] != rank_scores[size - 1]
        least, distance = (NEAR, 1.0) if scaled else (1.0, 0.0)
        now, total = start.copy(), 0.0
        for a in range(min(size - 1, truncation)):
            x, own = by_rank[a], powers[place[a]]
            now[x] += 1
            if wide:
                own = 1.0
                for k in range(size):
                    powers[k] = math.exp(min(sigma * (near[k] - rank_scores[a]), 0.0))
            for y in range(width):
                begin, end = now[y], start[y + 1]
                if y == x or begin == end:
                    continue
                pull, bend = _pull_apart(
                    x > y,
                    rank_scores[a],
                    own,
                    above[a, y] - above[a, x],
                    factor[a],
                    least,
                    distance,
                    moved[x, begin:end],
                    near[begin:end],
                    powers[begin:end],
                    slope[begin:end],
                    curve[begin:end],
                )
                total += pull
                slope[place[a]] -= pull if x > y else -pull
                curve[place[a]] += bend
        scale = 1.0
        if normalize and total > 0.0:
            scale = math.log2(1.0 + 2.0 * sigma * total) / (2.0 * sigma * total)
        for n in range(size):
            row = low + order[n]
            gradient[row] = scale * sigma * slope[place[n]]
            hessian[row] = max(scale * sigma * sigma * curve[place[n]], SMALLEST_HESSIAN)
