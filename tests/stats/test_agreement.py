"""Coefficients of agreement equal their definitions and what irrCAC prints."""

import math
import random

import numpy as np
import pytest

from gradewise.errors import OptionError
from gradewise.stats.agreement import (
    DISTANCES,
    cohen_kappa,
    count_coincidences,
    gwet_ac,
    gwet_ac_of_counts,
    krippendorff_alpha,
    likeness_of_labels,
    overlap,
    raw_agreement,
)
from oracles import agreement as oracle

NO = None
# Labels of four judges for 14 documents, and Gwet's coefficients by irrCAC 0.4.4.
PRINTED = (
    (1, 2, 2, 2, 2, 0, NO, 1, 3, 2, 2, 3, NO, 1),
    (1, NO, NO, NO, 1, 1, 2, 0, 1, 3, NO, 3, 0, NO),
    (1, 3, 1, NO, 1, 2, 1, 0, 3, 2, 2, 1, 0, 3),
    (NO, 2, 1, NO, 1, 2, NO, 3, 1, 2, 2, NO, NO, 3),
)
GWET = {"plain": 0.293553946751, "linear": 0.41440557709, "quadratic": 0.531318801083}
GWET_OF_TWO = {"plain": 0.070796460177, "linear": 0.379310344828, "quadratic": 0.617312072893}


def draw(seed: int) -> tuple[list[list[int | None]], int]:
    """Labels of judges who half agree, with gaps."""
    rng = random.Random(seed)
    grades, documents = rng.randint(2, 5), rng.randint(4, 30)
    truth = [rng.randrange(grades) for _ in range(documents)]
    labels: list[list[int | None]] = [
        [
            None if rng.random() < 0.15 else t if rng.random() < 0.6 else rng.randrange(grades)
            for t in truth
        ]
        for _ in range(rng.randint(2, 5))
    ]
    return labels, grades


def counts_of(labels: list[list[int | None]], grades: int) -> np.ndarray:
    return np.array([[unit.count(k) for k in range(grades)] for unit in zip(*labels, strict=True)])


def table_of(labels: list[list[int | None]], grades: int) -> tuple[np.ndarray, list[list[int]]]:
    """The table of the first two judges, and their labels of the documents that both have."""
    pairs = [
        (a, b) for a, b in zip(labels[0], labels[1], strict=True) if a is not None and b is not None
    ]
    table = np.zeros((grades, grades), np.int64)
    for a, b in pairs:
        table[a, b] += 1
    return table, [list(column) for column in zip(*pairs, strict=True)]


@pytest.mark.parametrize("seed", range(30))
def test_coefficients_equal_their_definitions(seed: int) -> None:
    labels, grades = draw(seed)
    table, (first, second) = table_of(labels, grades)
    counts = counts_of(labels, grades)
    agreeing = sum(a == b for a, b in zip(first, second, strict=True)) / len(first)
    assert raw_agreement(table) == pytest.approx(agreeing)
    for weights in DISTANCES:
        if len({*first, *second}) > 1:
            expected = oracle.cohen(first, second, weights)
            assert cohen_kappa(table, weights=weights) == pytest.approx(expected, abs=1e-12)
        expected = oracle.gwet([first, second], grades, weights)
        assert gwet_ac(table, weights=weights) == pytest.approx(expected, abs=1e-12)
        expected = oracle.gwet(labels, grades, weights)
        alike = likeness_of_labels(counts, weights=weights)
        labeled = counts[counts.sum(axis=1) > 0]
        shares = (labeled / labeled.sum(axis=1, keepdims=True)).sum(axis=0)
        found = gwet_ac_of_counts(
            np.nansum(alike), (~np.isnan(alike)).sum(), shares, weights=weights
        )
        assert found == pytest.approx(expected, abs=1e-12)
    coincidences = count_coincidences(counts).sum(axis=0)
    for metric, distance in (
        ("nominal", lambda a, b: float(a != b)),
        ("interval", lambda a, b: float((a - b) ** 2)),
        ("ordinal", oracle.ordinal(labels)),
    ):
        expected = oracle.krippendorff(labels, distance)
        found = krippendorff_alpha(coincidences, metric=metric)
        assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("weights", list(GWET))
def test_gwet_equals_irrcac(weights: str) -> None:
    labels = [list(row) for row in PRINTED]
    counts = counts_of(labels, 4)
    alike = likeness_of_labels(counts, weights=weights)
    shares = (counts / counts.sum(axis=1, keepdims=True)).sum(axis=0)
    found = gwet_ac_of_counts(np.nansum(alike), (~np.isnan(alike)).sum(), shares, weights=weights)
    assert found == pytest.approx(GWET[weights], abs=1e-11)
    table, _ = table_of(labels, 4)
    assert gwet_ac(table, weights=weights) == pytest.approx(GWET_OF_TWO[weights], abs=1e-11)


def test_many_tables_at_once_are_each_alone() -> None:
    rng = np.random.default_rng(4)
    tables = rng.integers(0, 9, (5, 3, 4, 4))
    both = tables + np.swapaxes(tables, -1, -2)
    for function, given in ((cohen_kappa, tables), (gwet_ac, tables), (krippendorff_alpha, both)):
        alone = [[function(table) for table in row] for row in given]
        np.testing.assert_allclose(function(given), alone, atol=1e-15)


def test_one_grade_alone_has_no_coefficient() -> None:
    table = np.array([[5, 0], [0, 0]])
    assert math.isnan(cohen_kappa(table))
    assert math.isnan(krippendorff_alpha(table + table.T))
    assert math.isnan(overlap(table))
    assert math.isnan(gwet_ac(np.array([[5]])))
    assert gwet_ac(table) == 1
    assert math.isnan(raw_agreement(np.zeros((2, 2))))


def test_unknown_weights_are_named() -> None:
    with pytest.raises(OptionError, match="did you mean quadratic"):
        cohen_kappa(np.eye(2), weights="quadratics")  # type: ignore[arg-type]
