"""Models where they are served: names of features, search engines, ONNX, treelite, SHAP."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import InputError
from gradewise.learn.trees.plain_trees import plain_tree
from oracles import search_trees

BOOSTERS = ["lightgbm", "xgboost"]
DATA, HELD = (
    each.with_features(each.features[:, :6])
    for each in (gw.simulate.features(30, 15, 12, seed=seed) for seed in (3, 4))
)
NAMES = ["bm25", "title bm25", "price", "age [days]", "clicks", "x<y"]


# Scores of arrays by a ranker that knows names of features, as scikit-learn says.
pytestmark = pytest.mark.filterwarnings("ignore:X does not have valid feature names")


@pytest.fixture(scope="module", autouse=True)
def libraries() -> None:
    for name in (*BOOSTERS, "pandas"):
        pytest.importorskip(name, reason=f"{name} is not installed")


def _fitted(booster: Any, names: list[str] = NAMES, **options: Any) -> gw.learn.TreeRanker:
    import pandas

    frame = pandas.DataFrame(DATA.features, columns=names)
    ranker = gw.learn.TreeRanker("GAP", booster, n_estimators=20, n_jobs=1, max_depth=4, **options)
    return ranker.fit(frame, DATA.grades, group=DATA.sizes)


@pytest.mark.parametrize("booster", BOOSTERS)
def test_names_of_features_are_in_the_file(booster: str, tmp_path: Path) -> None:
    ranker = _fitted(booster)
    ranker.save(tmp_path / "model")
    if booster == "lightgbm":
        import lightgbm

        found = lightgbm.Booster(model_file=str(tmp_path / "model")).feature_name()
        assert found == ["bm25", "title_bm25", "price", "age__days_", "clicks", "x<y"]
    else:
        import xgboost

        model = xgboost.Booster(model_file=str(tmp_path / "model"))
        found = model.feature_names
        assert found == ["bm25", "title bm25", "price", "age _days_", "clicks", "x_y"]
    assert gw.learn.load_ranker(tmp_path / "model").feature_names_in_.tolist() == NAMES
    assert ranker.feature_importances_.shape == (6,)
    assert (
        ranker.feature_importances_.argmax()
        == _fitted(booster, list("abcdef")).feature_importances_.argmax()
    )
    twins = _fitted(booster, ["a[", "a]", "b", "c", "d", "e"])
    assert len(twins.predict(HELD.features)) == len(HELD.grades)


def test_lightgbm_files_name_an_objective(tmp_path: Path) -> None:
    import lightgbm

    ranker = _fitted("lightgbm")
    ranker.save(tmp_path / "model")
    text = (tmp_path / "model").read_text()
    head, _, tail = text.partition("\nTree=0\n")
    assert "\nobjective=lambdarank\n" in head
    assert "\n[objective: lambdarank]\n" in tail
    assert "objective: custom" not in text
    model = lightgbm.Booster(model_file=str(tmp_path / "model"))
    assert model.predict(HELD.features).tolist() == ranker.predict(HELD.features).tolist()
    assert gw.learn.TreeRanker.load(tmp_path / "model").objective == "GAP"


@pytest.mark.parametrize("booster", BOOSTERS)
def test_search_engines_score_alike(booster: str) -> None:
    ranker = _fitted(booster, [f"feature_{n}" for n in range(6)])
    trees = json.loads(ranker.to_search_engine())
    assert len(trees) == 20
    rows = HELD.features[:60]
    found = [
        search_trees.score(trees, {f"feature_{n}": float(row[n]) for n in range(6)}) for row in rows
    ]
    expected = ranker.predict(rows)
    shift = expected[0] - found[0]  # XGBoost's base score, which ranks nothing
    assert (np.array(found) + shift).tolist() == pytest.approx(expected.tolist(), abs=1e-5)
    if booster == "lightgbm":
        assert shift == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("threshold", [0.5, 0.1, 1e-40, -3.7, 16777217.0, 0.0])
def test_thresholds_separate_the_same_numbers(threshold: float) -> None:
    split = {"split_feature": 0, "threshold": threshold, "decision_type": "<="}
    split |= {"default_left": False, "missing_type": "NaN"}
    split |= {"left_child": {"leaf_value": 1.0}, "right_child": {"leaf_value": 2.0}}
    tree = plain_tree(split, ["a"])
    assert tree["missing"] == tree["no"] == 2
    near = np.float32(threshold)
    for value in (near, np.nextafter(near, np.float32(9e9)), np.nextafter(near, np.float32(-9e9))):
        expected = 1.0 if float(value) <= threshold else 2.0
        assert search_trees.score([tree], {"a": float(value)}) == expected


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"decision_type": "=="}, "trees with splits by category cannot be written"),
        ({"missing_type": "Zero"}, "trees with zeros as missing values cannot be written"),
        ({"left_child": {"leaf_value": 1.0, "leaf_coeff": [1.0]}}, "linear trees cannot"),
    ],
)
def test_what_search_engines_cannot_hold_is_refused(change: dict[str, Any], message: str) -> None:
    split = {"split_feature": 0, "threshold": 1.0, "decision_type": "<=", "missing_type": "None"}
    split |= {"default_left": True, "left_child": {"leaf_value": 1.0}}
    split |= {"right_child": {"leaf_value": 2.0}}
    with pytest.raises(InputError, match=message):
        plain_tree({**split, **change}, ["a"])


@pytest.mark.parametrize("booster", BOOSTERS)
def test_onnx_gives_the_same_scores(booster: str, tmp_path: Path) -> None:
    convert = pytest.importorskip("onnxmltools", reason="onnxmltools is not installed")
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    from onnxmltools.convert.common.data_types import FloatTensorType

    ranker = _fitted(booster, [f"f{n}" for n in range(6)])
    ranker.save(tmp_path / "model.json")
    types = [("features", FloatTensorType([None, 6]))]
    if booster == "lightgbm":
        import lightgbm

        model = lightgbm.Booster(model_file=str(tmp_path / "model.json"))
        made = convert.convert_lightgbm(model, initial_types=types)
    else:
        import xgboost

        plain = xgboost.XGBRegressor()  # onnxmltools knows no rankers of XGBoost
        plain.load_model(tmp_path / "model.json")
        made = convert.convert_xgboost(plain, initial_types=types)
    session = runtime.InferenceSession(made.SerializeToString())
    found = np.ravel(session.run(None, {"features": HELD.features})[0])
    assert found == pytest.approx(ranker.predict(HELD.features), abs=1e-6)


@pytest.mark.parametrize("booster", BOOSTERS)
def test_treelite_and_shap_read_the_files(booster: str, tmp_path: Path) -> None:
    treelite = pytest.importorskip("treelite", reason="treelite is not installed")
    shap = pytest.importorskip("shap", reason="shap is not installed")
    ranker = _fitted(booster, [f"f{n}" for n in range(6)])
    ranker.save(tmp_path / "model.json")
    if booster == "lightgbm":
        import lightgbm

        model = treelite.frontend.load_lightgbm_model(str(tmp_path / "model.json"))
        own: Any = lightgbm.Booster(model_file=str(tmp_path / "model.json"))
    else:
        import xgboost

        model = treelite.frontend.load_xgboost_model(str(tmp_path / "model.json"))
        own = xgboost.Booster(model_file=str(tmp_path / "model.json"))
    rows = HELD.features[:50]
    expected = ranker.predict(rows)
    assert np.ravel(treelite.gtil.predict(model, rows)) == pytest.approx(expected, abs=1e-5)
    explainer = shap.TreeExplainer(own)
    total = explainer.shap_values(rows).sum(axis=1) + explainer.expected_value
    assert total == pytest.approx(expected, abs=1e-4)
