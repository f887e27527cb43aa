"""What `fit` takes besides features and grades: scores, weights, other labels, models, frames."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise import parallel
from gradewise.errors import GradewiseError
from gradewise.learn.trees import calls
from oracles import soft

BOOSTERS = ["lightgbm", "xgboost"]
SMALL = {"n_estimators": 12, "n_jobs": 1, "max_depth": 3}


def _topics(seed: int) -> gw.learn.FeatureSet:
    """Grades follow from two features of ten, and noise."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(8, 25, 30)
    x = rng.normal(size=(sizes.sum(), 10))
    worth = x[:, 0] + 0.7 * x[:, 1] + 0.5 * rng.normal(size=len(x))
    return gw.learn.from_arrays(x, np.digitize(worth, [0.5, 1.0, 1.6, 2.2]), group=sizes)


DATA, HELD = _topics(1), _topics(2)
ROWS = {"X": DATA.features, "y": DATA.grades, "group": DATA.sizes}


@pytest.fixture(scope="module", autouse=True)
def libraries() -> None:
    for name in BOOSTERS:
        pytest.importorskip(name, reason=f"{name} is not installed")


def _tree(booster: Any, objective: str = "GAP", **options: Any) -> gw.learn.TreeRanker:
    return gw.learn.TreeRanker(objective, booster, **{**SMALL, **options})


@pytest.mark.parametrize("booster", BOOSTERS)
def test_training_starts_from_scores(booster: str) -> None:
    """What a first model says is not learned again: both together rank as one that went on."""
    first = _tree(booster, base_score=0.0) if booster == "xgboost" else _tree(booster)
    first.fit(**ROWS)
    rest = _tree(booster, **({"base_score": 0.0} if booster == "xgboost" else {}))
    rest.fit(
        **ROWS,
        init_score=first.predict(DATA),
        eval_set=[HELD],
        eval_init_score=[first.predict(HELD)],
    )
    on = _tree(booster, **({"base_score": 0.0} if booster == "xgboost" else {}))
    on.fit(**ROWS, init_model=first)
    together = first.predict(HELD) + rest.predict(HELD)
    assert together == pytest.approx(on.predict(HELD), abs=1e-4)
    seen = rest.evals_result_["validation_0"]["GAP(g='equal')"][-1]
    grades = [int(grade) for grade in rest.scale_]
    found = gw.learn.metric("GAP", grades=grades)(HELD.grades, together, None, HELD.sizes)[1]
    assert seen == pytest.approx(found, abs=1e-6)


@pytest.mark.parametrize("booster", BOOSTERS)
def test_training_continues_a_model(booster: str, tmp_path: Path) -> None:
    whole = _tree(booster).fit(**ROWS, eval_set=[HELD])
    first = _tree(booster, n_estimators=5).fit(**ROWS)
    first.save(tmp_path / "model")
    for before in (first, tmp_path / "model"):
        ranker = _tree(booster, n_estimators=7, early_stopping_rounds=7)
        ranker.fit(**ROWS, eval_set=[HELD], init_model=before)
        assert ranker.predict(HELD, iterations=12) == pytest.approx(whole.predict(HELD), abs=1e-5)
        values = ranker.evals_result_["validation_0"]["GAP(g='equal')"]
        assert values == pytest.approx(whole.evals_result_["validation_0"]["GAP(g='equal')"][5:])
        assert ranker.best_iteration_ == 6 + int(np.argmax(values))
        assert ranker.best_by("GAP")[0] == ranker.best_iteration_
        assert ranker.curves_["epoch"].to_list() == list(range(6, 6 + len(values)))
    other = {"lightgbm": "xgboost", "xgboost": "lightgbm"}[booster]
    with pytest.raises(GradewiseError, match=f"init_model has trees of {booster}, not of {other}"):
        _tree(other).fit(**ROWS, init_model=first)
    with pytest.raises(GradewiseError, match="X has 3 features, but init_model is expecting 10"):
        _tree(booster).fit(DATA.features[:, :3], DATA.grades, group=DATA.sizes, init_model=first)


