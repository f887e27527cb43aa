"""NetRanker: it learns, the same from the same seed, goes on after a kill, and refuses nonsense."""

import json
import pickle
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gradewise.errors import GradewiseError
from gradewise.learn import NetRanker
from gradewise.learn.features import FeatureSet, from_arrays
from gradewise.learn.nets import checkpoints, storage
from gradewise.learn.nets.learning_rates import fit
from gradewise.learn.normalization import normalize
from gradewise.measures.grammar import parse_measure


def _topics(seed: int = 0, topics: int = 12, size: int = 15, width: int = 4) -> FeatureSet:
    """Return documents whose grade follows from the first two features, with noise."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(topics * size, width))
    worth = x[:, 0] + 0.5 * x[:, 1] + 0.3 * rng.normal(size=len(x))
    return from_arrays(x, np.digitize(worth, [0.8, 1.6]), group=[size] * topics)


TRAIN, HELD = _topics(0), _topics(1)


def _ranker(**options: Any) -> NetRanker:
    usual: dict[str, Any] = {"epochs": 6, "hidden": 3, "learning_rate": 0.05}
    return NetRanker(**(usual | options))


def _same(one: NetRanker, other: NetRanker) -> bool:
    assert one.curves_.equals(other.curves_)
    return all(np.array_equal(one.weights_[name], other.weights_[name]) for name in one.weights_)


@pytest.mark.parametrize(
    ("algorithm", "rate"),
    [("lambdarank", 0.01), ("softrank", 0.3), ("ranknet", 0.001), ("listnet", 0.05)],
)
@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_every_algorithm_learns(algorithm: Any, rate: float, optimizer: Any) -> None:
    chosen = rate if optimizer == "sgd" else 0.01
    options: dict[str, Any] = {"learning_rate": chosen, "optimizer": optimizer, "epochs": 20}
    ranker = _ranker(algorithm=algorithm, **options).fit(TRAIN, eval_set=[HELD])
    chance = HELD.judged(np.zeros(len(HELD.grades)))
    from gradewise.measures.evaluate import score_judged

    assert ranker.score(HELD) > score_judged(chance, "GAP").summary()[0, 0] + 0.3


def test_the_same_seed_gives_the_same_net() -> None:
    one, same, other = (
        _ranker(random_state=seed).fit(TRAIN, eval_set=[HELD]) for seed in (1, 1, 2)
    )
    assert _same(one, same)
    assert not np.array_equal(one.weights_["weight0"], other.weights_["weight0"])


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
@pytest.mark.parametrize("killed_at", [1, 4, 9])
def test_going_on_after_a_kill_equals_never_having_been_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, optimizer: Any, killed_at: int
) -> None:
    monkeypatch.setattr(checkpoints, "CHECKPOINT_SECONDS", 0.0)
    options: dict[str, Any] = {
        "optimizer": optimizer,
        "learning_rate": [0.01, 0.03],
        "patience": 2,  # so that there are restarts
    }
    whole = _ranker(**options).fit(TRAIN, eval_set=[HELD])

    class KilledError(Exception):
        pass

    done = 0

    def kill(epochs: int) -> None:
        nonlocal done
        done += epochs
        if done == killed_at:
            raise KilledError

    path = tmp_path / "state.safetensors"
    with pytest.raises(KilledError):
        _ranker(**options, checkpoint=path).fit(TRAIN, eval_set=[HELD], progress=kill)
    told: list[int] = []
    resumed = _ranker(**options, checkpoint=path)
    resumed.fit(TRAIN, eval_set=[HELD], progress=told.append)
    assert told[0] == killed_at
    assert sum(told) == 12
    assert _same(whole, resumed)
    assert whole.best_learning_rate_ == resumed.best_learning_rate_
    assert whole.best_epoch_ == resumed.best_epoch_


@pytest.mark.slow
def test_a_process_that_was_killed(tmp_path: Path) -> None:
    path = tmp_path / "state"
    program = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_net_ranker import TRAIN, _ranker, checkpoints
checkpoints.CHECKPOINT_SECONDS = 0.0
_ranker(epochs=100_000, checkpoint={str(path)!r}).fit(TRAIN)
"""
    with subprocess.Popen([sys.executable, "-c", program]) as process:
        while not path.exists() and process.poll() is None:
            time.sleep(0.05)
        process.kill()
    arrays, about = storage.read_arrays(path, "checkpoint")
    reached = about["trainings"][0]["progress"]["epoch"]
    assert 0 < reached < 100_000
    # What lies in the file is a training of that many epochs, to the last bit.
    whole = fit(_ranker(epochs=reached).recipe(), [0.05], TRAIN, None, [parse_measure("GAP")])
    assert about["trainings"][0]["progress"]["curves"] == whole.rows[0]
    assert np.array_equal(arrays["0/best0/weight0"], whole.best[0].weights["weight0"])


