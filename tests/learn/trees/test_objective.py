"""Objectives and metrics of trees: against literal swaps, in every form of call, and in use."""

import inspect
import pickle
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise import parallel
from gradewise.errors import GradewiseError
from gradewise.learn.trees import calls
from gradewise.measures.registry import all_measures
from oracles import soft

MEASURES = [
    "AP",
    "AP(rel=2)",
    "AP@3",
    "SP",
    "GAP(g=[0.3,0.7])",
    "GAP(g=[0.3,0.7])@5",
    "eGAP(g=[0.3,0.7])",
    "xGAP(g=[0.3,0.7])",
    "GenAP",
    "Q",
    "WAP",
    "nDCG",
    "nDCG@3",
    "nDCG(dcg='exp-log2')@4",
    "nDCG(dcg='linear')@4",
    "AnDCG(dcg='log2')",
    "DCG@5",
    "P@3",
    "Rprec",
    "RBP(p=0.7)",
    "RR",
    "RR(rel=2)@4",
    "ERR",
    "ERR@3",
    "nERR@3",
]


NEEDED = {  # parameters without which there is no value
    "ESL": "(size=100)",
    "SwetsE": "(size=100)",
    "NormPrec": "(size=100)",
    "NormRecall": "(size=100)",
    "PSP": "(points=100)",
    "PSnDCG": "(points=100)",
}


def _registered() -> list[str]:
    """Every measure of either family by name, cut at rank 3 if it can be."""
    return [
        measure.name + ("" if measure.cutoff_rule == "none" else "@3")
        for measure in all_measures()
        if measure.family in ("pivot", "gain-discount")
    ]


def _lists(seed: int, sizes: list[int]) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    grades = np.concatenate([rng.permutation(np.r_[0, 1, 2, rng.integers(0, 3, n)]) for n in sizes])
    return rng.normal(size=len(grades)), grades


def _expected(measure: str, scores: Any, grades: Any, group: list[int], *rest: Any) -> Any:
    rows = np.split(np.arange(len(grades)), np.cumsum(group)[:-1])
    found = []
    for part in rows:
        relevant = {k: int((grades[part] == k).sum()) for k in (1, 2)}

        def value(ranking: list[int], relevant: dict[int, int] = relevant) -> float:
            return gw.score(measure, grades=ranking, relevant=relevant)

        found.append(soft.boosted(scores[part].tolist(), grades[part].tolist(), value, *rest))
    return [np.concatenate([pair[n] for pair in found]) for n in range(2)]


@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.parametrize("truncation", [None, 3])
@pytest.mark.parametrize("measure", [*MEASURES, *_registered()])
def test_gradients_equal_swapping_and_scoring_again(
    measure: str, truncation: int | None, normalize: bool
) -> None:
    group = [9, 6, 13]
    scores, grades = _lists(1, [n - 3 for n in group])
    expected = _expected(measure, scores, grades, group, 1.3, truncation or 99, normalize)
    tried = gw.learn.objective(
        measure, sigma=1.3, truncation=truncation, normalize_gradients=normalize, grades=2
    )
    found = tried(grades, scores, None, group)
    for ours, theirs in zip(found, expected, strict=True):
        assert np.abs(theirs).max() > 0
        assert np.abs(ours - theirs).max() < 1e-10
    assert (found[1] > 0).all()


def test_scores_far_apart_are_no_trouble() -> None:
    scores, grades = _lists(2, [7])
    for size in (100.0, 1000.0, 1e6):
        expected = _expected("GAP(g=[0.5,0.5])", size * scores, grades, [10], 1.0, 99, True)
        found = gw.learn.objective("GAP(g=[0.5,0.5])")(grades, size * scores, None, [10])
        assert np.abs(found[0] - expected[0]).max() < 1e-10
        assert np.isfinite(found[1]).all()


def test_hessians_stay_above_zero_where_there_is_nothing_to_learn() -> None:
    tried = gw.learn.objective("GAP")
    gradient, hessian = tried([0, 0, 0, 2, 2, 1, 0], np.arange(7.0), None, [3, 2, 1, 1])
    assert (gradient == 0).all()
    assert (hessian > 0).all()
    assert (np.asarray(hessian, np.float32) > 0).all()
    weighted = tried([0, 1], np.arange(2.0), [0.0, 0.0], [2])
    assert (weighted[0] == 0).all()
    assert (weighted[1] > 0).all()


