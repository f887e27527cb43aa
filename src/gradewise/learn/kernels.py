"""Loops over the documents and pairs of lists, compiled: swap deltas, λ's and soft measures.

Every function takes lists as flat rows: list q has rows `offsets[q]:offsets[q + 1]`. `weight[row]`
belongs to ranks: it is the discount of rank `row - offsets[q] + 1`. Gradients are added to arrays
that hold zeros.
"""

import math

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.learn.compiled import compiled

# How a measure responds to swaps, in the order of `objectives.Family`.
PIVOT, GAIN, CASCADE, FIRST = 0, 1, 2, 3
_ROOT_PI = math.sqrt(math.pi)
_SURE = 6.0  # erfc(6) / 2 is below the last bit of 1


@compiled
def fill_swap_tables(
    family: int,
    levels: Ints,
    kernel: Floats,
    gain: Floats,
    weight: Floats,
    above: Floats,
    below: Floats,
    factor: Floats,
) -> None:
    """Fill the tables from which every swap delta of a list follows.

    When the documents at ranks a < b, of levels x and y, trade places, the value changes by
    above[a, y] - above[a, x] + factor[a] (below[b, y] - below[b, x]). `levels` are in rank order.
    """
    if family == PIVOT:
        _pivot_tables(levels, kernel, weight, above, below, factor)
    elif family == GAIN:
        for n in range(len(levels)):
            factor[n] = 1.0
            for i in range(len(gain)):
                above[n, i] = gain[i] * weight[n]
                below[n, i] = -gain[i] * weight[n]
    elif family == CASCADE:
        _cascade_tables(levels, gain, weight, above, below, factor)
    else:
        _first_tables(levels, gain, weight, above, below, factor)


@compiled
def _pivot_tables(
    levels: Ints, kernel: Floats, weight: Floats, above: Floats, below: Floats, factor: Floats
) -> None:
    """Regroup the swap delta of the pivot family (P_n and D_i of its definition) by rank."""
    size = len(kernel)
    prefix = np.zeros(size)  # P_n(i) = Σ_{m<=n} K(i, r_m)
    felt = np.zeros(size)  # Σ_{m<=n} d(m) K(r_m, i)
    for n in range(len(levels)):
        d, own = weight[n], levels[n]
        factor[n] = 1.0
        for i in range(size):
            with_own = prefix[i] + kernel[i, own]
            below[n, i] = felt[i] - d * with_own
            felt[i] += d * kernel[own, i]
            above[n, i] = d * (prefix[i] + kernel[i, i]) - felt[i]
            prefix[i] = with_own


@compiled
def _cascade_tables(
    levels: Ints, gain: Floats, weight: Floats, above: Floats, below: Floats, factor: Floats
) -> None:
    """Regroup ERR: gain[i] is the chance that level i satisfies, weight 1/n."""
    reached, total = 1.0, 0.0
    for n in range(len(levels)):
        satisfied = gain[levels[n]]
        before = -(total + weight[n] * reached)
        total += weight[n] * satisfied * reached
        factor[n] = 1.0 / (1.0 - satisfied)
        own = weight[n] * reached + total * factor[n]
        for i in range(len(gain)):
            above[n, i] = gain[i] * own
            below[n, i] = gain[i] * before
        reached *= 1.0 - satisfied


@compiled
def _first_tables(
    levels: Ints, gain: Floats, weight: Floats, above: Floats, below: Floats, factor: Floats
) -> None:
    """Regroup RR: only what moves into, or out of, the first relevant rank matters."""
    size = len(levels)
    first, second = size, size
    for n in range(size):
        if gain[levels[n]] > 0:
            if first == size:
                first = n
            elif second == size:
                second = n
    value = weight[first] if first < size else 0.0
    for n in range(size):
        factor[n] = 1.0 if n == first else 0.0
        up = weight[n] - value if n < first else (value if n == first else 0.0)
        down = -weight[min(n, second)]
        for i in range(len(gain)):
            above[n, i] = gain[i] * up
            below[n, i] = gain[i] * down


