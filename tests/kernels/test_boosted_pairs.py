"""Gradients and Hessians for trees against swapping every pair."""

import numpy as np
import pytest

from gradewise.kernels.boosted_pairs import SMALLEST_HESSIAN, boost_lists
from kernels.cases import FAMILIES, random_case
from oracles import soft

EVERYTHING = 1 << 62


@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.parametrize("truncation", [1, 4, EVERYTHING])
@pytest.mark.parametrize("family", FAMILIES)
def test_they_are_those_of_really_swapping(family: str, truncation: int, normalize: bool) -> None:
    rng = np.random.default_rng(truncation % 100)
    for size, width, sigma, spread in [(1, 2, 1, 1), (2, 2, 1, 1), (13, 3, 0.7, 1), (30, 5, 2, 9)]:
        case = random_case(family, size, width, rng)
        levels = rng.integers(0, width, size)
        scores = spread * rng.normal(size=size)
        gradient, hessian = np.full(size, np.nan), np.full(size, np.nan)
        tables = (case.code, case.kernel[None], case.gain, case.weight)
        pull = rng.uniform(0.5, 3, size) if size > 2 else np.empty(0)
        options = (sigma, truncation, normalize, pull, 0)
        rows = (scores, levels, np.array([0, size]), 0, 1)
        boost_lists(*rows, *tables, *options, gradient, hessian)
        expected = soft.boosted(
            scores.tolist(),
            levels.tolist(),
            case.value,
            sigma,
            truncation,
            normalize,
            pull.tolist() or None,
        )
        assert gradient == pytest.approx(np.array(expected[0]), abs=1e-10)
        least = np.maximum(expected[1], SMALLEST_HESSIAN)
        assert hessian == pytest.approx(least, abs=1e-10)


@pytest.mark.parametrize("spread", [500.0, 1e6, 1e300])
def test_scores_too_far_apart_for_their_powers(spread: float) -> None:
    rng = np.random.default_rng(1)
    case = random_case("gain", 12, 3, rng)
    levels, scores = rng.integers(0, 3, 12), spread * rng.uniform(-1, 1, 12)
    gradient, hessian = np.empty(12), np.empty(12)
    tables = (case.code, case.kernel[None], case.gain, case.weight)
    rows = (scores, levels, np.array([0, 12]), 0, 1)
    boost_lists(*rows, *tables, 1.0, EVERYTHING, True, np.empty(0), 0, gradient, hessian)
    expected, _ = soft.boosted(scores.tolist(), levels.tolist(), case.value, 1.0, 99, True)
    assert gradient == pytest.approx(np.array(expected), abs=1e-10)
    assert np.isfinite(hessian).all()
    assert (hessian > 0).all()


def test_lists_have_their_own_kernel_and_others_are_left_alone() -> None:
    rng = np.random.default_rng(2)
    sizes = np.array([5, 8, 0, 6, 7])
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    kernels, weight = rng.random((5, 3, 3)), rng.random(26)
    levels, scores = rng.integers(0, 3, 26), rng.normal(size=26)
    gain = np.zeros(3)

    def boosted(rows: slice, kernel: np.ndarray, first: int, last: int) -> np.ndarray:
        count = rows.stop - rows.start
        found = np.full((2, count), np.nan)
        places = offsets if count == 26 else np.array([0, count])
        lists = (scores[rows], levels[rows], places, first, last)
        tables = (0, kernel, gain, weight[rows])
        boost_lists(*lists, *tables, 1.0, EVERYTHING, True, np.empty(0), 4, *found)
        return found

    together = boosted(slice(0, 26), kernels, 1, 4)
    assert np.isnan(together[:, :5]).all()
    assert np.isnan(together[:, 19:]).all()
    for q in (1, 3):
        rows = slice(int(offsets[q]), int(offsets[q + 1]))
        alone = boosted(rows, kernels[q][None], 0, 1)
        assert together[:, rows].tolist() == alone.tolist()
