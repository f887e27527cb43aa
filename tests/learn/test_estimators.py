"""Both rankers are scikit-learn's estimators, in one vocabulary; and work where it is missing."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import GradewiseError, OptionError
from gradewise.learn.nets.algorithms import ALGORITHMS, AlgorithmName
from gradewise.learn.trees.boosters import BOOSTERS, BoosterName

DATA = gw.simulate.features(8, 12, 10)


def _rankers() -> dict[str, Any]:
    made: dict[str, Any] = {"net": gw.learn.NetRanker(epochs=3)}
    for name in BOOSTERS:
        pytest.importorskip(name, reason=f"{name} is not installed")
        made[name] = gw.learn.TreeRanker("GAP", name, n_estimators=3, n_jobs=1, max_depth=3)
    return made


WEIGHT = "a document of weight 0 still takes a rank: without it, the list is another list"
EXPECTED_FAILURES = {
    "net": {"check_sample_weight_equivalence_on_dense_data": WEIGHT},
    "lightgbm": {},
    "xgboost": {
        "check_sample_weight_equivalence_on_dense_data": WEIGHT,
        "check_sample_weight_equivalence_on_sparse_data": WEIGHT,
    },
}


@pytest.mark.parametrize("name", EXPECTED_FAILURES)
@pytest.mark.filterwarnings("ignore")
def test_checks_of_scikit_learn(name: str) -> None:
    checks = pytest.importorskip("sklearn.utils.estimator_checks", reason="no scikit-learn")
    expected = EXPECTED_FAILURES[name]
    found = checks.check_estimator(
        _rankers()[name], expected_failed_checks=expected, on_skip=None, on_fail=None
    )
    failed = {one["check_name"]: one["exception"] for one in found if one["status"] == "failed"}
    assert not failed
    assert {one["check_name"] for one in found if one["status"] == "xfail"} == set(expected)
    assert sum(one["status"] == "passed" for one in found) > 40


@pytest.mark.parametrize("name", EXPECTED_FAILURES)
def test_parameters_by_name(name: str) -> None:
    base = pytest.importorskip("sklearn.base", reason="scikit-learn is not installed")
    ranker = _rankers()[name].set_params(random_state=5, sigma=2.0)
    copy = base.clone(ranker)
    assert copy.get_params() == ranker.get_params()
    assert copy.random_state == 5
    assert repr(copy) == repr(ranker)
    with pytest.raises(OptionError, match="'sigmma'; did you mean sigma"):
        copy.set_params(sigmma=1.0)


@pytest.mark.parametrize("name", EXPECTED_FAILURES)
def test_scikit_learn_cross_validates_by_topic(name: str) -> None:
    sklearn = pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score

    by_topic = {"qid": DATA.owner, "groups": DATA.owner}
    rows = (DATA.features, DATA.grades)
    with sklearn.config_context(enable_metadata_routing=True):
        ranker = _rankers()[name].set_fit_request(qid=True).set_score_request(qid=True)
        values = cross_val_score(ranker, *rows, cv=GroupKFold(4), params=by_topic)
        search = GridSearchCV(ranker, {"sigma": [0.5, 1.0]}, cv=GroupKFold(3))
        search.fit(*rows, **by_topic)
    held = [topic for _, topic in GroupKFold(4).split(*rows, DATA.owner)]
    inside = np.isin(DATA.owner, DATA.owner[held[0]])
    ranker = _rankers()[name].fit(
        DATA.features[~inside], DATA.grades[~inside], qid=DATA.owner[~inside]
    )
    part = (DATA.features[inside], DATA.grades[inside])
    assert values[0] == pytest.approx(ranker.score(*part, qid=DATA.owner[inside]))
    assert search.best_params_["sigma"] in (0.5, 1.0)
    with pytest.raises(OptionError, match="fit takes no 'qids' from scikit-learn's tools; did you"):
        ranker.set_fit_request(qids=True)


def test_both_rankers_have_one_vocabulary() -> None:
    import inspect

    for method in ("fit", "score"):
        net, trees = (
            list(inspect.signature(getattr(each, method)).parameters)
            for each in (gw.learn.NetRanker, gw.learn.TreeRanker)
        )
        assert trees == net
    net, trees = (
        set(inspect.signature(each).parameters)
        for each in (gw.learn.NetRanker, gw.learn.TreeRanker)
    )
    shared = {"objective", "sigma", "truncation", "eval_measure", "random_state"}
    assert net & trees == {*shared, "propensity", "bias_regularization"}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gw.learn.TreeRanker(n_estimator=10), "n_estimator'; did you mean n_estimators"),
        (lambda: gw.learn.TreeRanker(num_leavs=7), "num_leavs'; did you mean num_leaves"),
        (
            lambda: gw.learn.TreeRanker(booster="xgboost", num_leaves=7),
            "neither TreeRanker nor XGBoost has a parameter 'num_leaves'; did you mean max_leaves",
        ),
        (lambda: gw.learn.TreeRanker().set_params(etaa=0.1), "'etaa'; did you mean eta?"),
        (
            lambda: gw.learn.TreeRanker(num_leaves=7).set_params(booster="xgboost").fit(DATA),
            "neither TreeRanker nor XGBoost has a parameter 'num_leaves'",
        ),
        (
            lambda: gw.learn.TreeRanker(booster="catboost").fit(DATA),
            "booster must be one of 'lightgbm', 'xgboost', not 'catboost'",
        ),
        (lambda: gw.learn.NetRanker().set_params(seed=3), "NetRanker has no parameter 'seed'"),
        (
            lambda: gw.learn.crossval(DATA, "lambdarank", "AP", "AP", folds=3, epoch=3),
            "NetRanker has no parameter 'epoch'; did you mean epochs?",
        ),
        (
            lambda: gw.learn.crossval(DATA, "lightgbm", "AP", "AP", folds=3, trees={"n_tree": 3}),
            "neither TreeRanker nor LightGBM has a parameter 'n_tree'; did you mean",
        ),
        (
            lambda: gw.learn.crossval(DATA, "catboost", "AP", "AP", folds=3),
            "algorithm must be one of 'lambdarank', 'softrank', 'ranknet', 'listnet', 'lightgbm',",
        ),
        (lambda: gw.learn.NetRanker(random_state=-1).fit(DATA), "random_state must be a whole"),
        (
            lambda: gw.learn.NetRanker().fit(DATA, eval_set=[DATA, DATA]),
            "NetRanker takes one evaluation set, but eval_set has 2",
        ),
    ],
)
def test_mistakes_name_what_was_probably_meant(call: Any, message: str) -> None:
    _rankers()  # skipped where a booster is missing
    with pytest.raises(GradewiseError) as caught:
        call()
    assert message in str(caught.value)


def test_own_parameters_of_boosters_are_known() -> None:
    """What XGBoost itself says of its settings is among the names that are accepted."""
    xgboost = pytest.importorskip("xgboost", reason="xgboost is not installed")
    import json

    model = xgboost.train({}, xgboost.DMatrix(np.eye(4), np.arange(4)), 1)
    settings = json.loads(model.save_config())["learner"]["gradient_booster"]["tree_train_param"]
    # not documented, or only in some versions
    made = {"sparse_threshold", "max_cat_threshold", "sketch_ratio", "cache_opt"}
    assert set(settings) - made <= BOOSTERS["xgboost"]().parameters()


@pytest.mark.parametrize("name", EXPECTED_FAILURES)
def test_a_ranker_that_is_not_trained_says_so(name: str) -> None:
    exceptions = pytest.importorskip("sklearn.exceptions", reason="scikit-learn is not installed")
    for error in (exceptions.NotFittedError, GradewiseError):
        with pytest.raises(error, match="is not trained yet; call fit first"):
            _rankers()[name].predict(DATA)


@pytest.mark.parametrize("name", EXPECTED_FAILURES)
def test_names_of_features_are_kept(name: str, tmp_path: Any) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame(DATA.features, columns=[f"f{n}" for n in range(10)])
    ranker = _rankers()[name].fit(frame, DATA.grades, group=DATA.sizes)
    assert ranker.feature_names_in_.tolist() == list(frame.columns)
    assert ranker.predict(frame).tolist() == ranker.predict(DATA).tolist()
    ranker.save(tmp_path / "model")
    loaded = gw.learn.load_ranker(tmp_path / "model")
    assert loaded.feature_names_in_.tolist() == list(frame.columns)
    with pytest.raises(ValueError, match="feature names"):
        loaded.predict(frame[list(frame.columns)[::-1]])


def test_the_documentation_has_every_algorithm_and_booster() -> None:
    docs = Path(__file__).parents[2] / "docs" / "guides" / "engineers"
    training, trees = ((docs / name).read_text("utf-8") for name in ("training.md", "trees.md"))
    for name, each in ALGORITHMS.items():
        assert f"| `{name}` | {each.summary} | {each.measures} |" in training
    for booster in BOOSTERS.values():
        assert f"## {booster.title}'s own API" in trees


def test_tables_and_types_have_the_same_names() -> None:
    from typing import get_args

    from gradewise.learn.nets.optimizers import OPTIMIZERS, OptimizerName
    from gradewise.learn.normalization import NORMALIZATIONS, Normalization

    assert get_args(AlgorithmName) == tuple(ALGORITHMS)
    assert get_args(BoosterName) == tuple(BOOSTERS)
    assert get_args(OptimizerName) == tuple(OPTIMIZERS)
    assert get_args(Normalization) == ("none", *NORMALIZATIONS)


WITHOUT_SKLEARN = """
import sys

