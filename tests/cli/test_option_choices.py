"""Choices on the command line are those of the tables, and the reference lists them."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest
import typer

from gradewise.cli import formats
from gradewise.cli.app import app
from gradewise.cli.med import MedFormat
from gradewise.collection.ties import TIES, Ties
from gradewise.distance.rbo import RBO_TIES, RboTies
from gradewise.measures.missing import MISSING, Missing
from gradewise.stats.corrections import CORRECTIONS
from gradewise.stats.correlations import CORRELATIONS
from gradewise.stats.intervals import INTERVALS
from gradewise.stats.tests import TESTS

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "command-line.md").read_text(
    encoding="utf-8"
)


@pytest.mark.parametrize(
    ("names", "table"),
    [
        (Ties, TIES),
        (RboTies, RBO_TIES),
        (Missing, MISSING),
        (formats.FrameFormat, formats.FRAME_FORMATS),
        (formats.ScoreFormat, [*formats.SCORE_FORMATS, "parquet"]),
        (formats.ComparisonFormat, formats.COMPARISON_FORMATS),
        (MedFormat, [*formats.FRAME_FORMATS, "pool"]),
    ],
)
def test_names_are_those_of_the_table(names: Any, table: Any) -> None:
    assert get_args(names) == tuple(table)


OPTIONS = [
    ("eval", "--ties", TIES),
    ("eval", "--missing", MISSING),
    ("compare", "--test", TESTS),
    ("compare", "--correction", CORRECTIONS),
    ("compare", "--interval", INTERVALS),
    ("compare", "--ties", TIES),
    ("compare", "--missing", MISSING),
    ("rbo", "--ties", RBO_TIES),
    ("meta correlation", "--kind", CORRELATIONS),
    ("meta incompleteness", "--kind", CORRELATIONS),
]


@pytest.mark.parametrize(("command", "option", "table"), OPTIONS)
def test_options_offer_and_explain_the_table(command: str, option: str, table: Any) -> None:
    found: Any = typer.main.get_command(app)
    for name in command.split():
        found = found.get_command(None, name)
    (parameter,) = (each for each in found.params if option in each.opts)
    assert get_args(parameter.type_descriptor.annotation) == tuple(table)
    section = re.split(rf"^##+ gradewise {command}$", PAGE, flags=re.M)[1].split("\n##")[0]
    (line,) = re.findall(rf"^\| `{option}` \|.*$", section, flags=re.M)
    for name, entry in table.items():
        assert f"{name} ({entry.title})" in parameter.help
        assert f"`{name}`" in line or "compare.md#" in line  # which lists them
