"""Cooper's search length and Swets' E, against a published example and what they estimate."""

import random
import statistics

import numpy as np
import pytest

import gradewise as gw


def test_van_rijsbergen_1979_expected_search_length() -> None:
    """Chapter 7, figure 7.8: 3 others above level 3, which has 2 relevant and 3 other documents."""
    levels = [1, 0, 1, 1, 0, 1, 0, 1]
    assert gw.score("ESL(size=13,wanted=6)", levels, {1: 7}) == pytest.approx(4, abs=1e-12)


def test_search_length_of_no_list_is_that_of_a_random_order() -> None:
    qrels = {"t": {**{f"r{i}": 1 for i in range(3)}, **{f"n{i}": 0 for i in range(9)}}}
    value = gw.evaluate(qrels, {"other": {"a": 1.0}}, "ESL(size=12,wanted=2)").values[0, 0, 0]
    rng = random.Random(3)
    lengths = []
    for _ in range(20_000):
        ranks = sorted(rng.sample(range(12), 3))
        lengths.append(ranks[1] - 1)
    error = statistics.stdev(lengths) / len(lengths) ** 0.5
    assert value == pytest.approx(2 * 9 / 4, abs=1e-12)
    assert value == pytest.approx(statistics.fmean(lengths), abs=4 * error)


def test_search_length_is_undefined_where_fewer_are_relevant_than_wanted() -> None:
    assert np.isnan(gw.score("ESL(size=9,wanted=3)", [1, 1], {1: 2}))


@pytest.mark.parametrize(("mean", "deviation"), [(0.0, 1.0), (1.0, 1.0), (2.0, 1.5), (2.0, 0.7)])
def test_e_estimates_the_distance_of_normal_scores(mean: float, deviation: float) -> None:
    """E is the difference of the means over the average standard deviation (Swets 1969)."""
    rng, values = np.random.default_rng(8), []
    for _ in range(30):
        scores = np.concatenate([rng.normal(mean, deviation, 300), rng.normal(0, 1, 6000)])
        grades = (np.argsort(-scores) < 300).astype(int).tolist()
        values.append(gw.score("SwetsE(size=6300)", grades, {1: 300}))
    error = statistics.stdev(values) / len(values) ** 0.5
    truth = mean / ((deviation + 1) / 2)
    assert statistics.fmean(values) == pytest.approx(truth, abs=3 * error)


def test_more_is_separated_by_a_better_ranking() -> None:
    perfect, good, bad = [1] * 5 + [0] * 20, [1, 0, 1, 1, 0, 1, 0, 0, 1], [0] * 20 + [1] * 5
    values = [gw.score("SwetsE(size=25)", list(grades), {1: 5}) for grades in (perfect, good, bad)]
    assert values[0] > values[1] > 0 > values[2]
