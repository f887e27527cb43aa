"""Weights are those that are best on other topics, by definition; held-out topics have no say."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from command import Call
from fusion.cases import Run, random_runs
from gradewise.fusion.tuning import candidate_weights
from oracles import fusion as oracle

Grades = dict[str, dict[str, int]]


def _collection(seed: int, topics: int = 12) -> tuple[Grades, dict[str, Run]]:
    """Runs that know the grades, each with noise of its own, and one that knows nothing."""
    rng = random.Random(seed)
    qrels: Grades = {}
    runs: dict[str, Run] = {"good": {}, "fair": {}, "bad": {}}
    for topic in map(str, range(topics)):
        documents = [f"d{n}" for n in range(15)]
        qrels[topic] = {d: int(rng.random() < 0.3) for d in documents}
        for run, noise in zip(runs.values(), (0.5, 0.9, 50), strict=True):
            chosen = rng.sample(documents, 12)
            run[topic] = {d: qrels[topic][d] + rng.gauss(0, noise) for d in chosen}
    return qrels, runs


def _average_precision(ranking: list[str], grades: dict[str, int]) -> float:
    found, total = 0, 0.0
    for rank, document in enumerate(ranking, 1):
        if grades.get(document):
            found += 1
            total += found / rank
    return total / sum(grades.values())


def _value(qrels: Grades, runs: dict[str, Run], topic: str, weights: list[float]) -> float:
    lists = oracle.normalized("min-max", [run[topic] for run in runs.values()])
    return _average_precision(oracle.ranking(oracle.w_sum(lists, weights)), qrels[topic])


def test_cross_validation_by_definition() -> None:
    qrels, runs = _collection(1)
    tuned = gw.fusion.tune(qrels, runs, "AP", folds=3, trials=70)
    weights = [[1 / 3] * 3]  # then all multiples of 1/10 that sum to 1
    weights += [[a / 10, b / 10, (10 - a - b) / 10] for a in range(11) for b in range(11 - a)]
    assert tuned.tried == len(weights) == 67
    value = {t: [_value(qrels, runs, t, w) for w in weights] for t in qrels}
    assert sorted(t for fold in tuned.folds for t in fold) == sorted(qrels)
    assert {len(fold) for fold in tuned.folds} == {4}
    place = {topic: n for n, topic in enumerate(tuned.topics)}
    for fold, setting in zip(tuned.folds, tuned.fold_settings, strict=True):
        means = [
            np.mean([value[t][n] for t in qrels if t not in fold]) for n in range(len(weights))
        ]
        best = [w for w, mean in zip(weights, means, strict=True) if mean > max(means) - 1e-12]
        chosen = list(setting.weights.values())
        assert any(chosen == pytest.approx(w) for w in best)
        for topic in fold:
            expected = _value(qrels, runs, topic, chosen)
            assert tuned.values["tuned"][place[topic]] == pytest.approx(expected, abs=1e-12)
    for topic in qrels:
        equal = tuned.values["equal weights"][place[topic]]
        assert equal == pytest.approx(value[topic][0], abs=1e-12)
        alone = _average_precision(oracle.ranking(runs["good"][topic]), qrels[topic])
        assert tuned.values["good"][place[topic]] == pytest.approx(alone, abs=1e-12)
    means = [np.mean([value[t][n] for t in qrels]) for n in range(len(weights))]
    chosen = [_value(qrels, runs, t, list(tuned.setting.weights.values())) for t in qrels]
    assert np.mean(chosen) == pytest.approx(max(means), abs=1e-12)


def test_held_out_topics_have_no_say() -> None:
    qrels, runs = _collection(2)
    before = gw.fusion.tune(qrels, runs, "nDCG", "rrf", folds=4, trials=70)
    for index, fold in enumerate(before.folds):
        turned = {
            t: {d: 1 - g for d, g in grades.items()} if t in fold else grades
            for t, grades in qrels.items()
        }
        after = gw.fusion.tune(turned, runs, "nDCG", "rrf", folds=4, trials=70)
        assert after.folds == before.folds
        assert after.fold_settings[index] == before.fold_settings[index]


def test_the_gain_is_a_paired_t_interval() -> None:
    from scipy import stats

    tuned = gw.fusion.tune(*_collection(3), "AP", trials=70)
    gain, low, high = tuned.gain("equal weights")
    expected = stats.ttest_rel(tuned.values["tuned"], tuned.values["equal weights"])
    interval = expected.confidence_interval()
    assert gain == pytest.approx(
        np.mean(tuned.values["tuned"]) - np.mean(tuned.values["equal weights"])
    )
    assert (low, high) == pytest.approx((interval.low, interval.high))


def test_measures_of_which_less_is_better() -> None:
    qrels, runs = _collection(4)
    tuned = gw.fusion.tune(qrels, runs, "ESL(size=100)", trials=70)
    assert tuned.values["tuned"].mean() < tuned.values["bad"].mean()


def test_parameters_are_tuned_too() -> None:
    qrels, runs = _collection(5)
    tuned = gw.fusion.tune(qrels, runs, "AP", "logn_isr", sigma=[0.01, 0.5, 1.0])
    assert tuned.tried == 3
    means = {
        s: gw.evaluate(qrels, gw.fuse(runs, "logn_isr", sigma=s), "AP").summary()[0, 0]
        for s in (0.01, 0.5, 1.0)
    }
    assert means[tuned.setting.parameters["sigma"]] == max(means.values())
    assert tuned.fuse(runs).name == "logn_isr"


def test_the_setting_is_used() -> None:
    qrels, runs = _collection(6)
    tuned = gw.fusion.tune(qrels, runs, "AP", normalize="zmuv", depth=8, trials=70)
    expected = gw.fuse(runs, "w_sum", normalize="zmuv", depth=8, weights=tuned.setting.weights)
    assert tuned.fuse(runs).to_dict() == expected.to_dict()


@pytest.mark.parametrize(("runs", "trials"), [(2, 200), (3, 200), (5, 200), (8, 100), (30, 50)])
def test_candidate_weights(runs: int, trials: int) -> None:
    weights = candidate_weights(runs, trials, seed=3)
    assert (weights[0] == 1 / runs).all()
    assert weights.sum(axis=1) == pytest.approx(np.ones(len(weights)))
    assert (weights >= 0).all()
    assert 20 < len(weights) <= trials + 1
    assert len(np.unique(weights.round(12), axis=0)) >= len(weights) - 1
    for run in np.eye(runs):
        assert (weights == run).all(axis=1).any()
    assert np.array_equal(weights, candidate_weights(runs, trials, seed=3))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "combsum"}, "nothing to tune"),
        ({"folds": 1}, "folds must be from 2"),
        ({"folds": 13}, "the number of judged topics, 12"),
        ({"trials": 0}, "trials must be at least 1"),
        ({"measure": "GMAP"}, "not a mean over topics"),
    ],
)
def test_what_cannot_be_tuned(options: Any, message: str) -> None:
    qrels, runs = _collection(1)
    with pytest.raises(gw.GradewiseError, match=message):
        gw.fusion.tune(qrels, runs, **{"measure": "AP", **options})


def test_no_topic_in_common() -> None:
    with pytest.raises(gw.GradewiseError, match="no documents for these topics"):
        gw.fusion.tune({"other": {"a": 1}, "more": {"b": 1}}, random_runs(1), "AP", folds=2)


def test_the_command(run: Call, tmp_path: Path) -> None:
    qrels, runs = _collection(7)
    gw.write_qrels(gw.read_qrels(qrels), tmp_path / "qrels.txt")
    files = [tmp_path / f"{name}.txt" for name in runs]
    for file, each in zip(files, runs.values(), strict=True):
        gw.write_run(gw.read_run(each, file.stem), file)
    options = ("--tune", tmp_path / "qrels.txt", "-m", "AP", "--method", "w_sum", "--folds", 3)
    done = run("fuse", *files, *options, "-o", tmp_path / "fused.txt")
    tuned = gw.fusion.tune(qrels, runs, "AP", folds=3)
    assert (done.code, done.out) == (0, tuned.to_text())
    assert gw.read_run(tmp_path / "fused.txt").to_dict() == tuned.fuse(runs).to_dict()
    assert run("fuse", *files, *options, "--quiet").err == ""
    assert run("fuse", *files, *options, "--weights", "1,1,1").code == 1
    assert run("fuse", *files, "-m", "AP").code == 1