def test_weights_of_rows_and_of_lists() -> None:
    scores, grades = _lists(3, [5, 4])
    tried = gw.learn.objective("eGAP(g=[0.5,0.5])")
    plain = tried(grades, scores, None, [8, 7])
    rows = np.linspace(0.5, 2, 15)
    lists = np.array([2.0, 3.0])
    for given, each in ((rows, rows), (lists, lists.repeat([8, 7]))):
        found = tried(grades, scores, given, [8, 7])
        assert found[0] == pytest.approx(each * plain[0], abs=1e-14)
        assert found[1] == pytest.approx(each * plain[1], abs=1e-14)


def test_labels_are_mapped_by_the_grades_of_the_measure() -> None:
    scores, grades = _lists(4, [9])
    spread = np.array([0, 10, 40])[grades]
    usual = gw.learn.objective("GAP(g=[0.2,0.8])")(grades, scores, None, [12])
    for measure in ("GAP(g=[0.2,0.8])", "GAP(g={10: 0.2, 40: 0.8})"):
        found = gw.learn.objective(measure)(spread, scores, None, [12])
        assert found[0].tolist() == usual[0].tolist()
    assert gw.learn.metric("GAP(g=[0.2,0.8])")(spread, scores, None, [12])[1] == pytest.approx(
        gw.learn.metric("GAP(g=[0.2,0.8])")(grades, scores, None, [12])[1]
    )


def test_many_labels_and_long_lists() -> None:
    """LightGBM's own objective refuses labels above 30 and lists of more than 10,000 rows."""
    rng = np.random.default_rng(5)
    grades = rng.integers(0, 40, 12_000)
    scores = rng.normal(size=12_000)
    gradient, _ = gw.learn.objective("GAP", truncation=10)(grades, scores, None, [12_000])
    assert abs(gradient.sum()) < 1e-9
    best, worst = np.argmax(grades), np.argmin(grades)
    assert gradient[best] < 0 < gradient[worst]


def test_equal_scores_come_in_random_order() -> None:
    """The mean over seeds does not depend on the order of the documents."""
    grades = np.array([2, 1, 1, 0, 0, 0, 0, 0])
    zeros = np.zeros(8)

    def mean(order: Any) -> Any:
        found = [
            gw.learn.objective("GAP", seed=seed)(grades[order], zeros, None, [8])[0]
            for seed in range(1000)
        ]
        return np.mean(found, axis=0)[np.argsort(order)]

    straight, turned = mean(np.arange(8)), mean(np.arange(8)[::-1])
    assert straight == pytest.approx(turned, abs=0.03)
    for same in ([1, 2], [3, 4, 5, 6, 7]):
        assert np.ptp(straight[same]) < 0.05
    one, two, again = (
        gw.learn.objective("GAP", seed=s)(grades, zeros, None, [8])[0].tolist() for s in (0, 1, 0)
    )
    assert one == again != two


def test_a_list_is_ranked_alike_wherever_it_is() -> None:
    rng = np.random.default_rng(6)
    grades, scores = rng.integers(0, 3, 60), rng.integers(0, 2, 60).astype(float)
    tried = gw.learn.objective("GAP", grades=2)
    together = tried(grades, scores, None, [20, 30, 10])[0]
    alone = tried(grades[20:50], scores[20:50], None, [30])[0]
    assert together[20:50].tolist() == alone.tolist()


@pytest.mark.parametrize("seed", [0, np.int64(7), -1, 2**70])
def test_any_number_of_threads_gives_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(9)
    sizes = rng.integers(1, 40, 50)
    grades, scores = rng.integers(0, 3, sizes.sum()), rng.integers(0, 5, sizes.sum()).astype(float)
    found = []
    monkeypatch.setattr(calls, "_FEW", 0)
    for threads in (1, 2, 5, 2):
        for module in (calls, parallel):
            monkeypatch.setattr(module, "thread_count", lambda threads=threads: threads)
        tried = gw.learn.objective("GAP", seed=seed)(grades, scores, None, sizes)
        value = gw.learn.metric("GAP", seed=seed)(grades, scores, None, sizes)[1]
        found.append((tried[0].tolist(), tried[1].tolist(), value))
    assert all(each == found[0] for each in found)