@pytest.mark.parametrize("booster", BOOSTERS)
def test_weights_of_lists_are_weights_of_their_rows(booster: str) -> None:
    lists = np.linspace(0.2, 2, len(DATA))
    by_list = _tree(booster).fit(**ROWS, sample_weight=lists)
    by_row = _tree(booster).fit(**ROWS, sample_weight=lists.repeat(DATA.sizes))
    assert by_list.predict(HELD).tolist() == by_row.predict(HELD).tolist()
    assert by_list.predict(HELD).tolist() != _tree(booster).fit(**ROWS).predict(HELD).tolist()
    mixed = np.random.default_rng(0).permutation(len(DATA.grades))
    names = DATA.owner[mixed]
    first = list(dict.fromkeys(names.tolist()))  # weights come in the order of first rows
    by_topic, expected = (
        _tree(booster).fit(
            DATA.features[mixed], DATA.grades[mixed], qid=names, sample_weight=weight
        )
        for weight in (lists[first], lists[names])
    )
    assert by_topic.predict(HELD).tolist() == expected.predict(HELD).tolist()


@pytest.mark.parametrize("booster", BOOSTERS)
def test_evaluation_sets_have_weights(booster: str) -> None:
    lists = np.where(np.arange(len(HELD)) < 10, 1.0, 0.0)
    ranker = _tree(booster, eval_measure="AP")
    ranker.fit(**ROWS, eval_set=[HELD, HELD.take(range(10))], eval_sample_weight=[lists, None])
    sets = [ranker.evals_result_[f"validation_{n}"]["AP"] for n in (0, 1)]
    assert sets[0] == pytest.approx(sets[1])
    with pytest.raises(GradewiseError, match="eval_sample_weight describes 2 sets, but eval_set"):
        ranker.fit(**ROWS, eval_set=[HELD], eval_sample_weight=[None, None])


RBP = "RBP(p=0.8,gains=linear)"


@pytest.mark.parametrize("measure", ["nDCG", "nDCG@4", "nDCG(dcg='exp-log2')", "DCG@3", RBP])
def test_labels_may_be_any_numbers(measure: str) -> None:
    """Gains of a teacher's scores, swapped pair by pair."""
    rng = np.random.default_rng(3)
    group = [7, 9]
    labels, scores = rng.uniform(-0.3, 1, 16).round(1), rng.normal(size=16)
    exponential = "exp" in measure
    cutoff = {"nDCG@4": 4, "DCG@3": 3}.get(measure, 99)
    found = gw.learn.objective(measure)(labels, scores, None, group)
    for low, size in ((0, 7), (7, 9)):
        part = slice(low, low + size)

        def gain(label: float) -> float:
            return 2 ** max(label, 0) - 1 if exponential else max(label, 0.0)

        def value(ranking: list[float], norm: float = 1.0) -> float:
            if measure == RBP:
                return sum(0.2 * 0.8**n * gain(label) for n, label in enumerate(ranking))
            terms = [gain(label) / np.log2(n + 2) for n, label in enumerate(ranking[:cutoff])]
            return sum(terms) / norm

        given = labels[part].tolist()
        norm = value(sorted(given, reverse=True)) if measure.startswith("n") else 1.0
        # Labels of 0 and below have the same gain, so that no pair of them counts.
        kept = [max(label, 0.0) for label in given]
        expected = soft.boosted(
            scores[part].tolist(), kept, lambda ranking, n=norm: value(ranking, n), 1.0, 99, True
        )
        assert found[0][part] == pytest.approx(np.array(expected[0]), abs=1e-10)


def test_whole_labels_are_grades_in_any_type() -> None:
    scores = np.random.default_rng(0).normal(size=len(DATA.grades))
    for measure in ("nDCG", "GAP"):
        tried = gw.learn.objective(measure)
        found = [tried(y, scores, None, DATA.sizes)[0] for y in (DATA.grades, DATA.grades + 0.0)]
        assert found[0].tolist() == found[1].tolist()


