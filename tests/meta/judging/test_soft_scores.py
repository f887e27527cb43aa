"""Scores under soft labels: exact with fixed counts, drawn for the rest."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import MeasureError, OptionError

QRELS = {
    "a": {"t": {"u": 2, "v": 1, "w": 0, "x": 1}, "s": {"u": 1, "w": 2}},
    "b": {"t": {"u": 2, "v": 0, "w": 0, "x": 2}, "s": {"u": 0, "w": 2}},
    "c": {"t": {"u": 1, "v": 0, "w": 1, "x": 2}, "s": {"u": 1, "w": 2}},
}
RUNS = {
    "one": {"t": {"v": 5, "q": 4, "u": 3, "x": 2}, "s": {"u": 2, "w": 1}},
    "two": {"t": {"u": 5, "x": 4, "w": 3}, "s": {"w": 2, "u": 1}},
}
MEASURES = ["AP", "nDCG@2", "GAP", "eGAP", "RBP", "RR"]


@pytest.fixture(scope="module")
def labels() -> gw.meta.SoftLabels:
    return gw.meta.combine_judges(gw.meta.judges(QRELS), "majority")


@pytest.fixture(scope="module")
def scores(labels: gw.meta.SoftLabels) -> gw.meta.SoftScores:
    judged = labels.panel.join(RUNS)
    return gw.meta.soft_scores(judged, labels, MEASURES, draws=4000, seed=1)


def every_label_set(labels: gw.meta.SoftLabels) -> list[tuple[float, np.ndarray]]:
    """All label sets with their probabilities."""
    found = []
    for levels in product(range(3), repeat=len(labels.chances)):
        weight = float(np.prod([labels.chances[row, level] for row, level in enumerate(levels)]))
        if weight:
            found.append((weight, np.array(levels)))
    return found


def test_exact_moments_with_the_counts_of_the_likely_labels(
    labels: gw.meta.SoftLabels, scores: gw.meta.SoftScores
) -> None:
    panel = labels.panel
    likely = panel.under_levels(panel.join(RUNS), labels.levels)
    for place, name in enumerate(MEASURES[:-1]):
        mean, square = np.zeros((2, 2)), np.zeros((2, 2))
        for weight, levels in every_label_set(labels):
            hits = replace(likely.hits, level=levels[likely.hit_rows])
            values = gw.parse_measure(name).values(replace(likely, hits=hits)).reshape(2, 2)
            mean += weight * values
            square += weight * values**2
        np.testing.assert_allclose(scores.expected[:, :, place], mean, atol=1e-12)
        np.testing.assert_allclose(scores.variances[:, :, place], square - mean**2, atol=1e-12)
    assert np.isnan(scores.expected[:, :, -1]).all()  # RR has no closed form


def test_drawn_label_sets_include_the_counts(
    labels: gw.meta.SoftLabels, scores: gw.meta.SoftScores
) -> None:
    panel = labels.panel
    joined = panel.join(RUNS)
    mean, square = np.zeros((2, 6)), np.zeros((2, 6))
    ahead = 0.0
    for weight, levels in every_label_set(labels):
        values = gw.score_judged(panel.under_levels(joined, levels), MEASURES).values.mean(axis=1)
        mean += weight * values
        square += weight * values**2
        ahead += weight * ((values[1, 0] > values[0, 0]) + 0.5 * (values[1, 0] == values[0, 0]))
    error = np.sqrt(square - mean**2)
    np.testing.assert_allclose(scores.samples.mean(axis=0), mean, atol=5 * error.max() / 60)
    np.testing.assert_allclose(scores.samples.std(axis=0), error, rtol=0.08, atol=1e-3)
    row = scores.pairs.filter(measure="AP").row(0, named=True)
    share = ahead if row["run_a"] == "two" else 1 - ahead
    assert row["ahead"] == pytest.approx(share, abs=0.03)
    assert row["difference"] == pytest.approx(abs(mean[1, 0] - mean[0, 0]), abs=0.01)


def test_frame(scores: gw.meta.SoftScores, labels: gw.meta.SoftLabels) -> None:
    row = scores.frame.filter(run="one", measure="AP").row(0, named=True)
    own = gw.evaluate(labels.qrels(), RUNS, "AP")
    assert row["value"] == pytest.approx(own["one", "AP"])
    expected = np.sqrt(scores.variances[0, :, 0].sum()) / 2
    assert row["expected_error"] == pytest.approx(expected)
    assert row["low"] <= row["mean"] <= row["high"]
    between = scores.drawn[0, :, 0].var(ddof=1) / 2
    assert row["standard_error"] == pytest.approx(np.sqrt(between + row["label_error"] ** 2))


def test_certain_labels_leave_no_doubt() -> None:
    panel = gw.meta.judges({"a": QRELS["a"], "b": QRELS["a"]})
    labels = gw.meta.combine_judges(panel, "majority")
    frame = gw.meta.soft_scores(panel.join(RUNS), labels, ["AP", "nDCG"], draws=5).frame
    own = gw.evaluate(QRELS["a"], RUNS, ["AP", "nDCG"])
    for row in frame.iter_rows(named=True):
        value = own[row["run"], row["measure"]]
        for column in ("value", "expected", "mean", "low", "high"):
            assert row[column] == pytest.approx(value)
        assert row["expected_error"] == pytest.approx(0, abs=1e-9)
        assert row["label_error"] == pytest.approx(0, abs=1e-12)


def test_the_same_seed_gives_the_same_draws(labels: gw.meta.SoftLabels) -> None:
    judged = labels.panel.join(RUNS)
    first, second, other = (
        gw.meta.soft_scores(judged, labels, "AP", draws=5, seed=seed).samples for seed in (3, 3, 4)
    )
    assert (first == second).all()
    assert (first != other).any()


def test_what_cannot_be_scored_is_refused(labels: gw.meta.SoftLabels) -> None:
    judged = labels.panel.join(RUNS)
    with pytest.raises(OptionError, match="draws must be at least 2"):
        gw.meta.soft_scores(judged, labels, "AP", draws=1)
    with pytest.raises(OptionError, match="geometric"):
        gw.meta.soft_scores(judged, labels, "GMAP")
    with pytest.raises(MeasureError, match="single grade per document"):
        gw.meta.soft_scores(judged, labels, "ERR_IA@10")
