"""Slow literal definitions of the statistics: one function for each entry of a table.

Tests take the differences of one pair of runs, or, if they are joint, the values of all runs;
corrections a list of p-values, intervals the values of one run, correlations two scorings.
"""

import warnings
from itertools import pairwise, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats as scipy_stats

Array = NDArray[np.float64]


def t(differences: Array, replicates: int, seed: int) -> float:
    return _scipy_p(scipy_stats.ttest_1samp, differences, 0)


def wilcoxon(differences: Array, replicates: int, seed: int) -> float:
    return _scipy_p(scipy_stats.wilcoxon, differences)


def _scipy_p(test: Any, differences: Array, *parameters: float) -> float:
    if not differences.any():
        return 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scipy warns where differences are all alike
        return float(test(differences, *parameters).pvalue)


def sign(differences: Array, replicates: int, seed: int) -> float:
    up, down = int((differences > 0).sum()), int((differences < 0).sum())
    return float(scipy_stats.binomtest(up, up + down).pvalue) if up + down else 1.0


def strict(differences: Array, replicates: int, seed: int) -> float:
    """Yilmaz and Robertson (2010): all three tests must agree."""
    return max(test(differences, replicates, seed) for test in (t, wilcoxon, sign))


def bootstrap(differences: Array, replicates: int, seed: int) -> float:
    """Sakai (2006), Fig 1: shift to a mean of zero, resample, compare studentized means.

    The observed sample counts as one of them (Davison & Hinkley 1997, eq. 4.11).
    """
    topics = len(differences)
    observed = abs(studentized(list(differences)))
    shifted = [value - sum(differences) / topics for value in differences]
    count = 0
    for draw in _draws(topics, replicates, seed):
        sample = [v for v, times in zip(shifted, draw, strict=True) for _ in range(times)]
        count += abs(studentized(sample)) >= observed
    return (count + 1) / (replicates + 1)


def studentized(sample: list[float]) -> float:
    size = len(sample)
    if len(set(sample)) == 1:
        return 0.0 if sample[0] == 0 else np.inf
    mean = sum(sample) / size
    variance = sum((value - mean) ** 2 for value in sample) / (size - 1)
    return mean / (variance / size) ** 0.5


def randomization(differences: Array, replicates: int, seed: int) -> float:
    """Fisher: the share of random signs whose sum is as far from zero as the observed one."""
    signs = np.random.default_rng(seed).integers(0, 2, (replicates, len(differences)))
    observed, count = abs(sum(differences)), 1
    for row in signs.tolist():
        total = sum(d if side else -d for d, side in zip(differences, row, strict=True))
        count += abs(total) >= observed - 1e-12
    return count / (replicates + 1)


def tukey(values: Array, replicates: int, seed: int) -> Array:
    """Carterette (2012): the widest range of means over permutations of runs within topics."""
    rng = np.random.default_rng(seed)
    runs, topics = values.shape
    places = np.tile(np.arange(runs)[:, None], (1, topics))
    means = [sum(row) / topics for row in values]
    count = np.ones((runs, runs))
    for _ in range(replicates):
        order = rng.permuted(places, axis=0)
        shuffled = [[values[order[r, t], t] for t in range(topics)] for r in range(runs)]
        new = [sum(row) / topics for row in shuffled]
        widest = max(new) - min(new)
        for a in range(runs):
            for b in range(runs):
                count[a, b] += widest >= abs(means[a] - means[b]) - 1e-12
    return count / (replicates + 1)


TESTS = {
    "t": t,
    "wilcoxon": wilcoxon,
    "sign": sign,
    "strict": strict,
    "bootstrap": bootstrap,
    "randomization": randomization,
    "tukey": tukey,
}


def holm(p: list[float]) -> list[float]:
    return [min(1, max((len(p) - i) * q for i, q in enumerate(sorted(p)) if q <= own)) for own in p]


def bonferroni(p: list[float]) -> list[float]:
    return [min(1, own * len(p)) for own in p]


def benjamini_hochberg(p: list[float]) -> list[float]:
    return list(scipy_stats.false_discovery_control(p))


CORRECTIONS = {
    "holm": holm,
    "bonferroni": bonferroni,
    "bh": benjamini_hochberg,
    "none": list,
}


def t_interval(values: Array, level: float, replicates: int, seed: int) -> tuple[float, float]:
    return tuple(scipy_stats.ttest_1samp(values, 0).confidence_interval(level))