@pytest.mark.parametrize("booster", BOOSTERS)
@pytest.mark.parametrize("objective", ["nDCG", "pairwise"])
def test_a_teacher_is_followed(booster: str, objective: str) -> None:
    teacher = _tree(booster, "GAP", n_estimators=30).fit(**ROWS)
    student = _tree(booster, objective, n_estimators=30)
    labels = teacher.predict(DATA)
    student.fit(DATA.features, labels - labels.min(), group=DATA.sizes, eval_set=[HELD])
    assert np.corrcoef(student.predict(HELD), teacher.predict(HELD))[0, 1] > 0.85
    assert 0 < student.score(HELD) <= 1
    with pytest.raises(GradewiseError, match=r"GAP.* needs grades, which are whole numbers"):
        _tree(booster).fit(DATA.features, labels, group=DATA.sizes)


def test_pairwise_learns_from_every_pair_alike() -> None:
    ranker = _tree("lightgbm", "pairwise").fit(DATA)
    assert (
        ranker.score(HELD, measure="AP")
        > gw.learn.metric("AP")(HELD.grades, np.zeros(len(HELD.grades)), None, HELD.sizes)[1] + 0.05
    )
    assert str(gw.learn.objective("pairwise")) == "pairwise"


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_scores_have_to_be_finite(bad: float) -> None:
    for call in (gw.learn.objective("AP"), gw.learn.metric("AP")):
        with pytest.raises(GradewiseError, match=r"the score of row 1 is .*; scores must be"):
            call([0, 1, 0], [0.5, bad, 0.1], None, [3])
    with pytest.raises(GradewiseError, match="init_score of row 0 is"):
        _tree("lightgbm").fit(**ROWS, init_score=np.where(np.arange(len(DATA.grades)), 0.0, bad))


