"""Predictive power: means of halves and their correlations, one split at a time."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

import gradewise as gw
from gradewise.errors import GradewiseError
from gradewise.meta import prediction

SAMPLE = gw.simulate.collection(topics=9, runs=7, depth=60, relevant=20, seed=6)


@pytest.mark.parametrize("kind", ["tau", "pearson"])
def test_splits_as_a_literal_loop(kind: str) -> None:
    measures = ["AP", "P@10"]
    found = prediction(gw.judge(SAMPLE.qrels, SAMPLE.runs), measures, kind=kind, replicates=4)
    scores = gw.evaluate(SAMPLE.qrels, SAMPLE.runs, measures).values
    function = {"tau": scipy_stats.kendalltau, "pearson": scipy_stats.pearsonr}[kind]
    rows = np.tile(np.arange(9), (4, 1))
    orders = np.random.default_rng(0).permuted(rows, axis=1)
    for split, order in enumerate(orders):
        halves = order[:4], order[4:]
        for place, (first, second) in enumerate((halves, halves[::-1])):
            for a in range(2):
                for b in range(2):
                    x, y = scores[:, first, a].mean(axis=1), scores[:, second, b].mean(axis=1)
                    expected = function(x.round(12), y.round(12)).statistic
                    assert found.tau[4 * place + split, a, b] == pytest.approx(expected, abs=1e-9)
    frame = found.frame
    assert frame.columns == ["predictor", "target", "tau", "low", "high"]
    assert frame["tau"][1] == pytest.approx(found.tau[:, 0, 1].mean(), abs=1e-12)
    assert frame.row(1)[:2] == ("AP", "P@10")


def test_too_few_topics_are_refused() -> None:
    with pytest.raises(GradewiseError, match="at least 4 topics, 2 in each half, but there are 1"):
        prediction(gw.judge_list([1, 0], {1: 1}), ["AP"])
