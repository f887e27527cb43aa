"""Judges combined: votes, Dawid and Skene's model, and how sure the result may be."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import OptionError
from gradewise.meta.judging.combine import COMBINATIONS
from gradewise.meta.judging.dawid_skene import dawid_skene, votes
from gradewise.meta.judging.panel import NONE

CROWD_KIT = json.loads((Path(__file__).parent / "crowd_kit.json").read_text(encoding="utf-8"))


def draw_labels(seed: int, judges: int = 4, documents: int = 200, grades: int = 3) -> Any:
    """True grades, and labels of judges who are right with various chances."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(grades, documents, p=np.array([4, 2, 1]) / 7)
    skill = rng.uniform(0.55, 0.9, judges)
    guess = rng.integers(0, grades, (judges, documents))
    labels = np.where(rng.random((judges, documents)) < skill[:, None], truth, guess)
    labels[rng.random(labels.shape) < 0.1] = NONE
    return truth, labels


def panel_of(labels: Any, names: str = "abcdefgh") -> gw.meta.Panel:
    """A panel of labels, ten documents to a topic; grade 2 occurs for all judges."""
    qrels: dict[str, dict[str, dict[str, int]]] = {}
    for name, row in zip(names, labels, strict=False):
        for place in np.flatnonzero(row != NONE).tolist():
            held = qrels.setdefault(name, {}).setdefault(f"t{place // 10:03d}", {})
            held[f"d{place:04d}"] = int(row[place])
    return gw.meta.judges(qrels)


@pytest.mark.parametrize("case", CROWD_KIT["cases"])
def test_dawid_skene_equals_crowd_kit(case: dict[str, Any]) -> None:
    labels, grades = np.array(case["labels"]), case["grades"]
    found = dawid_skene(labels, grades, tolerance=1e-12)
    np.testing.assert_allclose(found.chances, case["chances"], atol=1e-7)
    np.testing.assert_allclose(found.prior, case["prior"], atol=1e-7)
    known = np.full(labels.shape[1], NONE)
    known[: len(case["truth"])] = case["truth"]
    pinned = dawid_skene(labels, grades, known=known, tolerance=1e-12)
    np.testing.assert_allclose(pinned.chances, case["pinned"], atol=1e-7)


@pytest.mark.parametrize("case", CROWD_KIT["cases"])
def test_votes_weighed_by_agreement_equal_crowd_kit(case: dict[str, Any]) -> None:
    labels = np.array(case["labels"])
    known = np.full(labels.shape[1], NONE)
    found = COMBINATIONS["agreement"].function(labels, case["grades"], known)
    np.testing.assert_allclose(found.chances, case["weighted"], atol=1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_dawid_skene_equals_crowd_kit_on_random_labels(seed: int) -> None:
    reason = "crowd-kit is not installed"
    crowd = pytest.importorskip("crowdkit.aggregation", reason=reason)
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    _, labels = draw_labels(seed)
    rows = [(d, j, labels[j, d]) for j, d in product(range(4), range(200)) if labels[j, d] != NONE]
    data = pandas.DataFrame(rows, columns=["task", "worker", "label"])
    theirs = crowd.DawidSkene(n_iter=500, tol=-1).fit(data).probas_.sort_index()
    found = dawid_skene(labels, 3, tolerance=1e-12).chances
    np.testing.assert_allclose(found[theirs.index], theirs[[0, 1, 2]].values, atol=1e-6)


def test_dawid_skene_is_a_fixed_point_of_its_equations() -> None:
    """The chances follow from p and π by Bayes' rule, and p and π from the chances."""
    _, labels = draw_labels(1)
    found = dawid_skene(labels, 3, tolerance=1e-13)
    for place in range(0, labels.shape[1], 17):
        weight = np.array(found.prior)
        for judge, label in enumerate(labels[:, place]):
            if label != NONE:
                weight = weight * found.confusion[judge, :, label]
        np.testing.assert_allclose(found.chances[place], weight / weight.sum(), atol=1e-9)
    np.testing.assert_allclose(found.chances.mean(axis=0), found.prior, atol=1e-9)
    for judge, row in enumerate(labels):
        for grade in range(3):
            labeled = row != NONE
            share = found.chances[labeled & (row == grade)].sum(axis=0)
            share = share / found.chances[labeled].sum(axis=0)
            np.testing.assert_allclose(found.confusion[judge, :, grade], share, atol=1e-8)


def test_dawid_skene_finds_who_is_good() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 3000)
    skill = (0.95, 0.9, 0.6, 0.2)  # the last is worse than chance
    labels = np.array([np.where(rng.random(3000) < s, truth, 1 - truth) for s in skill])
    found = dawid_skene(labels, 2)
    right = np.array([np.trace(table) / 2 for table in found.confusion])
    np.testing.assert_allclose(right, skill, atol=0.04)
    best = (found.chances.argmax(axis=1) == truth).mean()
    assert best > (votes(labels, 2).argmax(axis=1) == truth).mean() + 0.02


@pytest.mark.parametrize("method", list(COMBINATIONS))
def test_every_method_gives_distributions(method: str) -> None:
    truth, labels = draw_labels(3)
    panel = panel_of([truth, *labels])
    found = gw.meta.combine_judges(panel, method, truth="a" if method == "calibrated" else None)
    assert found.chances.shape == (len(panel), 3)
    assert (found.chances >= 0).all()
    np.testing.assert_allclose(found.chances.sum(axis=1), 1, atol=1e-12)


