"""Moffat's tables to the printed digit, his figures on his judgments, and what he says of them."""

import gzip
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import product
from math import log2
from pathlib import Path

import numpy as np
import pytest

from command import Call
from gradewise.reproduce import moffat, moffat_assignments, moffat_figures, moffat_theory
from gradewise.reproduce.result import Section
from oracles import gain_discount, pivot


@pytest.fixture(scope="module")
def tables() -> list[Section]:
    return moffat.tables(quick=True)


def test_tables_agree(tables: list[Section]) -> None:
    sections = tables
    assert [section.name for section in sections] == ["table1", "table2", "table3"]
    assert [len(section.numbers) for section in sections] == [27, 77, 24]
    assert not [failure for section in sections for failure in section.failures]
    assert not [row.what for row in sections[1].numbers if "ours" in row.what]  # same documents


def test_claims_about_the_tables(tables: list[Section]) -> None:
    first, second, third = tables
    assert [claim.holds for claim in first.properties] == [True]
    # Y = (a), Z = (b, c), gains 0, 1, 3: c of grade 1 gives nDCG@2 = 1; c of grade 2 gives
    # (1 + 3 / log2(3)) / (3 + 1 / log2(3)).
    *proved, claim = second.properties
    assert len(proved) == 2
    assert all(each.holds and each.necessary for each in proved)
    assert not claim.holds
    assert not claim.necessary
    assert f"{(1 + 3 / log2(3)) / (3 + 1 / log2(3)):.3f}" in claim.detail
    assert len(third.properties) == 10
    assert all(claim.holds and claim.necessary for claim in third.properties)
    # The assignments are those that Table 3 prints.
    found = [claim.detail.split()[2].rstrip(",") for claim in third.properties[:4]]
    assert found == ["BCFHK", "DL", "BCFGHJK", "BCK"]


@pytest.mark.parametrize(
    ("name", "oracle"),
    [
        ("P", gain_discount.p),
        ("RBP", gain_discount.rbp),
        ("SDCG", gain_discount.sdcg),
        ("NDCG", gain_discount.ndcg),
        ("SSP", pivot.ssp),
        ("AP", pivot.ap),
    ],
)
def test_assignments_are_scored_as_defined(name: str, oracle: Callable[..., float]) -> None:
    """Two lists with two unjudged documents, and one relevant document elsewhere."""
    every = moffat_assignments.try_every("abc", "dab", {"a": 1, "d": 0}, elsewhere=1)
    assert every.free == "bc"
    expected = []
    for b, c in product((0, 1), repeat=2):
        counts = {0: 1 + (b == 0) + (c == 0), 1: 2 + b + c}
        expected.append(oracle([1, b, c], counts, cutoff=3) - oracle([0, 1, b], counts, cutoff=3))
    assert every.differences[name].tolist() == pytest.approx(expected, abs=1e-12)
    assert every.distance(name) == pytest.approx(max(map(abs, expected)), abs=1e-12)


def test_earlier_documents() -> None:
    one, other = moffat_assignments.earlier("abc", "dab", "abcd")
    assert one.tolist() == [True, True, True, False]
    assert other.tolist() == [False, False, False, True]


def test_heuristic_on_real_lists(real_data: Path) -> None:
    section = moffat_theory.heuristic_on_runs(real_data, quick=True)
    assert [int(row[3]) for row in section.table.rows] == [30] * 9 + [50]
    assert section.properties[0].holds


def test_the_lines_of_figure_2() -> None:
    # Section 4: the conservative constant is 3.58, the other one S_20 times 15/16.
    high, low = moffat_figures.scaling_constants(moffat_figures.gains_of(4)).values()
    assert f"{low:.2f}" == "3.58"
    assert high == pytest.approx(sum(1 / log2(n + 1) for n in range(1, 21)) * 15 / 16)
    # Equation 12 and the values printed below it.
    assert moffat_figures.gains_of(4) == pytest.approx(np.array([0, 1, 3, 7, 15]) / 16)


@pytest.fixture(scope="module")
def figures(real_data: Path) -> list[Section]:
    return moffat_figures.figures(real_data)


def test_figures(figures: list[Section]) -> None:
    assert [section.name for section in figures] == ["figure1", "figure2"] * 3
    for section in figures:
        assert not section.failures
        assert section.chart is not None
        assert section.chart().to_dict()["$schema"]


def test_counts_of_figure_1(figures: list[Section], real_data: Path) -> None:
    own, documents, later = figures[::2]
    # Section 4: thirty topics have twenty or more judgments of grade 2 or above; SSP@100 is below
    # AP@100 for more than 20 topics, in some cases by a factor of five.
    assert [row.printed for row in own.stated] == ["30"]
    assert all(row.agrees for row in own.stated)
    for section in (own, documents, later):
        assert all(claim.holds for claim in section.properties)
    for section, name in ((own, "201-250.ndeval"), (documents, "201-250"), (later, "251-300")):
        assert section.table.rows == _literal_rows(real_data, name)


def _literal_rows(folder: Path, name: str) -> list[list[str]]:
    """Count the lines of a file, by a dictionary."""
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    with gzip.open(folder / "qrels" / f"qrels.web.{name}.txt.gz", "rt") as file:
        for line in file:
            topic, _, _, grade = line.split()
            counts[topic].update(k for k in (1, 2, 3) if int(grade) >= k)
            counts[topic][0] += 1
    rows = []
    for k in (1, 2, 3):
        numbers = sorted(counts[topic][k] for topic in counts)
        middle = (numbers[24] + numbers[25]) / 2
        cells = (numbers[-1], middle, numbers[0])
        at_least = sum(number >= 20 for number in numbers)
        below = sum(number < 100 for number in numbers)
        rows.append([f"{k}+", *[f"{cell:g}" for cell in cells], str(at_least), str(below)])
    return rows


def test_lines_above_ideal_lists(figures: list[Section]) -> None:
    """The text says that both lines are above ideal DCG; two topics are above the lower one."""
    own, documents, later = figures[1::2]
    assert [claim.holds for claim in own.properties] == [True, False, True]
    assert [claim.holds for claim in documents.properties] == [True, False, True]
    assert [claim.holds for claim in later.properties] == [False, False, True]
    assert [row[2] for row in own.table.rows] == ["50 of 50", "48 of 50"]
    assert all(row.agrees for row in own.stated)
    assert len(own.stated) == 6


def test_tables_need_no_data(run: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRADEWISE_DATA", raising=False)
    code, out, _ = run("reproduce", "moffat:table3", "--quick")
    assert code == 0
    assert "MED(AP)" in out
    assert run("reproduce", "moffat:figure1").code == 1
