"""The pages on papers say what full-size runs printed; those outputs are kept with the pages."""

import re
from pathlib import Path

import pytest

from gradewise.reproduce.items import ITEMS, PAPERS, Item

PAGES = Path(__file__).parents[2] / "docs" / "papers"
MINUS = "\N{MINUS SIGN}"
DECIMAL = re.compile(rf"(?<![\w.,])[+{MINUS}-]?\d*\.\d{{2,}}(?![\d.])")
VERDICT = re.compile(r"^(?P<item>\w+:\w+) (?P<verdict>[a-z ]+): (?P<counts>.+)$", re.MULTILINE)


def place_of(item: Item) -> Path:
    return PAGES / "output" / f"{item.paper}-{item.part}.txt"


def output_of(item: Item) -> str:
    """Return what `gradewise reproduce` printed for an item."""
    return place_of(item).read_text("utf-8")


KEPT = [item for item in ITEMS if place_of(item).exists()]
WHOLE = [paper for paper in PAPERS if all(i in KEPT for i in ITEMS if i.paper == paper)]


@pytest.mark.parametrize("item", KEPT, ids=lambda item: item.name)
def test_verdicts_of_the_index_are_those_of_the_outputs(item: Item) -> None:
    found = {match["item"]: match["verdict"] for match in VERDICT.finditer(output_of(item))}
    assert found == {item.name: item.verdict}


def numbers_in(text: str) -> list[tuple[float, int]]:
    """Return the numbers of a text that have decimals, and how many decimals."""
    found = (match[0].replace(MINUS, "-") for match in DECIMAL.finditer(text))
    return [(float(number), len(number.partition(".")[2])) for number in found]


@pytest.mark.parametrize("paper", WHOLE)
def test_numbers_on_pages_are_those_of_the_outputs(paper: str) -> None:
    """A number with two decimals or more was printed, but for its sign or a factor of 100."""
    printed = [
        number for item in ITEMS if item.paper == paper for number in numbers_in(output_of(item))
    ]
    page = re.sub(r"```.*?```", "", (PAGES / f"{paper}.md").read_text("utf-8"), flags=re.DOTALL)
    missing = [
        value
        for value, digits in numbers_in(page)
        if not any(
            abs(abs(value) - scale * abs(other))
            <= 0.5 * (10.0**-digits + scale * 10.0**-more) + 1e-9
            for other, more in printed
            for scale in (1, 100, 0.01)
        )
    ]
    assert missing == []