@pytest.mark.parametrize("method", list(COMBINATIONS))
def test_the_truth_is_certain(method: str) -> None:
    truth, labels = draw_labels(4)
    truth[100:] = NONE
    panel = panel_of([truth, *labels])
    found = gw.meta.combine_judges(panel, method, truth="a")
    known = panel.levels[0]
    assert (found.chances[known != NONE].max(axis=1) == 1).all()
    assert (found.levels[known != NONE] == known[known != NONE]).all()
    assert found.uncertain.any()
    assert found.judges == ("b", "c", "d", "e")


def test_two_grades_make_no_difference_to_the_ordinal_form() -> None:
    _, labels = draw_labels(5)
    labels = np.minimum(labels, 1)
    panel = panel_of(labels)
    plain, ordinal = (gw.meta.combine_judges(panel, m) for m in ("dawid-skene", "ordinal"))
    np.testing.assert_allclose(plain.chances, ordinal.chances, atol=1e-12)


def test_the_ordinal_form_asks_each_threshold() -> None:
    _, labels = draw_labels(6)
    panel = panel_of(labels)
    found = gw.meta.combine_judges(panel, "ordinal")
    first, second = (
        dawid_skene(np.where(panel.levels == NONE, NONE, panel.levels >= grade), 2).chances[:, 1]
        for grade in (1, 2)
    )
    np.testing.assert_allclose(found.chances[:, 1:].sum(axis=1), first, atol=1e-12)
    np.testing.assert_allclose(found.chances[:, 2], np.minimum(first, second), atol=1e-12)
    assert (second > first).any()  # asked apart, a higher grade can seem more likely than a lower


def test_copies_of_a_judge_add_no_certainty_when_calibrated() -> None:
    truth, labels = draw_labels(7, judges=1, documents=4000)
    known = truth.copy()
    known[2000:] = NONE
    copied = [known, *[labels[0]] * 5]
    panel = panel_of([*copied, truth], "abcdefz")
    models = list("bcdef")
    sure = gw.meta.combine_judges(panel, "dawid-skene", judges=models, truth="a")
    fair = gw.meta.combine_judges(panel, "calibrated", judges=models, truth="a")
    assert fair.temperature == pytest.approx(5, rel=0.15)  # five judges count as one
    assert fair.quality("z")["log_loss"] < sure.quality("z")["log_loss"]
    one = gw.meta.combine_judges(panel, "calibrated", judges=["b"], truth="a")
    np.testing.assert_allclose(fair.chances, one.chances, atol=0.05)
    for chance, share, documents in fair.calibration("z").rows():
        if documents > 300:
            assert share == pytest.approx(chance, abs=0.06)


def test_quality_by_hand() -> None:
    same = {"t": {"x": 1, "y": 0}}
    qrels = {"a": same, "b": {"t": {"x": 0, "y": 0}}, "z": same}
    found = gw.meta.combine_judges(gw.meta.judges(qrels), "majority", judges=["a", "b"])
    # x has chances .5 and .5; y is certain and says nothing about how sure one may be
    quality = found.quality("z")
    assert quality["brier"] == pytest.approx(0.5)
    assert quality["log_loss"] == pytest.approx(np.log(2))
    assert quality["accuracy"] == 0  # of equally likely grades, the lowest is taken
    assert found.calibration("z").rows() == [(0.5, 0.5, 2)]


def test_frames() -> None:
    truth, labels = draw_labels(8)
    found = gw.meta.combine_judges(panel_of([truth, *labels]), "majority")
    frame = found.frame
    assert frame.columns == ["topic", "document", "grade", "expected", "P(0)", "P(1)", "P(2)"]
    assert len(frame) == 200
    reliability = found.reliability.filter(judge="a", true=2)
    assert reliability["chance"].sum() == pytest.approx(1)
    assert found.qrels().to_dict()["t000"]["d0000"] == int(found.levels[0])


def test_drawn_levels_follow_the_chances() -> None:
    _, labels = draw_labels(9)
    found = gw.meta.combine_judges(panel_of(labels), "majority")
    rng = np.random.default_rng(0)
    drawn = np.stack([found.draw(rng) for _ in range(2000)])
    shares = np.stack([(drawn == level).mean(axis=0) for level in range(3)], axis=1)
    np.testing.assert_allclose(shares, found.chances, atol=0.06)
    certain = found.chances.max(axis=1) == 1
    assert (drawn[:, certain] == found.levels[certain]).all()


def test_documents_without_labels_get_the_mean() -> None:
    panel = gw.meta.judges({"a": {"t": {"x": 1, "y": 0, "z": 0}}, "b": {"t": {"w": 1}}})
    found = gw.meta.combine_judges(panel, "majority", judges=["a"])
    place = panel.docs.to_list().index("w")
    assert found.chances[place].tolist() == pytest.approx([2 / 3, 1 / 3])


def test_wrong_options_are_explained() -> None:
    panel = panel_of(draw_labels(10)[1])
    with pytest.raises(OptionError, match="cannot both be the truth"):
        gw.meta.combine_judges(panel, judges=["a", "b"], truth="a")
    with pytest.raises(OptionError, match="method must be one of"):
        gw.meta.combine_judges(panel, "median")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="need a judge whose labels are the truth"):
        gw.meta.combine_judges(panel, "calibrated")
    with pytest.raises(OptionError, match="no judges left"):
        gw.meta.combine_judges(panel, judges=[])
    with pytest.raises(OptionError, match="was combined with the others"):
        gw.meta.combine_judges(panel).quality("a")