@pytest.mark.parametrize("jobs", [1, 2, -1])
def test_the_objective_obeys_n_jobs(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No thread is started for one job, and no more than asked for otherwise."""
    asked: list[int] = []
    usual = parallel._Stream.__init__

    def note(self: Any, function: Any, items: Any, threads: int) -> None:
        asked.append(threads)
        usual(self, function, items, threads)

    monkeypatch.setattr(parallel._Stream, "__init__", note)
    monkeypatch.setattr(calls, "_FEW", 0)
    monkeypatch.setattr(calls, "thread_count", lambda: 3)
    scores = np.random.default_rng(0).normal(size=len(DATA.grades))
    rows = (DATA.grades, scores, None, DATA.sizes)
    gw.learn.objective("GAP", n_jobs=jobs)(*rows)
    gw.learn.metric("GAP", n_jobs=jobs)(*rows)
    assert asked == {1: [], 2: [2, 2], -1: [3, 3]}[jobs]
    asked.clear()
    gw.learn.TreeRanker("GAP", n_estimators=2, n_jobs=jobs).fit(DATA, eval_set=[HELD])
    assert set(asked) == {1: set(), 2: {2}, -1: {3}}[jobs]


def test_no_jobs_are_refused() -> None:
    with pytest.raises(GradewiseError, match="n_jobs must be a number of threads"):
        gw.learn.objective("AP", n_jobs=0)


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("kind", ["lightgbm", "xgboost", "net"])
def test_a_column_gives_the_topics(library: str, kind: str) -> None:
    frames = pytest.importorskip(library, reason=f"{library} is not installed")
    columns = {f"f{n}": DATA.features[:, n] for n in range(10)}
    mixed = np.random.default_rng(0).permutation(len(DATA.grades))
    frame = frames.DataFrame({"qid": DATA.owner, **columns})
    y = DATA.grades
    if library == "pandas":
        frame, y = frame.iloc[mixed], y[mixed]

    def ranker() -> Any:
        return gw.learn.NetRanker(epochs=3) if kind == "net" else _tree(kind)

    by_column = ranker().fit(frame, y)
    rest = frame.drop(columns="qid") if library == "pandas" else frame.drop("qid")
    by_option = ranker().fit(rest, y, qid=np.asarray(frame["qid"]))
    assert by_column.feature_names_in_.tolist() == list(columns)
    assert by_column.predict(frame).tolist() == by_option.predict(rest).tolist()
    assert by_column.score(frame, y) == by_option.score(rest, y, qid=np.asarray(frame["qid"]))
    with pytest.raises(GradewiseError, match="topics are given twice: by the column 'qid' of X"):
        ranker().fit(frame, y, qid=np.asarray(frame["qid"]))


def test_searches_need_no_routing_where_a_column_gives_the_topics() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    from sklearn.model_selection import GridSearchCV, GroupKFold

    frame = pandas.DataFrame(DATA.features, columns=[f"f{n}" for n in range(10)])
    frame["qid"] = DATA.owner
    grid = {"objective": ["GAP", "AP", "lambdarank"]}
    search = GridSearchCV(_tree("lightgbm"), grid, cv=GroupKFold(3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        search.fit(frame, DATA.grades, groups=DATA.owner)
    # Every candidate is scored by nDCG, whatever it was trained for.
    train, test = next(GroupKFold(3).split(frame, DATA.grades, DATA.owner))
    for n, objective in enumerate(grid["objective"]):
        ranker = _tree("lightgbm", objective).fit(frame.iloc[train], DATA.grades[train])
        scores = ranker.predict(frame.iloc[test])
        sizes = np.unique(DATA.owner[test], return_counts=True)[1]
        grades = [1, 2, 3, 4]
        found = gw.learn.metric("nDCG", grades=grades)(DATA.grades[test], scores, None, sizes)[1]
        assert search.cv_results_["split0_test_score"][n] == pytest.approx(found)


def test_a_search_that_leaves_topics_behind_is_warned_of() -> None:
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    from sklearn.model_selection import GridSearchCV

    search = GridSearchCV(_tree("lightgbm"), {"num_leaves": [3]}, cv=3)
    with pytest.warns(UserWarning, match="no topics were given, so all .* rows are ranked as one"):
        search.fit(DATA.features, DATA.grades)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"sample_weight": [-1.0] * len(DATA)}, "a finite number of 0 or more"),
        ({"sample_weight": [1.0, 2.0]}, "for each of 30 lists, but has shape (2,)"),
        ({"init_score": [0.0]}, "init_score must have one number for each of"),
        ({"init_model": "nowhere"}, "nowhere: no such file"),
    ],
)
def test_mistakes_get_a_sentence(given: dict[str, Any], message: str) -> None:
    with pytest.raises(GradewiseError) as caught:
        _tree("lightgbm").fit(**ROWS, **given)
    assert message in str(caught.value)


@pytest.mark.parametrize("booster", BOOSTERS)
def test_own_objectives_take_gains(booster: str) -> None:
    stock = {"lightgbm": "lambdarank", "xgboost": "rank:ndcg"}[booster]

    def scores(objective: str, **options: Any) -> list[float]:
        return _tree(booster, objective, **options).fit(**ROWS).predict(HELD).tolist()

    linear = scores(f"{stock}(gains=linear)")
    assert linear == scores(f"{stock}(gains=[0,1,2,3,4])") != scores(stock)
    if booster == "lightgbm":
        assert linear == scores(stock, label_gain=[0, 1, 2, 3, 4])
        assert scores("built-in(gains=exp)") == scores(stock)
    else:
        assert linear == scores(stock, ndcg_exp_gain=False)
    for wrong, message in (
        (f"{stock}(gains=logarithmic)", "gains must be one of 'exp', 'linear'"),
        (f"{stock}(gains=[0,1])", "has 2 gains, for labels 0 to 1, but there are documents of"),
        (f"{stock}(gains=[0,one])", "gains must be numbers"),
        ({"lightgbm": "rank_xendcg", "xgboost": "rank:map"}[booster] + "(gains=exp)", "no gains"),
    ):
        with pytest.raises(GradewiseError, match=message.replace("(", r"\(")):
            scores(wrong)
