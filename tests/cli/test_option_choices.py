"""Choices on the command line are those of the tables, and the reference lists them."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest
import typer

from gradewise.cli import comparison_formats, formats, score_formats
from gradewise.cli.app import app
from gradewise.cli.judge_views import VIEWS, ViewName
from gradewise.cli.judges import JudgesFormat
from gradewise.cli.med import MedFormat
from gradewise.collection.run_names import NAMES, Names
from gradewise.collection.ties import TIES, Ties
from gradewise.distance.rbo import RBO_TIES, RboTies
from gradewise.fusion import METHODS, NORMALIZATIONS
from gradewise.measures.missing import MISSING, Missing
from gradewise.meta.judging.combine import COMBINATIONS, Method
from gradewise.meta.judging.next import AIMS, Aim
from gradewise.stats.corrections import CORRECTIONS
from gradewise.stats.correlations import CORRELATIONS
from gradewise.stats.intervals import INTERVALS
from gradewise.stats.prediction_powered import TARGETS, Target
from gradewise.stats.tests import TESTS
from gradewise.stats.tiers import GROUPS, Groups

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "command-line.md").read_text(
    encoding="utf-8"
)


@pytest.mark.parametrize(
    ("names", "table"),
    [
        (Names, NAMES),
        (Ties, TIES),
        (RboTies, RBO_TIES),
        (Missing, MISSING),
        (Groups, GROUPS),
        (formats.FrameFormat, formats.FRAME_FORMATS),
        (score_formats.ScoreFormat, score_formats.SCORE_FORMATS),
        (comparison_formats.ComparisonFormat, comparison_formats.COMPARISON_FORMATS),
        (MedFormat, [*formats.FRAME_FORMATS, "pool"]),
        (JudgesFormat, [*formats.FRAME_FORMATS, "pool"]),
        (ViewName, VIEWS),
        (Method, COMBINATIONS),
        (Aim, AIMS),
        (Target, TARGETS),
    ],
)
def test_names_are_those_of_the_table(names: Any, table: Any) -> None:
    assert get_args(names) == tuple(table)


OPTIONS = [
    ("eval", "--names", NAMES),
    ("compare", "--names", NAMES),
    ("eval", "--ties", TIES),
    ("eval", "--missing", MISSING),
    ("compare", "--test", TESTS),
    ("compare", "--correction", CORRECTIONS),
    ("compare", "--interval", INTERVALS),
    ("compare", "--groups", GROUPS),
    ("compare", "--ties", TIES),
    ("compare", "--missing", MISSING),
    ("rbo", "--ties", RBO_TIES),
    ("fuse", "--method", METHODS),
    ("fuse", "--normalize", NORMALIZATIONS),
    ("fuse", "--ties", TIES),
    ("judges", "--show", VIEWS),
    ("judges", "--combine", COMBINATIONS),
    ("judges", "--target", TARGETS),
    ("judges", "--aim", AIMS),
    ("judges", "--ties", TIES),
    ("meta correlation", "--kind", CORRELATIONS),
    ("meta incompleteness", "--kind", CORRELATIONS),
]


@pytest.mark.parametrize(("command", "option", "table"), OPTIONS)
def test_options_offer_and_explain_the_table(command: str, option: str, table: Any) -> None:
    found: Any = typer.main.get_command(app)
    for name in command.split():
        found = found.get_command(None, name)
    (parameter,) = (each for each in found.params if option in each.opts)
    described = getattr(parameter, "type_descriptor", None)  # from typer 0.29 on
    offered = parameter.type.choices if described is None else get_args(described.annotation)
    assert tuple(offered) == tuple(table)
    section = re.split(rf"^##+ gradewise {command}$", PAGE, flags=re.M)[1].split("\n##")[0]
    (line,) = re.findall(rf"^\| `{option}` \|.*$", section, flags=re.M)
    for name, entry in table.items():
        assert f"{name} ({entry.title})" in parameter.help
        assert f"`{name}`" in line or "compare.md#" in line  # which lists them
