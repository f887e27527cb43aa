"""TreeRanker: training, stopping, saving, and the conventions of scikit-learn and others."""

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import GradewiseError

BOOSTERS = ["lightgbm", "xgboost"]
SMALL = {"n_estimators": 15, "n_jobs": 1, "max_depth": 3}


@pytest.fixture(scope="module", autouse=True)
def libraries() -> None:
    for name in BOOSTERS:
        pytest.importorskip(name, reason=f"{name} is not installed")


@pytest.fixture(scope="module")
def data() -> tuple[gw.learn.FeatureSet, gw.learn.FeatureSet]:
    """Grades follow from two features of twelve, and noise."""
    parts = []
    for seed in (0, 1):
        rng = np.random.default_rng(seed)
        sizes = rng.integers(5, 45, 40)
        x = rng.normal(size=(sizes.sum(), 12))
        worth = x[:, 0] + 0.7 * x[:, 1] + 0.5 * rng.normal(size=len(x))
        parts.append(gw.learn.from_arrays(x, np.digitize(worth, [0.5, 1.2, 2.0]), group=sizes))
    return parts[0], parts[1]


def _tree(booster: str, objective: str = "GAP", **options: Any) -> gw.learn.TreeRanker:
    return gw.learn.TreeRanker(objective, booster, **{**SMALL, **options})  # type: ignore[arg-type]


@pytest.mark.parametrize("booster", BOOSTERS)
@pytest.mark.parametrize("objective", ["GAP", "nDCG@10", "ERR", "built-in"])
def test_trees_learn_to_rank(booster: str, objective: str, data: Any) -> None:
    train, held = data
    ranker = _tree(booster, objective).fit(train)
    chance = gw.learn.metric("AP")(held.grades, np.zeros(len(held.grades)), None, held.sizes)[1]
    assert ranker.score(held, measure="AP") > chance + 0.1
    assert ranker.feature_importances_.shape == (12,)
    assert ranker.feature_importances_.sum() == pytest.approx(1)


@pytest.mark.parametrize("booster", BOOSTERS)
def test_topics_are_given_in_any_form(booster: str, data: Any) -> None:
    train, held = data
    expected = _tree(booster).fit(train).predict(held)
    by_group = _tree(booster).fit(train.features, train.grades, group=train.sizes)
    assert by_group.predict(held.features).tolist() == expected.tolist()
    by_topic = _tree(booster).fit(train.features, train.grades, qid=train.owner + 7)
    assert by_topic.predict(held.features).tolist() == expected.tolist()
    mixed = np.random.default_rng(0).permutation(len(train.grades))
    turned = _tree(booster).fit(train.features[mixed], train.grades[mixed], qid=train.owner[mixed])
    assert np.corrcoef(turned.predict(held.features), expected)[0, 1] > 0.9


@pytest.mark.parametrize("booster", BOOSTERS)
def test_weights_of_rows(booster: str, data: Any) -> None:
    """Topics of weight 0 teach nothing."""
    train, _ = data
    half = train.take(range(20))
    weight = np.where(train.owner < 20, 1.0, 0.0)
    shared = {"min_child_samples": 1} if booster == "lightgbm" else {"base_score": 0.5}
    shared |= {"max_bin": 4096, "reg_lambda": 0.0}
    weighted = _tree(booster, **shared).fit(
        train.features, train.grades, group=train.sizes, sample_weight=weight
    )
    alone = _tree(booster, **shared).fit(half)
    found, expected = (each.predict(half.features) for each in (weighted, alone))
    assert np.corrcoef(found, expected)[0, 1] > 0.9


@pytest.mark.parametrize("booster", BOOSTERS)
def test_stopping_by_any_measure(booster: str, data: Any) -> None:
    train, held = data
    for measure in ("Bpref", "P@5"):
        ranker = _tree(
            booster, n_estimators=60, early_stopping_rounds=5, eval_measure=[measure, "AP"]
        )
        ranker.fit(train, eval_set=[held, train])
        values = ranker.evals_result_["validation_0"][measure]
        assert len(values) <= 60
        assert ranker.best_iteration_ == int(np.argmax(values)) + 1
        assert ranker.best_value_ == max(values)
        assert ranker.score(held, measure=measure) == pytest.approx(max(values), abs=1e-9)
        assert ranker.score(held) == pytest.approx(max(values), abs=1e-9)
        assert set(ranker.evals_result_) == {"validation_0", "validation_1"}
        frame = ranker.curves_
        assert len(frame) == 4 * len(values)
    whole = _tree(booster).fit(train, eval_set=[held])
    assert whole.best_iteration_ is None
    assert whole.best_value_ == whole.evals_result_["validation_0"]["GAP(g='equal')"][-1]


