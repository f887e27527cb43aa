"""Help names values by what they are, has examples that parse, and measures are completed."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from gradewise.cli.app import COMMANDS, app
from gradewise.cli.help import EXAMPLES
from gradewise.cli.meta import COMMANDS as META


def _command(words: list[str]) -> tuple[Any, Any, list[str]]:
    """The command that words call, its context, and the other words."""
    group = typer.main.get_command(app)
    context = group.make_context("gradewise", list(words), resilient_parsing=True)
    command = group.get_command(context, words[0])
    if words[0] == "meta":
        return command.get_command(context, words[1]), context, words[2:]
    return command, context, words[1:]


def _names() -> list[list[str]]:
    return [[name] for name in COMMANDS if name != "meta"] + [["meta", name] for name in META]


@pytest.mark.parametrize("words", _names(), ids=" ".join)
def test_every_command_has_examples_that_parse(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    examples = EXAMPLES[words[-1]]
    assert examples
    for line in examples:
        program, *rest = shlex.split(line)
        assert program == "gradewise"
        assert rest[: len(words)] == words
        command, context, arguments = _command(rest)
        if words != ["trec-eval"]:  # which has a parser of its own
            command.make_context(words[-1], arguments, parent=context)


@pytest.mark.parametrize("words", _names(), ids=" ".join)
def test_help_names_values_not_types(words: list[str]) -> None:
    command, _, _ = _command(words)
    text = command.get_help(command.make_context(words[-1], [], resilient_parsing=True))
    assert "Examples:" in text or words == ["trec-eval"]
    raw = re.findall(r"<(?:str|int|float|bool|path|list|tuple)[^>]*>|\b(?:TEXT|INTEGER)\b", text)
    assert raw == []


def test_names_of_measures_are_completed() -> None:
    command, context, _ = _command(["eval"])
    measure = next(p for p in command.get_params(context) if p.name == "measure")
    found = [item.value for item in measure.shell_complete(context, "ndcg")]
    assert found == ["nDCG", "nDCGrel"]
