"""The page on files lists every name of a column, and every kind of document."""

import re
from pathlib import Path

from gradewise.collection.sources.documents import DOCUMENTS
from gradewise.collection.sources.names import KNOWN, TITLES
from gradewise.collection.sources.sniffing import DELIMITERS

PAGE = (Path(__file__).parents[2] / "docs" / "start" / "files.md").read_text(encoding="utf-8")


def test_the_page_lists_every_name() -> None:
    section = PAGE.split("## Names of columns")[1].split("\n## ")[0]
    rows = dict(re.findall(r"^\| (\w+) \| ([^|;]+?)(?:;[^|]*)? \|$", section, flags=re.M))
    rows.pop("Column", None)
    assert {TITLES.get(role, role): ", ".join(names) for role, names in KNOWN.items()} == rows


def test_no_name_stands_for_two_things() -> None:
    names = [name for known in KNOWN.values() for name in known]
    assert len(names) == len(set(names))


def test_the_page_tells_of_every_kind_of_document() -> None:
    for kind in DOCUMENTS:
        words = kind.title.removeprefix("a ").removeprefix("ratings of ").removeprefix("the ")
        assert words.split()[-1] in PAGE
    for delimiter in DELIMITERS:
        assert {"\t": "TSV", ",": "commas", ";": "semicolons", "|": "bars"}[delimiter] in PAGE
