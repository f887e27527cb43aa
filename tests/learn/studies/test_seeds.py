"""Seeds with topics of their own, errors over seeds, and epochs chosen by the objective."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

import gradewise as gw
from gradewise.errors import GradewiseError
from gradewise.learn import NetRanker
from gradewise.learn.features import FeatureSet, from_arrays
from gradewise.learn.studies.cross_validated import join_seeds
from gradewise.learn.studies.cross_validation import crossval
from gradewise.learn.studies.folds import Fold, rotated, split
from gradewise.learn.studies.less_data import data_study, join_studies
from gradewise.learn.studies.seeds import by_topic, seed_errors, seed_p
from gradewise.learn.studies.trials import net_trial
from gradewise.stats.paired_tests import strict_test

QUICK: dict[str, Any] = {"epochs": 4, "hidden": 2}
GAPS = np.random.default_rng(3).normal(0.1, 1.0, (4, 30))  # of 4 seeds and 30 topics


def _topics(seed: int, topics: int = 15) -> FeatureSet:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(topics * 10, 4))
    worth = x[:, 1] - 0.4 * x[:, 2] + 0.7 * rng.normal(size=len(x))
    return from_arrays(x, np.digitize(worth, [0.6, 1.4]), group=[10] * topics)


def _fold(seed: int) -> Fold:
    return Fold(_topics(seed), _topics(seed + 1, 8), _topics(seed + 2, 8))


def test_errors_over_topics_and_over_seeds() -> None:
    means = [sum(row) / 30 for row in GAPS.tolist()]
    middle = sum(means) / 4
    over_seeds = (sum((mean - middle) ** 2 for mean in means) / 3 / 4) ** 0.5
    same, redrawn = (seed_errors(GAPS, redrawn=flag) for flag in (False, True))
    assert same[1] == pytest.approx(over_seeds)
    assert redrawn[1] == pytest.approx(over_seeds)
    assert same[0] == pytest.approx(stats.sem(GAPS.mean(axis=0)))
    assert redrawn[0] == pytest.approx(stats.sem(GAPS.ravel()))
    assert seed_p(GAPS) == pytest.approx(stats.ttest_1samp(means, 0).pvalue)


def test_one_seed_has_no_error() -> None:
    over_topics, over_seeds = seed_errors(GAPS[:1], redrawn=True)
    assert over_topics == pytest.approx(stats.sem(GAPS[0]))
    assert np.isnan(over_seeds)
    assert np.isnan(seed_p(GAPS[:1]))


@pytest.mark.filterwarnings("error")
def test_no_difference_gives_p_of_1() -> None:
    assert seed_p(np.zeros((3, 5))) == 1
    assert seed_p(np.full((3, 5), 0.25)) == 0  # the same difference whatever the seed
    assert seed_p(np.array([[0.1, 0.2, -0.3], [-0.3, 0.2, 0.1]])) == 1  # 0 up to rounding


def test_p_over_seeds_is_uniform_if_seeds_differ() -> None:
    """Topics alone understate what is left to chance if nets differ from seed to seed."""
    rng = np.random.default_rng(8)
    gaps = rng.normal(0, 0.3, (2000, 3, 1)) + rng.normal(0, 1, (2000, 3, 100))
    alarms = float((seed_p(gaps) <= 0.05).mean())
    assert alarms == pytest.approx(0.05, abs=3 * (0.05 * 0.95 / 2000) ** 0.5)
    errors = seed_errors(gaps, redrawn=True)[0]
    z = np.abs(by_topic(gaps, redrawn=True).mean(axis=-1)) / errors
    assert float((z > 1.96).mean()) > 0.2


def test_seeds_with_data_of_their_own() -> None:
    parts = [
        crossval([_fold(10 * seed)], "lambdarank", ["AP", "P@3"], ["P@3"], seeds=[seed], **QUICK)
        for seed in (0, 1)
    ]
    result = join_seeds(parts)
    assert result.values.shape == (1, 2, 1, 2, 8)
    assert result.seeds == (0, 1)
    assert len(set(result.topics)) == 16
    gaps = np.concatenate([part.values[0, 0, 0, 0] - part.values[0, 1, 0, 0] for part in parts])
    row = result.against("AP", "P@3").row(0, named=True)
    assert row["difference"] == pytest.approx(gaps.mean())
    assert row["standard_error"] == pytest.approx(stats.sem(gaps))
    assert row["p"] == pytest.approx(float(strict_test(gaps)))
    assert row["error_of_seeds"] == pytest.approx(stats.sem([gaps[:8].mean(), gaps[8:].mean()]))
    assert result.p_self[0, 0, 0] == pytest.approx(row["p"])
    assert result.error[0, 0, 0] == pytest.approx(stats.sem(result.values[0, 0, 0].ravel()))


def test_study_with_data_of_their_own() -> None:
    options: dict[str, Any] = {"pairs": [("AP", "P@3")], "features": [2], "shares": [1.0], **QUICK}
    parts = [data_study(_fold(10 * seed), seeds=[seed], **options) for seed in (0, 1)]
    result = join_studies(parts)
    gaps = np.concatenate([(p.values[0, 0, 0, 0] - p.values[0, 0, 0, 1])[0] for p in parts])
    row = result.frame.row(0, named=True)
    assert row["error_of_difference"] == pytest.approx(stats.sem(gaps))
    assert row["error_of_seeds"] == pytest.approx(stats.sem([gaps[:8].mean(), gaps[8:].mean()]))
    assert row["p"] == pytest.approx(float(strict_test(gaps)))
    assert row["p_of_seeds"] == pytest.approx(
        stats.ttest_1samp([gaps[:8].mean(), gaps[8:].mean()], 0).pvalue
    )


def test_epochs_chosen_by_the_objective() -> None:
    """Footnote 3 of Yilmaz & Robertson."""
    fold = _fold(5)
    result = crossval([fold], "softrank", ["AP"], ["P@3", "AP"], seeds=[4], **QUICK)
    ranker = NetRanker("softrank", "AP", eval_measure="AP", random_state=4, **QUICK)
    ranker.fit(fold.train, eval_set=[fold.validation])
    judged = fold.test.judged(ranker.predict(fold.test), seed=[4, 0])
    other = result.validated_by("objective")
    again = crossval([fold], "softrank", "AP", "P@3", seeds=[4], validate_by="objective", **QUICK)
    assert np.array_equal(again.values[0, 0, 0], other.values[0, 0, 0])
    with pytest.raises(GradewiseError, match="validate_by must be one of 'test', 'objective'"):
        result.validated_by("objectve")  # type: ignore[arg-type]
    for place, measure in enumerate(("P@3", "AP")):
        expected = gw.parse_measure(measure).values(judged)
        assert other.values[0, 0, place, 0] == pytest.approx(expected)
    assert other.values[0, 0, 1] == pytest.approx(result.values[0, 0, 1])  # AP chose both


def test_trees_chosen_by_the_objective() -> None:
    pytest.importorskip("lightgbm", reason="lightgbm is not installed")
    fold = rotated(split(_topics(1, 30), 3))[0]
    trees = {"n_estimators": 8, "num_leaves": 4, "min_child_samples": 5}
    result = crossval([fold], "lightgbm", ["built-in", "GAP"], ["P@3"], seeds=[0], trees=trees)
    with pytest.raises(GradewiseError, match="is not a measure, so it cannot choose"):
        result.validated_by("objective")  # "built-in" is trained for too
    ranker = gw.learn.TreeRanker("GAP", "lightgbm", random_state=0, eval_measure="GAP", **trees)
    ranker.fit(fold.train, eval_set=[fold.validation])
    scores = ranker.predict(fold.test, iterations=ranker.best_by("GAP")[0])
    expected = gw.parse_measure("P@3").values(fold.test.judged(scores, seed=[0, 0]))
    assert result.by_objective[0, 1, 0, 0] == pytest.approx(expected)


def test_trials_keep_learning_curves() -> None:
    fold = _fold(6)
    options = {"algorithm": "lambdarank", "objective": "AP", "random_state": 2, **QUICK}
    trial = net_trial({**options, "learning_rate": [0.01, 0.1]}, [gw.parse_measure("P@3")], 0)
    found = trial.do([fold], lambda amount: None)
    frame = trial.frame_of(found["curves"]).filter(measure="P@3", data="validation")
    ranker = NetRanker("lambdarank", "AP", eval_measure="P@3", random_state=2, **QUICK)
    ranker.set_params(learning_rate=[0.01, 0.1]).fit(fold.train, eval_set=[fold.validation])
    expected = ranker.curves_.filter(measure="P@3", data="validation")
    assert frame["value"].to_list() == expected["value"].to_list()
    assert frame["learning_rate"].to_list() == [0.01] * 4 + [0.1] * 4