def test_a_checkpoint_of_another_training_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "state"
    _ranker(checkpoint=path).fit(TRAIN)
    for ranker, data in (
        (_ranker(checkpoint=path, random_state=5), TRAIN),
        (_ranker(checkpoint=path), HELD),
    ):
        with pytest.raises(GradewiseError, match="was written with other data or options"):
            ranker.fit(data)


def test_the_best_epoch_is_the_one_of_the_curves() -> None:
    ranker = _ranker(eval_measure="P@3", epochs=12).fit(TRAIN, eval_set=[HELD])
    curves = ranker.curves_
    assert curves.columns == ["learning_rate", "restart", "epoch", "data", "measure", "value"]
    held = curves.filter(data="validation", measure="P@3").sort("epoch")["value"].to_list()
    assert len(held) == 12
    assert ranker.best_value_ == max(held)
    assert ranker.best_epoch_ == held.index(max(held)) + 1
    pairs = set(curves.select("data", "measure").rows())
    assert pairs == {
        ("train", "loss"),
        ("train", "GAP(g='equal')"),
        ("train", "P@3"),
        ("validation", "P@3"),
    }
    assert ranker.score(HELD, measure="P@3") == pytest.approx(max(held))


def test_training_begins_anew_when_it_stalls() -> None:
    ranker = _ranker(learning_rate=1e-12, patience=3, epochs=11).fit(TRAIN)
    frame = ranker.curves_.filter(measure="loss")
    assert frame["restart"].to_list() == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2]


def test_several_learning_rates_are_compared_on_the_validation_set() -> None:
    rates = [1e-9, 0.02]
    ranker = _ranker(learning_rate=rates).fit(TRAIN, eval_set=[HELD])
    assert ranker.best_learning_rate_ == 0.02
    assert ranker.curves_["learning_rate"].unique().sort().to_list() == rates


@pytest.mark.parametrize("hidden", [0, 3])
def test_saving_and_loading(tmp_path: Path, hidden: int) -> None:
    options: dict[str, Any] = {"hidden": hidden, "normalize": "zscore", "objective": "xGAP"}
    ranker = _ranker(**options).fit(TRAIN, eval_set=[HELD])
    ranker.save(tmp_path / "model.safetensors")
    loaded = NetRanker.load(tmp_path / "model.safetensors")
    assert np.array_equal(loaded.predict(HELD), ranker.predict(HELD))
    assert _same(loaded, ranker)
    assert loaded.objective == "xGAP"
    assert loaded.normalize == "zscore"
    assert loaded.best_epoch_ == ranker.best_epoch_
    assert loaded.score(HELD) == ranker.score(HELD)


