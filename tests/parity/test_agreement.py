"""Agreement as scikit-learn and the package krippendorff have it, on random labels."""

import numpy as np
import pytest

import gradewise as gw
from gradewise.stats.agreement import cohen_kappa, count_coincidences, krippendorff_alpha

metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
krippendorff = pytest.importorskip("krippendorff", reason="krippendorff is not installed")


def labels_of(seed: int) -> tuple[np.ndarray, int]:
    """Labels of judges by documents, NaN where one is missing."""
    rng = np.random.default_rng(seed)
    judges, documents, grades = rng.integers(2, 6), rng.integers(10, 80), int(rng.integers(2, 6))
    truth = rng.integers(0, grades, documents)
    labels = np.where(
        rng.random((judges, documents)) < 0.5, truth, rng.integers(0, grades, (judges, documents))
    ).astype(float)
    labels[rng.random(labels.shape) < 0.2] = np.nan
    return labels, grades


@pytest.mark.parametrize("seed", range(20))
def test_kappa_and_alpha(seed: int) -> None:
    labels, grades = labels_of(seed)
    both = ~np.isnan(labels[:2]).any(axis=0)
    first, second = labels[:2, both].astype(int)
    table = np.zeros((grades, grades))
    np.add.at(table, (first, second), 1)
    for weights in ("plain", "linear", "quadratic"):
        expected = metrics.cohen_kappa_score(
            first, second, labels=range(grades), weights=None if weights == "plain" else weights
        )
        assert cohen_kappa(table, weights=weights) == pytest.approx(expected, abs=1e-12)
    counts = np.stack([(labels == k).sum(axis=0) for k in range(grades)], axis=1)
    for metric in ("nominal", "ordinal", "interval"):
        expected = krippendorff.alpha(
            labels, level_of_measurement=metric, value_domain=list(range(grades))
        )
        found = krippendorff_alpha(count_coincidences(counts).sum(axis=0), metric=metric)
        assert found == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("seed", range(5))
def test_panels(seed: int) -> None:
    labels, grades = labels_of(100 + seed)
    labels[:, :grades] = np.arange(grades)  # all judges have the same scale
    topics = np.arange(labels.shape[1]) % 4
    qrels: dict[str, dict[str, dict[str, int]]] = {}
    for judge, row in enumerate(labels):
        held = qrels.setdefault(f"j{judge}", {f"t{topic}": {} for topic in range(4)})
        for d in np.flatnonzero(~np.isnan(row)):
            held[f"t{topics[d]}"][f"d{d}"] = int(row[d])
    found = gw.meta.judge_agreement(gw.meta.judges(qrels), replicates=20)
    expected = krippendorff.alpha(labels, level_of_measurement="ordinal")
    assert found.overall["alpha"][0] == pytest.approx(expected, abs=1e-10)
    pairs = {(a, b, s): v for a, b, _, s, v, _, _ in found.frame.rows()}
    both = ~np.isnan(labels[:2]).any(axis=0)
    kappa = metrics.cohen_kappa_score(*labels[:2, both].astype(int), weights="quadratic")
    assert pairs["j0", "j1", "kappa_quadratic"] == pytest.approx(kappa, abs=1e-12)
    alpha = krippendorff.alpha(labels[:2, both], level_of_measurement="ordinal")
    assert pairs["j0", "j1", "alpha"] == pytest.approx(alpha, abs=1e-10)