@pytest.mark.parametrize("booster", BOOSTERS)
def test_models_are_in_the_boosters_own_format(booster: str, data: Any, tmp_path: Path) -> None:
    train, held = data
    ranker = _tree(booster, early_stopping_rounds=3, eval_measure="AP", sigma=1.5)
    ranker.fit(train, eval_set=[held])
    path = tmp_path / "model"
    ranker.save(path)
    copy = gw.learn.TreeRanker.load(path)
    expected = ranker.predict(held.features)
    assert copy.predict(held.features).tolist() == expected.tolist()
    assert repr(copy) == repr(ranker)
    assert copy.best_iteration_ == ranker.best_iteration_
    assert copy.evals_result_ == ranker.evals_result_
    assert copy.score(held) == ranker.score(held)
    assert isinstance(gw.learn.load_ranker(path), gw.learn.TreeRanker)
    if booster == "lightgbm":
        import lightgbm

        assert path.read_text().startswith("tree\n")
        theirs = lightgbm.Booster(model_file=str(path)).predict(held.features)
    else:
        import xgboost

        assert "learner" in json.loads(path.read_text())
        model = xgboost.Booster()
        model.load_model(bytearray(path.read_bytes()))
        theirs = model.predict(xgboost.DMatrix(held.features), output_margin=True)
    assert theirs.tolist() == expected.tolist()


def test_models_of_the_libraries_can_be_read(data: Any, tmp_path: Path) -> None:
    import lightgbm

    train, held = data
    model = lightgbm.train(
        {"objective": "lambdarank", "verbosity": -1, "num_threads": 1},
        lightgbm.Dataset(train.features, train.grades, group=train.sizes),
        5,
    )
    model.save_model(tmp_path / "theirs.txt")
    ranker = gw.learn.load_ranker(tmp_path / "theirs.txt")
    assert ranker.predict(held.features).tolist() == model.predict(held.features).tolist()
    assert 0 < ranker.score(held, measure="AP") < 1
    for content in ("tree\nbroken", '{"learner": 1}', "something else"):
        (tmp_path / "broken").write_text(content)
        with pytest.raises(GradewiseError, match="broken"):
            gw.learn.TreeRanker.load(tmp_path / "broken")
    with pytest.raises(GradewiseError, match="no such file"):
        gw.learn.TreeRanker.load(tmp_path / "nowhere")


@pytest.mark.parametrize("booster", BOOSTERS)
def test_same_seed_same_trees(booster: str, data: Any) -> None:
    train, held = data
    shared = {"subsample": 0.7} | ({"bagging_freq": 1} if booster == "lightgbm" else {})
    one, again, other = (
        _tree(booster, random_state=seed, **shared).fit(train).predict(held).tolist()
        for seed in (1, 1, 2)
    )
    assert one == again != other
    ranker = _tree(booster).fit(train)
    assert pickle.loads(pickle.dumps(ranker)).predict(held).tolist() == (
        ranker.predict(held).tolist()
    )


@pytest.mark.parametrize("booster", BOOSTERS)
def test_missing_and_sparse_features(booster: str, data: Any) -> None:
    from scipy.sparse import csr_matrix

    train, _ = data
    x = np.where(np.abs(train.features) < 0.3, 0.0, train.features)
    dense = _tree(booster).fit(x, train.grades, group=train.sizes)
    sparse = _tree(booster).fit(csr_matrix(x), train.grades, group=train.sizes)
    for ranker, other in ((dense, x), (sparse, csr_matrix(x))):
        assert np.isfinite(ranker.predict(other)).all()
    x[::7, 3] = np.nan
    assert np.isfinite(_tree(booster).fit(x, train.grades, group=train.sizes).predict(x)).all()


