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
def _add_pairs(
    scores: Floats,
    levels: Ints,
    above: Floats,
    below: Floats,
    factor: Floats,
    sigma: float,
    depth: int,
    plain: bool,
    slope: Floats,
) -> float:
    """Return the loss of a list in rank order, and add its gradient to `slope`."""
    loss = 0.0
    for a in range(min(len(levels), depth)):
        x = levels[a]
        for b in range(a + 1, len(levels)):
            y = levels[b]
            if x == y:
                continue
            change = 1.0
            if not plain:
                change = abs(above[a, y] - above[a, x] + factor[a] * (below[b, y] - below[b, x]))
                if change == 0.0:
                    continue
            sign = 1.0 if x > y else -1.0
            gap = sigma * sign * (scores[a] - scores[b])
            small = math.exp(-abs(gap))
            loss += change * (math.log1p(small) + max(-gap, 0.0))
            share = small / (1.0 + small) if gap > 0 else 1.0 / (1.0 + small)
            slope[a] -= sign * sigma * change * share
            slope[b] += sign * sigma * change * share
    return loss


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
    for q in range(len(offsets) - 1):
        low, high = offsets[q], offsets[q + 1]
        rows = order[low:high]
        ranked = levels[rows]
        above, below = np.zeros((high - low, len(gain))), np.zeros((high - low, len(gain)))
        factor, slope = np.zeros(high - low), np.zeros(high - low)
        if not plain:
            table = kernel[q if len(kernel) > 1 else 0]
            fill_swap_tables(family, ranked, table, gain, weight[low:high], above, below, factor)
        losses[q] = _add_pairs(
            scores[rows], ranked, above, below, factor, sigma, depth, plain, slope
        )
        gradient[rows] = slope


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
def _expected_discount(
    chance: Floats, discount: Floats, rest: Floats, before: Floats, after: Floats, slope: Floats
) -> float:
    """Return Σ_r p(r) D(r) for a sum of independent yes-and-no's, and its gradient in chances.

    `discount[r]` belongs to r documents above; none beyond its end has any. The distribution of
    the sum is built by adding one after the other. What the gradient needs is the distribution
    without i, for each i; it comes from the documents before i (`before`, forward) and the
    expected discount over those behind it (`rest`, backward).
    """
    count, width = len(chance), len(discount)
    for r in range(min(count + 1, width)):
        rest[count, r] = discount[r]
    rest[count, min(count + 1, width)] = 0.0
    for i in range(count - 1, -1, -1):
        p, last = chance[i], min(i + 1, width)
        now, behind = rest[i], rest[i + 1]
        for r in range(last):
            now[r] = p * behind[r + 1] + (1.0 - p) * behind[r]
        now[last] = 0.0
    before[0] = 1.0
    for i in range(count):
        p, last = chance[i], min(i + 1, width)
        behind = rest[i + 1]
        before[last] = 0.0
        total = 0.0
        for r in range(last):
            total += before[r] * (behind[r + 1] - behind[r])
        slope[i] = total
        after[0] = before[0] * (1.0 - p)
        for r in range(1, last + 1):
            after[r] = p * before[r - 1] + (1.0 - p) * before[r]
        before, after = after, before
    return rest[0, 0]


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
    each other document i with chance π_ij. Those that are certain need no chance.
    """
    inverse = 1.0 / (2.0 * sigma)
    peak = inverse / _ROOT_PI
    for q in range(len(offsets) - 1):
        low, high = offsets[q], offsets[q + 1]
        size = high - low
        rest, room = np.zeros((size + 1, size + 2)), np.zeros((2, size + 2))
        chance, density, slope = np.zeros(size), np.zeros(size), np.zeros(size)
        other = np.zeros(size, np.int64)
        reach = size  # ranks from there on have no discount
        while reach > 0 and weight[low + reach - 1] == 0.0:
            reach -= 1
        value = 0.0
        for j in range(low, high):
            worth = gain[levels[j]]
            if worth == 0.0:
                continue
            sure, count = 0, 0
            for i in range(low, high):
                t = (scores[i] - scores[j]) * inverse
                if i == j or t < -_SURE:
                    continue
                if t > _SURE:
                    sure += 1
                    continue
                other[count] = i
                chance[count] = 0.5 * math.erfc(-t)
                density[count] = peak * math.exp(-t * t)
                count += 1
            if sure >= reach:
                continue
            discount = weight[low + sure : low + reach]
            found = _expected_discount(chance[:count], discount, rest, room[0], room[1], slope)
            value += worth * found
            for i in range(count):
                step = worth * slope[i] * density[i]
                gradient[other[i]] += step
                gradient[j] -= step
        values[q] = value