def test_forms_of_call() -> None:
    lgb, xgb = (
        pytest.importorskip(name, reason=f"{name} is not installed")
        for name in ("lightgbm", "xgboost")
    )
    scores, grades = _lists(7, [5, 9])
    group, x = [8, 12], np.random.default_rng(0).normal(size=(20, 2))
    rows, lists = np.linspace(1, 2, 20), np.array([2.0, 0.5])
    data = lgb.Dataset(x, grades, group=group, weight=rows).construct()
    matrix = xgb.DMatrix(x, grades, group=group, weight=lists)
    tried, watched = gw.learn.objective("GAP(g=[0.5,0.5])"), gw.learn.metric("nDCG@5")
    assert len(inspect.signature(tried).parameters) == 4
    assert len(inspect.signature(watched).parameters) == 4
    expected = [tried(grades, scores, each, group)[0].tolist() for each in (rows, lists)]
    assert tried(scores, data)[0].tolist() == pytest.approx(expected[0], rel=1e-6)
    assert tried(scores, matrix)[0].tolist() == expected[1]
    name, value, higher = watched(scores, data)
    assert (name, higher) == ("nDCG@5", True)
    assert value == pytest.approx(watched(grades, scores, rows, group)[1], rel=1e-6)
    assert watched(scores, matrix) == watched(grades, scores, lists, group)[:2]
    for item in (tried, watched):
        copy = pickle.loads(pickle.dumps(item))
        assert copy == item
        assert copy(scores, data)[0] == pytest.approx(item(scores, data)[0])


PLAIN = [measure for measure in all_measures() if not measure.uses_intents]


@pytest.mark.parametrize("kind", PLAIN, ids=lambda kind: kind.name)
def test_metrics_are_what_evaluate_says(kind: Any) -> None:
    cutoff = {"required": "@5", "recall": "@0.5"}.get(kind.cutoff_rule, "")
    measure = f"{kind.name}{NEEDED.get(kind.name, '')}{cutoff}"
    scores, grades = _lists(8, [20, 11, 30])
    group = [23, 14, 33]
    name, value, higher = gw.learn.metric(measure)(grades, scores, None, group)
    rows = np.split(np.arange(70), np.cumsum(group)[:-1])
    qrels = {str(t): {f"d{i}": int(grades[i]) for i in part} for t, part in enumerate(rows)}
    run = {str(t): {f"d{i}": float(scores[i]) for i in part} for t, part in enumerate(rows)}
    expected = gw.evaluate(qrels, run, measure).summary()[0, 0]
    assert (name, higher) == (str(gw.parse_measure(measure)), kind.higher_is_better)
    assert value == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gw.learn.objective("Bpref"), "Bpref cannot be an objective"),
        (lambda: gw.learn.objective("AP", sigma=0), "sigma must be above 0, not 0"),
        (lambda: gw.learn.objective("AP", truncation=0), "truncation must be at least 1"),
        (lambda: gw.learn.objective("AP")([0, 1], [1, 2]), "the data have no topics"),
        (lambda: gw.learn.objective("AP")([0, 1], [1, 2], None, [3]), "the sizes in group sum"),
        (lambda: gw.learn.objective("AP")([0, 1], [1, 2], None, [2, 0]), "of 1 or more"),
        (lambda: gw.learn.objective("AP")([0, 0.5], [1, 2], None, [2]), "whole numbers"),
        (
            lambda: gw.learn.objective("AP")([0, 1], [1, 2], [1] * 3, [2]),
            "there are 2 rows but 3 weights",
        ),
        (
            lambda: gw.learn.objective("GAP(g=[1.0])")([0, 1, 2], [1, 2, 3], None, [3]),
            "there are documents of grade 2, but the positive grades are 1",
        ),
    ],
)
def test_mistakes_get_a_sentence(call: Any, message: str) -> None:
    with pytest.raises(GradewiseError) as caught:
        call()
    assert message in str(caught.value)


def _topics(seed: int) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(10, 60, 60)
    x = rng.normal(size=(sizes.sum(), 6))
    worth = x[:, 0] + 0.5 * x[:, 1] * x[:, 2] + rng.normal(size=len(x))
    return x, np.digitize(worth, [0.5, 1.5, 2.2, 3.0]), sizes


