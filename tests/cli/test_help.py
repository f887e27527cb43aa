"""Help names values by what they are, has examples that parse, and measures are completed."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from command import Call
from gradewise.cli.app import COMMANDS, app
from gradewise.cli.help import EXAMPLES
from gradewise.cli.meta import COMMANDS as META

OTHERS = [["trec-eval"], ["ir-measures"]]  # have parsers of their own


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
    (tmp_path / "run1.txt").touch()  # for run*.txt
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs/run1.txt").touch()
    examples = EXAMPLES[words[-1]]
    assert examples
    for line in examples:
        assert len(line) <= 80
        program, *rest = shlex.split(line)
        assert program == "gradewise"
        assert rest[: len(words)] == words
        command, context, arguments = _command(rest)
        for pattern in (word for word in arguments if "*" in word):
            Path(pattern.replace("*", "1")).touch()
        if words not in OTHERS:
            command.make_context(words[-1], arguments, parent=context)


@pytest.mark.parametrize("words", _names(), ids=" ".join)
def test_help_names_values_not_types(words: list[str]) -> None:
    command, _, _ = _command(words)
    text = command.get_help(command.make_context(words[-1], [], resilient_parsing=True))
    assert "Examples:" in text or words in OTHERS
    raw = re.findall(r"<(?:str|int|float|bool|path|list|tuple)[^>]*>|\b(?:TEXT|INTEGER)\b", text)
    assert raw == []


@pytest.mark.parametrize("words", [[], ["meta"], ["trec-eval"], ["eval"]], ids=" ".join)
def test_every_help_ends_with_examples(run: Call, words: list[str]) -> None:
    done = run(*words, "-h")
    assert done.code == 0
    examples = done.out[done.out.rindex("Example") :].splitlines()
    assert all("gradewise" in line for line in examples[1:] if line.strip())
    for line in EXAMPLES[words[-1] if words else "gradewise"]:
        assert line in done.out


def test_names_of_measures_are_completed() -> None:
    command, context, _ = _command(["eval"])
    measure = next(p for p in command.get_params(context) if p.name == "measure")
    found = [item.value for item in measure.shell_complete(context, "ndcg")]
    assert found == ["nDCG", "nDCG_IA", "nDCGrel"]
