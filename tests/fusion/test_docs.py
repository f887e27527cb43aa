"""The guide lists every method and every normalization."""

import re
from pathlib import Path

from gradewise.fusion import METHODS, NORMALIZATIONS

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "engineers" / "fusion.md"


def _section(title: str) -> str:
    return GUIDE.read_text(encoding="utf-8").split(f"## {title}\n")[1].split("\n## ")[0]


def test_methods() -> None:
    rows = [line.split(" | ") for line in _section("Methods").splitlines() if line[:3] == "| `"]
    assert [row[0].strip("|` ") for row in rows] == list(METHODS)
    for row, (name, method) in zip(rows, METHODS.items(), strict=True):
        uses = row[3].split(", ")
        assert uses == [method.uses, *(["weights"] if method.weighted else [])], name
        for key, parameter in method.parameters.items():
            assert f"{key} = {parameter.default:g}" in row[2]


def test_normalizations() -> None:
    named = re.findall(r"^\| `([\w-]+)`", _section("Normalizations"), re.MULTILINE)
    assert named == list(NORMALIZATIONS)