def _splits(tree: dict[str, Any]) -> list[tuple[int, float]]:
    """Return features and thresholds of a tree, from the root."""
    if "split_feature" not in tree:
        return []
    own = (tree["split_feature"], round(tree["threshold"], 9))
    return [own, *_splits(tree["left_child"]), *_splits(tree["right_child"])]


@pytest.mark.parametrize("truncation", [None, 10])
def test_ndcg_is_lightgbms_lambdarank(truncation: int | None) -> None:
    """The same trees, if scores differ from the start; else equal scores are what differs.

    LightGBM leaves documents with equal scores in the order of the input, and looks the logistic
    function up in a table. Its ideal DCG is that of the ranks within the truncation, hence short
    lists of few relevant documents here.
    """
    lgb = pytest.importorskip("lightgbm", reason="lightgbm is not installed")
    x, y, sizes = _topics(0)
    y[np.concatenate([np.arange(8, size) + start for size, start in _places(sizes)])] = 0
    start = 1e-3 * np.random.default_rng(1).normal(size=len(y))
    shared = {"num_leaves": 15, "verbosity": -1, "num_threads": 1, "force_row_wise": True}
    own = {"objective": "lambdarank", "lambdarank_truncation_level": truncation or 10**6}
    ours = {"objective": gw.learn.objective("nDCG(dcg='exp-log2')", truncation=truncation)}
    models = [
        lgb.train({**shared, **each}, lgb.Dataset(x, y, group=sizes, init_score=start), 20)
        for each in (own, ours)
    ]
    trees = [
        [_splits(tree["tree_structure"]) for tree in model.dump_model()["tree_info"]]
        for model in models
    ]
    assert trees[0] == trees[1]
    theirs, mine = (model.predict(x) for model in models)
    assert np.abs(theirs - mine).max() < 1e-3 * np.abs(theirs).max()
    plain = [
        lgb.train({**shared, **each}, lgb.Dataset(x, y, group=sizes), 20).predict(x)
        for each in (own, ours)
    ]
    watched = gw.learn.metric("nDCG(dcg='exp-log2')@10")
    values = [watched(y, scores, None, sizes)[1] for scores in plain]
    assert values[0] == pytest.approx(values[1], abs=0.02)
    assert np.corrcoef(*plain)[0, 1] > 0.9


def _places(sizes: Any) -> list[tuple[int, int]]:
    return list(zip(sizes.tolist(), (np.cumsum(sizes) - sizes).tolist(), strict=True))


def test_lightgbm_and_xgboost_train_with_it() -> None:
    lgb, xgb = (
        pytest.importorskip(name, reason=f"{name} is not installed")
        for name in ("lightgbm", "xgboost")
    )
    x, y, sizes = _topics(2)
    held_x, held_y, held = _topics(3)
    gap, ap = gw.learn.objective("GAP"), gw.learn.metric("AP")
    # Without metric="None", LightGBM adds ndcg@1..5, and any of them may stop the training.
    ranker = lgb.LGBMRanker(
        objective=gap, metric="None", n_estimators=60, num_leaves=7, verbosity=-1, n_jobs=1
    )
    new = "eval_X" in inspect.signature(ranker.fit).parameters  # before, sets were pairs
    ranker.fit(
        x,
        y,
        group=sizes,
        **({"eval_X": (held_x,), "eval_y": (held_y,)} if new else {"eval_set": [(held_x, held_y)]}),
        eval_group=[held],
        eval_metric=ap,
        callbacks=[lgb.early_stopping(10, verbose=False)],
    )
    values = ranker.evals_result_["valid_0"]["AP"]
    assert ap(held_y, ranker.predict(held_x), None, held)[1] == max(values) > values[0]
    data, matrix = xgb.DMatrix(x, y, group=sizes), xgb.DMatrix(held_x, held_y, group=held)
    seen: dict[str, Any] = {}
    model = xgb.train(
        {"max_depth": 3, "nthread": 1, "disable_default_eval_metric": True},
        data,
        60,
        obj=gap,
        custom_metric=ap,
        evals=[(matrix, "held")],
        early_stopping_rounds=10,
        maximize=True,
        evals_result=seen,
        verbose_eval=False,
    )
    values = seen["held"]["AP"]
    best = model.predict(matrix, iteration_range=(0, model.best_iteration + 1))
    assert ap(best, matrix)[1] == pytest.approx(max(values), abs=1e-6)
    assert max(values) > values[0]
