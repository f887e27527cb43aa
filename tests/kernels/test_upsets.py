"""Chances that noise turns two scores round, against the functions of the math library."""

import math

import numpy as np
import pytest

from gradewise.kernels.upsets import upset_chances


def test_chances_and_densities() -> None:
    rng = np.random.default_rng(0)
    nodes = np.arange(0, 6, 1 / 64)
    apart = np.concatenate([rng.uniform(0, 6, 20_000), nodes, np.nextafter(nodes, 0)])
    chance, density = upset_chances(apart)
    expected = [math.erfc(x) / 2 for x in apart]
    assert np.abs(chance - expected).max() < 1e-15
    assert np.abs(density - np.exp(-(apart**2)) / math.sqrt(math.pi)).max() < 1e-13


def test_signs_do_not_matter_and_what_is_far_is_sure() -> None:
    chance, density = upset_chances(np.array([-0.7, 0.7, 0.0, 6.0, -7.0, 1e300, np.inf, np.nan]))
    assert chance[0] == chance[1]
    assert (chance[2], density[2]) == (0.5, 1 / math.sqrt(math.pi))
    assert not chance[3:].any()
    assert not density[3:].any()
    assert not len(upset_chances(np.empty(0))[0])


def test_the_density_is_the_slope() -> None:
    apart = np.random.default_rng(1).uniform(0.1, 5, 500)
    _, density = upset_chances(apart)
    low, high = (upset_chances(apart + step)[0] for step in (-1e-5, 1e-5))
    assert (low - high) / 2e-5 == pytest.approx(density, abs=1e-9)
