"""Every entry of the tables has a name, an oracle that it agrees with, and a line in the docs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

import gradewise as gw
from gradewise.choices import Choice
from gradewise.stats.corrections import CORRECTIONS, Correction
from gradewise.stats.correlations import CORRELATIONS, Correlation
from gradewise.stats.intervals import INTERVALS, IntervalKind
from gradewise.stats.tests import TESTS, Test
from oracles import statistics

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "researchers" / "compare.md"
TABLES = {
    "tests": (TESTS, Test, statistics.TESTS),
    "corrections": (CORRECTIONS, Correction, statistics.CORRECTIONS),
    "intervals": (INTERVALS, IntervalKind, statistics.INTERVALS),
    "correlations": (CORRELATIONS, Correlation, statistics.CORRELATIONS),
}


@pytest.mark.parametrize("table", TABLES)
def test_each_entry_has_a_name_an_oracle_and_a_line_in_the_docs(table: str) -> None:
    entries: Mapping[str, Choice]
    entries, names, oracles = TABLES[table]  # type: ignore[assignment]
    assert tuple(entries) == get_args(names)
    assert set(oracles) == set(entries)
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    for name, entry in entries.items():
        described = [line for line in lines if line.startswith(f"| `{name}` | {entry.title}")]
        assert len(described) == 1, f"{PAGE.name} has no line on {name}: {entry.title}"


@pytest.mark.parametrize("name", TESTS)
def test_tests_as_their_oracles(name: Test) -> None:
    values = np.random.default_rng(4).random((4, 25)) + np.arange(4)[:, None] / 8
    test, oracle = TESTS[name], statistics.TESTS[name]
    if test.joint:
        found = test.apply(values, replicates=40, seed=3)
        assert found == pytest.approx(oracle(values, 40, 3), abs=1e-12)
        return
    differences = values[1:] - values[0]
    expected = [oracle(row, 40, 3) for row in differences]
    found = test.apply(differences, replicates=40, seed=3)
    assert found == pytest.approx(np.array(expected), abs=1e-12)


@pytest.mark.parametrize("name", CORRECTIONS)
def test_corrections_as_their_oracles(name: Correction) -> None:
    p = np.random.default_rng(5).random((3, 12)) ** 3
    expected = [statistics.CORRECTIONS[name](row.tolist()) for row in p]
    assert gw.stats.correct(p, name) == pytest.approx(np.array(expected), abs=1e-12)


@pytest.mark.parametrize("name", INTERVALS)
def test_intervals_as_their_oracles(name: IntervalKind) -> None:
    values = np.random.default_rng(6).random((3, 15))
    low, high = INTERVALS[name].apply(values, level=0.9, replicates=60, seed=2)
    expected = [statistics.INTERVALS[name](row, 0.9, 60, 2) for row in values]
    assert np.stack([low, high], axis=1) == pytest.approx(np.array(expected), abs=1e-12)


@pytest.mark.parametrize("name", CORRELATIONS)
def test_correlations_as_their_oracles(name: Correlation) -> None:
    x, y = np.random.default_rng(7).integers(0, 5, (2, 3, 6)).astype(float)
    expected = [statistics.CORRELATIONS[name](a, b) for a, b in zip(x, y, strict=True)]
    assert gw.stats.correlate(x, y, name) == pytest.approx(np.array(expected), abs=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gw.stats.paired_p(np.zeros(3), "wilcoxn"), "did you mean wilcoxon"),
        (lambda: gw.stats.paired_p(np.zeros(3), "tukey"), "compares all runs at once"),
        (lambda: gw.stats.correct(np.zeros(3), "bonferoni"), "did you mean bonferroni"),
        (lambda: gw.stats.correlate(np.zeros(3), np.zeros(3), "kendall"), "'tau', 'tau_a'"),
    ],
)
def test_a_wrong_name_is_answered_with_the_nearest(call: Any, message: str) -> None:
    with pytest.raises(gw.GradewiseError, match=message):
        call()
