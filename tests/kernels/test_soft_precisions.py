"""Soft pivot measures against their formula written out, and its differences."""

from typing import Any

import numpy as np
import pytest

from gradewise.kernels.soft_precisions import soft_pivot_lists
from oracles import soft


def _soft(scores: Any, levels: Any, kernel: Any, sigma: float) -> tuple[float, Any]:
    values, gradient = np.full(1, np.nan), np.zeros(len(scores))
    offsets = np.array([0, len(scores)])
    soft_pivot_lists(scores, levels, offsets, kernel[None], sigma, values, gradient)
    return float(values[0]), gradient


@pytest.mark.parametrize("sigma", [0.05, 1.0, 20.0])
@pytest.mark.parametrize("size", [0, 1, 2, 3, 14])
def test_values_and_gradients(size: int, sigma: float) -> None:
    rng = np.random.default_rng(size)
    kernel = rng.random((3, 3))
    kernel[0] = 0.0
    scores, levels = rng.normal(size=size), rng.integers(0, 3, size)

    def value(given: Any) -> float:
        return soft.soft_pivot(given.tolist(), levels.tolist(), lambda a, b: kernel[a, b], sigma)

    found, gradient = _soft(scores, levels, kernel, sigma)
    assert found == pytest.approx(value(scores), abs=1e-12)
    step = 1e-5 * sigma
    for place, unit in enumerate(np.eye(size)):
        slope = (value(scores + step * unit) - value(scores - step * unit)) / (2 * step)
        assert gradient[place] == pytest.approx(slope, abs=1e-8 / sigma)


def test_equal_scores_and_scores_far_apart() -> None:
    kernel, levels = np.array([[0.0, 0.0], [0.0, 1.0]]), np.array([1, 0, 1])
    value, gradient = _soft(np.zeros(3), levels, kernel, 0.3)
    assert value == pytest.approx(2 * 1.5 / 2, abs=1e-15)  # each of two: itself and half the other
    assert gradient.sum() == pytest.approx(0, abs=1e-15)
    for far in (1e3, 1e300):
        value, gradient = _soft(np.array([far, 0.0, -far]), levels, kernel, 0.3)
        assert value == pytest.approx(1 + 2 / 3, abs=1e-15)
        assert not gradient.any()


def test_several_lists_with_their_own_kernels() -> None:
    rng = np.random.default_rng(1)
    sizes = [4, 0, 9]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    kernels = rng.random((3, 2, 2))
    scores, levels = rng.normal(size=13), rng.integers(0, 2, 13)
    values, gradient = np.empty(3), np.zeros(13)
    soft_pivot_lists(scores, levels, offsets, kernels, 0.5, values, gradient)
    for q in range(3):
        part = slice(offsets[q], offsets[q + 1])
        alone = _soft(scores[part], levels[part], kernels[q], 0.5)
        assert values[q] == alone[0]
        assert gradient[part].tolist() == alone[1].tolist()
