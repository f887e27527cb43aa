"""Gradients and Hessians where each document has its own label, against swapping every pair."""

import math

import numpy as np
import pytest

from gradewise.kernels.boosted_gains import boost_gains
from oracles import soft

EVERYTHING = 1 << 62


@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.parametrize("truncation", [1, 4, EVERYTHING])
def test_they_are_those_of_really_swapping(truncation: int, normalize: bool) -> None:
    rng = np.random.default_rng(truncation % 100)
    for size, sigma, spread in [(1, 1, 1), (2, 1, 1), (13, 0.7, 1), (30, 2, 9)]:
        labels, scores = rng.random(size).round(1), spread * rng.normal(size=size)
        weight = np.sort(rng.random(size))[::-1].copy()
        pull = rng.uniform(0.5, 3, size) if size > 2 else np.empty(0)
        found = np.full((2, size), np.nan)
        marks = (10 * labels).astype(np.int64)
        lists = (scores, labels, marks, weight, np.array([0, size]), 0, 1)
        boost_gains(*lists, sigma, truncation, normalize, False, pull, 0, *found)

        def value(ranking: list[float], weight: np.ndarray = weight) -> float:
            return sum(gain * each for gain, each in zip(ranking, weight.tolist(), strict=True))

        options = (sigma, truncation, normalize, pull.tolist() or None)
        expected = soft.boosted(scores.tolist(), labels.tolist(), value, *options)
        assert found[0] == pytest.approx(np.array(expected[0]), abs=1e-10)
        assert found[1] == pytest.approx(np.maximum(expected[1], 1e-16), abs=1e-10)


@pytest.mark.parametrize("spread", [1.0, 1e6])
def test_plain_pairs_weigh_the_same(spread: float) -> None:
    rng = np.random.default_rng(2)
    labels, scores = rng.normal(size=20).round(1), spread * rng.normal(size=20)
    gradient, hessian = np.zeros(20), np.zeros(20)
    for i in range(20):
        for j in range(20):
            if labels[i] > labels[j]:
                apart = 1.3 * (scores[i] - scores[j])
                wrong = 0.0 if apart > 700 else 1 / (1 + math.exp(apart))
                gradient[i] -= 1.3 * wrong
                gradient[j] += 1.3 * wrong
                hessian[[i, j]] += 1.3**2 * wrong * (1 - wrong)
    found = np.empty((2, 20))
    marks = np.unique(labels, return_inverse=True)[1]
    lists = (scores, labels, marks, np.zeros(20), np.array([0, 20]), 0, 1)
    boost_gains(*lists, 1.3, EVERYTHING, False, True, np.empty(0), 0, *found)
    assert found[0] == pytest.approx(gradient, abs=1e-12)
    assert found[1] == pytest.approx(np.maximum(hessian, 1e-16), abs=1e-12)


def test_lists_are_on_their_own() -> None:
    rng = np.random.default_rng(3)
    offsets, labels = np.array([0, 5, 5, 12]), rng.random(12)
    scores, weight, marks = rng.normal(size=12), rng.random(12), np.arange(12)
    together = np.full((2, 12), np.nan)
    options = (1.0, EVERYTHING, True, False, np.empty(0), 4)
    boost_gains(scores, labels, marks, weight, offsets, 1, 3, *options, *together)
    assert np.isnan(together[:, :5]).all()
    rows = slice(5, 12)
    alone = np.empty((2, 7))
    own = (scores[rows], labels[rows], marks[rows], weight[rows], np.array([0, 7]))
    boost_gains(*own, 0, 1, *options, *alone)
    assert together[:, rows].tolist() == alone.tolist()