def test_scikit_learn_cross_validates_by_topic(data: Any) -> None:
    sklearn = pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score

    train, _ = data
    topics = train.owner
    with sklearn.config_context(enable_metadata_routing=True):
        ranker = _tree("lightgbm").set_fit_request(qid=True).set_score_request(qid=True)
        values = cross_val_score(
            ranker,
            train.features,
            train.grades,
            cv=GroupKFold(4),
            params={"qid": topics, "groups": topics},
        )
        search = GridSearchCV(ranker, {"num_leaves": [3, 7], "sigma": [1.0]}, cv=GroupKFold(3))
        search.fit(train.features, train.grades, qid=topics, groups=topics)
    assert len(values) == 4
    assert (values > 0.1).all()
    assert search.best_params_["num_leaves"] in (3, 7)


@pytest.mark.parametrize("booster", BOOSTERS)
def test_called_as_pyterrier_calls_a_learner(booster: str, data: Any) -> None:
    """LTRTransformer.fit of PyTerrier: positional features and labels (floats), then names."""
    train, held = data
    ranker = _tree(booster, early_stopping_rounds=3)
    ranker.fit(
        np.stack(list(train.features.astype(np.float64))),
        train.grades.astype(np.float64),
        group=train.sizes,
        eval_set=[(np.stack(list(held.features.astype(np.float64))), held.grades.astype(float))],
        eval_group=[held.sizes],
    )
    assert len(ranker.predict(np.stack(list(held.features)))) == len(held.grades)
    assert len(ranker.feature_importances_) == 12


@pytest.mark.parametrize(
    ("options", "fit", "message"),
    [
        ({"booster": "catboost"}, {}, "booster must be one of 'lightgbm', 'xgboost'"),
        ({"objective": "Bpref"}, {}, "Bpref cannot be an objective"),
        ({"objective": "rank:ndcg"}, {}, "rank"),
        ({"n_estimators": 0}, {}, "n_estimators must be at least 1, not 0"),
        ({}, {"group": [3]}, "the sizes in group sum to 3"),
        ({}, {"sample_weight": [1.0]}, "one number for each"),
        (
            {},
            {"eval_set": [], "eval_group": [[1]]},
            "eval_group describes 1 sets, but eval_set has 0",
        ),
    ],
)
def test_mistakes_get_a_sentence(
    options: dict[str, Any], fit: dict[str, Any], message: str, data: Any
) -> None:
    train, _ = data
    ranker = gw.learn.TreeRanker(**{**SMALL, **options})
    given = fit if "group" in fit else {"group": train.sizes, **fit}
    with pytest.raises(GradewiseError) as caught:
        ranker.fit(train.features, train.grades, **given)
    assert message in str(caught.value)


def test_trees_in_cross_validation(data: Any, tmp_path: Path) -> None:
    train, _ = data
    parts = gw.learn.split(train, 3)
    shared = {"trees": {**SMALL, "n_estimators": 6}, "seeds": [0, 1], "keep": tmp_path}
    result = gw.learn.crossval(
        parts, ["lightgbm", "xgboost"], ["built-in", "GAP"], ["AP", "P@5"], **shared
    )
    assert result.values.shape == (2, 2, 2, 2, 40)
    assert len(list(tmp_path.iterdir())) == 24
    again = gw.learn.crossval(
        parts, ["lightgbm", "xgboost"], ["built-in", "GAP"], ["AP", "P@5"], **shared
    )
    assert again.values.tolist() == result.values.tolist()
    frame = result.against("GAP(g='equal')", "built-in")
    assert frame["algorithm"].to_list() == ["lightgbm", "lightgbm", "xgboost", "xgboost"]
    fold = gw.learn.rotated(parts)[0]
    ranker = gw.learn.TreeRanker("GAP", "xgboost", **shared["trees"], eval_measure="P@5")
    ranker.fit(fold.train, eval_set=[fold.validation])
    scores = ranker.predict(fold.test, iterations=ranker.best_by("P@5")[0])
    found = gw.parse_measure("P@5").values(fold.test.judged(scores, seed=[0, 0]))
    size = len(fold.test)
    assert result.values[1, 1, 1, 0, :size] == pytest.approx(found)