def bootstrap_interval(
    values: Array, level: float, replicates: int, seed: int
) -> tuple[float, float]:
    means = [
        sum(values[topic] * times for topic, times in enumerate(draw)) / len(values)
        for draw in _draws(len(values), replicates, seed)
    ]
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def bca_interval(values: Array, level: float, replicates: int, seed: int) -> tuple[float, float]:
    """Efron (1987): percentiles moved by bias and, from the jackknife, acceleration."""
    size, mean = len(values), float(np.mean(values))
    normal = scipy_stats.norm
    means = [
        sum(values[topic] * times for topic, times in enumerate(draw)) / size
        for draw in _draws(size, replicates, seed)
    ]
    bias = normal.ppf(sum(m < mean for m in means) / replicates)
    left_out = [float(np.delete(values, topic).mean()) for topic in range(size)]
    center = sum(left_out) / size
    cubes = sum((center - one) ** 3 for one in left_out)
    acceleration = cubes / (6 * sum((center - one) ** 2 for one in left_out) ** 1.5)
    limits = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        moved = bias + normal.ppf(tail)
        limits.append(
            float(np.quantile(means, normal.cdf(bias + moved / (1 - acceleration * moved))))
        )
    return limits[0], limits[1]


def studentized_interval(
    values: Array, level: float, replicates: int, seed: int
) -> tuple[float, float]:
    """Efron and Tibshirani (1993), chapter 12: the bootstrap-t interval."""
    size, mean = len(values), float(np.mean(values))
    shares = []
    for draw in _draws(size, replicates, seed):
        sample = [v for v, times in zip(values, draw, strict=True) for _ in range(times)]
        shares.append(studentized([value - mean for value in sample]))
    low, high = np.quantile(shares, [(1 - level) / 2, (1 + level) / 2])
    error = float(np.std(values, ddof=1)) / size**0.5
    return mean - float(high) * error, mean - float(low) * error


INTERVALS = {
    "t": t_interval,
    "bootstrap": bootstrap_interval,
    "bca": bca_interval,
    "studentized": studentized_interval,
}


def tau(x: Array, y: Array) -> float:
    return float(scipy_stats.kendalltau(x, y)[0])


def tau_a(x: Array, y: Array) -> float:
    count = pairs = 0
    for a in range(len(x)):
        for b in range(a):
            pairs += 1
            product = (x[a] - x[b]) * (y[a] - y[b])
            count += int(product > 0) - int(product < 0)
    return count / pairs


def tau_ap(x: Array, y: Array) -> float:
    """Yilmaz, Aslam and Robertson (2008): the mean over all orders of items tied in x."""
    orders = [
        order
        for order in permutations(range(len(x)))
        if all(x[a] >= x[b] for a, b in pairwise(order))
    ]
    return sum(_tau_ap_of_order(order, y) for order in orders) / len(orders)


def _tau_ap_of_order(order: tuple[int, ...], y: Array) -> float:
    total = 0.0
    for i in range(1, len(order)):
        above = order[:i]
        right = sum(float(y[j] > y[order[i]]) + float(y[j] == y[order[i]]) / 2 for j in above)
        total += right / i
    return 2 / (len(order) - 1) * total - 1


def spearman(x: Array, y: Array) -> float:
    return float(scipy_stats.spearmanr(x, y)[0])


def pearson(x: Array, y: Array) -> float:
    """Sum of products of deviations from the means, by the root of the sums of their squares."""
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    products = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    squares = sum((a - mean_x) ** 2 for a in x) * sum((b - mean_y) ** 2 for b in y)
    return float(products / squares**0.5)


CORRELATIONS = {
    "tau": tau,
    "tau_a": tau_a,
    "tau_ap": tau_ap,
    "spearman": spearman,
    "pearson": pearson,
}


def _draws(topics: int, replicates: int, seed: int) -> Array:
    return np.random.default_rng(seed).multinomial(topics, [1 / topics] * topics, size=replicates)


def tiers(differs: list[list[bool]]) -> list[int]:
    """Go down the ranking; a run that differs from the first of its tier opens the next one."""
    found = [1]
    first = 0
    for run in range(1, len(differs)):
        if differs[first][run]:
            first = run
            found.append(found[-1] + 1)
        else:
            found.append(found[-1])
    return found