def test_only_our_own_files_are_loaded(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    path = tmp_path / "model"
    contents: dict[str, bytes] = {
        "a pickle": pickle.dumps({"weight0": 1}),
        "text": b"hello",
        "nothing": b"",
    }
    for content in contents.values():
        path.write_bytes(content)
        with pytest.raises(GradewiseError, match="is not a safetensors file"):
            NetRanker.load(path)
    weights = {"weight0": np.zeros((1, 2), np.float32)}
    save_file(weights, path)
    with pytest.raises(GradewiseError, match="but not a gradewise NetRanker"):
        NetRanker.load(path)
    _ranker(checkpoint=path.with_name("state")).fit(TRAIN)
    with pytest.raises(GradewiseError, match="but not a gradewise NetRanker"):
        NetRanker.load(path.with_name("state"))
    about = {"kind": "NetRanker", "version": 1, "parameters": {"hidden": 3}}
    save_file(weights, path, metadata={"gradewise": json.dumps(about)})
    with pytest.raises(GradewiseError, match="is not a complete NetRanker"):
        NetRanker.load(path)
    save_file(weights, path, metadata={"gradewise": json.dumps(about | {"version": 7})})
    with pytest.raises(GradewiseError, match="has format version 7"):
        NetRanker.load(path)
    with pytest.raises(GradewiseError, match="no such file"):
        NetRanker.load(tmp_path / "nowhere")


def test_the_net_as_a_torch_module() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    for hidden in (0, 4):
        ranker = _ranker(hidden=hidden).fit(TRAIN)
        scores = ranker.module()(torch.from_numpy(HELD.features))
        assert scores.tolist() == pytest.approx(ranker.predict(HELD).tolist(), abs=1e-5)


def test_conventions_of_scikit_learn() -> None:
    base = pytest.importorskip("sklearn.base", reason="scikit-learn is not installed")
    ranker = _ranker(objective="AP", random_state=3)
    copy = base.clone(ranker)
    assert copy.get_params() == ranker.get_params()
    assert repr(copy) == (
        "NetRanker(epochs=6, hidden=3, learning_rate=0.05, objective='AP', random_state=3)"
    )
    assert ranker.set_params(hidden=2) is ranker
    assert ranker.hidden == 2
    with pytest.raises(GradewiseError, match="no parameter 'hiden'; did you mean hidden"):
        ranker.set_params(hiden=3)
    with pytest.raises(GradewiseError, match="not trained yet"):
        ranker.predict(HELD)


def test_group_and_topic_and_feature_set_are_the_same() -> None:
    x, y, sizes = TRAIN.features, TRAIN.grades, TRAIN.sizes
    by_set = _ranker().fit(TRAIN, eval_set=[HELD])
    by_group = _ranker().fit(
        x, y, group=sizes, eval_set=[(HELD.features, HELD.grades)], eval_group=[HELD.sizes]
    )
    by_topic = _ranker().fit(x, y, qid=TRAIN.owner, eval_set=[HELD])
    assert _same(by_set, by_group)
    assert _same(by_set, by_topic)
    mixed = np.random.default_rng(1).permutation(len(x))
    found = by_set.predict(x[mixed], qid=TRAIN.owner[mixed])
    # in single precision, a matrix product may round a row differently in another place
    np.testing.assert_allclose(found, by_set.predict(x)[mixed], rtol=1e-6)
    normal = _ranker(normalize="minmax").fit(TRAIN)
    found = normal.predict(x[mixed], qid=TRAIN.owner[mixed])
    assert found.tolist() == pytest.approx(normal.predict(x, group=sizes)[mixed].tolist())
    with pytest.raises(GradewiseError, match="give group or qid"):
        normal.predict(x)


def test_permuting_documents_permutes_scores() -> None:
    ranker = _ranker().fit(TRAIN)
    mixed = np.random.default_rng(2).permutation(len(HELD.features))
    found = ranker.predict(HELD.features[mixed])
    assert found.tolist() == pytest.approx(ranker.predict(HELD)[mixed].tolist(), abs=1e-6)


def test_normalizing_by_topic() -> None:
    data = from_arrays([[1.0, 4], [3, 4], [2, 4], [7, 9]], [0, 1, 0, 1], group=[3, 1])
    assert normalize(data, "minmax").features.tolist() == [[0, 0], [1, 0], [0.5, 0], [0, 0]]
    found = normalize(data, "zscore").features
    root = 1.5**0.5
    assert found[:, 0].tolist() == pytest.approx([-root, root, 0, 0], abs=1e-6)
    assert found[:, 1].tolist() == [0, 0, 0, 0]
    assert normalize(data, "none") is data
    with pytest.raises(GradewiseError, match="normalize must be one of"):
        normalize(data, "max")  # type: ignore[arg-type]


def _odd(grades: list[list[int]]) -> FeatureSet:
    sizes = [len(part) for part in grades]
    x = np.random.default_rng(0).normal(size=(sum(sizes), 4))
    return from_arrays(x, np.concatenate(grades), group=sizes)


def test_topics_that_teach_nothing_are_counted_and_change_nothing() -> None:
    odd = _odd([[0, 0, 0], [1], [2, 2], [0, 0]])
    both = from_arrays(
        np.concatenate([TRAIN.features, odd.features]),
        np.concatenate([TRAIN.grades, odd.grades]),
        group=np.concatenate([TRAIN.sizes, odd.sizes]),
    )
    ranker = _ranker().fit(both, eval_set=[HELD])
    assert ranker.notes_ == (
        "2 topics without a relevant document left out of training",
        "1 topic with a single document left out of training",
        "1 topic whose documents all have the same grade left out of training",
    )
    assert _ranker().fit(TRAIN).notes_ == ()


@pytest.mark.parametrize(
    ("options", "data", "held", "message"),
    [
        (
            {},
            _odd([[0, 0], [1, 1]]),
            None,
            "no topic to learn from (n_samples = 4): 1 topic without a",
        ),
        ({"objective": "GAP(g=[1.0])"}, TRAIN, None, "has 1 number, but the qrels have 2 positive"),
        ({"objective": "GAPP"}, TRAIN, None, "there is no measure 'GAPP'; did you mean"),
        ({"objective": "Bpref"}, TRAIN, None, "Bpref cannot be an objective"),
        ({"algorithm": "softrank", "objective": "ERR"}, TRAIN, None, "ERR has no soft version"),
        ({"algorithm": "lambdrank"}, TRAIN, None, "did you mean lambdarank"),
        ({"optimizer": "adm"}, TRAIN, None, "did you mean adam"),
        ({"epochs": 0}, TRAIN, None, "epochs must be at least 1, not 0"),
        ({"hidden": -1}, TRAIN, None, "hidden must be 0 (a linear net) or more"),
        ({"sigma": 0.0}, TRAIN, None, "sigma must be above 0"),
        ({"truncation": 0}, TRAIN, None, "truncation must be at least 1"),
        ({"learning_rate": -1.0}, TRAIN, None, "learning_rate must be above 0, not -1"),
        ({"learning_rate": []}, TRAIN, None, "learning_rate must name at least one learning rate"),
        ({"learning_rate": 1e38, "hidden": 0}, TRAIN, None, "training diverged in epoch"),
        ({"eval_measure": "ADM"}, TRAIN, None, "ADM cannot choose an epoch"),
        ({"eval_measure": "RHL"}, TRAIN, None, "RHL cannot choose an epoch"),
        ({}, TRAIN, _topics(width=5), "X has 5 features, but NetRanker is expecting 4 features"),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
def test_bad_input_gets_a_sentence(
    options: dict[str, Any], data: FeatureSet, held: FeatureSet | None, message: str
) -> None:
    with pytest.raises(GradewiseError) as caught:
        _ranker(**options).fit(data, eval_set=held)
    assert message in str(caught.value)


def test_other_features_or_grades_when_it_is_used() -> None:
    ranker = _ranker().fit(TRAIN)
    with pytest.raises(
        GradewiseError, match="X has 5 features, but NetRanker is expecting 4 features"
    ):
        ranker.predict(_topics(width=5))
    with pytest.raises(
        GradewiseError, match="X has 5 features, but NetRanker is expecting 4 features"
    ):
        ranker.score(_topics(width=5))
    with pytest.raises(GradewiseError, match="is nan"):
        ranker.predict(np.full((2, 4), np.nan))
    with pytest.raises(GradewiseError, match="requires y to be passed"):
        ranker.fit(TRAIN.features)
    more = from_arrays(HELD.features, HELD.grades + 1, group=HELD.sizes)
    assert 0 < ranker.score(more, measure="nDCG") <= 1
