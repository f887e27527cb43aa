"""Panels: labels of several judges side by side, on one scale."""

import random

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import InputError, OptionError
from gradewise.meta.judging.panel import NONE
from gradewise.meta.judging.scales import fit_map
from gradewise.stats.agreement import cohen_kappa
from oracles.agreement import best_monotone_maps

Labels = dict[str, dict[str, int]]


def random_labels(seed: int, *, grades: int, gaps: float = 0.3) -> Labels:
    rng = random.Random(seed)
    labels = {
        f"{topic}": {f"d{d}": rng.randrange(grades) for d in range(12) if rng.random() > gaps}
        for topic in rng.sample(range(1, 12), 6)
    }
    labels["1"] = {f"d{d}": d % grades for d in range(12)}  # every grade occurs
    return labels


@pytest.mark.parametrize("seed", range(10))
def test_rows_hold_every_label_once(seed: int) -> None:
    qrels = {name: random_labels(seed + 50 * k, grades=4) for k, name in enumerate("abc")}
    panel = gw.meta.judges(qrels)
    assert list(panel.topics) == sorted({t for q in qrels.values() for t in q}, key=int)
    documents = panel.docs.to_list()
    rows = list(zip(panel.topic.tolist(), documents, strict=True))
    assert len(set(rows)) == len(rows)
    for name, levels in zip(panel.judges, panel.levels, strict=True):
        found: Labels = {}
        for (topic, document), level in zip(rows, levels.tolist(), strict=True):
            if level != NONE:
                found.setdefault(panel.topics[topic], {})[document] = level
        assert found == {topic: held for topic, held in qrels[name].items() if held}
        assert panel.qrels(name).to_dict() == found


@pytest.mark.parametrize("seed", range(10))
def test_lists_under_a_judge_are_those_joined_with_the_judge_s_qrels(seed: int) -> None:
    qrels = {name: random_labels(seed + 50 * k, grades=4) for k, name in enumerate("abc")}
    panel = gw.meta.judges(qrels)
    rng = random.Random(seed)
    run = {
        topic: {f"d{d}": rng.random() for d in range(15) if rng.random() < 0.8}
        for topic in panel.topics
    }
    joined = panel.join({"run": run})
    measures = [
        "AP",
        "nDCG@5",
        "GAP",
        "eGAP",
        "Bpref",
        "Q",
        "P(rel=2)@3",
    ]
    for name in panel.judges:
        found = gw.score_judged(panel.under(joined, name), measures)
        expected = gw.evaluate(qrels[name], {"run": run}, measures)
        held = [panel.topics.index(topic) for topic in expected.topics]
        np.testing.assert_allclose(found.values[:, held], expected.values, atol=1e-12)


@pytest.mark.parametrize("seed", range(60))
def test_the_fitted_map_has_the_highest_kappa_of_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = rng.integers(2, 6), rng.integers(2, 5)
    table = rng.integers(0, 6, shape) + rng.integers(0, 20, shape) * (rng.random(shape) < 0.4)
    table[0, 0] += 1
    best, _ = best_monotone_maps(table.tolist())
    found = fit_map(table)
    assert found[0] == 0
    assert (np.diff(found) >= 0).all()
    mapped = np.zeros((shape[1], shape[1]))
    np.add.at(mapped, found, table)
    assert np.nan_to_num(cohen_kappa(mapped, weights="quadratic")) == pytest.approx(best, abs=1e-9)


def test_scales() -> None:
    people = {"t": {"a": 3, "b": 2, "c": 1, "d": 0, "e": 0}}
    same = {"t": {"a": 3, "b": 3, "c": 0, "d": 0, "e": -1}}
    binary = {"t": {"a": 1, "b": 1, "c": 0, "d": 0, "e": 0}}
    panel = gw.meta.judges({"people": people, "same": same, "binary": binary})
    assert [m.rule for m in panel.maps] == ["same", "same", "fitted"]
    assert panel.scale.tolist() == [0, 1, 2, 3]
    assert panel.qrels("same").to_dict() == {"t": {"a": 3, "b": 3, "c": 0, "d": 0, "e": 0}}
    assert set(panel.qrels("binary").to_dict()["t"].values()) == {0, panel.maps[2].grades[1]}
    given = gw.meta.judges({"people": people, "binary": binary}, maps={"binary": {0: 0, 1: 3}})
    assert given.qrels("binary").to_dict()["t"] == {"a": 3, "b": 3, "c": 0, "d": 0, "e": 0}
    assert given.notes == ("grades of binary: 0 as 0, 1 as 3, by the map that was given",)
    halves = {0: 0, 1: 0, 2: 1, 3: 1}
    coarse = gw.meta.judges({"people": people, "binary": binary}, maps={"people": halves})
    assert coarse.scale.tolist() == [0, 1]
    assert coarse.maps[1].rule == "same"
    kept = gw.meta.judges({"people": people, "binary": binary}, maps={"binary": "same"})
    assert kept.qrels("binary").to_dict() == {"t": {"a": 1, "b": 1, "c": 0, "d": 0, "e": 0}}


def test_a_map_may_use_a_grade_that_the_reference_lacks() -> None:
    people, model = {"t": {"a": 1, "b": 0}}, {"t": {"a": 2, "b": 0}}
    panel = gw.meta.judges({"people": people, "model": model}, maps={"model": {0: 0, 2: 3}})
    assert panel.scale.tolist() == [0, 1, 3]
    joined = panel.join({"run": {"t": {"b": 2.0, "a": 1.0}}})
    values = gw.score_judged(panel.under(joined, "model"), "DCG").values
    assert values.item() == pytest.approx(3 / np.log2(3))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reference": "peeple"}, "reference: no judge is named 'peeple'; did you mean people"),
        ({"maps": {"modal": "fit"}}, "maps: no judge is named 'modal'; did you mean model"),
        ({"maps": {"model": "fitted"}}, "the map for model must be one of 'same', 'fit'"),
        ({"maps": {"model": {0: 0}}}, "the map for model does not include grade 1"),
        ({"maps": {"model": {0: 1, 1: 0}}}, "puts a higher grade below a lower one"),
    ],
)
def test_wrong_options_are_explained(options: dict[str, object], message: str) -> None:
    qrels = {"people": {"t": {"a": 2, "b": 0}}, "model": {"t": {"a": 1, "b": 0}}}
    with pytest.raises(OptionError, match=message):
        gw.meta.judges(qrels, **options)  # type: ignore[arg-type]


def test_one_judge_is_no_panel_and_strangers_cannot_be_mapped() -> None:
    with pytest.raises(OptionError, match="1 judge given"):
        gw.meta.judges({"people": {"t": {"a": 1}}})
    with pytest.raises(InputError, match="no documents in common"):
        gw.meta.judges({"people": {"t": {"a": 2, "c": 1}}, "model": {"t": {"b": 1}}})
