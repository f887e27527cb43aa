"""Kishida 2005: our numbers beside those of the paper, which are typed here a second time."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from gradewise.reproduce.kishida import tables
from gradewise.reproduce.kishida_claims import CLAIMS
from gradewise.reproduce.result import Property, Reproduced

ROWS = tables()


def by_name(table: str) -> dict[str, Reproduced]:
    return {row.what: row for row in ROWS if row.table == table}


def test_every_number_of_every_table_is_there() -> None:
    sizes = {table: len(by_name(table)) for table in "12345"}
    assert sizes == {"1": 9, "2": 10, "3": 8, "4": 14, "5": 36}
    assert len(ROWS) == sum(sizes.values())
    assert {row.paper for row in ROWS} == {"kishida-2005"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.table} {row.what}")
def test_agrees(row: Reproduced) -> None:
    assert row.agrees, row
    assert row.exact == (row.table != "2")
    assert (row.error is None) == row.exact


def test_table_1_is_eq_17() -> None:
    for relevant in (10, 50, 100):
        for v in (0.1, 0.3, 0.5):
            ours = by_name("1")[f"R={relevant} v={v}"].ours
            assert ours == pytest.approx(1 / 101 - v / (relevant + 1), abs=1e-14)


def test_printed_numbers_are_those_of_the_paper() -> None:
    """Spot checks of the copy: first, last and unusual cells of each table."""
    expected = {
        ("1", "R=10 v=0.3"): "-0.01737",
        ("1", "R=100 v=0.5"): "0.00495",
        ("2", "theta=0.9 sigma_d^2"): "0.01314",
        ("2", "theta=0.5 mean observed variance"): "0.03687",
        ("3", "average MSR"): ".488",
        ("3", "std. dev. GenAP"): ".228",
        ("4", "Q AnDCG"): "0.840",
        ("4", "AP GenAP"): "0.894",
        ("5", "03210/32000 Q"): "1.125",
        ("5", "00003/30000 GenAP"): "0.200",
    }
    for (table, what), printed in expected.items():
        assert by_name(table)[what].printed == printed


@pytest.mark.parametrize(
    ("theta", "sigma_mu2", "sigma_d2"), [(0.9, 0.023100, 0.013624), (0.5, 0.0, 0.036724)]
)
def test_table_2_expects_what_all_patterns_give(
    theta: float, sigma_mu2: float, sigma_d2: float
) -> None:
    """Over all 2^10 chances and all 2^10 judgments the mean is 0.606956, whatever theta is."""
    exact = {
        "mean": 0.606956,
        "sigma_mu^2": sigma_mu2 + sigma_d2 / 1000,  # of means of 1000 judgments
        "sigma_d^2": sigma_d2,
        "mean observed variance": 0.036724,
    }
    for name, value in exact.items():
        row = by_name("2")[f"theta={theta} {name}"]
        assert row.error is not None
        assert row.ours == pytest.approx(value, abs=4 * row.error / 30**0.5), name


@pytest.mark.slow
def test_same_seed_same_numbers() -> None:
    assert tables() == ROWS


def test_agreement_is_to_the_printed_digits() -> None:
    def row(printed: str, ours: float) -> Reproduced:
        return Reproduced("paper", "1", "cell", printed, ours, exact=True)

    assert row("0.331", 0.33149).agrees
    assert not row("0.331", 0.33151).agrees
    assert row(".488", 0.4875001).agrees
    assert row("-0.01737", -0.017374).agrees
    assert row("12", 12.4).agrees
    assert row("0.5", 0.45).difference == pytest.approx(-0.05, abs=1e-15)


def test_agreement_of_simulations_is_within_three_errors() -> None:
    row = Reproduced("paper", "2", "cell", "0.50", 0.53, exact=False, error=0.0101)
    assert row.agrees
    assert not Reproduced("paper", "2", "cell", "0.50", 0.54, exact=False, error=0.0101).agrees


def claims_on(table: str) -> tuple[Property, ...]:
    return CLAIMS[table]([row for row in ROWS if row.table == table])


def test_every_claim_holds_but_one() -> None:
    found = {table: claims_on(table) for table in "12345"}
    assert {table: len(claims) for table, claims in found.items()} == {
        "1": 5, "2": 4, "3": 7, "4": 3, "5": 6
    }  # fmt: skip
    for table, claims in found.items():
        failed = [claim for claim in claims if not claim.holds]
        # Section 2.2: below rank R, a document adds nothing to R-precision.
        assert [claim.what.split(",")[0] for claim in failed] == (
            ["it does so whatever its rank"] if table == "1" else []
        )
        chance = [claim for claim in claims if not claim.necessary]
        assert len(chance) == {"1": 1, "2": 3}.get(table, 0)


def test_eq_11_by_exact_fractions() -> None:
    """Smallest difference between ranks j and j + 1 in lists of 8, by the definition of AP."""

    def ap(pattern: tuple[int, ...]) -> Fraction:
        hits = [n for n, x in enumerate(pattern, 1) if x]
        return sum((Fraction(k, n) for k, n in enumerate(hits, 1)), Fraction(0)) / 8

    differences = []
    for pattern in product((0, 1), repeat=8):
        for j in range(7):
            if pattern[j] == pattern[j + 1] == 0:
                first = ap((*pattern[:j], 1, *pattern[j + 1 :]))
                second = ap((*pattern[: j + 1], 1, *pattern[j + 2 :]))
                differences.append(first - second)
    assert min(differences) > 0
    claim = claims_on("1")[0]
    assert f"all {len(differences)} cases" in claim.detail
    assert f"smallest difference {float(min(differences)):.4f}" in claim.detail


def test_claims_can_fail() -> None:
    """Other numbers, other verdicts."""
    swapped = [replace(row, ours=-row.ours) for row in ROWS if row.table == "1"]
    assert [claim.holds for claim in CLAIMS["1"](swapped)] == [True, True, True, False, False]
    for table in "2345":
        turned = [replace(row, ours=1 - row.ours) for row in ROWS if row.table == table]
        assert not all(claim.holds for claim in CLAIMS[table](turned)), table
