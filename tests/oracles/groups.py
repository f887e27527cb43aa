"""Slow literal definitions: differences on groups of topics, and changes between releases."""

from typing import Any

from scipy import stats as scipy_stats


def terciles(values: dict[str, float]) -> dict[str, int]:
    """Cut at the smallest values that a third and two thirds of the topics do not exceed."""
    ordered = sorted(values.values())
    cuts = []
    for part in (1, 2):
        for value in ordered:
            if 3 * sum(other <= value for other in ordered) >= part * len(ordered):
                cuts.append(value)
                break
    return {topic: sum(value > cut for cut in sorted(set(cuts))) for topic, value in values.items()}


def group_difference(
    a: dict[str, float], b: dict[str, float], topics: list[str], level: float
) -> tuple[float, float, float, float]:
    """Mean difference, its interval and p, by SciPy's paired t-test."""
    first, second = [a[topic] for topic in topics], [b[topic] for topic in topics]
    test = scipy_stats.ttest_rel(first, second)
    low, high = test.confidence_interval(level)
    return sum(first) / len(first) - sum(second) / len(second), low, high, float(test.pvalue)


def welch(groups: list[list[float]]) -> float:
    """Welch (1951): means of groups whose variances differ, term by term."""
    number = len(groups)
    means = [sum(group) / len(group) for group in groups]
    weights = []
    for group, mean in zip(groups, means, strict=True):
        variance = sum((value - mean) ** 2 for value in group) / (len(group) - 1)
        weights.append(len(group) / variance)
    total = sum(weights)
    center = sum(w * m for w, m in zip(weights, means, strict=True)) / total
    above = sum(w * (m - center) ** 2 for w, m in zip(weights, means, strict=True)) / (number - 1)
    spread = sum(
        (1 - w / total) ** 2 / (len(group) - 1) for w, group in zip(weights, groups, strict=True)
    )
    below = 1 + 2 * (number - 2) / (number**2 - 1) * spread
    return float(scipy_stats.f.sf(above / below, number - 1, (number**2 - 1) / (3 * spread)))


def change(before: dict[str, float], after: dict[str, float], level: float) -> dict[str, Any]:
    """Paired over shared topics if these are at least half of the fewer, else Welch's test."""
    shared = [topic for topic in before if topic in after]
    if len(shared) >= 2 and 2 * len(shared) >= min(len(before), len(after)):
        test = scipy_stats.ttest_rel([after[t] for t in shared], [before[t] for t in shared])
        value = sum(after[t] - before[t] for t in shared) / len(shared)
    else:
        test = scipy_stats.ttest_ind([*after.values()], [*before.values()], equal_var=False)
        value = sum(after.values()) / len(after) - sum(before.values()) / len(before)
    low, high = test.confidence_interval(level)
    return {"change": value, "low": low, "high": high, "p": float(test.pvalue)}
