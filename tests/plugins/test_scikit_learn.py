"""Measures as scorers: in cross-validation and grid search with groups, and without."""

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import LinearSVC

import gradewise as gw
from oracles import gain_discount, pivot

DATA = gw.simulate.features(24, 15, 12, seed=3)
X, Y = DATA.features.astype(np.float64), DATA.grades
GROUPS = np.array([f"topic {n}" for n in np.arange(24).repeat(DATA.sizes)])
MIXED = np.random.default_rng(0).permutation(len(Y))  # rows of a topic need not be adjacent
FOLDS = GroupKFold(3)
SCALE = sorted(set(Y[Y > 0].tolist()))


@pytest.fixture
def routing() -> Iterator[None]:
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def rankings(scores: Any, rows: Any) -> Iterator[tuple[list[int], dict[int, int]]]:
    """Give the grades of each topic by falling score, and their counts; there are no ties."""
    for topic in sorted(set(GROUPS[rows])):
        mine = np.flatnonzero(GROUPS[rows] == topic)
        grades = Y[rows][mine[np.argsort(-scores[mine])]].tolist()
        yield grades, {grade: grades.count(grade) for grade in [0, *SCALE]}


def by_hand(oracle: Any, **options: Any) -> list[float]:
    """Fit and rank each fold, and score it with an oracle."""
    found = []
    for train, test in FOLDS.split(X, Y, GROUPS):
        scores = Ridge().fit(X[train], Y[train]).predict(X[test])
        lists = [oracle(grades, counts, **options) for grades, counts in rankings(scores, test)]
        found.append(float(np.mean(lists)))
    return found


def test_cross_validation_with_groups(routing: None) -> None:
    equal = [1 / len(SCALE)] * len(SCALE)
    given = {"params": {"groups": GROUPS}, "cv": FOLDS, "error_score": "raise"}
    found = cross_val_score(Ridge(), X, Y, scoring=gw.scorer("GAP"), **given)
    assert found.tolist() == pytest.approx(by_hand(pivot.gap, g=equal), abs=1e-12)
    measures = {"GAP": gw.scorer("GAP"), "nDCG@5": gw.scorer(gw.nDCG @ 5)}
    both = cross_validate(Ridge(), X, Y, scoring=measures, **given)
    assert both["test_GAP"].tolist() == found.tolist()
    expected = by_hand(gain_discount.ndcg, cutoff=5)
    assert both["test_nDCG@5"].tolist() == pytest.approx(expected, abs=1e-12)


def test_rows_may_stand_in_any_order(routing: None) -> None:
    model = Ridge().fit(X, Y)
    first = gw.scorer("GAP")(model, X, Y, groups=GROUPS)
    again = gw.scorer("GAP")(model, X[MIXED], Y[MIXED], groups=GROUPS[MIXED])
    assert again == pytest.approx(first, abs=1e-12)


class FeatureRanker(BaseEstimator):
    """Ranks by one feature, times a sign."""

    def __init__(self, sign: int = 1):
        self.sign = sign

    def fit(self, x: Any, y: Any) -> "FeatureRanker":
        return self

    def predict(self, x: Any) -> Any:
        return self.sign * x[:, 0]


def test_grid_search_chooses_by_the_measure(routing: None) -> None:
    better = X.copy()
    better[:, 0] = Y + np.linspace(0, 0.5, len(Y))
    search = GridSearchCV(FeatureRanker(), {"sign": [-1, 1]}, scoring=gw.scorer("AP"), cv=FOLDS)
    search.fit(better, Y, groups=GROUPS)
    assert search.best_params_ == {"sign": 1}
    assert search.best_score_ == 1.0
    assert search.score(better, Y, groups=GROUPS) == 1.0


def test_rankers_of_our_own_get_their_topics(routing: None) -> None:
    ranker = gw.learn.NetRanker("lambdarank", "GAP", epochs=2, normalize="minmax", random_state=1)
    ranker.set_fit_request(qid="groups")
    given = {"params": {"groups": GROUPS}, "cv": FOLDS, "error_score": "raise"}
    found = cross_val_score(ranker, X, Y, scoring=gw.scorer("GAP"), **given)
    assert found.shape == (3,)
    assert (found > 0.2).all()


def test_groups_may_have_another_name(routing: None) -> None:
    named = gw.scorer("AP").set_score_request(groups="qid")
    given = {"params": {"groups": GROUPS, "qid": GROUPS}, "cv": FOLDS, "error_score": "raise"}
    plain = cross_val_score(
        Ridge(), X, Y, scoring=gw.scorer("AP"), **{**given, "params": {"groups": GROUPS}}
    )
    assert cross_val_score(Ridge(), X, Y, scoring=named, **given).tolist() == plain.tolist()


def test_without_groups_the_error_says_what_to_do() -> None:
    with pytest.raises(gw.GradewiseError, match="needs the topic of each row") as told:
        cross_val_score(Ridge(), X, Y, scoring=gw.scorer("GAP"), error_score="raise")
    for word in ("enable_metadata_routing=True", "params={'groups'", "column="):
        assert word in str(told.value)
    with pytest.warns(UserWarning, match="needs the topic of each row"):
        scores = cross_val_score(Ridge(), X, Y, groups=GROUPS, cv=FOLDS, scoring=gw.scorer("GAP"))
    assert np.isnan(scores).all()


