"""Long work says in notebooks how far it has come, and nowhere else."""

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import gradewise as gw
from gradewise import progress

QRELS = {"t": {"a": 1}}
RUNS = {name: {"t": {"a": 1.0}} for name in "xyz"}


class Line:
    def __init__(self, log: list[str]):
        self.log = log

    def update(self, content: str) -> None:
        self.log.append(content)


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a notebook would have shown."""
    shown: list[str] = []

    def display(content: str, *, display_id: bool) -> Line:
        assert display_id
        shown.append(content)
        return Line(shown)

    shell, screen = ModuleType("IPython"), ModuleType("IPython.display")
    shell.get_ipython = lambda: SimpleNamespace(kernel=object())  # type: ignore[attr-defined]
    screen.HTML, screen.display = str, display  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", screen)
    monkeypatch.setattr(progress, "_PATIENCE", 0)
    monkeypatch.setattr(progress, "_PAUSE", -1)
    return shown


def test_a_notebook_counts_the_runs_and_then_clears_the_line(log: list[str]) -> None:
    gw.evaluate(QRELS, RUNS, "AP")
    assert [line.split(" in ")[0] for line in log] == [
        "<small>runs: 1",
        "<small>runs: 2",
        "<small>runs: 3",
        "",
    ]


def test_who_passes_a_function_gets_the_calls(log: list[str]) -> None:
    seen: list[Any] = []
    gw.evaluate(QRELS, RUNS, "AP", progress=seen.append)
    assert seen == ["x", "y", "z"]
    assert log == []


def test_scripts_and_quick_work_stay_silent(
    log: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 60)
    gw.evaluate(QRELS, RUNS, "AP")
    monkeypatch.delitem(sys.modules, "IPython")
    monkeypatch.setattr(progress, "_PATIENCE", 0)
    gw.evaluate(QRELS, RUNS, "AP")
    assert log == []
    assert capsys.readouterr() == ("", "")


def test_training_counts_its_epochs(log: list[str]) -> None:
    gw.learn.NetRanker(epochs=2, hidden=0).fit([[0.0], [1.0]], [0, 1], group=[2])
    assert [line.split(" in ")[0] for line in log][-3:] == [
        "<small>epochs: 1",
        "<small>epochs: 2",
        "",
    ]


def test_items_are_told_one_by_one() -> None:
    seen: list[int] = []
    items = progress.go_through("ab", seen.append)
    assert [(item, len(seen)) for item in items] == [("a", 0), ("b", 1)]
    assert seen == [1, 1]
    assert list(progress.go_through("ab", None)) == ["a", "b"]
