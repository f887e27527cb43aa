"""Conformal risk control bounds the expected loss, whatever the predictions."""

import numpy as np
import pytest

from gradewise.errors import OptionError
from gradewise.stats.conformal import control_risk


@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.3])
def test_the_setting_is_the_smallest_that_fulfills_the_inequality(alpha: float) -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        topics, settings = int(rng.integers(1, 40)), int(rng.integers(1, 12))
        losses = -np.sort(-rng.integers(0, 2, (topics, settings)), axis=1)  # do not grow
        fitting = [
            k for k in range(settings) if (losses[:, k].sum() + 1) / (topics + 1) <= alpha + 1e-12
        ]
        expected = fitting[0] if fitting else settings
        assert control_risk(losses.astype(float), alpha) == expected


def test_too_few_topics_leave_every_value_possible() -> None:
    assert control_risk(np.zeros((8, 3)), 0.1) == 3
    assert control_risk(np.zeros((9, 3)), 0.1) == 0


def test_the_next_topic_is_covered_as_promised() -> None:
    """Residuals of a useless prediction: the share of misses stays below alpha."""
    rng = np.random.default_rng(1)
    settings = np.linspace(0, 4, 81)
    missed = []
    for _ in range(3000):
        residuals = np.abs(rng.standard_t(3, 21))
        losses = (residuals[:20, None] > settings).astype(float)
        place = int(control_risk(losses, 0.1))
        missed.append(place < len(settings) and residuals[20] > settings[place])
    assert np.mean(missed) <= 0.1 + 3 * np.sqrt(0.09 / 3000)
    assert np.mean(missed) > 0.05  # and intervals are not much wider than needed


def test_alpha_is_checked() -> None:
    with pytest.raises(OptionError, match="alpha must lie between 0 and 1"):
        control_risk(np.zeros((3, 2)), 1.0)