@pytest.mark.parametrize("routed", [False, True])
def test_a_column_may_hold_the_topics(routed: bool) -> None:
    table = pd.DataFrame(X, columns=[f"f{n}" for n in range(X.shape[1])]).assign(qid=GROUPS)
    model = make_pipeline(FunctionTransformer(lambda x: x.drop(columns="qid")), Ridge())
    with sklearn.config_context(enable_metadata_routing=routed):
        groups: Any = {"params": {"groups": GROUPS}} if routed else {"groups": GROUPS}
        given = {"scoring": gw.scorer("GAP", column="qid"), "cv": FOLDS, "error_score": "raise"}
        found = cross_val_score(model, table, Y, **given, **groups)
    equal = [1 / len(SCALE)] * len(SCALE)
    assert found.tolist() == pytest.approx(by_hand(pivot.gap, g=equal), abs=1e-12)


def test_columns_of_arrays_and_other_frames() -> None:
    numbers = np.unique(GROUPS, return_inverse=True)[1]
    table = np.column_stack([X, numbers])
    model = FeatureRanker()
    expected = gw.scorer("AP")(model, X, Y, groups=GROUPS)
    assert gw.scorer("AP", column=X.shape[1])(model, table, Y) == pytest.approx(expected)
    frame = pl.DataFrame({"f": X[:, 0], "qid": GROUPS})

    class Polars(FeatureRanker):
        def predict(self, x: Any) -> Any:
            return x["f"].to_numpy()

    assert gw.scorer("AP", column="qid")(Polars(), frame, Y) == pytest.approx(expected)
    with pytest.raises(gw.InputError, match="no column 'qidd'; did you mean qid"):
        gw.scorer("AP", column="qidd")(Polars(), frame, Y)
    with pytest.raises(gw.InputError, match="has no columns by name"):
        gw.scorer("AP", column="qid")(model, table, Y)


def test_classes_are_ranked_by_their_expected_grade() -> None:
    model = LogisticRegression(max_iter=5000).fit(X, Y)
    expected = model.predict_proba(X) @ model.classes_
    ranked = gw.evaluate(
        {t: {str(n): int(Y[n]) for n in np.flatnonzero(t == GROUPS)} for t in set(GROUPS)},
        {t: {str(n): expected[n] for n in np.flatnonzero(t == GROUPS)} for t in set(GROUPS)},
        "GAP",
    )
    assert gw.scorer("GAP")(model, X, Y, groups=GROUPS) == pytest.approx(float(ranked))
    named = LogisticRegression(max_iter=5000).fit(X, np.where(Y > 0, "good", "bad"))
    with pytest.raises(gw.InputError, match="classes of the estimator are not grades"):
        gw.scorer("AP")(named, X, Y, groups=GROUPS)


def test_a_decision_function_ranks() -> None:
    model = LinearSVC().fit(X, Y > 0)
    ranked = gw.scorer("AP")(model, X, Y, groups=GROUPS)

    class AsPrediction(FeatureRanker):
        def predict(self, x: Any) -> Any:
            return model.decision_function(x)

    assert ranked == gw.scorer("AP")(AsPrediction(), X, Y, groups=GROUPS)


def test_lower_is_better_becomes_negative() -> None:
    measure = gw.ESL(size=1000)
    assert not measure.higher_is_better
    assert gw.scorer(measure)(FeatureRanker(), X, Y, groups=GROUPS) < 0


def test_a_fold_may_lack_a_grade() -> None:
    few = Y != 1  # without it, thresholds lie elsewhere
    given = (FeatureRanker(), X[few], Y[few])
    with_scale = gw.scorer("GAP", grades=SCALE)(*given, groups=GROUPS[few])
    assert with_scale != pytest.approx(gw.scorer("GAP")(*given, groups=GROUPS[few]))
    told = gw.scorer("GAP(g=[0.2,0.2,0.2,0.4])")(*given, groups=GROUPS[few])
    named = gw.scorer("GAP(g={1:0.2,2:0.2,3:0.2,4:0.4})")(*given, groups=GROUPS[few])
    assert told == named


def test_scorers_are_copied_and_sent() -> None:
    scorer = gw.scorer("GAP(g=[0.2,0.2,0.2,0.4])", seed=4)
    for other in (copy.deepcopy(scorer), pickle.loads(pickle.dumps(scorer))):
        assert repr(other) == repr(scorer) == "scorer('GAP(g=[0.2,0.2,0.2,0.4])')"
        given = (FeatureRanker(), X, Y)
        assert other(*given, groups=GROUPS) == scorer(*given, groups=GROUPS)


def test_predictions_must_fit_the_rows() -> None:
    class Short(FeatureRanker):
        def predict(self, x: Any) -> Any:
            return x[:-1, 0]

    with pytest.raises(gw.InputError, match="the estimator gives"):
        gw.scorer("AP")(Short(), X, Y, groups=GROUPS)
