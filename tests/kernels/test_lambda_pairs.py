"""Losses and gradients for nets against swapping every pair."""

import math
from typing import Any

import numpy as np
import pytest

from gradewise.kernels.lambda_pairs import lambda_lists
from kernels.cases import FAMILIES, Case, random_case
from oracles import soft

EVERYTHING = 1 << 62
NO_PULL = np.empty(0)


def _lambdas(
    case: Case,
    scores: Any,
    levels: Any,
    sigma: float,
    depth: int,
    plain: bool,
    pull: Any = NO_PULL,
) -> tuple[float, Any]:
    losses, gradient = np.full(1, np.nan), np.full(len(scores), np.nan)
    order, offsets = np.argsort(-scores, kind="stable"), np.array([0, len(scores)])
    tables = (case.code, case.kernel[None], case.gain, case.weight)
    rows = (scores, order, levels, offsets)
    lambda_lists(*rows, *tables, sigma, depth, plain, pull, losses, gradient)
    return float(losses[0]), gradient


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("size", [0, 1, 2, 5, 24])
def test_they_are_those_of_really_swapping(family: str, size: int) -> None:
    rng = np.random.default_rng(size)
    for width, sigma in ((2, 1.0), (4, 1.7)):
        case = random_case(family, size, width, rng)
        scores, levels = rng.normal(size=size), rng.integers(0, width, size)
        pull = rng.uniform(0.2, 1, size) if width > 2 else NO_PULL
        loss, slope = soft.lambdas(
            scores.tolist(), levels.tolist(), case.value, sigma, pull.tolist() or None
        )
        found = _lambdas(case, scores, levels, sigma, EVERYTHING, False, pull)
        assert found[0] == pytest.approx(loss, rel=1e-12, abs=1e-12)
        assert found[1] == pytest.approx(np.array(slope), abs=1e-12)


def test_ranknet_takes_one_for_every_change() -> None:
    rng = np.random.default_rng(1)
    scores, levels = rng.normal(size=15), rng.integers(0, 4, 15)
    loss, slope = 0.0, np.zeros(15)
    for i in range(15):
        for j in range(15):
            if levels[i] > levels[j]:
                apart = 1.3 * (scores[i] - scores[j])
                loss += math.log(1 + math.exp(-apart))
                slope[i] -= 1.3 / (1 + math.exp(apart))
                slope[j] += 1.3 / (1 + math.exp(apart))
    case = random_case("gain", 15, 4, rng)
    found = _lambdas(case, scores, levels, 1.3, EVERYTHING, True)
    assert found[0] == pytest.approx(loss, rel=1e-13)
    assert found[1] == pytest.approx(slope, abs=1e-12)


@pytest.mark.parametrize("spread", [1e3, 1e6, 1e300])
def test_scores_too_far_apart_for_their_powers(spread: float) -> None:
    """Pairs in the right order cost nothing; others cost their distance."""
    rng = np.random.default_rng(2)
    case = random_case("gain", 4, 2, rng)
    scores, levels = spread * np.array([3.0, 2.0, 1.0, 0.0]), np.array([0, 1, 0, 1])
    loss, slope = 0.0, np.zeros(4)
    for a, b in ((0, 1), (0, 3), (2, 3)):
        swapped = levels.copy()
        swapped[a], swapped[b] = levels[b], levels[a]
        change = abs(case.value(swapped.tolist()) - case.value(levels.tolist()))
        loss += change * (scores[a] - scores[b])
        slope[a] += change
        slope[b] -= change
    found = _lambdas(case, scores, levels, 1.0, EVERYTHING, False)
    assert found[0] == pytest.approx(loss, rel=1e-12)
    assert found[1] == pytest.approx(slope, abs=1e-12)


def test_pairs_below_the_depth_are_left_out() -> None:
    rng = np.random.default_rng(3)
    case = random_case("pivot", 9, 3, rng)
    scores, levels = np.sort(rng.normal(size=9))[::-1].copy(), rng.integers(0, 3, 9)
    for depth in (1, 3, 8):
        whole = _lambdas(case, scores, levels, 1.0, EVERYTHING, False)
        cut = _lambdas(case, scores, levels, 1.0, depth, False)
        assert cut[0] <= whole[0]
        expected = 0.0
        for a in range(depth):
            for b in range(a + 1, 9):
                if levels[a] == levels[b]:
                    continue
                swapped = levels.copy()
                swapped[a], swapped[b] = levels[b], levels[a]
                change = abs(case.value(swapped.tolist()) - case.value(levels.tolist()))
                sign = 1 if levels[a] > levels[b] else -1
                expected += change * math.log(1 + math.exp(-sign * (scores[a] - scores[b])))
        assert cut[0] == pytest.approx(expected, abs=1e-12)


def test_several_lists_are_one_after_the_other() -> None:
    rng = np.random.default_rng(4)
    sizes = [3, 0, 8, 1]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    kernels, weight = rng.random((4, 3, 3)), rng.random(12)
    scores, levels = rng.normal(size=12), rng.integers(0, 3, 12)
    order = np.lexsort((-scores, np.arange(4).repeat(sizes)))
    losses, gradient = np.empty(4), np.empty(12)
    rows = (scores, order, levels, offsets)
    tables = (0, kernels, np.zeros(3), weight)
    lambda_lists(*rows, *tables, 1.0, EVERYTHING, False, NO_PULL, losses, gradient)
    for q in range(4):
        part = slice(offsets[q], offsets[q + 1])
        case = Case(0, kernels[q], np.zeros(3), weight[part], lambda _: 0.0)
        alone = _lambdas(case, scores[part], levels[part], 1.0, EVERYTHING, False)
        assert losses[q] == alone[0]
        assert gradient[part].tolist() == alone[1].tolist()
