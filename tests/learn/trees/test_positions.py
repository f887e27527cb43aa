"""Clicks and positions: biases against a literal update and LightGBM's own, and propensities."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import GradewiseError
from oracles import position_bias, soft

SMALL = {"n_estimators": 20, "n_jobs": 1, "max_depth": 4}


def _clicks(seed: int, topics: int = 150) -> tuple[Any, Any, Any, Any, Any]:
    """Return features, clicks, positions, sizes and true worth: propensity 1/rank."""
    rng = np.random.default_rng(seed)
    sizes = np.full(topics, 10)
    x = rng.normal(size=(10 * topics, 4))
    worth = x[:, 0] + 0.5 * rng.normal(size=len(x))
    shown = x[:, 1] + 0.3 * rng.normal(size=len(x))  # what the logged ranking went by
    owner = np.arange(topics).repeat(10)
    order = np.lexsort((-shown, owner))
    x, worth = x[order], worth[order]
    position = np.tile(np.arange(1, 11), topics)
    chance = 1 / (1 + np.exp(-2 * worth)) / position
    return x, (rng.random(len(x)) < chance).astype(int), position, sizes, worth


@pytest.mark.parametrize("regularization", [0.0, 0.3])
@pytest.mark.parametrize("measure", ["AP", "nDCG@5", "GAP(g=[1.0])", "pairwise"])
def test_biases_are_those_of_a_literal_update(measure: str, regularization: float) -> None:
    rng = np.random.default_rng(1)
    group = [6, 5, 7]
    grades, position = rng.integers(0, 2, 18), rng.integers(1, 6, 18)
    weight = rng.uniform(0.5, 2, 18)
    tried = gw.learn.objective(
        measure, position=position, bias_rate=0.2, bias_regularization=regularization
    )
    plain = gw.learn.objective(measure)
    bias = dict.fromkeys(sorted(set(position.tolist())), 0.0)
    for _ in range(4):
        scores = rng.normal(size=18)
        found = tried(grades, scores, weight, group)
        shifted = scores + np.array([bias[int(place)] for place in position])
        expected = plain(grades, shifted, weight, group)
        assert found[0].tolist() == expected[0].tolist()
        assert found[1].tolist() == expected[1].tolist()
        bias = position_bias.step(bias, position.tolist(), *expected, 0.2, regularization)
        assert tried.position_bias == pytest.approx(bias, abs=1e-12)
    assert any(abs(value) > 0.01 for value in bias.values())


@pytest.mark.parametrize("regularization", [0.0, 0.05])
def test_with_ndcg_it_is_lightgbms_own(regularization: float) -> None:
    """From scores that differ, so that the order of ties plays no part; LightGBM looks logistic
    functions up in a table, so that sums drift apart after some trees."""
    pytest.importorskip("lightgbm", reason="lightgbm is not installed")
    x, clicks, position, sizes, _ = _clicks(0)
    start = 1e-3 * np.random.default_rng(1).normal(size=len(clicks))
    given = {"group": sizes, "position": position, "init_score": start}
    found = [
        gw.learn.TreeRanker(
            objective, **{**SMALL, "n_estimators": 8}, bias_regularization=regularization
        )
        .fit(x, clicks, **given)
        .predict(x)
        for objective in ("lambdarank", "nDCG(dcg='exp-log2')")
    ]
    assert np.abs(found[0] - found[1]).max() < 1e-3 * np.abs(found[0]).max()
    biased = gw.learn.TreeRanker("lambdarank", **{**SMALL, "n_estimators": 8})
    biased.fit(x, clicks, group=sizes, init_score=start)
    assert np.abs(found[0] - biased.predict(x)).max() > 0.1 * np.abs(found[0]).max()


@pytest.mark.parametrize("booster", ["lightgbm", "xgboost"])
@pytest.mark.parametrize("how", ["learned", "known"])
def test_positions_help_to_find_what_is_relevant(booster: Any, how: str) -> None:
    pytest.importorskip(booster, reason=f"{booster} is not installed")
    x, clicks, position, sizes, _ = _clicks(2, 400)
    held, _, _, _, worth = _clicks(3)
    curve = None if how == "learned" else (1 / np.arange(1, 11)).tolist()
    shared = {**SMALL, "learning_rate": 0.1}
    plain = gw.learn.TreeRanker("AP", booster, **shared).fit(x, clicks, group=sizes)
    ranker = gw.learn.TreeRanker("AP", booster, propensity=curve, **shared)
    ranker.fit(x, clicks, group=sizes, position=position)
    values = [np.corrcoef(each.predict(held), worth)[0, 1] for each in (plain, ranker)]
    assert values[1] > values[0] + 0.02
    if how == "known":
        assert ranker.position_bias_ is None
    else:
        biases = ranker.position_bias_
        assert biases is not None
        assert list(biases) == list(range(1, 11))
        assert biases[1] > biases[2] > biases[4] > biases[9]


@pytest.mark.parametrize("normalize", [True, False])
def test_inverse_propensities_weigh_pairs_by_their_better_document(normalize: bool) -> None:
    rng = np.random.default_rng(4)
    scores, grades, position = rng.normal(size=9), rng.integers(0, 3, 9), rng.integers(1, 5, 9)
    curve = {1: 1.0, 2: 0.7, 3: 0.5, 4: 0.25}
    tried = gw.learn.objective(
        "AP", position=position, propensity=curve, normalize_gradients=normalize
    )
    found = tried(grades, scores, None, [9])
    pull = [1 / curve[int(place)] for place in position]
    relevant = {1: int((grades == 1).sum()), 2: int((grades == 2).sum())}

    def value(ranking: list[int]) -> float:
        return gw.score("AP", grades=ranking, relevant=relevant)

    expected = soft.boosted(scores.tolist(), grades.tolist(), value, 1.0, 99, normalize, pull)
    assert found[0] == pytest.approx(np.array(expected[0]), abs=1e-10)
    usual = gw.learn.objective("AP", position=position, propensity=curve)
    assert not usual.normalize_gradients
    assert gw.learn.objective("AP", position=position).normalize_gradients
    by_rank = gw.learn.objective("AP", position=position, propensity=[1.0, 0.7, 0.5, 0.25])
    assert by_rank(grades, scores, None, [9])[0] == pytest.approx(
        gw.learn.objective("AP", position=position, propensity=curve)(grades, scores, None, [9])[0]
    )


def test_rows_in_any_order_keep_their_positions() -> None:
    pytest.importorskip("lightgbm", reason="lightgbm is not installed")
    x, clicks, position, sizes, _ = _clicks(5, 40)
    owner = np.arange(40).repeat(10)
    mixed = np.argsort(np.random.default_rng(0).permutation(40)[owner] + 1e-3 * position)
    turned = np.argsort(owner[mixed], kind="stable")
    straight = gw.learn.TreeRanker("AP", **SMALL).fit(
        x[mixed][turned], clicks[mixed][turned], group=sizes, position=position[mixed][turned]
    )
    by_topic = gw.learn.TreeRanker("AP", **SMALL)
    by_topic.fit(x[mixed], clicks[mixed], qid=owner[mixed], position=position[mixed])
    values = [list(each.position_bias_.values()) for each in (straight, by_topic)]
    assert values[0] == pytest.approx(values[1], rel=0.2, abs=0.05)


@pytest.mark.parametrize("booster", ["lightgbm", "xgboost"])
def test_training_with_positions_continues_where_it_stopped(booster: Any, tmp_path: Path) -> None:
    pytest.importorskip(booster, reason=f"{booster} is not installed")
    x, clicks, position, sizes, _ = _clicks(6, 60)
    given = {"group": sizes, "position": position}

    def ranker(trees: int) -> gw.learn.TreeRanker:
        return gw.learn.TreeRanker("AP", booster, **{**SMALL, "n_estimators": trees})

    ranker(6).fit(x, clicks, **given).save(tmp_path / "first")
    second = ranker(4).fit(x, clicks, **given, init_model=tmp_path / "first")
    whole = ranker(10).fit(x, clicks, **given)
    assert second.predict(x) == pytest.approx(whole.predict(x), abs=1e-5)
    assert second.position_bias_ == pytest.approx(whole.position_bias_, abs=1e-5)
    ranker(3).fit(x, clicks, group=sizes).save(tmp_path / "plain")
    with pytest.raises(GradewiseError, match="init_model does not know its position biases"):
        ranker(3).fit(x, clicks, **given, init_model=tmp_path / "plain")


def test_a_pickled_objective_starts_anew() -> None:
    import copy
    import pickle

    tried = gw.learn.objective("AP", position=[1, 2, 3])
    tried([0, 1, 0], [0.1, 0.2, 0.3], None, [3])
    assert tried.position_bias != {1: 0.0, 2: 0.0, 3: 0.0}
    assert pickle.loads(pickle.dumps(tried)).position_bias == {1: 0.0, 2: 0.0, 3: 0.0}
    assert copy.deepcopy(tried).position_bias == tried.position_bias  # LightGBM trains with one
    again = gw.learn.objective("AP", position=[1, 2, 3], position_bias=tried.position_bias)
    assert again.position_bias == tried.position_bias


LISTS = {"X": np.eye(4), "y": [0, 1, 0, 1], "group": [2, 2]}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: gw.learn.objective("AP", position=[1, 2])([0, 1, 0], [1, 2, 3], None, [3]),
            "there are 3 rows, but position was given for 2",
        ),
        (lambda: gw.learn.objective("AP", position=[1, 0.5]), "the position of row 1 is 0.5"),
        (lambda: gw.learn.objective("AP", propensity=[1.0]), "propensity needs position"),
        (
            lambda: gw.learn.objective("AP", position=[1, 2], propensity=[1.0]),
            "propensity has no number for position 2",
        ),
        (
            lambda: gw.learn.objective("AP", position=[1, 2], propensity=[1.0, 0.0]),
            "the propensity of position 2 is 0.0; it must be above 0",
        ),
        (
            lambda: gw.learn.objective("AP", position=[1, 2], bias_regularization=-1),
            "bias_regularization must be 0 or more, not -1",
        ),
        (
            lambda: gw.learn.TreeRanker("AP").fit(**LISTS, position=[1, 2]),
            "position must have one number for each of 4 rows",
        ),
        (
            lambda: gw.learn.TreeRanker("AP", propensity=[1.0]).fit(**LISTS),
            "propensity needs position",
        ),
        (
            lambda: gw.learn.TreeRanker("rank_xendcg").fit(**LISTS, position=[1, 2, 1, 2]),
            "rank_xendcg takes no position; train for a measure instead",
        ),
        (
            lambda: gw.learn.TreeRanker("lambdarank", propensity=[1.0, 0.5]).fit(
                **LISTS, position=[1, 2, 1, 2]
            ),
            "lambdarank takes no propensity",
        ),
        (
            lambda: gw.learn.NetRanker("softrank", "AP", propensity=[1, 0.5]).fit(
                **LISTS, position=[1, 2, 1, 2]
            ),
            "propensity needs an algorithm of pairs: lambdarank, ranknet",
        ),
        (
            lambda: gw.learn.NetRanker(propensity=[1, 0.5]).fit(**LISTS),
            "propensity needs position",
        ),
    ],
)
def test_mistakes_get_a_sentence(call: Any, message: str) -> None:
    pytest.importorskip("lightgbm", reason="lightgbm is not installed")
    with pytest.raises(GradewiseError) as caught:
        call()
    assert message in str(caught.value)


def test_a_dataset_with_positions_is_not_trained_on_without_them() -> None:
    lgb = pytest.importorskip("lightgbm", reason="lightgbm is not installed")
    x, clicks, position, sizes, _ = _clicks(7, 20)
    data = lgb.Dataset(x, clicks, group=sizes, position=position)
    settings = {"verbosity": -1, "num_threads": 1, "metric": "None"}
    with pytest.raises(GradewiseError, match="give them to the objective, too"):
        lgb.train({**settings, "objective": gw.learn.objective("AP")}, data, 2)
    told = gw.learn.objective("AP", position=position)
    lgb.train({**settings, "objective": told}, data, 2)
    assert any(told.position_bias.values())


@pytest.mark.parametrize("algorithm", ["lambdarank", "softrank", "ranknet", "listnet"])
def test_nets_learn_biases_along(algorithm: Any, tmp_path: Path) -> None:
    pytest.importorskip("safetensors", reason="safetensors is not installed")
    x, clicks, position, sizes, _ = _clicks(8, 200)
    held, _, _, _, worth = _clicks(9)
    shared = {"hidden": 0, "epochs": 12, "optimizer": "adam", "batch_size": 10}
    nets = [
        gw.learn.NetRanker(algorithm, "AP", **shared).fit(x, clicks, group=sizes, position=given)
        for given in (None, position)
    ]
    values = [np.corrcoef(net.predict(held), worth)[0, 1] for net in nets]
    assert values[1] > values[0]
    assert nets[0].position_bias_ is None
    biases = nets[1].position_bias_
    assert biases[1] > biases[3] > biases[9]
    nets[1].save(tmp_path / "net")
    loaded = gw.learn.NetRanker.load(tmp_path / "net")
    assert loaded.position_bias_ == biases
    assert loaded.predict(held).tolist() == nets[1].predict(held).tolist()


def test_nets_take_known_propensities_and_regularization() -> None:
    x, clicks, position, sizes, _ = _clicks(10, 200)
    held, _, _, _, worth = _clicks(11)
    shared = {"hidden": 0, "epochs": 12, "optimizer": "adam", "batch_size": 10}
    curve = (1 / np.arange(1, 11)).tolist()
    plain = gw.learn.NetRanker("lambdarank", "AP", **shared).fit(x, clicks, group=sizes)
    known = gw.learn.NetRanker("lambdarank", "AP", propensity=curve, **shared)
    known.fit(x, clicks, group=sizes, position=position)
    values = [np.corrcoef(net.predict(held), worth)[0, 1] for net in (plain, known)]
    assert values[1] > values[0]
    spread = []
    for regularization in (0.0, 1.0):
        net = gw.learn.NetRanker("lambdarank", "AP", bias_regularization=regularization, **shared)
        net.fit(x, clicks, group=sizes, position=position)
        spread.append(np.ptp(list(net.position_bias_.values())))
    assert spread[1] < spread[0] / 2


def test_a_net_resumes_with_its_biases(tmp_path: Path) -> None:
    pytest.importorskip("safetensors", reason="safetensors is not installed")
    x, clicks, position, sizes, _ = _clicks(12, 40)
    shared = {"hidden": 0, "checkpoint": tmp_path / "kept", "epochs": 4}
    first = gw.learn.NetRanker("lambdarank", "AP", **shared)
    first.fit(x, clicks, group=sizes, position=position)
    again = gw.learn.NetRanker("lambdarank", "AP", **shared)
    again.fit(x, clicks, group=sizes, position=position)
    assert again.position_bias_ == first.position_bias_
    with pytest.raises(GradewiseError, match="other data or options"):
        again.fit(x, clicks, group=sizes, position=position[::-1])
