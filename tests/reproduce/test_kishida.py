"""Kishida 2005: our numbers beside those of the paper, which are typed here a second time."""

import pytest

from gradewise.reproduce.kishida import tables
from gradewise.reproduce.result import Reproduced

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
