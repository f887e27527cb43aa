"""What to judge next: the worth of a document by enumeration, and what judging it brings."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import special

import gradewise as gw
from gradewise.errors import MeasureError, OptionError

QRELS = {
    "a": {"t": {"u": 2, "v": 1, "w": 0, "x": 1}, "s": {"u": 1, "w": 2, "y": 0}},
    "b": {"t": {"u": 2, "v": 0, "w": 0, "x": 2}, "s": {"u": 0, "w": 2, "y": 1}},
    "c": {"t": {"u": 1, "v": 0, "w": 1, "x": 2}, "s": {"u": 1, "w": 2, "y": 1}},
}
RUNS = {
    "one": {"t": {"v": 5, "q": 4, "u": 3, "x": 2}, "s": {"u": 2, "w": 1}},
    "two": {"t": {"u": 5, "x": 4, "w": 3}, "s": {"w": 2, "y": 1.5, "u": 1}},
}
Z = special.ndtri(0.975)


@pytest.fixture(scope="module")
def labels() -> gw.meta.SoftLabels:
    return gw.meta.combine_judges(gw.meta.judges(QRELS), "majority")


def given(labels: gw.meta.SoftLabels, measure: str) -> tuple[float, dict[int, list[float]]]:
    """The expected difference of the runs, and that given each level of each document."""
    panel, chances = labels.panel, labels.chances
    likely = panel.under_levels(panel.join(RUNS), labels.levels)
    found = {row: [0.0] * 3 for row in range(len(chances))}
    mean = 0.0
    for levels in product(range(3), repeat=len(chances)):
        weight = math.prod(chances[row, level] for row, level in enumerate(levels))
        if weight:
            hits = replace(likely.hits, level=np.array(levels)[likely.hit_rows])
            one, two = (
                gw.parse_measure(measure).values(replace(likely, hits=hits)).reshape(2, 2).mean(1)
            )
            mean += weight * (one - two)
            for row, level in enumerate(levels):
                found[row][level] += weight / chances[row, level] * (one - two)
    return mean, found


@pytest.mark.parametrize("measure", ["AP", "GAP", "nDCG", "RBP", "P@2"])
def test_gains_follow_from_the_difference_given_each_grade(
    labels: gw.meta.SoftLabels, measure: str
) -> None:
    mean, by_level = given(labels, measure)
    own = {
        row: sum(p * (x - mean) ** 2 for p, x in zip(labels.chances[row], values, strict=True) if p)
        for row, values in by_level.items()
    }
    variance = sum(own.values())
    names = labels.panel.docs.to_list()
    topics = [labels.panel.topics[t] for t in labels.panel.topic]
    for aim in ("width", "order"):
        expected = {}
        for row, values in by_level.items():
            shrink = Z * (math.sqrt(variance) - math.sqrt(max(variance - own[row], 0)))
            lead = sum(p * abs(x) for p, x in zip(labels.chances[row], values, strict=True) if p)
            worth = 2 * shrink if aim == "width" else shrink + lead - abs(mean)
            expected[topics[row], names[row]] = worth
        found = gw.meta.judge_next(RUNS, labels, measure, number=99, aim=aim, unlabeled=False)
        rows = dict(zip(zip(found.topics, found.documents, strict=True), found.gain, strict=True))
        assert rows == pytest.approx({k: v for k, v in expected.items() if v > 1e-12}, abs=1e-9)
        assert (np.diff(found.gain) <= 0).all()


def test_documents_that_nobody_labeled_are_worth_what_they_take_from_the_range(
    labels: gw.meta.SoftLabels,
) -> None:
    found = gw.meta.judge_next(RUNS, labels, "P@2", number=99)
    free = gw.distance.judge_next(RUNS, labels.qrels(), "P@2", number=99)
    gains = dict(zip(zip(found.topics, found.documents, strict=True), found.gain, strict=True))
    assert free.documents == ("q",)
    assert gains["t", "q"] == pytest.approx(free.shrink[0])
    row = found.frame.filter(document="q").row(0, named=True)
    assert row["labeled"] is False
    assert row["expected"] is None
    order = gw.meta.judge_next(RUNS, labels, "P@2", number=99, aim="order")
    gains = dict(zip(order.documents, order.gain, strict=True))
    assert gains["q"] == pytest.approx(free.shrink[0] / 2)


def test_what_is_certain_is_not_asked() -> None:
    people = {"t": {"u": 2, "v": 1, "w": 0, "x": 1}}
    panel = gw.meta.judges({"people": people, **QRELS})
    labels = gw.meta.combine_judges(panel, "majority", truth="people")
    found = gw.meta.judge_next(RUNS, labels, "AP", number=99, unlabeled=False)
    assert set(found.topics) == {"s"}
    assert found.pool() == "".join(f"s 0 {d}\n" for d in found.documents)
    assert gw.read_qrels({"s": dict.fromkeys(found.documents, 1)}).docs.to_list() == list(
        found.documents
    )


def test_judging_what_is_asked_brings_more_than_chance() -> None:
    """Fifty labels, chosen or random: the label error of the difference afterwards."""
    rng = np.random.default_rng(0)
    sample = gw.simulate.collection(topics=25, runs=2, depth=60, relevant=20, seed=3)
    truth = sample.qrels.to_dict()
    noisy = {
        f"m{k}": {
            t: {d: g if rng.random() < 0.7 else int(rng.integers(0, 3)) for d, g in held.items()}
            for t, held in truth.items()
        }
        for k in range(3)
    }
    first = list(truth)[:3]
    people = {t: dict(truth[t]) for t in first}
    panel = gw.meta.judges({"people": people, **noisy})
    labels = gw.meta.combine_judges(panel, "calibrated", truth="people")
    chosen = gw.meta.judge_next(sample.runs, labels, "RBP", number=50, unlabeled=False)
    everything = [(t, d) for t in truth if t not in first for d in truth[t]]
    lists = {
        "chosen": list(zip(chosen.topics, chosen.documents, strict=True)),
        "random": [everything[k] for k in rng.permutation(len(everything))[:50]],
    }
    errors = {}
    for name, asked in lists.items():
        more = {t: dict(held) for t, held in people.items()}
        for topic, document in asked:
            more.setdefault(topic, {})[document] = truth[topic][document]
        after = gw.meta.judges({"people": more, **noisy})
        soft = gw.meta.combine_judges(after, "calibrated", truth="people")
        scores = gw.meta.soft_scores(after.join(sample.runs), soft, "RBP", draws=200)
        errors[name] = scores.pairs["label_error"].item()
    before = gw.meta.soft_scores(panel.join(sample.runs), labels, "RBP", draws=200)
    assert errors["chosen"] < 0.8 * before.pairs["label_error"].item()
    assert errors["chosen"] < 0.85 * errors["random"]


def test_wrong_options_are_explained(labels: gw.meta.SoftLabels) -> None:
    with pytest.raises(OptionError, match="1 run given"):
        gw.meta.judge_next({"one": RUNS["one"]}, labels, "AP")
    with pytest.raises(OptionError, match="number must be at least 1"):
        gw.meta.judge_next(RUNS, labels, "AP", number=0)
    with pytest.raises(OptionError, match="aim must be one of"):
        gw.meta.judge_next(RUNS, labels, "AP", aim="gap")  # type: ignore[arg-type]
    with pytest.raises(MeasureError, match="no closed form"):
        gw.meta.judge_next(RUNS, labels, "RR")
