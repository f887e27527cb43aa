"""Soft gain-discount measures: exact ones against enumeration, long lists against exact ones."""

import math
from typing import Any

import numpy as np
import pytest

from gradewise.kernels.soft_ranks import soft_gain_lists
from oracles import soft, sums

EVERYTHING = 1 << 62
GAIN = np.array([0.0, 1.0, 3.0])


def _soft(
    scores: Any, levels: Any, weight: Any, sigma: float, exact: int = EVERYTHING
) -> tuple[float, Any]:
    values, gradient = np.full(1, np.nan), np.full(len(scores), np.nan)
    rows = (scores, levels, np.array([0, len(scores)]))
    soft_gain_lists(*rows, GAIN, weight, sigma, exact, values, gradient)
    return float(values[0]), gradient


def _log_discount(size: int, reach: int | None = None) -> Any:
    weight = 1 / np.log2(np.arange(size) + 2)
    weight[size if reach is None else reach :] = 0.0
    return weight


@pytest.mark.parametrize("exact", [EVERYTHING, 0])
@pytest.mark.parametrize("sigma", [0.05, 0.4, 3.0])
@pytest.mark.parametrize("size", [0, 1, 2, 3, 8])
def test_short_lists_are_what_enumeration_says(size: int, sigma: float, exact: int) -> None:
    """However short the lists are that may be approximated: so few documents vary little."""
    rng = np.random.default_rng(size)
    scores, levels = rng.normal(size=size), rng.integers(0, 3, size)
    for reach in (1, 3, size):
        weight = _log_discount(size, reach)

        def value(given: Any, weight: Any = weight) -> float:
            discount = [*weight, 0.0]
            return soft.soft_gain(
                given.tolist(), levels.tolist(), lambda k: GAIN[k], lambda n: discount[n - 1], sigma
            )

        found, gradient = _soft(scores, levels, weight, sigma, exact)
        assert found == pytest.approx(value(scores), abs=1e-12)
        step = 1e-5 * sigma
        for place in range(min(size, 3)):
            unit = step * np.eye(size)[place]
            slope = (value(scores + unit) - value(scores - unit)) / (2 * step)
            assert gradient[place] == pytest.approx(slope, abs=1e-8 / sigma)


@pytest.mark.parametrize("sigma", [0.02, 0.3, 1.0, 5.0])
def test_lists_of_some_length_are_what_convolution_says(sigma: float) -> None:
    rng = np.random.default_rng(1)
    scores, levels, weight = rng.normal(size=60), rng.integers(0, 3, 60), _log_discount(60)
    value = 0.0
    for j in range(60):
        others = [soft.beats(scores, i, j, sigma) for i in range(60) if i != j]
        value += GAIN[levels[j]] * sums.expected(others, weight)
    assert _soft(scores, levels, weight, sigma)[0] == pytest.approx(value, rel=1e-12)


def test_equal_scores_share_the_ranks() -> None:
    """Each of two documents is first with a chance of 1/2; of many, any rank is as likely above."""
    levels = np.array([1, 2])
    value, gradient = _soft(np.zeros(2), levels, _log_discount(2), 0.7)
    assert value == pytest.approx(4 * (1 + 1 / math.log2(3)) / 2, abs=1e-15)
    assert gradient[1] == -gradient[0] > 0
    size = 600
    levels, weight = np.arange(size) % 3, _log_discount(size)
    expected = GAIN[levels].sum() * sums.expected([0.5] * (size - 1), weight)
    for exact in (EVERYTHING, 0):
        value, gradient = _soft(np.full(size, 2.0), levels, weight, 0.7, exact)
        assert value == pytest.approx(expected, rel=1e-10)
        assert abs(gradient.sum()) < 1e-12
        for level in range(3):
            assert np.ptp(gradient[levels == level]) < 1e-12


SCORES = {
    "normal": lambda rng, n: rng.normal(size=n),
    "uniform": lambda rng, n: rng.uniform(-1.7, 1.7, n),
    "two clusters": lambda rng, n: 0.2 * rng.normal(size=n) + rng.choice([-1, 1], n),
    "few values": lambda rng, n: rng.integers(-2, 3, n) / 2,
}


@pytest.mark.parametrize("sigma", [0.003, 0.03, 0.1, 0.3, 1.0, 3.0])
@pytest.mark.parametrize("shape", SCORES)
def test_long_lists_are_close_to_exact(shape: str, sigma: float) -> None:
    size = 500
    rng = np.random.default_rng(2)
    scores, levels = SCORES[shape](rng, size), rng.integers(0, 3, size)
    for reach, most in ((None, 1e-7), (10, 1e-13), (100, 5e-6)):
        weight = _log_discount(size, reach)
        best = np.sort(GAIN[levels])[::-1] @ weight
        exact, near = (_soft(scores, levels, weight / best, sigma, n) for n in (size, size - 1))
        assert near[0] == pytest.approx(exact[0], abs=most)
        steepest = max(0.1, np.abs(exact[1]).max())
        assert near[1] == pytest.approx(exact[1], abs=100 * most * steepest)


@pytest.mark.parametrize("sigma", [0.05, 0.3, 1.0])
@pytest.mark.parametrize("shape", SCORES)
def test_gradients_of_long_lists_are_those_of_their_values(shape: str, sigma: float) -> None:
    size = 450
    rng = np.random.default_rng(3)
    scores, levels = SCORES[shape](rng, size), rng.integers(0, 3, size)
    weight = _log_discount(size) / 100
    _, gradient = _soft(scores, levels, weight, sigma, 0)
    step = 1e-5
    for place in [int(np.argmax(scores)), int(np.argmin(scores)), *rng.integers(0, size, 20)]:
        unit = step * np.eye(size)[place]
        ends = [_soft(scores + sign * unit, levels, weight, sigma, 0)[0] for sign in (1, -1)]
        slope = (ends[0] - ends[1]) / (2 * step)
        assert gradient[place] == pytest.approx(slope, abs=1e-6 * np.abs(gradient).max())
    assert abs(gradient.sum()) < 1e-13


@pytest.mark.parametrize("size", [5, 500, 1500])
def test_soft_tends_to_hard(size: int) -> None:
    rng = np.random.default_rng(4)
    scores, levels, weight = rng.permutation(size) * 1.0, rng.integers(0, 3, size), None
    for reach in (None, 3):
        weight = _log_discount(size, reach)
        hard = GAIN[levels[np.argsort(-scores)]] @ weight
        for sigma in (0.05, 1e-4, 1e-300):
            value, gradient = _soft(scores, levels, weight, sigma, 0)
            assert value == pytest.approx(hard, rel=1e-13)
            assert not gradient.any()


def test_several_lists_of_which_some_are_long() -> None:
    rng = np.random.default_rng(5)
    sizes = [3, 120, 0, 40, 90]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    scores, levels = rng.normal(size=253), rng.integers(0, 3, 253)
    weight = np.concatenate([_log_discount(n) for n in sizes])
    values, gradient = np.empty(5), np.empty(253)
    soft_gain_lists(scores, levels, offsets, GAIN, weight, 0.5, 60, values, gradient)
    for q in range(5):
        part = slice(offsets[q], offsets[q + 1])
        alone = _soft(scores[part], levels[part], weight[part], 0.5, 60)
        assert values[q] == alone[0]
        assert gradient[part].tolist() == alone[1].tolist()
