"""EM to its fixed point, with longer steps where they help (SQUAREM, Varadhan and Roland 2008)."""

from collections.abc import Callable

import numpy as np

from gradewise.arrays import Floats

Step = Callable[[Floats], tuple[Floats, float]]
Project = Callable[[Floats], Floats]


def climb(
    step: Step, project: Project, start: Floats, *, tolerance: float, iterations: int
) -> tuple[Floats, float, bool]:
    """Return where a step of EM ends up, the log-likelihood there, and whether it got there.

    `step` returns the next parameters and the log-likelihood of those that it was given; `project`
    makes parameters valid. A longer step is taken back if it lowers the likelihood. It has ended
    when a step changes no parameter by as much as the tolerance.
    """
    at, steps = start, 0
    while steps < iterations:
        first, likelihood = step(at)
        second, _ = step(first)
        steps += 2
        if np.abs(second - first).max() < tolerance:
            return second, step(second)[1], True
        change = first - at
        bend = second - first - change
        size = np.sqrt((change**2).sum() / max(float((bend**2).sum()), 1e-300))
        longer = project(at + 2 * max(size, 1.0) * change + max(size, 1.0) ** 2 * bend)
        found, reached = step(longer)
        steps += 1
        at = found if reached >= likelihood and np.isfinite(found).all() else second
    return at, step(at)[1], False
