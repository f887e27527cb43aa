"""Power of the paired t-test: published sample sizes, and a simulation."""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

import gradewise as gw
from gradewise.errors import GradewiseError, OptionError


@pytest.mark.parametrize(
    ("effect", "power", "topics"),
    # G*Power 3.1, "Means: difference between two dependent means", two tails, alpha 0.05.
    [(0.2, 0.8, 199), (0.5, 0.8, 34), (0.8, 0.8, 15), (0.5, 0.95, 54), (0.2, 0.95, 327)],
)
def test_published_numbers(effect: float, power: float, topics: int) -> None:
    assert gw.stats.topics_needed(effect, power=power) == topics
    assert gw.stats.topics_needed(-effect, power=power) == topics


def test_the_number_is_the_smallest_that_suffices() -> None:
    for effect in (0.05, 0.33, 1.7):
        needed = gw.stats.topics_needed(effect, alpha=0.01, power=0.9)
        assert needed is not None
        assert gw.stats.t_power(effect, needed, alpha=0.01) >= 0.9
        assert gw.stats.t_power(effect, needed - 1, alpha=0.01) < 0.9


def test_power_is_the_share_of_samples_that_are_significant() -> None:
    draws = np.random.default_rng(3).normal(0.4, 1.0, (20_000, 25))
    found = float((scipy_stats.ttest_1samp(draws, 0, axis=1).pvalue < 0.05).mean())
    assert gw.stats.t_power(0.4, 25) == pytest.approx(found, abs=0.012)  # 3 standard errors


def test_without_a_difference_no_number_is_enough() -> None:
    assert gw.stats.topics_needed(0.0) is None
    assert gw.stats.t_power(0.0, 10) == pytest.approx(0.05)
    assert gw.stats.topics_needed(math.inf) == 2


def test_what_cannot_be_asked() -> None:
    with pytest.raises(OptionError, match="at least 2 topics, not 1"):
        gw.stats.t_power(0.5, 1)
    with pytest.raises(GradewiseError, match="power"):
        gw.stats.topics_needed(0.5, power=1.5)
