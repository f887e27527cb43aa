"""Prediction-powered intervals: as ppi-python has them, and as they should cover."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import special

from gradewise.errors import OptionError
from gradewise.stats.prediction_powered import (
    powered_apart,
    prediction_powered,
    topics_alone,
)

PPI = json.loads((Path(__file__).parent / "ppi_python.json").read_text(encoding="utf-8"))


def cases() -> list[dict[str, Any]]:
    """The recorded cases, each with its values, which only the first of a seed holds."""
    values = {
        case["seed"]: {name: np.array(case[name]) for name in ("trusted", "predicted", "others")}
        for case in PPI["cases"]
        if "trusted" in case
    }
    return [{**case, **values[case["seed"]]} for case in PPI["cases"]]


@pytest.mark.parametrize("case", cases())
def test_apart_equals_ppi_python(case: dict[str, Any]) -> None:
    given = case["trusted"], case["predicted"], case["others"]
    found = powered_apart(*given, weight=case["weight"])
    assert found.mean == pytest.approx(case["mean"], abs=1e-12)
    assert found.low == pytest.approx(case["low"], abs=1e-12)
    assert found.high == pytest.approx(case["high"], abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_apart_equals_ppi_python_live(seed: int) -> None:
    ppi = pytest.importorskip("ppi_py", reason="ppi-python is not installed")
    rng = np.random.default_rng(seed)
    given = rng.random(15), rng.random(15), rng.random(40)
    low, high = ppi.ppi_mean_ci(*given, alpha=0.1, lam=0.4)
    found = powered_apart(*given, weight=0.4, level=0.9)
    assert (found.low, found.high) == pytest.approx((np.ravel(low)[0], np.ravel(high)[0]))


def draw(rng: np.random.Generator, rows: int, topics: int) -> tuple[np.ndarray, np.ndarray]:
    """Values, and predictions that are biased and correlate with them."""
    values = rng.beta(2, 3, (rows, topics))
    return values, np.clip(0.6 * values + 0.3 + rng.normal(0, 0.1, values.shape), 0, 1)


def test_the_estimate_is_the_formula() -> None:
    rng = np.random.default_rng(1)
    values, guesses = draw(rng, 1, 30)
    m, g, rest = values[0, :12], guesses[0, :12], guesses[0, 12:]
    for target in ("future", "these"):
        found = prediction_powered(m, g, rest, target=target)
        lam = np.cov(m, g, ddof=1)[0, 1] / np.var(guesses[0], ddof=1)
        lam = min(max(lam, 0), 1)
        mean = lam * guesses[0].mean() + (m - lam * g).mean()
        residual = np.sum((m - lam * g - (m - lam * g).mean()) ** 2) / 10
        variance = (1 - 12 / 30) * residual / 12
        assert 0 < lam < 1  # so that the doubt about λ counts
        variance += residual * (guesses[0].mean() - g.mean()) ** 2 / np.sum((g - g.mean()) ** 2)
        if target == "future":
            variance += np.var(m, ddof=1) / 30
        half = special.stdtrit(10, 0.975) * np.sqrt(variance)
        assert found.weight == pytest.approx(lam)
        assert found.mean == pytest.approx(mean)
        assert (found.low, found.high) == pytest.approx((mean - half, mean + half))


def test_weight_zero_is_the_t_interval_of_the_trusted_topics() -> None:
    from gradewise.stats.intervals import t_interval

    values, guesses = draw(np.random.default_rng(2), 4, 40)
    alone = prediction_powered(values[:, :15], guesses[:, :15], guesses[:, 15:], weight=0.0)
    low, high = t_interval(values[:, :15])
    np.testing.assert_allclose(alone.low, low)
    np.testing.assert_allclose(alone.high, high)
    these = prediction_powered(
        values[:, :15], guesses[:, :15], guesses[:, 15:], weight=0.0, target="these"
    )
    np.testing.assert_allclose(these.width, (high - low) * np.sqrt(1 - 15 / 40))


def test_predictions_that_say_nothing_or_the_opposite_are_not_used() -> None:
    values, _ = draw(np.random.default_rng(3), 1, 30)
    against = 1 - values[0]
    found = prediction_powered(values[0, :12], against[:12], against[12:])
    assert found.weight == 0
    constant = np.full(30, 0.4)
    assert prediction_powered(values[0, :12], constant[:12], constant[12:]).weight == 0


@pytest.mark.parametrize(
    ("target", "topics", "least"),
    [("future", 10, 0.93), ("future", 20, 0.935), ("these", 10, 0.91), ("these", 20, 0.925)],
)
def test_coverage_and_width(target: Any, topics: int, least: float) -> None:
    rng = np.random.default_rng(topics)
    total, rows = 43, 20_000
    values, guesses = draw(rng, rows, total)
    truth = 0.4 if target == "future" else values.mean(axis=1)
    given = values[:, :topics], guesses[:, :topics], guesses[:, topics:]
    found = prediction_powered(*given, target=target)
    alone = prediction_powered(*given, target=target, weight=0.0)
    coverage = ((found.low <= truth) & (truth <= found.high)).mean()
    assert least <= coverage <= 0.965
    assert found.width.mean() < 0.95 * alone.width.mean()


@pytest.mark.parametrize("target", ["future", "these"])
def test_tuning_protects_from_poor_predictions(target: Any) -> None:
    rng = np.random.default_rng(9)
    values = rng.beta(2, 3, (5000, 43))
    guesses = 0.3 * values + rng.normal(0, 0.4, values.shape)
    given = values[:, :20], guesses[:, :20], guesses[:, 20:]
    tuned, alone, untuned = (
        prediction_powered(*given, target=target, weight=weight).width.mean()
        for weight in (None, 0.0, 1.0)
    )
    assert tuned < 1.02 * alone  # a degree of freedom is all that it costs
    assert untuned > 1.2 * alone


def test_topics_alone_solves_for_the_width() -> None:
    for target in ("future", "these"):
        for topics in (8, 20.0, 33):
            share = 1 - topics / 43 if target == "these" else 1.0
            width = 2 * special.stdtrit(topics - 1, 0.975) * 0.2 * np.sqrt(share / topics)
            needed = topics_alone(np.array(width), np.array(0.2), 43, target=target)
            assert needed == pytest.approx(topics, abs=1e-6)
    assert topics_alone(np.array(0.0), np.array(0.2), 43, target="future") == 43


def test_wrong_options_are_explained() -> None:
    with pytest.raises(OptionError, match="an interval needs at least 3"):
        prediction_powered(np.ones(2), np.ones(2), np.ones(5))
    with pytest.raises(OptionError, match="must belong to the same topics"):
        prediction_powered(np.ones(4), np.ones(3), np.ones(5))
    with pytest.raises(OptionError, match="weight must be from 0 to 1"):
        prediction_powered(np.ones(4), np.ones(4), np.ones(5), weight=1.5)
    with pytest.raises(OptionError, match="target must be one of 'future', 'these'"):
        prediction_powered(np.ones(4), np.ones(4), np.ones(5), target="all")  # type: ignore[arg-type]
