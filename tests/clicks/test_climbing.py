"""EM with longer steps ends where plain EM ends, in fewer steps."""

import numpy as np

from gradewise.arrays import Floats
from gradewise.clicks.climbing import climb

# Two coins, each thrown ten times in a round, are drawn with equal chances; heads are counted.
HEADS = np.array([9, 8, 3, 2, 5, 7, 1, 6, 4, 8])


def step(at: Floats) -> tuple[Floats, float]:
    """Take one step of EM for the chances of heads of both coins."""
    likely = at ** HEADS[:, None] * (1 - at) ** (10 - HEADS[:, None])
    total = likely.sum(axis=1, keepdims=True)
    share = likely / total
    return (share * HEADS[:, None]).sum(axis=0) / (10 * share.sum(axis=0)), float(
        np.log(total).sum()
    )


def test_the_end_is_that_of_plain_steps() -> None:
    calls = 0

    def counted(at: Floats) -> tuple[Floats, float]:
        nonlocal calls
        calls += 1
        return step(at)

    start = np.array([0.5, 0.55])
    found, likelihood, converged = climb(
        counted, lambda at: np.clip(at, 0.01, 0.99), start, tolerance=1e-10, iterations=10_000
    )
    plain, steps = start, 0
    while np.abs(step(plain)[0] - plain).max() >= 1e-10:
        plain, steps = step(plain)[0], steps + 1
    assert converged
    assert np.abs(found - plain).max() < 1e-8
    assert likelihood == step(found)[1]
    assert calls < steps


def test_it_is_told_if_there_are_too_few_steps() -> None:
    _, _, converged = climb(
        step, lambda at: at, np.array([0.5, 0.55]), tolerance=1e-10, iterations=4
    )
    assert not converged