@compiled
def swap_matrix(family: int, levels: Ints, kernel: Floats, gain: Floats, weight: Floats) -> Floats:
    """Return the swap deltas of all pairs of ranks of one list; entry [a, b] for ranks a < b."""
    size, width = len(levels), len(gain)
    above, below = np.empty((size, width)), np.empty((size, width))
    factor = np.empty(size)
    fill_swap_tables(family, levels, kernel, gain, weight, above, below, factor)
    deltas = np.zeros((size, size))
    for a in range(size):
        x = levels[a]
        for b in range(a + 1, size):
            y = levels[b]
            deltas[a, b] = above[a, y] - above[a, x] + factor[a] * (below[b, y] - below[b, x])
    return deltas


@compiled
def lambda_lists(
    scores: Floats,
    order: Ints,
    levels: Ints,
    offsets: Ints,
    family: int,
    kernel: Floats,
    gain: Floats,
    weight: Floats,
    sigma: float,
    depth: int,
    plain: bool,
    losses: Floats,
    gradient: Floats,
) -> None:
    """Add up Σ |Δ_ij| log(1 + exp(-σ (s_i - s_j))) over pairs with grade i above grade j.

    `order` holds the rows of each list by rank; `depth` leaves out pairs of which neither stands
    so high; `plain` takes 1 for |Δ|, which is RankNet. Δ is held fixed in the gradient, which so
    is LambdaRank's.
    """
    width = len(gain)
    longest = 0
    for q in range(len(offsets) - 1):
        longest = max(longest, offsets[q + 1] - offsets[q])
    above, below = np.zeros((longest, width)), np.zeros((longest, width))
    factor, sorted_levels = np.zeros(longest), np.zeros(longest, np.int64)
    sorted_scores, slope = np.zeros(longest), np.zeros(longest)
    for q in range(len(offsets) - 1):
        low, high = offsets[q], offsets[q + 1]
        size = high - low
        for n in range(size):
            sorted_levels[n] = levels[order[low + n]]
            sorted_scores[n] = scores[order[low + n]]
            slope[n] = 0.0
        if not plain:
            fill_swap_tables(
                family,
                sorted_levels[:size],
                kernel[q if len(kernel) > 1 else 0],
                gain,
                weight[low:high],
                above,
                below,
                factor,
            )
        loss = 0.0
        for a in range(min(size, depth)):
            x = sorted_levels[a]
            for b in range(a + 1, size):
                y = sorted_levels[b]
                if x == y:
                    continue
                size_of_swap = 1.0
                if not plain:
                    size_of_swap = abs(
                        above[a, y] - above[a, x] + factor[a] * (below[b, y] - below[b, x])
                    )
                    if size_of_swap == 0.0:
                        continue
                sign = 1.0 if x > y else -1.0
                gap = sigma * sign * (sorted_scores[a] - sorted_scores[b])
                small = math.exp(-abs(gap))
                loss += size_of_swap * (math.log1p(small) + max(-gap, 0.0))
                share = small / (1.0 + small) if gap > 0 else 1.0 / (1.0 + small)
                step = sign * sigma * size_of_swap * share
                slope[a] -= step
                slope[b] += step
        losses[q] = loss
        for n in range(size):
            gradient[order[low + n]] = slope[n]


