"""What `fit` takes besides features and grades: weights, first scores, and a net to continue."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import GradewiseError

RATE = 0.05


def _topics(seed: int, lists: int = 12) -> gw.learn.FeatureSet:
    """Grades follow from two features of four, and noise."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(5, 12, lists)
    x = rng.normal(size=(sizes.sum(), 4))
    worth = x[:, 0] - 0.7 * x[:, 1] + 0.5 * rng.normal(size=len(x))
    return gw.learn.from_arrays(x, np.digitize(worth, [0.3, 1.0]), group=sizes)


DATA, HELD = _topics(1), _topics(2)
ROWS = {"X": DATA.features, "y": DATA.grades, "group": DATA.sizes}


def _net(**options: Any) -> gw.learn.NetRanker:
    """A linear net that takes one step an epoch, along a gradient that has no chance in it."""
    usual = {"hidden": 0, "batch_size": len(DATA), "learning_rate": RATE, "epochs": 1}
    return gw.learn.NetRanker("softrank", "AP", **{**usual, **options})


def _step(**given: Any) -> Any:
    """Return by how much a step changes the weights of a net."""
    before = _net(learning_rate=1e-30).fit(**ROWS).weights_["weight0"]
    return _net().fit(**ROWS, **given).weights_["weight0"].astype(float) - before


def test_a_step_is_linear_in_the_weights_of_lists() -> None:
    rng = np.random.default_rng(0)
    some, others = rng.random(len(DATA)), rng.random(len(DATA))
    together = _step(sample_weight=some + others)
    assert _step(sample_weight=some) + _step(sample_weight=others) == pytest.approx(together, 1e-4)
    assert _step(sample_weight=np.ones(len(DATA))) == pytest.approx(_step(), 1e-5)
    by_row = some.repeat(DATA.sizes)
    assert _step(sample_weight=by_row) == pytest.approx(_step(sample_weight=some), 1e-5)


