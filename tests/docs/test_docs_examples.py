"""The documentation is true: its examples are run and its tables are checked.

In the pages, blocks of `python`, `pycon` and `console` are run, each page in a folder and a
namespace of its own. What is only shown stands in blocks of `py`, `sh` and `text`.

Other tools are run beside gradewise where they are installed. A comment `<!-- needs: ranx -->` at
the top of a page is about the whole page, above a block about the block: `.ci/tools` installs the
libraries that are named so.
"""

import contextlib
import doctest
import importlib
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import typer

from gradewise.cli.app import app
from gradewise.measures.grammar import parse_measure, parse_measures
from gradewise.measures.measure import Measure
from gradewise.measures.presets import PRESETS
from gradewise.measures.registry import all_measures

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
RUN = {"python", "pycon", "console"}
SHOWN = {"py", "sh", "text", "yaml"}
FULL_NUMBER = re.compile(r"\b\d\.\d{15,}\b")
NEEDS = re.compile(r"<!-- needs: ([^>]+) -->\n")
FENCE = re.compile(r"^```(?P<kind>\w*)[^\n]*\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


def page_name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def missing_tools(comment: re.Match[str] | None) -> list[str]:
    """Return the libraries and commands that a comment names and this environment lacks."""
    named = [] if comment is None else comment[1].split()
    return [tool for tool in named if not (find_spec(tool) or shutil.which(tool, path=PATH))]


def above(content: str, block: re.Match[str]) -> re.Match[str] | None:
    """Return the comment on the line above a block."""
    return next((c for c in NEEDS.finditer(content) if c.end() == block.start()), None)


@dataclass
class Session:
    """What the blocks of a page share: a folder, a namespace and the last exit code."""

    page: str
    folder: Path
    names: dict[str, Any] = field(default_factory=dict)
    code: int = 0

    def run(self, kind: str, text: str, line: int) -> Iterator[tuple[str, str, str]]:
        """Run a block; give the source, the output shown and the real output of its steps."""
        if kind == "python":
            yield text, "", self.execute(text, line)
        elif kind == "pycon":
            yield from self.interpret(text, line)
        else:
            for command, shown in split_commands(text):
                yield command, shown, self.command(command)

    def execute(self, text: str, line: int) -> str:
        """Run a program and return what it prints."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * line + text, self.page, "exec"), self.names)
        return printed.getvalue()

    def interpret(self, text: str, line: int) -> Iterator[tuple[str, str, str]]:
        """Run examples of an interactive session."""
        recorder = Recorder()
        test = doctest.DocTestParser().get_doctest(text, self.names, self.page, self.page, line)
        test.globs = self.names
        recorder.run(test, clear_globs=False)
        yield from recorder.failures_found

    def command(self, command: str) -> str:
        """Run a command of the shell and return what a terminal would show."""
        environment = {
            **os.environ,
            "PATH": PATH,
            "HOME": str(self.folder),
            "PYTHONUNBUFFERED": "1",
            "PYTHONUTF8": "1",
        }
        done = subprocess.run(
            f"(exit {self.code}); {command}",
            shell=True,
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        self.code = done.returncode
        return done.stdout


class Recorder(doctest.DocTestRunner):
    """Runs examples, and keeps those whose output is not what the page shows."""

    def __init__(self) -> None:
        super().__init__(optionflags=doctest.ELLIPSIS | doctest.DONT_ACCEPT_TRUE_FOR_1)
        self.failures_found: list[tuple[str, str, str]] = []

    def report_failure(self, out: Any, test: Any, example: Any, got: str) -> None:
        self.failures_found.append((example.source, example.want, got))

    def report_unexpected_exception(self, out: Any, test: Any, example: Any, exc_info: Any) -> None:
        self.failures_found.append((example.source, example.want, repr(exc_info[1])))


def split_commands(text: str) -> Iterator[tuple[str, str]]:
    """Split a block into the commands behind `$` and the output shown below each."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = re.split(r"(?<!\\)(\n)", part, maxsplit=1)
        yield command, output


def same(shown: str, real: str) -> bool:
    """Compare outputs exactly, except that `...` stands for anything.

    Numbers printed in full are compared to 13 decimals: the last digits depend on the machine.
    """
    shown, real = (
        FULL_NUMBER.sub(lambda found: f"{float(found[0]):.13f}", s) for s in (shown, real)
    )
    return doctest.OutputChecker().check_output(shown, real, doctest.ELLIPSIS)


@pytest.mark.slow
# Lightning's own: of torch 2.13, and of machines with many cores
@pytest.mark.filterwarnings("ignore:.isinstance.treespec, LeafSpec:FutureWarning")
@pytest.mark.filterwarnings("ignore:The '.*_dataloader' does not have many workers")
# SHAP's own, of Matplotlib 3.11
@pytest.mark.filterwarnings(r"ignore:The set_\w+ function will be deprecated")
@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_examples_show_what_they_print(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    content = page.read_text(encoding="utf-8")
    missing = missing_tools(NEEDS.match(content))
    if missing:
        pytest.skip(f"{page.name} needs {' and '.join(missing)}, not installed here")
    session = Session(page.name, tmp_path)
    for block in FENCE.finditer(content):
        line = content[: block.start()].count("\n") + 1
        if block["kind"] in RUN and not missing_tools(above(content, block)):
            for source, shown, real in session.run(block["kind"], block["text"], line):
                place = f"{page.name}:{line}: {source}"
                assert same(shown, real), f"{place}\nshown:\n{shown}\nreal:\n{real}"


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_no_block_escapes(page: Path) -> None:
    content = page.read_text(encoding="utf-8")
    blocks = list(FENCE.finditer(content))
    assert content.count("```") == 2 * len(blocks), "a block is indented or does not end"
    for block in blocks:
        assert block["kind"] in RUN | SHOWN
        if block["kind"] == "console":
            assert block["text"].startswith("$ ")


def commands(group: Any, path: str = "gradewise") -> Iterator[tuple[str, Any]]:
    """Give the full name of every command, and the command."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


def test_every_option_is_described() -> None:
    page = (ROOT / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
    for name, command in commands(typer.main.get_command(app)):
        found = re.split(rf"^##+ {re.escape(name)}\n", page, maxsplit=1, flags=re.MULTILINE)
        assert len(found) == 2, name
        section = re.split(r"^##+ ", found[1], maxsplit=1, flags=re.MULTILINE)[0]
        for parameter in command.params:
            for option in parameter.opts if parameter.param_type_name == "option" else []:
                assert f"`{option}" in section or f" {option}`" in section, f"{name} {option}"


def test_names_of_trec_eval_mean_what_the_table_says() -> None:
    page = (ROOT / "docs" / "start" / "coming-from.md").read_text(encoding="utf-8")
    table = page.partition("| trec_eval | gradewise |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|", table, re.MULTILINE)
    assert len(rows) > 30
    for theirs, ours in rows:
        assert parse_measures(theirs) == [parse_measure(ours)], theirs


def _official_rows() -> list[list[str]]:
    """The columns of the tables of official names, without headings."""
    page = (ROOT / "docs" / "measures" / "official-names.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+) \|$(?!\n\|---)", page, re.MULTILINE)
    return [row.split(" | ") for row in rows]


def test_official_names_have_measures() -> None:
    rows = _official_rows()
    assert len(rows) > 60
    for row in rows:
        names = re.findall("`([^`]+)`", row[-1])
        assert names, row
        for name in names:
            parse_measure(name)


def test_the_page_of_official_names_lists_every_preset_and_every_difference() -> None:
    listed = {row[0]: row[1:] for row in _official_rows() if row[0].startswith("`@")}
    assert listed == {
        f"`@{name}`": [preset.title, ", ".join(f"`{each}`" for each in preset.measures)]
        for name, preset in PRESETS.items()
    }
    page = (ROOT / "docs" / "measures" / "official-names.md").read_text(encoding="utf-8")
    links = re.findall(r"\[(\w+)\]\(\1\.md\)", page.partition("several conventions")[2])
    assert set(links) == {each.name for each in all_measures() if "differs" in each.__dict__}


@pytest.fixture(scope="module")
def hooks() -> ModuleType:
    pytest.importorskip("mkdocs", reason="mkdocs is not installed")
    pytest.importorskip("latex2mathml", reason="latex2mathml is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "docs" / "hooks"))
        return importlib.import_module("measure_pages")


@pytest.mark.parametrize("measure", list(all_measures()), ids=lambda measure: measure.name)
def test_page_of_a_measure(hooks: ModuleType, measure: type[Measure]) -> None:
    page = hooks.measure_page(measure)
    headings = re.findall(r"^#+ .*$", page, re.MULTILINE)
    differs = ["Differences"] if "differs" in measure.__dict__ else []
    sections = ["Definition", "Parameters", "Conventions", *differs, "References", "Examples"]
    assert headings == [f"# {measure.name}", *[f"## {section}" for section in sections]]
    assert not re.search(r"^(-{3,}|={3,})$", page, re.MULTILINE)
    for name in measure.parameters():
        assert f"- `{name}` (default `" in page
    for alias in measure.aliases:
        assert f"`{alias}`" in page
    prompts = [line for line in page.splitlines() if line.startswith(">>>")]
    fenced = "".join(block["text"] for block in FENCE.finditer(page) if block["kind"] == "pycon")
    assert prompts
    assert all(prompt in fenced for prompt in prompts)