@compiled
def soft_pivot_lists(
    scores: Floats,
    levels: Ints,
    offsets: Ints,
    kernel: Floats,
    sigma: float,
    values: Floats,
    gradient: Floats,
) -> None:
    """Compute Σ_n [K(n, n) + Σ_m π_mn K(n, m)] / (1 + Σ_m π_mn) of each list, and its gradient.

    π_mn is the chance that m scores above n when each score has normal noise of deviation σ.
    """
    inverse = 1.0 / (2.0 * sigma)
    peak = inverse / _ROOT_PI
    longest = 0
    for q in range(len(offsets) - 1):
        longest = max(longest, offsets[q + 1] - offsets[q])
    density = np.zeros(longest)
    for q in range(len(offsets) - 1):
        low, high = offsets[q], offsets[q + 1]
        table = kernel[q if len(kernel) > 1 else 0]
        value = 0.0
        for n in range(low, high):
            row = table[levels[n]]
            if row.max() <= 0.0:
                continue
            precision, rank = row[levels[n]], 1.0
            for m in range(low, high):
                if m != n:
                    t = (scores[m] - scores[n]) * inverse
                    chance = 0.5 * math.erfc(-t)
                    precision += chance * row[levels[m]]
                    rank += chance
                    density[m - low] = peak * math.exp(-t * t)
            precision /= rank
            value += precision
            for m in range(low, high):
                if m != n:
                    slope = (row[levels[m]] - precision) / rank * density[m - low]
                    gradient[m] += slope
                    gradient[n] -= slope
        values[q] = value


@compiled
def soft_gain_lists(
    scores: Floats,
    levels: Ints,
    offsets: Ints,
    gain: Floats,
    weight: Floats,
    sigma: float,
    values: Floats,
    gradient: Floats,
) -> None:
    """Compute Σ_j h(r_j) Σ_r p_j(r) D(r) of each list, and its gradient.

    p_j, the distribution of the rank of j, is that of a sum of independent yes-and-no's, one for
    each other document i with chance π_ij, and is built by adding one after the other. What the
    gradient needs is the distribution without i, for each i; it comes from the documents before i
    (forward) and the expected discount over those behind it (backward).
    """
    inverse = 1.0 / (2.0 * sigma)
    peak = inverse / _ROOT_PI
    longest = 0
    for q in range(len(offsets) - 1):
        longest = max(longest, offsets[q + 1] - offsets[q])
    rest = np.zeros((longest + 1, longest + 2))  # expected discount behind i, by count so far
    before, after = np.zeros(longest + 2), np.zeros(longest + 2)
    chance, density = np.zeros(longest), np.zeros(longest)
    other = np.zeros(longest, np.int64)
    for q in range(len(offsets) - 1):
        low, high = offsets[q], offsets[q + 1]
        discount = weight[low:high]
        reach = high - low
        while reach > 0 and discount[reach - 1] == 0.0:
            reach -= 1
        value = 0.0
        for j in range(low, high):
            worth = gain[levels[j]]
            if worth == 0.0:
                continue
            sure, unsure = 0, 0
            for i in range(low, high):
                t = (scores[i] - scores[j]) * inverse
                if i == j or t < -_SURE:
                    continue
                if t > _SURE:
                    sure += 1
                    continue
                other[unsure] = i
                chance[unsure] = 0.5 * math.erfc(-t)
                density[unsure] = peak * math.exp(-t * t)
                unsure += 1
            if sure >= reach:
                continue
            width = reach - sure  # ranks from there on have no discount
            for r in range(min(unsure + 1, width)):
                rest[unsure, r] = discount[sure + r]
            rest[unsure, min(unsure + 1, width)] = 0.0
            for i in range(unsure - 1, -1, -1):
                p, last = chance[i], min(i + 1, width)
                now, behind = rest[i], rest[i + 1]
                for r in range(last):
                    now[r] = p * behind[r + 1] + (1.0 - p) * behind[r]
                now[last] = 0.0
            value += worth * rest[0, 0]
            before[0] = 1.0
            for i in range(unsure):
                p, last = chance[i], min(i + 1, width)
                behind = rest[i + 1]
                before[last] = 0.0
                slope, after[0] = before[0] * (behind[1] - behind[0]), before[0] * (1.0 - p)
                for r in range(1, last):
                    slope += before[r] * (behind[r + 1] - behind[r])
                for r in range(1, last + 1):
                    after[r] = p * before[r - 1] + (1.0 - p) * before[r]
                before, after = after, before
                slope *= worth * density[i]
                gradient[other[i]] += slope
                gradient[j] -= slope
        values[q] = value