def test_a_list_without_weight_teaches_nothing() -> None:
    weight = np.ones(len(DATA))
    weight[-1] = 0
    rows = len(DATA.grades) - DATA.sizes[-1]
    less = {"X": DATA.features[:rows], "y": DATA.grades[:rows], "group": DATA.sizes[:-1]}
    before = _net(learning_rate=1e-30).fit(**less).weights_["weight0"]
    # A step is a mean over lists, of which there is one less.
    alone = _net().fit(**less).weights_["weight0"].astype(float) - before
    expected = alone * (len(DATA) - 1) / len(DATA)
    assert _step(sample_weight=weight) == pytest.approx(expected, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("algorithm", ["softrank", "listnet"])
def test_first_scores_add_to_those_of_the_net(algorithm: Any, tmp_path: Path) -> None:
    """Scores Xu + Xv are the same whether v is in the net that is continued or given."""
    first = _net().fit(**ROWS)
    shift = np.array([[0.4, -0.2, 0.1, 0.3]], np.float32)
    moved = _net().fit(**ROWS)
    moved.weights_ = {"weight0": first.weights_["weight0"] + shift}
    moved.save(tmp_path / "moved.safetensors")
    options = {"algorithm": algorithm, "epochs": 8, "learning_rate": 0.2}
    own = _net().set_params(**options)
    held = {"eval_set": [HELD]}
    own.fit(**ROWS, **held, init_model=tmp_path / "moved.safetensors")
    given = _net().set_params(**options)
    starts = [(data.features @ shift[0]).astype(float) for data in (DATA, HELD)]
    given.fit(**ROWS, **held, init_model=first, init_score=starts[0], eval_init_score=starts[1:])
    assert given.weights_["weight0"] + shift == pytest.approx(own.weights_["weight0"], abs=1e-5)
    assert (given.best_epoch_, given.best_value_) == (own.best_epoch_, own.best_value_)


def test_weights_of_the_evaluation_set_choose_the_epoch() -> None:
    """All the weight on one list is as good as that list alone."""
    weight = np.zeros(len(HELD))
    weight[3] = 2.0
    rows = HELD.rows_of(3)
    alone = (HELD.features[rows], HELD.grades[rows])
    options = {"batch_size": 1, "epochs": 30, "learning_rate": 0.3}
    one = _net(**options).fit(**ROWS, eval_set=[alone], eval_group=[[HELD.sizes[3]]])
    held = {"eval_set": [HELD], "eval_sample_weight": [weight]}
    found = _net(**options).fit(**ROWS, **held)
    assert (found.best_epoch_, found.best_value_) == (one.best_epoch_, one.best_value_)
    plain = _net(**options).fit(**ROWS, eval_set=[HELD])
    assert plain.best_value_ != one.best_value_


def test_rows_in_any_order_and_frames() -> None:
    import pandas as pd

    rng = np.random.default_rng(5)
    qid = np.arange(len(DATA)).repeat(DATA.sizes)
    weight, start = rng.random(len(qid)), rng.normal(size=len(qid))
    listed = _net().fit(**ROWS, sample_weight=weight, init_score=start)
    # Rows of different lists change places; the order within a list, and of lists, stays.
    order = np.lexsort((np.arange(len(qid)), np.concatenate([np.arange(s) for s in DATA.sizes])))
    frame = pd.DataFrame(DATA.features[order], columns=list("abcd")).assign(qid=qid[order])
    mixed = _net().fit(
        frame, DATA.grades[order], sample_weight=weight[order], init_score=start[order]
    )
    assert mixed.weights_["weight0"] == pytest.approx(listed.weights_["weight0"], abs=1e-7)
    held = {"sample_weight": weight, "init_score": start}
    named = pd.DataFrame(DATA.features, columns=list("abcd"))
    other = _net().fit(
        named,
        DATA.grades,
        group=DATA.sizes,
        **held,
        eval_set=[(frame, DATA.grades[order])],
        eval_sample_weight=[weight[order]],
        eval_init_score=[start[order]],
    )
    same = _net().fit(
        **ROWS, **held, eval_set=[DATA], eval_sample_weight=[weight], eval_init_score=[start]
    )
    assert other.best_value_ == pytest.approx(same.best_value_, abs=1e-12)


def test_a_net_goes_on_from_another() -> None:
    first = gw.learn.NetRanker(hidden=3, epochs=15).fit(**ROWS)
    still = gw.learn.NetRanker(hidden=3, epochs=1, learning_rate=1e-30).fit(
        **ROWS, init_model=first
    )
    assert still.predict(HELD) == pytest.approx(first.predict(HELD), abs=1e-6)
    position = np.concatenate([np.arange(1, size + 1) for size in DATA.sizes])
    biased = gw.learn.NetRanker(hidden=0, epochs=5).fit(**ROWS, position=position)
    on = gw.learn.NetRanker(hidden=0, epochs=1, learning_rate=1e-30)
    on.fit(**ROWS, position=position, init_model=biased)
    assert on.position_bias_ == pytest.approx(biased.position_bias_, abs=1e-6)


@pytest.mark.parametrize(
    ("options", "given", "told"),
    [
        ({}, {"sample_weight": [1.0]}, "sample_weight must have one number for each of"),
        ({}, {"sample_weight": -np.ones(len(DATA))}, "finite number of 0 or more"),
        ({}, {"init_score": [1.0]}, "init_score must have one number for each of"),
        ({}, {"init_score": np.full(len(DATA.grades), np.nan)}, "not a finite number"),
        ({}, {"eval_sample_weight": [[1.0]]}, "eval_sample_weight describes 1 sets"),
        ({"hidden": 5}, {"init_model": 0}, "init_model has 0 hidden units, not 5"),
        ({"normalize": "zscore"}, {"init_model": 0}, "features normalized by 'none', not 'zscore'"),
        ({}, {"init_model": "missing.safetensors"}, "missing.safetensors"),
        (
            {},
            {"init_model": 0, "position": np.ones(len(DATA.grades))},
            "does not know its position biases",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(
    options: dict[str, Any], given: dict[str, Any], told: str
) -> None:
    if given.get("init_model") == 0:
        given = {**given, "init_model": _net().fit(**ROWS)}
    with pytest.raises(GradewiseError) as caught:
        _net(**options).fit(**ROWS, **given)
    assert told in str(caught.value)


def test_labels_that_are_no_grades_are_refused_with_a_way_out() -> None:
    with pytest.raises(GradewiseError, match="TreeRanker takes other labels"):
        _net().fit(DATA.features, DATA.grades + 0.5, group=DATA.sizes)


def test_checkpoints_know_the_inputs_again(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint"
    weight = np.linspace(1, 2, len(DATA))
    _net(epochs=2, checkpoint=path).fit(**ROWS, sample_weight=weight)
    _net(epochs=2, checkpoint=path).fit(**ROWS, sample_weight=weight)
    with pytest.raises(GradewiseError, match="other data or options"):
        _net(epochs=2, checkpoint=path).fit(**ROWS, sample_weight=weight[::-1])
    with pytest.raises(GradewiseError, match="other data or options"):
        _net(epochs=2, checkpoint=path).fit(**ROWS, init_score=np.ones(len(DATA.grades)))
