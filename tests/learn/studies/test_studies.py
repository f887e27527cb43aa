"""Cross-validation, the study of less data, local optimality and advice, against plain loops."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import gradewise as gw
from gradewise.errors import GradewiseError
from gradewise.learn import NetRanker
from gradewise.learn.features import FeatureSet, from_arrays
from gradewise.learn.nets.network import score_rows
from gradewise.learn.studies.cross_validated import CrossValidation
from gradewise.learn.studies.cross_validation import crossval
from gradewise.learn.studies.folds import Fold, joined, rotated, split
from gradewise.learn.studies.less_data import best_features, data_study
from gradewise.learn.studies.local_optimality import LocalOptimality, local_optimality
from gradewise.learn.studies.trials import sampled
from gradewise.report.figures.learning import study_curves


def _topics(seed: int, topics: int = 20, size: int = 12, width: int = 4) -> FeatureSet:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(topics * size, width))
    worth = x[:, 1] - 0.4 * x[:, 2] + 0.7 * rng.normal(size=len(x))
    return from_arrays(x, np.digitize(worth, [0.6, 1.4]), group=[size] * topics)


DATA = _topics(0)
QUICK: dict[str, Any] = {"epochs": 4, "hidden": 2}


def test_folds_are_those_of_letor() -> None:
    parts = [from_arrays(np.full((1, 1), k), [1], group=[1]) for k in range(1, 6)]
    found = [
        [part.features.ravel().tolist() for part in (fold.train, fold.validation, fold.test)]
        for fold in rotated(parts)
    ]
    assert found[0] == [[1, 2, 3], [4], [5]]
    assert found[1] == [[2, 3, 4], [5], [1]]
    assert found[4] == [[5, 1, 2], [3], [4]]


def test_splitting_uses_every_topic_once() -> None:
    parts = split(DATA, 5, seed=3)
    assert [len(part) for part in parts] == [4] * 5
    assert sorted(joined(parts).topics, key=int) == list(DATA.topics)
    assert sum(int(part.grades.sum()) for part in parts) == int(DATA.grades.sum())


def test_values_are_those_of_training_by_hand() -> None:
    tests = ["AP", "P@3"]
    result = crossval(DATA, "softrank", ["GAP", "AP"], tests, folds=4, seeds=[0, 7], **QUICK)
    assert result.values.shape == (1, 2, 2, 2, 20)
    folds = rotated(split(DATA, 4, seed=0))
    assert result.topics == tuple(topic for fold in folds for topic in fold.test.topics)
    for measure, place in (("AP", 0), ("P@3", 1)):
        ranker = NetRanker("softrank", "GAP", eval_measure=measure, random_state=7, **QUICK)
        ranker.fit(folds[1].train, eval_set=[folds[1].validation])
        expected = ranker.score(folds[1].test, measure=measure)
        assert result.values[0, 0, place, 1, 5:10].mean() == pytest.approx(expected, abs=1e-12)
        assert result.epochs[0, 0, place, 1, 1] == ranker.best_epoch_


@pytest.mark.slow
def test_processes_and_folders_change_nothing(tmp_path: Path) -> None:
    arguments = (DATA, ["lambdarank"], ["GAP"], ["AP"])
    plain = crossval(*arguments, folds=3, seeds=2, **QUICK)
    told: list[int] = []
    kept = crossval(
        *arguments, folds=3, seeds=2, jobs=2, keep=tmp_path, progress=told.append, **QUICK
    )
    assert np.array_equal(plain.values, kept.values)
    assert sum(told) == 3 * 2 * 4
    files = sorted(tmp_path.iterdir())
    assert len(files) == 6
    files[0].unlink()  # as if killed before it was done
    told.clear()
    again = crossval(*arguments, folds=3, seeds=2, keep=tmp_path, progress=told.append, **QUICK)
    assert told == [5 * 4, 1, 1, 1, 1]  # what is there at once, the rest epoch by epoch
    assert np.array_equal(plain.values, again.values)
    assert np.array_equal(plain.scores, again.scores)


def test_features_are_normalized_if_asked_for() -> None:
    folds = rotated(split(DATA, 3, seed=0))
    arguments: Any = ("softrank", "GAP", "AP")
    result = crossval(folds, *arguments, seeds=1, normalize="zscore", **QUICK)
    ranker = NetRanker("softrank", "GAP", eval_measure="AP", normalize="zscore", **QUICK)
    ranker.fit(folds[0].train, eval_set=[folds[0].validation])
    expected = ranker.score(folds[0].test)
    size = len(folds[0].test)
    assert result.values[0, 0, 0, 0, :size].mean() == pytest.approx(expected, abs=1e-12)
    plain = crossval(folds, *arguments, seeds=1, **QUICK)
    assert not np.array_equal(plain.values, result.values)
    with pytest.raises(GradewiseError, match="eval_measure and checkpoint are not available"):
        crossval(folds, *arguments, eval_measure="AP")


def _made(values: Any, pair: tuple[str, str] | None = ("AP", "nDCG")) -> CrossValidation:
    topics = tuple(map(str, range(np.shape(values)[-1])))
    return CrossValidation(
        ("softrank",),
        ("AP", "P@10", "nDCG"),
        ("P@10", "AP"),
        (0,),
        topics,
        np.asarray(values),
        np.asarray(values),
        np.zeros((1, 3, 1)),
        np.ones((1, 3, 2, 1, 1), int),
        pair,
    )


def test_marks_are_the_papers_rule() -> None:
    rng = np.random.default_rng(1)
    base = rng.uniform(0.2, 0.6, 40)
    values = np.zeros((1, 3, 2, 1, 40))
    values[0, 0, 0] = base + 0.05 + 0.01 * rng.normal(size=40)  # AP beats P@10 on P@10
    values[0, 1, 0] = base
    values[0, 2, 0] = base + 0.01 * rng.normal(size=40)  # nDCG does as well as P@10
    values[0, :, 1] = base
    result = _made(values)
    for n, m in np.ndindex(3, 2):
        differences = values[0, n, m, 0] - values[0, [1, 0][m], m, 0]
        if not differences.any():
            continue
        sign = stats.binomtest(int((differences > 0).sum()), 40).pvalue
        expected = max(
            stats.ttest_1samp(differences, 0).pvalue,
            stats.wilcoxon(differences, method="exact").pvalue,
            sign,
        )
        assert result.p_self[0, n, m] == pytest.approx(expected, rel=1e-6)
    assert result.marks == [[["•°", ""], ["", ""], ["", ""]]]
    text = result.table(3).to_text()
    assert "•°" in text
    assert text.count("•") == 1
    frame = result.frame
    assert frame.height == 6
    assert frame.filter(train_measure="P@10", test_measure="P@10")["p_self"].to_list() == [None]
    against = result.against("AP", "P@10").row(0, named=True)
    assert against["difference"] == pytest.approx((values[0, 0, 0] - values[0, 1, 0]).mean())
    assert against["significant"] is True
    assert _made(values, None).marks == [[["•", ""], ["", ""], ["", ""]]]
    with pytest.raises(
        GradewiseError, match="nDCGG is not one of the objectives trained for; did you mean"
    ):
        result.against("AP", "nDCGG")


def test_standard_errors_are_over_topics() -> None:
    values = np.random.default_rng(2).random((1, 3, 2, 4, 9))
    result = _made(values)
    by_topic = values[0, 2, 1].mean(axis=0)
    assert result.error[0, 2, 1] == pytest.approx(by_topic.std(ddof=1) / 3)
    assert result.mean[0, 2, 1] == pytest.approx(values[0, 2, 1].mean())


def test_samples_of_topics_lie_within_larger_ones() -> None:
    few, more = (set(sampled(DATA, share, [1, 0]).topics) for share in (0.2, 0.5))
    assert (len(few), len(more)) == (4, 10)
    assert few < more
    assert sampled(DATA, 1.0, [1, 0]) is DATA


def test_the_best_features_come_first() -> None:
    assert best_features(DATA)[:2] == [1, 2]  # the second one has a negative weight


def test_study_of_features_and_shares() -> None:
    fold = Fold(_topics(1), _topics(2, topics=10), _topics(3, topics=10))
    result = data_study(
        fold, pairs=[("AP", "P@3")], features=[None, 2], shares=[0.5, 1.0], seeds=2, **QUICK
    )
    assert result.values.shape == (1, 2, 2, 2, 2, 10)
    frame = result.frame
    assert frame.height == 8
    assert frame["features"].unique().sort().to_list() == [2, 4]
    ranker = NetRanker(objective="P@3", random_state=1, **QUICK)
    ranker.fit(sampled(fold.train, 0.5, [1, 0]), eval_set=[fold.validation])
    expected = ranker.score(fold.test, measure="P@3")
    assert result.values[0, 0, 0, 1, 1].mean() == pytest.approx(expected, abs=1e-12)
    drawn = study_curves(result).to_dict()
    assert drawn["title"]["text"] == "lambdarank with less training data"
    first, second = result.values[0, 1, 0]  # by seed and topic
    gaps = [float(first[:, n].mean() - second[:, n].mean()) for n in range(10)]
    spread = sum((gap - sum(gaps) / 10) ** 2 for gap in gaps) / 9
    row = frame.filter(features=2, share=0.5).row(0, named=True)
    assert row["error_of_difference"] == pytest.approx((spread / 10) ** 0.5, abs=1e-12)
    two = [part.with_features(part.features[:, [1, 2]]) for part in (fold.train, fold.validation)]
    ranker = NetRanker(objective="AP", eval_measure="P@3", random_state=0, **QUICK)
    ranker.fit(two[0], eval_set=[two[1]])
    test = fold.test.with_features(fold.test.features[:, [1, 2]])
    expected = ranker.score(test, measure="P@3")
    assert result.values[0, 1, 1, 0, 0].mean() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("hidden", [0, 3])
def test_local_optimality_moves_weights_on_the_sphere(hidden: int) -> None:
    ranker = NetRanker(objective="AP", hidden=hidden, epochs=5).fit(DATA)
    result = local_optimality(ranker, DATA, "P@3", directions=5, steps=[0.2, 1.0], seed=4)
    assert result.value == pytest.approx(ranker.score(DATA, measure="P@3"))
    rng = np.random.default_rng(4)
    for direction in range(5):
        drawn = {name: rng.normal(size=array.shape) for name, array in ranker.weights_.items()}
        length = np.sqrt(sum((array**2).sum() for array in drawn.values()))
        for place, step in enumerate([0.2, 1.0]):
            moved = {
                name: (array + step * drawn[name] / length).astype(np.float32)
                for name, array in ranker.weights_.items()
            }
            judged = DATA.judged(score_rows(moved, DATA.features))
            value = gw.score_judged(judged, "P@3").summary()[0, 0]
            assert result.change[direction, place] == pytest.approx(value - result.value, abs=1e-9)
    assert result.better == (result.change > 1e-12).sum()
    assert result.much_better == (result.change > 0.003).sum()


def test_a_rounding_error_is_no_improvement() -> None:
    change = np.array([[0.1 + 0.2 - 0.3, 0.0, 1e-4, -1e-4, 0.004]])
    result = LocalOptimality("P@10", 0.5, (0.1, 0.2, 0.3, 0.4, 0.5), change, 0.003)
    assert (result.better, result.much_better) == (2, 1)


def test_an_optimum_is_told_from_a_slope() -> None:
    """Only the direction of a linear net matters; the best one cannot be improved."""
    x = np.random.default_rng(5).normal(size=(400, 2))
    data = from_arrays(x, (x[:, 0] > 0).astype(int), group=[20] * 20)
    ranker = NetRanker(objective="AP", hidden=0, epochs=1).fit(data)
    ranker.weights_ = {"weight0": np.array([[100.0, 0.0]], np.float32)}
    best = local_optimality(ranker, data, "AP", directions=50)
    assert (best.value, best.better, best.much_better) == (1.0, 0, 0)
    assert best.confidence == pytest.approx(1 - 0.99**50)
    ranker.weights_ = {"weight0": np.array([[1.0, 1.0]], np.float32)}
    slope = local_optimality(ranker, data, "AP", directions=50)
    assert slope.much_better > 50
    assert slope.confidence == 0


def test_advice() -> None:
    result = gw.learn.recommend(
        DATA, "nDCG@5", candidates=["AP", "RR"], folds=4, seeds=1, replicates=50, **QUICK
    )
    assert result.objectives == ("nDCG@5", "AP", "RR")
    frame = result.frame
    assert frame["mean"].to_list() == sorted(frame["mean"].to_list(), reverse=True)
    assert frame["share"].sum() == pytest.approx(1)
    own = frame.filter(objective="nDCG@5")
    assert own["difference"].to_list() == [0.0]
    assert frame.filter(objective="RR")["rms"].to_list() == [None]  # no expectation in closed form
    assert frame.filter(objective="AP")["rms"][0] > 0
    said = str(result)
    assert result.baselines == ("nDCG@5",)
    assert f"the highest cross-validated nDCG@5 is that of {result.best}" in said
    assert f"the most informative objective is {result.most_informative}" in said
    if result.advice == "nDCG@5":
        assert said.startswith("no difference; keep nDCG@5;")
    else:
        assert said.startswith(f"train for {result.advice}: significantly better than nDCG@5")


def test_recommendations_for_trees_start_from_the_boosters_own_objective(tmp_path: Path) -> None:
    pytest.importorskip("lightgbm", reason="lightgbm is not installed")
    shared = {"trees": {"n_estimators": 4, "n_jobs": 1, "num_leaves": 4}, "keep": tmp_path}
    result = gw.learn.recommend(
        DATA,
        "nDCG@5",
        candidates=["GAP", "pairwise"],
        algorithm="lightgbm",
        folds=3,
        seeds=1,
        replicates=50,
        **shared,
    )
    own = [
        "lambdarank",
        *[f"lambdarank(gains={g})" for g in ("linear", "square", "root", "binary")],
    ]
    assert set(result.objectives) == {
        *("nDCG@5", "GAP(g='equal')", "pairwise", "rank_xendcg", "lambdarank(gains=tuned)"),
        *own,
    }
    assert result.baselines == ("lambdarank", "lambdarank(gains=tuned)")
    assert result.tuned_gains in ("exp", "linear", "square", "root", "binary")
    # Tuned gains are those that do best on the validation part of each fold.
    cross = result.crossval
    places = [cross.train_measures.index(name) for name in own]
    tuned = result.values[result.objectives.index("lambdarank(gains=tuned)")]
    for fold in range(3):
        best = places[int(np.argmax(cross.validation[0, places, 0, 0, fold]))]
        topics = cross.fold_of_topic == fold
        assert tuned[topics].tolist() == cross.by_test[0, best, 0, 0, topics].tolist()


@pytest.mark.parametrize(
    ("gains", "said"),
    [
        ((0.0, 0.0, 0.0), "no difference; keep lambdarank;"),
        ((0.0, 0.1, 0.0), "keep lambdarank, with gains=linear: significantly better than"),
        ((0.0, 0.1, 0.3), "train for GAP: significantly better than lambdarank(gains=tuned)"),
        ((0.1, 0.0, 0.2), "train for GAP: significantly better than lambdarank;"),
        ((0.0, 0.1, 0.1), "keep lambdarank, with gains=linear"),
    ],
)
def test_advice_is_to_keep_what_is_not_beaten(gains: tuple[float, ...], said: str) -> None:
    from gradewise.learn.studies.recommendation import Recommendation

    rng = np.random.default_rng(0)
    topics = rng.uniform(0.2, 0.5, 60)
    values = np.array([topics + gain + 0.02 * rng.normal(size=60) for gain in gains])
    names = ("lambdarank", "lambdarank(gains=tuned)", "GAP")
    result = Recommendation(
        "nDCG",
        names,
        values,
        np.full(3, np.nan),
        np.array([0.2, 0.3, 0.5]),
        None,  # type: ignore[arg-type]
        baselines=names[:2],
        tuned_gains="linear",
    )
    assert str(result).startswith(said)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: crossval(DATA, [], "AP", "AP"), "at least one algorithm and one seed"),
        (lambda: crossval(DATA, "softrank", "AP", "AP", folds=2), "cannot be split into 2 parts"),
        (lambda: crossval(DATA, "softrank", "AP", "AP", folds=21), "cannot be split into 21 parts"),
        (
            lambda: crossval([DATA], "softrank", "AP", "AP"),
            "folds need at least 3 parts, but there are 1",
        ),
        (lambda: crossval([DATA, 3], "softrank", "AP", "AP"), "data must be a FeatureSet"),
        (lambda: crossval([DATA] * 3, "softrank", "AP", "AP", jobs=0), "jobs must be at least 1"),
        (lambda: crossval([DATA] * 3, "softrank", "Bpref", "AP"), "Bpref has no soft version"),
        (
            lambda: crossval([DATA, DATA, _topics(0, width=3)], "softrank", "AP", "AP"),
            "parts must have the same number of features, but have 3, 4",
        ),
        (
            lambda: data_study(Fold(DATA, DATA, DATA), shares=[0]),
            "shares must be above 0 and at most 1",
        ),
        (
            lambda: data_study(Fold(DATA, DATA, DATA), features=[9]),
            "features must be between 1 and 4, not 9",
        ),
        (lambda: data_study(Fold(DATA, DATA, DATA), pairs=[]), "give at least one pair"),
    ],
)
def test_bad_input_gets_a_sentence(call: Any, message: str) -> None:
    with pytest.raises(GradewiseError) as caught:
        call()
    assert message in str(caught.value)


def test_local_optimality_needs_directions() -> None:
    ranker = NetRanker(hidden=0, epochs=1).fit(DATA)
    with pytest.raises(GradewiseError, match="at least one direction"):
        local_optimality(ranker, DATA, "AP", directions=0)
    with pytest.raises(GradewiseError, match="X has 3 features"):
        local_optimality(ranker, _topics(0, width=3), "AP")