class Hiding:
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        hidden = name.partition(".")[0] == "sklearn"
        return None if hidden else self.finder.find_spec(name, path, target)

sys.meta_path = [Hiding(finder) for finder in sys.meta_path]

import numpy as np
import gradewise as gw

data = gw.simulate.features(8, 12, 10)
rankers = [gw.learn.NetRanker(epochs=3)]
rankers += [gw.learn.TreeRanker("GAP", b, n_estimators=3) for b in ("lightgbm", "xgboost")]
for ranker in rankers:
    try:
        ranker.predict(data)
    except gw.learn.NotFittedError:
        print(ranker.set_params(random_state=3, n_jobs=1) if ranker is not rankers[0] else ranker)
    ranker.fit(data.features, data.grades, group=data.sizes)
    print(ranker.score(data) > 0, ranker.n_features_in_, ranker.get_params()["random_state"])
    try:
        ranker.predict(data.features[:, :3])
    except gw.GradewiseError as error:
        print(error)
print("sklearn" in sys.modules)
"""


def test_rankers_work_without_scikit_learn() -> None:
    _rankers()  # skipped where a booster is missing
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", WITHOUT_SKLEARN],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    shared = "n_estimators=3, n_jobs=1, random_state=3"
    assert done.stdout.splitlines() == [
        "NetRanker(epochs=3)",
        "True 10 0",
        "X has 3 features, but NetRanker is expecting 10 features as input",
        f"TreeRanker({shared})",
        "True 10 3",
        "X has 3 features, but TreeRanker is expecting 10 features as input",
        f"TreeRanker(booster='xgboost', {shared})",
        "True 10 3",
        "X has 3 features, but TreeRanker is expecting 10 features as input",
        "False",
    ]
