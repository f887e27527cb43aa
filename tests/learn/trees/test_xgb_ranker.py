"""XGBRanker for any measure: as TreeRanker grows trees, and as a plain XGBRanker reads them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw

xgboost: Any = pytest.importorskip("xgboost", reason="xgboost is not installed")
pytest.importorskip("sklearn", reason="scikit-learn is not installed")

DATA, HELD = (
    each.with_features(each.features[:, :6])
    for each in (gw.simulate.features(30, 15, 12, seed=seed) for seed in (5, 6))
)
ROWS = {"X": DATA.features, "y": DATA.grades, "group": DATA.sizes}
SMALL = {"n_estimators": 12, "n_jobs": 1, "max_depth": 3}


@pytest.mark.parametrize("objective", ["GAP", "pairwise", gw.learn.objective("AP", truncation=5)])
def test_a_plain_xgbranker_loads_the_file(objective: Any, tmp_path: Path) -> None:
    ranker = gw.learn.XGBRanker(objective=objective, **SMALL).fit(**ROWS)
    ranker.save_model(tmp_path / "model.json")
    assert json.loads((tmp_path / "model.json").read_text())["learner"]["objective"]["name"] == (
        "rank:ndcg"
    )
    plain = xgboost.XGBRanker()
    plain.load_model(tmp_path / "model.json")
    assert plain.predict(HELD.features).tolist() == ranker.predict(HELD.features).tolist()
    assert plain.get_params()["objective"] == "rank:ndcg"
    same = gw.learn.TreeRanker(objective, "xgboost", **SMALL).fit(**ROWS)
    assert ranker.predict(HELD.features) == pytest.approx(same.predict(HELD.features), abs=1e-5)
    same.save(tmp_path / "tree.json")
    plain.load_model(tmp_path / "tree.json")
    assert plain.predict(HELD.features) == pytest.approx(same.predict(HELD.features), abs=1e-6)


def test_own_objectives_are_left_to_xgboost() -> None:
    ours = gw.learn.XGBRanker(objective="rank:ndcg", **SMALL).fit(**ROWS)
    theirs = xgboost.XGBRanker(objective="rank:ndcg", **SMALL).fit(**ROWS)
    assert ours.predict(HELD.features).tolist() == theirs.predict(HELD.features).tolist()


def test_it_stops_by_a_measure() -> None:
    ranker = gw.learn.XGBRanker(
        objective="GAP", eval_metric="P@5", early_stopping_rounds=3, **{**SMALL, "n_estimators": 50}
    )
    ranker.fit(**ROWS, eval_set=[(HELD.features, HELD.grades)], eval_group=[HELD.sizes])
    values = ranker.evals_result_["validation_0"]["P@5"]
    assert ranker.best_iteration == int(np.argmax(values))
    assert ranker.score(HELD.features, HELD.grades, group=HELD.sizes) == pytest.approx(
        max(values), abs=1e-6
    )


def test_frames_rows_in_any_order_weights_and_positions() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame(DATA.features, columns=[f"f{n}" for n in range(6)])
    frame["qid"] = DATA.owner
    mixed = np.random.default_rng(0).permutation(len(frame))
    position = np.arange(len(frame)) - DATA.offsets[:-1].repeat(DATA.sizes) + 1
    shown = gw.learn.XGBRanker(objective="AP", **SMALL)
    shown.fit(frame.iloc[mixed], DATA.grades[mixed], position=position[mixed])
    assert sorted(shown.position_bias_) == sorted(set(position.tolist()))
    assert len(shown.predict(frame)) == len(frame)
    assert shown.get_booster().feature_names == [f"f{n}" for n in range(6)]
    weights = np.linspace(0.5, 2, len(DATA))
    one, other = (
        gw.learn.XGBRanker(objective="AP", **SMALL).fit(**ROWS, sample_weight=weight)
        for weight in (weights, None)
    )
    assert one.predict(HELD.features).tolist() != other.predict(HELD.features).tolist()


def test_scikit_learn_copies_and_searches() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    from sklearn.base import clone
    from sklearn.model_selection import GridSearchCV, GroupKFold

    ranker = gw.learn.XGBRanker(objective="eGAP", propensity=[1.0, 0.5], **SMALL)
    copy = clone(ranker)
    assert copy.get_params() == ranker.get_params()
    assert copy.objective == "eGAP"
    frame = pandas.DataFrame(DATA.features, columns=[f"f{n}" for n in range(6)])
    frame["qid"] = DATA.owner
    grid = {"objective": ["GAP", "AP"], "max_depth": [2]}
    search = GridSearchCV(gw.learn.XGBRanker(**SMALL), grid, cv=GroupKFold(3))
    search.fit(frame, DATA.grades, groups=DATA.owner)
    assert search.best_params_["objective"] in ("GAP", "AP")
