"""The index of 28 published tables and figures, and how verdicts come."""

from importlib import import_module
from pathlib import Path

import pytest

from command import Call
from gradewise.reproduce.items import ITEMS, PAPERS, VERDICTS, WITNESSES, Item, items_of, verdict_of
from gradewise.reproduce.result import Property, Reproduced, Section
from gradewise.tables import Table

# The papers' own numbering: tables and figures with results. Figure 1 of Robertson et al. and
# Figure 2 of Yilmaz & Robertson state the constraints of an optimization.
PUBLISHED = {
    "kishida": "T1 T2 T3 T4 T5",
    "robertson": "T1 T2 F2 F3",
    "yilmaz": "T1 T2 T3 T4 T5 F1 F3 F4 F5",
    "ferrante": "T1 T2 T3 F1 F2",
    "moffat": "T1 T2 T3 F1 F2",
}


def test_index_has_every_table_and_figure() -> None:
    kinds = {"T": "table", "F": "figure"}
    expected = [
        f"{paper}:{kinds[item[0]]}{item[1]}"
        for paper, items in PUBLISHED.items()
        for item in items.split()
    ]
    assert [item.name for item in ITEMS] == expected
    assert len(ITEMS) == 28


@pytest.mark.parametrize("paper", PAPERS)
def test_papers_have_the_parts_of_the_index(paper: str) -> None:
    parts = set(import_module(f"gradewise.reproduce.{paper}").PARTS)
    named = {item.part for item in items_of(paper)}
    assert parts <= named
    assert parts == named


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.name)
def test_entries(item: Item) -> None:
    assert item.witness in WITNESSES
    assert item.verdict in VERDICTS


def test_command_prints_the_index(run: Call) -> None:
    code, out, err = run("reproduce", "--list")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split() == ["item", "data", "assumption", "witness", "verdict"]
    assert sum(line.startswith(PAPERS) for line in lines) == 28
    assert run("reproduce", "kishida:table3", "--list").out.count("kishida") == 1


def stated(paper: str, part: str) -> str:
    return items_of(paper, part)[0].verdict


def computed(paper: str, part: str, folder: Path | None) -> str:
    sections = import_module(f"gradewise.reproduce.{paper}").sections
    return verdict_of(sections(folder, [part], quick=paper == "moffat"))


EXACT = [item for item in ITEMS if item.witness == "exact" and not item.needs_data]


@pytest.mark.parametrize("item", EXACT, ids=lambda item: item.name)
def test_stated_verdicts_without_data(item: Item) -> None:
    assert computed(item.paper, item.part, None) == item.verdict


@pytest.mark.parametrize("name", ["ferrante:table1", "moffat:figure1", "moffat:figure2"])
def test_stated_verdicts(name: str, real_data: Path) -> None:
    paper, part = name.split(":")
    assert computed(paper, part, real_data) == stated(paper, part)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["kishida:table2", "robertson:figure3", "ferrante:table2", "ferrante:table3"]
)
def test_stated_verdicts_of_longer_work(name: str, real_data: Path) -> None:
    paper, part = name.split(":")
    assert computed(paper, part, real_data) == stated(paper, part)


def _section(numbers: str, claims: str) -> Section:
    rows = [Reproduced("p", "1", "x", "0.5", 0.5 if c == "y" else 0.9, True) for c in numbers]
    found = [Property("claim", c == "y", "") for c in claims]
    return Section("table1", "", Table([], []), tuple(rows), properties=tuple(found))


@pytest.mark.parametrize(
    ("numbers", "claims", "verdict"),
    [
        ("yy", "", "agrees"),
        ("yy", "y", "agrees"),
        ("", "yy", "holds"),
        ("", "yn", "holds in part"),
        ("y", "n", "holds in part"),
        ("yn", "", "holds in part"),
        ("n", "n", "does not hold"),
        ("", "nn", "does not hold"),
    ],
)
def test_verdict_follows_from_numbers_and_claims(numbers: str, claims: str, verdict: str) -> None:
    assert verdict_of([_section(numbers, claims)]) == verdict
    halves = [_section(numbers, ""), _section("", claims)]
    assert verdict_of(halves) == verdict
